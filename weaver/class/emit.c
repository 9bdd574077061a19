/*
 * emit.c: the new Code attribute (JVMS 4.7.3), written by the layout.
 *
 *     max_stack, max_locals | code: pieces of the old one between edits, then tails |
 *     exception table: the old entries, split around islands, then ours | attributes
 *
 * What is written must be as long as the layout said: anything else is reported as a bug.
 */
#include "weaver/class/emit.h"

#include "base/assert.h"
#include "weaver/class/annotations.h"
#include "weaver/class/debug_tables.h"
#include "weaver/class/frames.h"
#include "weaver/class/handlers.h"

#include "base/banned.h"

/* ---- instructions ---- */

static void put_islands(const struct weave_plan *plan, const struct weave_edit *edit, size_t base,
			struct jw_buf *out)
{
	size_t start = out->n;

	jw_put_zeros(out, (size_t)edit->islands * WEAVE_ISLAND_SIZE);
	if (out->failed)
		return;
	for (uint32_t i = edit->first_island; i != 0; i = plan->islands[i - 1].next) {
		const struct weave_island *island = &plan->islands[i - 1];
		uint32_t at = weave_island_at(plan, island);
		size_t place = start + (size_t)island->rank * WEAVE_ISLAND_SIZE;

		if (base + at != place)
			out->failed = JW_BUG;
		out->p[place] = CFR_OP_goto_w;
		jw_patch_u4(out, place + 1, (uint32_t)(weave_lab(plan, island->target) - at));
	}
}

static void put_switch(const struct weave_body *b, const struct weave_edit *edit,
		       struct jw_buf *out)
{
	const struct weave_plan *plan = &b->plan;
	struct cfr_insn insn = cfr_insn_at(&b->code, edit->pc);
	struct cfr_switch sw = cfr_switch_at(&b->code, &insn);
	size_t step = sw.table ? 4 : 8;

	jw_put_u1(out, insn.op);
	jw_put_zeros(out, 3 - edit->ins % 4);
	jw_put_u4(out, (uint32_t)(weave_lab(plan, sw.default_target) - edit->ins));
	if (sw.table) {
		jw_put_u4(out, (uint32_t)sw.low);
		jw_put_u4(out, (uint32_t)sw.low + sw.count - 1);
	} else {
		jw_put_u4(out, sw.count);
	}
	for (uint32_t i = 0; i < sw.count; i++) {
		uint32_t target = weave_lab(plan, cfr_switch_target(&sw, i));

		if (!sw.table)
			jw_put_bytes(out, jw_span_sub(sw.cases, i * step, 4));
		jw_put_u4(out, (uint32_t)(target - edit->ins));
	}
}

/* Writes the instruction of EDIT where it changes its length; returns how many old bytes it was. */
static uint32_t put_changed(const struct weave_body *b, const struct weave_edit *edit,
			    struct jw_buf *out)
{
	switch (edit->change) {
	case WEAVE_SWITCH:
		put_switch(b, edit, out);
		return edit->length;
	case WEAVE_WIDEN:
		/* the offset comes with those of all branches */
		jw_put_u1(out, (size_t)b->code.code.p[edit->pc] + (CFR_OP_goto_w - CFR_OP_goto));
		jw_put_zeros(out, 4);
		return edit->length;
	default:
		return 0;
	}
}

static void patch_jumps(const struct weave_plan *plan, size_t base, struct jw_buf *out)
{
	for (uint32_t i = 0; i < plan->jump_count; i++) {
		const struct weave_jump *jump = &plan->jumps[i];
		uint32_t at = weave_ins(plan, jump->pc);
		uint32_t offset = weave_aim(plan, jump) - at;

		JW_ASSERT(jump->wide || offset == (uint32_t)(int16_t)offset);
		if (jump->wide)
			jw_patch_u4(out, base + at + 1, offset);
		else
			jw_patch_u2(out, base + at + 1, (uint16_t)offset);
	}
}

static void put_landings(const struct weave_body *b, struct jw_buf *out)
{
	for (uint32_t i = 0; i < b->plan.landing_count; i++) {
		const struct weave_landing *landing = &b->plan.landings[i];

		jw_put_bytes(out, jw_span(b->caught, WEAVE_SHOW));
		jw_put_u1(out, CFR_OP_goto_w);
		jw_put_u4(out, weave_lab(&b->plan, landing->handler) - (landing->at + WEAVE_SHOW));
	}
}

static enum jw_status put_code(const struct weave_body *b, struct jw_buf *out, struct jw_err *e)
{
	const struct weave_plan *plan = &b->plan;
	struct jw_span code = b->code.code;
	uint32_t from = 0; /* the first old byte that is not written yet */
	size_t base;

	jw_put_u4(out, plan->length);
	base = out->n;
	for (uint32_t i = 0; i < plan->edit_count; i++) {
		const struct weave_edit *edit = &plan->edits[i];

		jw_put_bytes(out, jw_span_sub(code, from, edit->pc - from));
		if (edit->islands)
			put_islands(plan, edit, base, out);
		jw_put_bytes(out, edit->fall);
		jw_put_bytes(out, edit->target);
		if (!out->failed && out->n - base != edit->ins)
			return jw_bug(e, "an instruction is not where the layout put it");
		from = edit->pc + put_changed(b, edit, out);
	}
	jw_put_bytes(out, jw_span_sub(code, from, code.n - from));
	for (uint32_t i = 0; i < plan->call_count; i++) {
		if (plan->calls[i].tail)
			jw_put_bytes(out, weave_fail_code(&plan->calls[i].join));
	}
	put_landings(b, out);
	for (uint32_t i = 0; i < WEAVE_TAILS; i++)
		jw_put_bytes(out, plan->tails[i].bytes);
	if (!out->failed && out->n - base != plan->length)
		return jw_bug(e, "code is not as long as its layout");
	patch_jumps(plan, base, out);
	return JW_OK;
}

/* ---- attributes ---- */

typedef enum jw_status put_attr(struct weave_body *b, struct jw_span info, struct jw_buf *out,
				struct jw_err *e);

static enum jw_status put_lines(struct weave_body *b, struct jw_span info, struct jw_buf *out,
				struct jw_err *e)
{
	(void)e;
	weave_put_lines(&b->plan, info, out);
	return JW_OK;
}

static enum jw_status put_locals(struct weave_body *b, struct jw_span info, struct jw_buf *out,
				 struct jw_err *e)
{
	(void)e;
	weave_put_locals(&b->plan, info, out);
	return JW_OK;
}

static enum jw_status put_ranges(struct weave_body *b, struct jw_span info, struct jw_buf *out,
				 struct jw_err *e)
{
	(void)e;
	weave_put_ranges(&b->plan, info, out);
	return JW_OK;
}

static enum jw_status put_frames(struct weave_body *b, struct jw_span info, struct jw_buf *out,
				 struct jw_err *e)
{
	(void)info; /* b->frames */
	return weave_put_frames(b, out, e);
}

static enum jw_status put_copy(struct weave_body *b, struct jw_span info, struct jw_buf *out,
			       struct jw_err *e)
{
	(void)b, (void)e;
	jw_put_bytes(out, info);
	return JW_OK;
}

/*
 * The attributes of Code that are known. Put NULL: dropped. That is StackMap, the frames of CLDC:
 * no machine that reads it can load the runtime that the probes call, and the others ignore it.
 */
static const struct known_attr {
	struct jw_span name;
	put_attr *put;
} known_attrs[] = {
	{ { (const uint8_t *)"LineNumberTable", sizeof("LineNumberTable") - 1 }, put_lines },
	{ { (const uint8_t *)"StackMapTable", sizeof("StackMapTable") - 1 }, put_frames },
	{ { (const uint8_t *)"LocalVariableTable", sizeof("LocalVariableTable") - 1 }, put_locals },
	{ { (const uint8_t *)"LocalVariableTypeTable", sizeof("LocalVariableTypeTable") - 1 },
	  put_locals },
	{ { (const uint8_t *)"RuntimeVisibleTypeAnnotations",
	    sizeof("RuntimeVisibleTypeAnnotations") - 1 },
	  weave_put_annotations },
	{ { (const uint8_t *)"RuntimeInvisibleTypeAnnotations",
	    sizeof("RuntimeInvisibleTypeAnnotations") - 1 },
	  weave_put_annotations },
	{ { (const uint8_t *)"CharacterRangeTable", sizeof("CharacterRangeTable") - 1 },
	  put_ranges },
	{ { (const uint8_t *)"StackMap", sizeof("StackMap") - 1 }, NULL },
	/* no pcs in these; compilers have put them here by mistake */
	{ { (const uint8_t *)"Synthetic", sizeof("Synthetic") - 1 }, put_copy },
	{ { (const uint8_t *)"Deprecated", sizeof("Deprecated") - 1 }, put_copy },
	{ { (const uint8_t *)"Signature", sizeof("Signature") - 1 }, put_copy },
};

static const struct known_attr *known_attr(struct jw_span name)
{
	for (size_t i = 0; i < sizeof(known_attrs) / sizeof(known_attrs[0]); i++) {
		if (jw_span_eq(known_attrs[i].name, name))
			return &known_attrs[i];
	}
	return NULL;
}

/* Writes the attribute NAME (an index) whose info PUT makes of INFO. */
static enum jw_status put_one(struct weave_body *b, uint16_t name, put_attr *put,
			      struct jw_span info, struct jw_buf *out, struct jw_err *e)
{
	size_t length_at;

	jw_put_u2(out, name);
	length_at = out->n;
	jw_put_u4(out, 0);
	JW_TRY(put(b, info, out, e));
	jw_patch_u4(out, length_at, out->n - length_at - 4);
	return JW_OK;
}

/* The frames come first: there they compress best, between an exception table and another table
 * whose heads are the same in every method. */
static enum jw_status put_frames_attr(struct weave_body *b, struct jw_buf *out, size_t *count,
				      struct jw_err *e)
{
	bool old = b->frames.info.p != NULL;
	uint16_t name = old ? jw_span_u2(b->cls->bytes, b->frames.at) : b->constants.frames;

	if (!old && !weave_needs_frames(b))
		return JW_OK;
	++*count;
	return put_one(b, name, put_frames, (struct jw_span){ 0 }, out, e);
}

static enum jw_status put_attrs(struct weave_body *b, struct jw_buf *out, struct jw_err *e)
{
	struct cfr_attr_iter it = cfr_attrs_iter(b->cls, &b->code.attrs);
	struct cfr_attr attr;
	size_t count_at = out->n, count = 0;

	jw_put_u2(out, 0);
	JW_TRY(put_frames_attr(b, out, &count, e));
	while (cfr_attr_next(&it, &attr)) {
		const struct known_attr *known = known_attr(attr.name);

		if (!known)
			return weave_leave(b, WEAVE_SKIP_ATTRIBUTE, e, "%.*s",
					   (int)(attr.name.n < 64 ? attr.name.n : 64),
					   (const char *)attr.name.p);
		if (!known->put || known->put == put_frames) /* already written */
			continue;
		JW_TRY(put_one(b, jw_span_u2(b->cls->bytes, attr.at), known->put, attr.info, out,
			       e));
		count++;
	}
	jw_patch_u2(out, count_at, count);
	return JW_OK;
}

enum jw_status weave_emit(struct weave_body *b, struct jw_buf *out, struct jw_err *e)
{
	jw_put_u2(out, b->max_stack);
	jw_put_u2(out, (size_t)b->code.max_locals + b->fresh_locals);
	JW_TRY(put_code(b, out, e));
	JW_TRY(weave_put_handlers(b, out, e));
	return put_attrs(b, out, e);
}
