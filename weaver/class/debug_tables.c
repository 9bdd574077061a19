/*
 * debug_tables.c: the debug tables of Code, moved: LineNumberTable (JVMS 4.7.12),
 * LocalVariableTable and LocalVariableTypeTable (4.7.13, 4.7.14), and CharacterRangeTable (javac
 * -Xjcov).
 *
 * What begins at 0 stays at 0, so that the enter probe belongs to the first line and parameters are
 * visible in it. Compilers write some entries out of range; those, and tables that are cut off, are
 * copied as they are: what they meant is unknown.
 */
#include "weaver/class/debug_tables.h"

#include "base/banned.h"

enum {
	LINE_BYTES = 4,   /* start_pc, line_number */
	LOCAL_BYTES = 10, /* start_pc, length, name, descriptor, index */
	RANGE_BYTES = 14, /* start_pc, end_pc (inclusive), start, end, flags */
};

/* Does INFO hold as many entries of SIZE as its count says? */
static bool table_ok(struct jw_span info, size_t size)
{
	return info.n >= 2 && info.n - 2 == jw_span_u2(info, 0) * size;
}

void weave_put_lines(const struct weave_plan *plan, struct jw_span info, struct jw_buf *out)
{
	if (!table_ok(info, LINE_BYTES)) {
		jw_put_bytes(out, info);
		return;
	}
	jw_put_bytes(out, jw_span_sub(info, 0, 2));
	for (size_t at = 2; at < info.n; at += LINE_BYTES) {
		uint32_t pc = jw_span_u2(info, at);

		if (pc > 0 && pc < plan->code_length)
			pc = weave_lab(plan, pc);
		jw_put_u4(out, pc << 16 | jw_span_u2(info, at + 2));
	}
}

/* Moves the range of LENGTH bytes at START; one that is out of range stays. */
static void move_range(const struct weave_plan *plan, uint32_t *start, uint32_t *length)
{
	uint32_t end = *start + *length, moved = *start;

	if (end > plan->code_length)
		return;
	if (moved > 0)
		moved = weave_ins(plan, moved);
	if (*length > 0)
		*length = weave_end(plan, end) - moved;
	*start = moved;
}

void weave_put_locals(const struct weave_plan *plan, struct jw_span info, struct jw_buf *out)
{
	if (!table_ok(info, LOCAL_BYTES)) {
		jw_put_bytes(out, info);
		return;
	}
	jw_put_bytes(out, jw_span_sub(info, 0, 2));
	for (size_t at = 2; at < info.n; at += LOCAL_BYTES) {
		uint32_t start = jw_span_u2(info, at), length = jw_span_u2(info, at + 2);

		move_range(plan, &start, &length);
		jw_put_u4(out, start << 16 | length);
		jw_put_bytes(out, jw_span_sub(info, at + 4, LOCAL_BYTES - 4));
	}
}

void weave_put_ranges(const struct weave_plan *plan, struct jw_span info, struct jw_buf *out)
{
	if (!table_ok(info, RANGE_BYTES)) {
		jw_put_bytes(out, info);
		return;
	}
	jw_put_bytes(out, jw_span_sub(info, 0, 2));
	for (size_t at = 2; at < info.n; at += RANGE_BYTES) {
		uint32_t start = jw_span_u2(info, at), last = jw_span_u2(info, at + 2);
		uint32_t length = last + 1 - start;

		if (last >= start) {
			move_range(plan, &start, &length);
			last = start + length - 1;
		}
		jw_put_u4(out, start << 16 | last);
		jw_put_bytes(out, jw_span_sub(info, at + 4, RANGE_BYTES - 4));
	}
}
