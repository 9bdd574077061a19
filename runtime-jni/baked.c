#include "runtime-jni/baked.h"

#include "base/baked.h"
#include "trace/text.h"

#include "base/banned.h"

/* TEXT behind its first line; empty when it is none of ours. */
static struct jw_span lines_of(struct jw_span text)
{
	struct jw_span head = JW_SPAN_LIT(JW_BAKED_HEAD);

	return jw_span_starts(text, head) ? jw_span_sub(text, head.n, text.n)
					  : (struct jw_span){ 0 };
}

char *rt_baked_value(struct jw_span text, const char *name, struct jw_arena *arena)
{
	struct jw_span lines = lines_of(text);

	while (lines.n) {
		struct jw_span line = trace_line(&lines);

		if (jw_span_eq_str(trace_field(&line), name))
			return trace_unescape(arena, trace_field(&line));
	}
	return NULL;
}

bool rt_baked_same(struct jw_span a, struct jw_span b)
{
	return jw_span_eq(lines_of(a), lines_of(b));
}
