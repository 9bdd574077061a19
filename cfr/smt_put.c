/*
 * smt_put.c: see smt_put.h. The forms of an entry:
 *
 *     same 0..63 | same_locals_1 64..127, type | 247 delta type | chop 248..250 delta
 *     251 delta | append 252..254 delta types | full 255 delta locals stack
 */
#include "cfr/smt_put.h"

#include "base/assert.h"

#include "base/banned.h"

enum { DELTA_SHORT = 63, CHANGE_MAX = 3, PC_LAST = 65535 };

/* ---- frames to entries ---- */

static void put_types(struct jw_buf *out, const struct cfr_vtype *types, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		jw_put_u1(out, types[i].tag);
		if (types[i].tag == CFR_VTYPE_OBJECT || types[i].tag == CFR_VTYPE_UNINIT)
			jw_put_u2(out, types[i].data);
	}
}

static void put_full(struct jw_buf *out, const struct cfr_frame *frame, uint32_t delta)
{
	jw_put_u1(out, CFR_SMT_FULL);
	jw_put_u2(out, delta);
	jw_put_u2(out, frame->local_count);
	put_types(out, frame->locals, frame->local_count);
	jw_put_u2(out, frame->stack_count);
	put_types(out, frame->stack, frame->stack_count);
}

/* same_frame and same_locals_1 in their short or extended form, without the type. */
static void put_same_head(struct jw_buf *out, bool stack, uint32_t delta)
{
	if (delta <= DELTA_SHORT) {
		jw_put_u1(out, (stack ? (size_t)CFR_SMT_SAME_STACK : CFR_SMT_SAME) + delta);
		return;
	}
	jw_put_u1(out, stack ? CFR_SMT_SAME_STACK_EXT : CFR_SMT_SAME_EXT);
	jw_put_u2(out, delta);
}

static bool same_types(const struct cfr_vtype *a, const struct cfr_vtype *b, uint32_t count)
{
	if (a == b)
		return true;
	for (uint32_t i = 0; i < count; i++) {
		if (a[i].tag != b[i].tag || a[i].data != b[i].data)
			return false;
	}
	return true;
}

void cfr_smt_put_frame(struct jw_buf *out, const struct cfr_frame *before,
		       const struct cfr_frame *frame, uint32_t delta)
{
	int32_t more = before ? (int32_t)frame->local_count - before->local_count : 0;
	uint32_t common = 0;

	if (before)
		common = more < 0 ? frame->local_count : before->local_count;
	if (!before || frame->stack_count > 1 || (frame->stack_count == 1 && more != 0) ||
	    more < -CHANGE_MAX || more > CHANGE_MAX ||
	    !same_types(before->locals, frame->locals, common)) {
		put_full(out, frame, delta);
	} else if (more == 0) {
		put_same_head(out, frame->stack_count == 1, delta);
		put_types(out, frame->stack, frame->stack_count);
	} else {
		int32_t form = CFR_SMT_SAME_EXT + more; /* chop, same or append */

		jw_put_u1(out, (size_t)form);
		jw_put_u2(out, delta);
		for (int32_t i = 0; i < more; i++)
			put_types(out, &frame->locals[common + (uint32_t)i], 1);
	}
}

void cfr_smt_put(struct jw_buf *out, const struct cfr_frame *initial,
		 const struct cfr_frame *frames, uint32_t count)
{
	const struct cfr_frame *before = initial;

	jw_put_u2(out, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t delta = i ? frames[i].pc - before->pc - 1 : frames[i].pc;

		JW_ASSERT(i == 0 || before->pc < frames[i].pc);
		cfr_smt_put_frame(out, before, &frames[i], delta);
		before = &frames[i];
	}
}

/* ---- entries moved ---- */

struct mover {
	struct jw_cur cur;
	struct jw_buf *out;
	const struct cfr_pc_maps *maps;
	uint32_t old_pc, pc; /* of the entry before */
	bool first;
};

static enum jw_status move_types(struct mover *m, uint32_t count, struct jw_err *e)
{
	for (uint32_t i = 0; i < count; i++) {
		uint8_t tag = jw_cur_u1(&m->cur);

		if (!jw_cur_ok(&m->cur))
			return jw_fail(e, JW_INPUT, "the table ends inside an entry");
		if (tag > CFR_VTYPE_UNINIT)
			return jw_fail(e, JW_UNSUPPORTED, "unknown verification type %u", tag);
		jw_put_u1(m->out, tag);
		if (tag != CFR_VTYPE_OBJECT && tag != CFR_VTYPE_UNINIT)
			continue;
		uint32_t data = jw_cur_u2(&m->cur);
		if (tag == CFR_VTYPE_UNINIT)
			data = m->maps->new_pc(m->maps->ctx, data);
		if (data > PC_LAST)
			return jw_fail(e, JW_INPUT, "Uninitialized names no instruction");
		jw_put_u2(m->out, data);
	}
	return JW_OK;
}

static enum jw_status move_counted(struct mover *m, struct jw_err *e)
{
	uint16_t count = jw_cur_u2(&m->cur);

	jw_put_u2(m->out, count);
	return move_types(m, count, e);
}

/* Reads the delta of an entry that starts with TAG, and gives the delta to write. */
static enum jw_status move_delta(struct mover *m, uint8_t tag, uint32_t *delta, struct jw_err *e)
{
	uint32_t old_pc = m->first ? 0 : m->old_pc + 1;

	if (tag < CFR_SMT_UNKNOWN)
		old_pc += tag % CFR_SMT_SAME_STACK;
	else
		old_pc += jw_cur_u2(&m->cur);
	if (!jw_cur_ok(&m->cur))
		return jw_fail(e, JW_INPUT, "the table ends inside an entry");
	uint32_t pc = old_pc <= PC_LAST ? m->maps->frame_pc(m->maps->ctx, old_pc) : UINT32_MAX;
	if (pc > PC_LAST)
		return jw_fail(e, JW_INPUT, "pc %u is not an instruction", old_pc);
	if (!m->first && pc <= m->pc)
		return jw_bug(e, "frames moved out of order");
	*delta = m->first ? pc : pc - m->pc - 1;
	m->old_pc = old_pc;
	m->pc = pc;
	m->first = false;
	return JW_OK;
}

static enum jw_status move_entry(struct mover *m, struct jw_err *e)
{
	uint8_t tag = jw_cur_u1(&m->cur);
	uint32_t delta = 0;

	if (tag >= CFR_SMT_UNKNOWN && tag < CFR_SMT_SAME_STACK_EXT)
		return jw_fail(e, JW_UNSUPPORTED, "unknown frame form %u", tag);
	JW_TRY(move_delta(m, tag, &delta, e));
	if (tag <= CFR_SMT_SAME_STACK_EXT || tag == CFR_SMT_SAME_EXT) {
		bool stack = tag >= CFR_SMT_SAME_STACK && tag != CFR_SMT_SAME_EXT;

		put_same_head(m->out, stack, delta);
		return move_types(m, stack, e);
	}
	jw_put_u1(m->out, tag);
	jw_put_u2(m->out, delta);
	if (tag < CFR_SMT_SAME_EXT)
		return JW_OK;
	if (tag < CFR_SMT_FULL)
		return move_types(m, tag - (uint32_t)CFR_SMT_SAME_EXT, e);
	JW_TRY(move_counted(m, e));
	return move_counted(m, e);
}

enum jw_status cfr_smt_move(struct jw_span info, struct jw_buf *out, const struct cfr_pc_maps *maps,
			    uint32_t *last_pc, uint16_t *entries, struct jw_err *e)
{
	struct mover m = { .cur = jw_cur(info), .out = out, .maps = maps, .first = true };
	uint16_t count = jw_cur_u2(&m.cur);

	jw_put_u2(out, count);
	for (uint16_t i = 0; i < count; i++) {
		if (move_entry(&m, e) != JW_OK)
			return jw_err_where(e, "StackMapTable entry %u", i);
	}
	if (!jw_cur_ok(&m.cur) || jw_cur_left(&m.cur) > 0)
		return jw_fail(e, JW_INPUT, "StackMapTable of %zu byte%s: not what it says", info.n,
			       jw_s(info.n));
	*last_pc = m.pc;
	*entries = count;
	return JW_OK;
}
