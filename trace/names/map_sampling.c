/*
 * map_sampling.c: rules that record less than all calls: their lines of a method map, and in words.
 */
#include <string.h>

#include "trace/format/fields.h"
#include "trace/format/methodmap.h"
#include "trace/names/map_sampling.h"

#include "base/banned.h"

void trace_map_put_sampling(struct jw_buf *out, struct jw_span rule,
			    const struct trace_map_sampling *sampling)
{
	jw_put_str(out, "a\t");
	trace_put_field(out, rule);
	jw_put_fmt(out, "\t%u\t%u\t%llu\n", sampling->every, sampling->max_depth,
		   (unsigned long long)sampling->min_ns);
}

/* "1.5ms": as much as is needed of the largest unit that gives a whole number before the point. */
static void put_duration(struct jw_buf *out, uint64_t ns)
{
	static const struct {
		uint64_t worth;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	size_t u = 0;

	while (units[u].worth > 1 && ns < units[u].worth)
		u++;
	uint64_t whole = ns / units[u].worth, rest = ns % units[u].worth;

	jw_put_fmt(out, "%llu", (unsigned long long)whole);
	for (uint64_t digit = units[u].worth / 10; rest > 0; digit /= 10) {
		jw_put_fmt(out, "%s%llu", digit == units[u].worth / 10 ? "." : "",
			   (unsigned long long)(rest / digit));
		rest %= digit;
	}
	jw_put_str(out, units[u].name);
}

void trace_put_sampling(struct jw_buf *out, const struct trace_map_sampling *sampling)
{
	const char *between = "";

	if (sampling->every) {
		jw_put_fmt(out, "1 of %u", sampling->every);
		between = ", ";
	}
	if (sampling->max_depth) {
		jw_put_fmt(out, "%sdepth %u", between, sampling->max_depth);
		between = ", ";
	}
	if (sampling->min_ns) {
		jw_put_fmt(out, "%sfrom ", between);
		put_duration(out, sampling->min_ns);
	}
}

bool trace_map_take_sampling(struct jw_arena *arena, struct trace_map_sampling_rule **list,
			     char *const *fields, size_t n, bool any_length)
{
	struct trace_map_sampling_rule *rule = JW_NEW(arena, struct trace_map_sampling_rule);
	uint64_t every, depth, ns;

	if (n < 5 || !trace_dec(jw_span_str(fields[2]), UINT32_MAX, &every) ||
	    !trace_dec(jw_span_str(fields[3]), UINT32_MAX, &depth) ||
	    !trace_dec(jw_span_str(fields[4]), UINT64_MAX, &ns))
		return false;
	if (any_length)
		ns = 0;
	if (!every && !depth && !ns)
		return true;
	if (!rule)
		return true; /* the labels of its methods will lack a word */
	rule->rule = fields[1];
	rule->sampling = (struct trace_map_sampling){ (uint32_t)every, (uint32_t)depth, ns };
	rule->next = *list;
	*list = rule;
	return true;
}

const struct trace_map_sampling *trace_map_sampling_of(const struct trace_map_sampling_rule *list,
						       const char *rule)
{
	while (list && strcmp(list->rule, rule) != 0)
		list = list->next;
	return list ? &list->sampling : NULL;
}

bool trace_map_same_sampling(const struct trace_map_sampling *a, const struct trace_map_sampling *b)
{
	if (!a || !b)
		return a == b;
	return a->every == b->every && a->max_depth == b->max_depth && a->min_ns == b->min_ns;
}
