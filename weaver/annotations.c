/*
 * annotations.c: type annotations of Code (JVMS 4.7.20), moved.
 *
 * Their pcs and indices keep their width, so the attribute is copied and patched in place while it
 * is walked. javac itself writes some out of range, and no machine reads them to run a program:
 * what is out of range, or not well formed, stays as it is. An unknown kind of target may hold
 * anything, so the method is left.
 */
#include "weaver/weave_int.h"

#include "base/banned.h"

enum { NESTING_MAX = 32 };

/* What lies behind the target_type (JVMS table 4.7.20-A). */
enum target {
	TARGET_UNKNOWN,
	TARGET_SKIP, /* + bytes that hold no pc */
	TARGET_LOCALS,
	TARGET_CATCH,
	TARGET_OFFSET, /* + bytes behind the offset */
};

static const struct target_row {
	uint8_t first, last, kind, bytes;
} target_rows[] = {
	{ 0x00, 0x01, TARGET_SKIP, 1 },   /* type parameter */
	{ 0x10, 0x10, TARGET_SKIP, 2 },   /* supertype */
	{ 0x11, 0x12, TARGET_SKIP, 2 },   /* bound of a type parameter */
	{ 0x13, 0x15, TARGET_SKIP, 0 },   /* field, return, receiver */
	{ 0x16, 0x16, TARGET_SKIP, 1 },   /* formal parameter */
	{ 0x17, 0x17, TARGET_SKIP, 2 },   /* throws */
	{ 0x40, 0x41, TARGET_LOCALS, 0 }, /* local variable, resource variable */
	{ 0x42, 0x42, TARGET_CATCH, 0 },  /* exception parameter */
	{ 0x43, 0x46, TARGET_OFFSET, 0 }, /* instanceof, new, method references */
	{ 0x47, 0x4b, TARGET_OFFSET, 1 }, /* type arguments: cast, calls */
};

struct walk {
	const struct weave_body *b;
	struct jw_cur cur;
	struct jw_buf *out;
	size_t base; /* of the copy in out */
	bool unknown;
};

static void patch(struct walk *w, size_t at, uint32_t value)
{
	jw_patch_u2(w->out, w->base + at, value);
}

/* { start_pc, length, index } */
static void move_locals(struct walk *w)
{
	const struct weave_plan *plan = &w->b->plan;
	uint16_t count = jw_cur_u2(&w->cur);

	for (uint16_t i = 0; i < count && jw_cur_ok(&w->cur); i++) {
		size_t at = w->cur.pos;
		uint32_t start = jw_cur_u2(&w->cur), length = jw_cur_u2(&w->cur);
		uint32_t moved = start;

		jw_cur_skip(&w->cur, 2);
		if (!jw_cur_ok(&w->cur) || start + length > plan->code_length)
			continue;
		if (start > 0)
			moved = weave_ins(plan, start);
		patch(w, at, moved);
		if (length > 0)
			patch(w, at + 2, weave_end(plan, start + length) - moved);
	}
}

/* An index into the exception table: the handlers of call sites stand before all original entries
 * (emit.c), and ranges before it may have been split. */
static void move_catch(struct walk *w)
{
	const struct weave_plan *plan = &w->b->plan;
	size_t at = w->cur.pos;
	uint16_t index = jw_cur_u2(&w->cur);
	uint32_t moved = 0;

	if (!jw_cur_ok(&w->cur) || index >= w->b->code.handler_count)
		return;
	for (uint32_t i = 0; i < plan->call_count; i++)
		moved += plan->calls[i].tail;
	for (uint16_t i = 0; i < index; i++) {
		struct cfr_handler h = cfr_code_handler(&w->b->code, i);

		moved += weave_pieces(plan, h.start_pc, h.end_pc);
	}
	if (moved <= UINT16_MAX)
		patch(w, at, moved);
}

static void move_offset(struct walk *w)
{
	size_t at = w->cur.pos;
	uint16_t pc = jw_cur_u2(&w->cur);

	if (jw_cur_ok(&w->cur) && pc < w->b->plan.code_length)
		patch(w, at, weave_ins(&w->b->plan, pc));
}

static void move_target(struct walk *w)
{
	uint8_t type = jw_cur_u1(&w->cur);
	const struct target_row *row = NULL;

	for (size_t i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {
		if (type >= target_rows[i].first && type <= target_rows[i].last)
			row = &target_rows[i];
	}
	if (!row) {
		w->unknown = true;
		return;
	}
	if (row->kind == TARGET_LOCALS)
		move_locals(w);
	else if (row->kind == TARGET_CATCH)
		move_catch(w);
	else if (row->kind == TARGET_OFFSET)
		move_offset(w);
	jw_cur_skip(&w->cur, row->bytes);
}

/* ---- what lies behind the target holds no pc, and is walked to find the next one ---- */

static void skip_value(struct jw_cur *cur, int depth);

/* { type, pairs of a name and a value } */
static void skip_pairs(struct jw_cur *cur, int depth)
{
	jw_cur_skip(cur, 2);
	uint16_t count = jw_cur_u2(cur);

	for (uint16_t i = 0; i < count && jw_cur_ok(cur); i++) {
		jw_cur_skip(cur, 2);
		skip_value(cur, depth);
	}
}

/* An element_value (JVMS 4.7.16.1); one nested too deep makes CUR bad. */
static void skip_value(struct jw_cur *cur, int depth)
{
	uint8_t tag = jw_cur_u1(cur);

	if (depth == 0)
		jw_cur_skip(cur, SIZE_MAX);
	if (tag == 'e') {
		jw_cur_skip(cur, 4);
	} else if (tag == '@') {
		skip_pairs(cur, depth - 1);
	} else if (tag == '[') {
		uint16_t count = jw_cur_u2(cur);

		for (uint16_t i = 0; i < count && jw_cur_ok(cur); i++)
			skip_value(cur, depth - 1);
	} else {
		jw_cur_skip(cur, 2);
	}
}

enum jw_status weave_put_annotations(struct weave_body *b, struct jw_span info, struct jw_buf *out,
				     struct jw_err *e)
{
	struct walk w = { .b = b, .cur = jw_cur(info), .out = out, .base = out->n };
	uint16_t count = jw_cur_u2(&w.cur);

	jw_put_bytes(out, info);
	for (uint16_t i = 0; i < count && jw_cur_ok(&w.cur); i++) {
		move_target(&w);
		if (w.unknown)
			return weave_leave(b, WEAVE_SKIP_ATTRIBUTE, e,
					   "unknown kind of type annotation");
		jw_cur_skip(&w.cur, 2 * (size_t)jw_cur_u1(&w.cur)); /* type_path */
		skip_pairs(&w.cur, NESTING_MAX);
	}
	if (!jw_cur_ok(&w.cur) && !out->failed) {
		out->n = w.base; /* half moved is worse than not moved */
		jw_put_bytes(out, info);
	}
	return JW_OK;
}
