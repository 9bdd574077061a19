/*
 * annotations.c: type annotations of Code (JVMS 4.7.20), moved.
 *
 * Their pcs and indices keep their width, so the attribute is copied and patched in place while it
 * is walked. javac itself writes some out of range, and no JVM reads them to run a program: what is
 * out of range, or not well formed, stays as it is. An unknown kind of target may hold anything, so
 * the method is left.
 */
#include "weaver/class/annotations.h"

#include "cfr/annot.h"
#include "weaver/class/handlers.h"

#include "base/banned.h"

struct moving {
	const struct weave_body *b;
	struct jw_buf *out;
	size_t base; /* of the copy in out */
};

/* At AT of the attribute. */
static void patch(const struct moving *m, size_t at, uint32_t value)
{
	jw_patch_u2(m->out, m->base + at, value);
}

/* { start_pc, length, index } */
static void move_locals(const struct moving *m, struct jw_span target, size_t at)
{
	const struct weave_plan *plan = &m->b->plan;
	struct jw_cur cur = jw_cur(target);

	for (uint16_t count = jw_cur_u2(&cur); count > 0; count--) {
		size_t entry = at + cur.pos;
		uint32_t start = jw_cur_u2(&cur), length = jw_cur_u2(&cur), moved = start;

		jw_cur_skip(&cur, 2);
		if (start + length > plan->code_length)
			continue;
		if (start > 0)
			moved = weave_ins(plan, start);
		patch(m, entry, moved);
		if (length > 0)
			patch(m, entry + 2, weave_end(plan, start + length) - moved);
	}
}

/* An index into the exception table: the handlers of call sites come before all original entries
 * (handlers.c), and ranges before it may have been split. */
static void move_catch(const struct moving *m, struct jw_span target, size_t at)
{
	const struct weave_plan *plan = &m->b->plan;
	uint16_t index = jw_span_u2(target, 0);
	uint32_t moved = 0;

	if (index >= m->b->code.handler_count)
		return;
	for (uint32_t i = 0; i < plan->call_count; i++)
		moved += plan->calls[i].tail;
	for (uint16_t i = 0; i < index; i++) {
		struct cfr_handler h = cfr_code_handler(&m->b->code, i);

		moved += weave_pieces(plan, h.start_pc, h.end_pc);
	}
	if (moved <= UINT16_MAX)
		patch(m, at, moved);
}

static void move_offset(const struct moving *m, struct jw_span target, size_t at)
{
	uint16_t pc = jw_span_u2(target, 0);

	if (pc < m->b->plan.code_length)
		patch(m, at, weave_ins(&m->b->plan, pc));
}

/* Moves the target_info at AT of the attribute. */
static void move_target(const struct moving *m, const struct cfr_type_annot *annot, size_t at)
{
	switch (annot->target_type) {
	case CFR_TARGET_LOCALVAR:
	case CFR_TARGET_RESOURCE:
		move_locals(m, annot->target, at);
		break;
	case CFR_TARGET_CATCH:
		move_catch(m, annot->target, at);
		break;
	default:
		if (annot->target_type >= CFR_TARGET_INSTANCEOF)
			move_offset(m, annot->target, at);
	}
}

enum jw_status weave_put_annotations(struct weave_body *b, struct jw_span info, struct jw_buf *out,
				     struct jw_err *e)
{
	const struct moving m = { .b = b, .out = out, .base = out->n };
	struct jw_cur cur = jw_cur(info);
	struct cfr_type_annot annot = { 0 };

	jw_put_bytes(out, info);
	for (uint16_t count = jw_cur_u2(&cur); count > 0 && jw_cur_ok(&cur); count--) {
		size_t at = cur.pos + 1;

		if (cfr_type_annot_next(&cur, &annot))
			move_target(&m, &annot, at);
		else if (!cfr_target_name(annot.target_type))
			return weave_leave(b, WEAVE_SKIP_ATTRIBUTE, e,
					   "unknown kind of type annotation");
	}
	if (!jw_cur_ok(&cur) && !out->failed) {
		out->n = m.base; /* half moved is worse than not moved */
		jw_put_bytes(out, info);
	}
	return JW_OK;
}
