#include "runtime-jni/recorder/baked_read.h"

#include <string.h>

#include "base/baked.h"
#include "trace/format/fields.h"

#include "base/banned.h"

/* TEXT after its first line; empty when we did not write it. */
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

/* A number up to MAX; anything else is 0, which leaves out nothing. */
static uint64_t number(struct jw_span *line, uint64_t max)
{
	uint64_t n = 0;

	return trace_dec(trace_field(line), max, &n) ? n : 0;
}

bool rt_baked_next(struct jw_span *text, struct jw_arena *arena, struct rt_baked_rule *out)
{
	while (text->n) {
		struct jw_span line = trace_line(text);

		if (!jw_span_eq_str(trace_field(&line), "rule"))
			continue;
		*out = (struct rt_baked_rule){ .id = trace_unescape(arena, trace_field(&line)) };
		out->sampling.every = (uint32_t)number(&line, UINT32_MAX);
		out->sampling.max_depth = (uint32_t)number(&line, UINT32_MAX);
		out->sampling.min_ns = number(&line, UINT64_MAX);
		struct jw_span on = trace_field(&line);
		out->on = jw_span_eq_str(on, "on");
		out->has_switch = out->on || jw_span_eq_str(on, "off");
		return out->id;
	}
	return false;
}

/* The next id of *LIST, which moves past it; empty: there are no more. */
static struct jw_span next_id(const char **list)
{
	*list += strspn(*list, ", ");
	struct jw_span id = jw_span(*list, strcspn(*list, ", "));

	*list += id.n;
	return id;
}

static bool names(const char *list, const char *id)
{
	for (struct jw_span one; (one = next_id(&list)).n;)
		if (jw_span_eq_str(one, id))
			return true;
	return false;
}

bool rt_baked_is_on(const struct rt_baked_rule *rule, const char *enable, const char *disable)
{
	if (names(disable, rule->id))
		return false;
	return rule->on || names(enable, rule->id);
}

static bool has_switch(struct jw_span text, struct jw_span id)
{
	struct jw_arena arena = { 0 };
	struct rt_baked_rule rule;
	bool found = false;

	while (!found && rt_baked_next(&text, &arena, &rule))
		found = rule.has_switch && jw_span_eq_str(id, rule.id);
	jw_arena_free(&arena);
	return found;
}

struct jw_span rt_baked_unknown(const char **list, struct jw_span text)
{
	struct jw_span id;

	do
		id = next_id(list);
	while (id.n && has_switch(text, id));
	return id;
}

/* The next line of *LINES that gives a default; empty: there are no more. */
static struct jw_span next_default(struct jw_span *lines)
{
	while (lines->n) {
		struct jw_span line = trace_line(lines);

		if (!jw_span_starts(line, JW_SPAN_LIT("rule\t")) &&
		    !jw_span_starts(line, JW_SPAN_LIT("library\t")))
			return line;
	}
	return (struct jw_span){ 0 };
}

bool rt_baked_same(struct jw_span a, struct jw_span b)
{
	bool same = true;

	a = lines_of(a);
	b = lines_of(b);
	while (same && (a.n || b.n)) {
		struct jw_span one = next_default(&a), other = next_default(&b);

		same = jw_span_eq(one, other);
	}
	return same;
}
