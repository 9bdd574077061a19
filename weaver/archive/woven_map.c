/*
 * woven_map.c: see woven_map.h. Of most methods the map need only say which rule chose them, and for
 * most classes that is one rule: the names are in the class files, and are left there.
 */
#include "weaver/archive/woven_map.h"

#include "trace/format/methodmap.h"

#include "base/banned.h"

struct plain_map {
	const struct trace_map_plain *runs;
	size_t count;
	uint32_t *classes; /* by rule: how many it has alone */
	uint32_t *numbers; /* by rule: 1 + its number in the map, 0: it is not in it */
};

/* How many runs the class at I has. */
static size_t runs_of(const struct plain_map *m, size_t i)
{
	size_t n = 1;

	while (i + n < m->count && m->runs[i + n].class_hash == m->runs[i].class_hash)
		n++;
	return n;
}

/* The rule that most classes have for all of their methods: it gets the number 0. */
static uint32_t most_used(struct plain_map *m)
{
	uint32_t best = m->runs[0].rule;

	for (size_t i = 0, n; i < m->count; i += n) {
		n = runs_of(m, i);
		uint32_t rule = m->runs[i].rule;

		if (n == 1 && ++m->classes[rule] > m->classes[best])
			best = rule;
	}
	return best;
}

static void put_rule(struct plain_map *m, const struct rules *rules, uint32_t index, uint32_t *next,
		     struct jw_buf *out)
{
	const struct rules_rule *rule = rules_rule(rules, index);

	if (m->numbers[index])
		return;
	m->numbers[index] = ++*next;
	trace_map_put_rule(out, jw_span_str(rule->id), jw_span_str(rule->label));
}

static enum jw_status put_classes(const struct plain_map *m, struct jw_arena *arena,
				  struct jw_buf *out, struct jw_err *e)
{
	for (size_t i = 0, n; i < m->count; i += n) {
		n = runs_of(m, i);
		if (n == 1 && m->numbers[m->runs[i].rule] == 1)
			continue;
		struct trace_map_plain *runs = JW_NEW_ARRAY(arena, struct trace_map_plain, n);
		if (!runs)
			return jw_nomem(e);
		for (size_t k = 0; k < n; k++) {
			runs[k] = m->runs[i + k];
			runs[k].rule = m->numbers[runs[k].rule] - 1;
		}
		trace_map_put_plain(out, runs, n);
	}
	return JW_OK;
}

static enum jw_status put_plain(const struct weave_tally *t, const struct rules *rules,
				struct jw_arena *arena, struct jw_buf *out, struct jw_err *e)
{
	struct plain_map m = { .runs = (const void *)t->plain.p,
			       .count = t->plain.n / sizeof(*m.runs) };
	uint32_t next = 0;

	m.classes = JW_NEW_ARRAY(arena, uint32_t, t->rule_count + 1);
	m.numbers = JW_NEW_ARRAY(arena, uint32_t, t->rule_count + 1);
	if (!m.classes || !m.numbers)
		return jw_nomem(e);
	put_rule(&m, rules, most_used(&m), &next, out);
	for (size_t i = 0; i < m.count; i++)
		put_rule(&m, rules, m.runs[i].rule, &next, out);
	return put_classes(&m, arena, out, e);
}

/* The rules that chose something, and record less than all calls of it. */
static void put_spared(const struct weave_tally *t, const struct rules *rules, struct jw_buf *out)
{
	for (size_t i = 0; i < t->rule_count; i++) {
		const struct rules_rule *rule = rules_rule(rules, i);
		struct trace_map_sampling s = { rule->sampling.every, rule->sampling.max_depth,
						rule->sampling.min_ns };

		if (rules_samples(&rule->sampling) && t->matches[i] > 0)
			trace_map_put_sampling(out, jw_span_str(rule->id), &s);
	}
}

/* The types of captures that hold. */
static void put_held(const struct rules *rules, enum jw_hold hold, struct jw_buf *out)
{
	for (size_t i = 0; i < rules_count(rules); i++) {
		const struct rules_rule *rule = rules_rule(rules, i);
		uint32_t types[JW_CAPTURES];
		size_t n = 0;

		for (size_t k = 0; k < rule->capture_count; k++)
			if (rule->captures[k].hold == hold)
				types[n++] = rule->captures[k].type;
		trace_map_put_held(out, hold, types, n);
	}
}

static void put_links(const struct weave_tally *t, const struct rules *rules, struct jw_buf *out)
{
	for (size_t i = 0; i < t->rule_count; i++) {
		const struct rules_rule *rule = rules_rule(rules, i);

		if (rule->link && t->matches[i] > 0)
			trace_map_put_link(out, jw_span_str(rule->id), rule->link);
	}
}

enum jw_status weave_put_map(const struct weave_unit *unit, const struct weave_tally *t,
			     struct jw_buf *out, struct jw_err *e)
{
	const struct rules *rules = unit->job->rules;
	struct jw_arena arena = { 0 };
	enum jw_status status = JW_OK;

	if (t->plain.n > 0) {
		if (unit->shares.n > 0)
			trace_map_put_numbered_header(out, unit->salt);
		else
			trace_map_put_plain_header(out, unit->salt);
		status = put_plain(t, rules, &arena, out, e);
		jw_put_bytes(out, unit->shares);
	} else {
		trace_map_put_header(out);
	}
	jw_arena_free(&arena);
	put_spared(t, rules, out);
	put_held(rules, JW_HOLD_CALL, out);
	put_held(rules, JW_HOLD_AROUND, out);
	put_links(t, rules, out);
	jw_put_bytes(out, jw_buf_span(&t->map));
	return status == JW_OK ? jw_buf_finish(out, "method map", e) : status;
}
