/*
 * cmd_score.c: jweave score RECORDING... [--suggest FILE]: what tracing each method cost, and rules
 * that leave out the small and hot.
 *
 * A pair of probes costs what it costs (--pair-cost), whatever is between them. A method whose body
 * takes less than pair cost / target each time can only be traced at an overhead above the target;
 * leaving out all of these is sure to reach it. They are left out in the order of their calls,
 * until it is reached.
 *
 * Two figures: of the CPU time of the program, where the recording has it (trace/report/cost.h),
 * and of the time inside traced methods, in which threads also wait. The first one counts.
 *
 * JSON: { kind, pairCostNs, calls, bytes, costNs, runNs, cpuCostNs, cpuNs, wallOverhead,
 *         cpuOverhead, overhead, target, overheadAfter,
 *         methods: [{ name, calls, bytes, costNs, share, bodyNs, skip }] }
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/inputs.h"
#include "cli/paths.h"
#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "cli/starter.h"
#include "cli/trace_input.h"
#include "trace/report/cost.h"
#include "trace/report/info.h"

#include "base/banned.h"

#define PAIR_BYTES     32 /* two records */
#define TARGET_PERCENT 5.0
#define TOP_SHOWN      20

struct scored {
	const struct trace_report_method *method;
	double cost_ns, body_ns;
	bool skip, unspeakable; /* its name cannot be written as a rule */
};

struct score {
	struct scored *methods; /* most calls first */
	size_t count, skipped, unspeakable;
	double pair_ns, target;     /* target: as a fraction */
	double run_ns, cost_ns;     /* inside traced methods */
	double cpu_ns, cpu_cost_ns; /* 0: unknown */
	double bare_ns;             /* of what counts, without the cost */
	double all_ns;              /* cost that counts */
	double after_ns;            /* of that: of what is not skipped */
	uint64_t calls;
	uint64_t seen_ns, life_ns; /* where recording stopped early, of that process; 0: unknown */
	bool stopped;
};

/* ---- figures ---- */

static double by_calls(const struct trace_report_method *m, size_t of)
{
	(void)of;
	return (double)m->calls;
}

/* Of M's calls, as it counts. */
static double cost_of(const struct score *s, const struct trace_report_method *m)
{
	return s->cpu_ns > 0 ? trace_cpu_cost(s->pair_ns, m->calls) : (double)m->calls * s->pair_ns;
}

/* Of several recordings that stopped early, the one of the longest run speaks. */
static enum jw_status find_stopped(struct cli *cli, const struct trace_report *r, struct score *s,
				   struct jw_err *e)
{
	for (size_t i = 0; i < cli->args.operand_count; i++) {
		struct trace_recording_info info = { 0 };
		const char *path = cli->args.operands[i];

		if (!trace_is_recording(path))
			continue;
		JW_TRY(trace_recording_info(path, &cli->arena, &info, e));
		s->stopped |= info.stopped;
		if (info.stopped && info.clean_end && info.duration_ns > s->life_ns)
			s->life_ns = info.duration_ns;
	}
	s->seen_ns = r->duration_ns;
	return JW_OK;
}

static enum jw_status fill(struct cli *cli, const struct trace_report *r, struct score *s,
			   struct jw_err *e)
{
	const struct trace_report_method **sorted = cli_sort_methods(cli, r, by_calls, 0);

	s->methods = JW_NEW_ARRAY(&cli->arena, struct scored, r->method_count + 1);
	if (!sorted || !s->methods)
		return jw_nomem(e);
	s->count = r->method_count;
	s->calls = r->calls;
	JW_TRY(find_stopped(cli, r, s, e));
	s->run_ns = trace_cost_inside(r);
	s->cost_ns = (double)r->calls * s->pair_ns;
	s->cpu_ns = (double)r->cpu_ns;
	for (size_t i = 0; r->cpu_ns && i < r->method_count; i++)
		s->cpu_cost_ns += trace_cpu_cost(s->pair_ns, r->methods[i].calls);
	s->all_ns = r->cpu_ns ? s->cpu_cost_ns : s->cost_ns;
	s->bare_ns = r->cpu_ns ? trace_cost_without(s->cpu_ns, s->cpu_cost_ns)
			       : trace_cost_without(s->run_ns, s->cost_ns);
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_report_method *m = sorted[i];
		double body = (double)m->exclusive_ns / (double)m->calls - s->pair_ns;

		s->methods[i] = (struct scored){
			.method = m,
			.cost_ns = cost_of(s, m),
			.body_ns = body > 0 ? body : 0,
			.unspeakable = !m->name[0] || !cli_can_match(m->class_name, "") ||
				       !cli_can_match(m->name, "<>") ||
				       !cli_can_match(m->descriptor, "/;[()"),
		};
	}
	return JW_OK;
}

static void choose(struct score *s)
{
	double call_ns = s->cpu_ns > 0 ? trace_cpu_cost(s->pair_ns, 1) : s->pair_ns;

	s->after_ns = s->all_ns;
	for (size_t i = 0; i < s->count && s->after_ns > s->target * s->bare_ns; i++) {
		struct scored *m = &s->methods[i];

		if (m->body_ns * s->target >= call_ns)
			continue;
		s->unspeakable += m->unspeakable;
		if (m->unspeakable)
			continue;
		m->skip = true;
		s->skipped++;
		s->after_ns -= m->cost_ns;
	}
}

/* ---- the suggested rules ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "acme.*" for each package that the recording has methods of. */
static enum jw_status put_packages(struct cli *cli, const struct score *s, struct jw_buf *out,
				   struct jw_err *e)
{
	const char **packages = JW_NEW_ARRAY(&cli->arena, const char *, s->count + 1);
	const char *comma = "", *before = "";
	size_t n = 0;

	for (size_t i = 0; packages && i < s->count; i++) {
		const char *name = s->methods[i].method->class_name;
		const char *dot = strrchr(name, '.');

		if (!*name || !cli_can_match(name, ""))
			continue;
		packages[n] =
			jw_arena_fmt(&cli->arena, "%.*s*", dot ? (int)(dot - name) + 1 : 0, name);
		if (!packages[n++])
			return jw_nomem(e);
	}
	if (!packages)
		return jw_nomem(e);
	if (n > 1)
		qsort(packages, n, sizeof(*packages), by_text);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(packages[i], before) == 0)
			continue;
		jw_put_fmt(out, "%s\n      ", comma);
		jw_put_json(out, jw_span_str(packages[i]));
		before = packages[i];
		comma = ",";
	}
	return JW_OK;
}

static void put_skips(const struct score *s, struct jw_buf *out)
{
	const char *comma = "";

	for (size_t i = 0; i < s->count; i++) {
		const struct trace_report_method *m = s->methods[i].method;
		struct jw_buf line = { 0 };

		if (!s->methods[i].skip)
			continue;
		jw_put_fmt(&line, "%s#", m->class_name);
		cli_put_method(&line, jw_span_str(m->name), jw_span_str(m->descriptor));
		jw_put_fmt(out, "%s\n      ", comma);
		jw_put_json(out, jw_buf_span(&line));
		if (line.failed != JW_OK)
			out->failed = line.failed;
		jw_buf_free(&line);
		comma = ",";
	}
}

/* The rules of -r as FILE must name them: an include is relative to the file that it is in. */
static const char *include_name(struct cli *cli, const char *rules, const char *file)
{
	char whole[PATH_MAX];

	if (!strchr(file, '/'))
		return rules;
	return realpath(rules, whole) ? jw_arena_str(&cli->arena, jw_span_str(whole)) : NULL;
}

static enum jw_status put_base(struct cli *cli, const struct score *s, const char *file,
			       struct jw_buf *out, struct jw_err *e)
{
	const char *rules = cli_value(cli, CLI_OPT_rules, NULL), *lines = cli_rules_matches(cli);

	if (!rules) {
		jw_put_str(out, "  \"rules\": [\n    { \"id\": \"recorded\", \"match\": [");
		JW_TRY(put_packages(cli, s, out, e));
		jw_put_str(out, " ] }");
		return JW_OK;
	}
	if (lines) {
		jw_put_str(out, "  \"rules\": [\n    { \"id\": \"chosen\", \"match\": ");
		cli_put_matches(out, lines);
		jw_put_str(out, " }");
		return JW_OK;
	}
	const char *name = cli_rules_are_preset(cli) ? rules
			   : cli_exists(rules)       ? include_name(cli, rules, file)
						     : NULL;

	if (!name)
		return jw_fail(e, JW_INPUT, "cannot read '%s': no such file", rules);
	jw_put_str(out, "  \"include\": [ ");
	jw_put_json(out, jw_span_str(name));
	jw_put_str(out, " ],\n  \"rules\": [");
	return JW_OK;
}

#define MADE "// Made by 'jweave score'"

/* What score made it may make again; what somebody has written stays. */
static enum jw_status check_place(struct cli *cli, const char *path, struct jw_err *e)
{
	const char *rules = cli_value(cli, CLI_OPT_rules, NULL);

	JW_TRY(cli_check_place(path, JW_SPAN_LIT(MADE), 1, "score", e));
	if (rules && jw_same_file(path, rules))
		return jw_fail(e, JW_USAGE,
			       "'%s' is the rules file of -r, which it would include: choose "
			       "another name",
			       path);
	return JW_OK;
}

static enum jw_status write_rules(struct cli *cli, const struct score *s, const char *file,
				  struct jw_err *e)
{
	struct jw_buf text = { 0 };
	bool own = cli_given(cli, CLI_OPT_rules);

	jw_put_fmt(&text,
		   MADE ": the methods below \"skip\" are small and hot. "
			"Estimated "
			"overhead\n// with them %.1f %%, without %.1f %%.%s\n{\n  \"jweave\": 1,\n",
		   100 * s->all_ns / s->bare_ns, 100 * s->after_ns / s->bare_ns,
		   own ? ""
		       : " The first rule is a guess: the packages that were\n"
			 "// recorded. Better: put the second one after your own rules.");
	enum jw_status status = put_base(cli, s, file, &text, e);

	if (status == JW_OK && s->skipped) {
		jw_put_fmt(&text,
			   "%s\n    { \"id\": \"small-and-hot\", \"action\": \"skip\", "
			   "\"onUnmatched\": \"ignore\", \"match\": [",
			   own && !cli_rules_matches(cli) ? "" : ",");
		put_skips(s, &text);
		jw_put_str(&text, " ] }");
	}
	jw_put_str(&text, "\n  ]\n}\n");
	if (status == JW_OK)
		status = jw_buf_finish(&text, "suggested rules", e);
	if (status == JW_OK)
		status = cli_write_file(file, 0644, jw_buf_span(&text), e);
	jw_buf_free(&text);
	return status;
}

/* ---- output ---- */

static void put_verdict(struct cli *cli, const struct score *s)
{
	if (s->stopped && s->life_ns > s->seen_ns)
		cli_put(cli,
			"\nrecording stopped after %.3f s of %.3f s (%.0f %%): nothing is known of "
			"the rest\n",
			(double)s->seen_ns / 1e9, (double)s->life_ns / 1e9,
			100 * (double)s->seen_ns / (double)s->life_ns);
	else if (s->stopped)
		cli_put(cli, "\nrecording stopped early: nothing is known of the rest\n");
	if (s->skipped)
		cli_put(cli, "\nwithout the %s marked *: about %.1f %%\n",
			cli_plural(&cli->arena, s->skipped, "method", "methods"),
			100 * s->after_ns / s->bare_ns);
	else if (s->all_ns <= s->target * s->bare_ns)
		cli_put(cli, "\nthat is within the target of %.6g %%: nothing to leave out%s\n",
			100 * s->target, s->stopped ? " of what was recorded" : "");
	if (s->unspeakable)
		cli_note(cli, "%s small and hot, too, but without a name that a rule could choose",
			 cli_plural(&cli->arena, s->unspeakable, "method is", "methods are"));
}

/* What shares are of. */
static double share_of(const struct score *s)
{
	return s->cpu_ns > 0 ? s->cpu_ns : s->run_ns;
}

static void put_text(struct cli *cli, const struct score *s)
{
	size_t n = cli_report_top(cli, s->count, TOP_SHOWN);

	cli_put(cli, "%s, %.1f MB; at %g ns each tracing cost about %.3f ms of %.3f ms: %.1f %%\n",
		cli_plural(&cli->arena, s->calls, "call", "calls"),
		(double)s->calls * PAIR_BYTES / 1e6, s->pair_ns, s->cost_ns / 1e6, s->run_ns / 1e6,
		100 * trace_cost_overhead(s->run_ns, s->cost_ns));
	if (s->cpu_ns > 0)
		cli_put(cli,
			"of the time inside traced methods, waits and all; of CPU time, with all "
			"that follows\nfrom it, ");
	if (s->cpu_ns > 0 && s->bare_ns > s->cpu_ns - s->cpu_cost_ns)
		cli_put(cli, "nearly all of %.3f ms: how much more than without is not known\n",
			s->cpu_ns / 1e6);
	else if (s->cpu_ns > 0)
		cli_put(cli, "about %.3f ms of %.3f ms: %.1f %% more than without\n",
			s->cpu_cost_ns / 1e6, s->cpu_ns / 1e6, 100 * s->cpu_cost_ns / s->bare_ns);
	else
		cli_put(cli,
			"of the time inside traced methods, waits and all: of which CPU time it "
			"took is not recorded\n");
	cli_put(cli, "\n   %12s %14s %12s %8s %13s  method\n", "calls", "bytes", "cost ms", "share",
		"body ns/call");
	for (size_t i = 0; i < n; i++) {
		const struct scored *m = &s->methods[i];

		cli_put(cli, " %s %12llu %14llu %12.3f %6.1f %% %13.0f  ", m->skip ? "*" : " ",
			(unsigned long long)m->method->calls,
			(unsigned long long)m->method->calls * PAIR_BYTES, m->cost_ns / 1e6,
			100 * m->cost_ns / (share_of(s) + 1), m->body_ns);
		cli_put_short(cli, m->method->label);
		cli_put(cli, "\n");
	}
	if (n < s->count)
		cli_put(cli, "  and %zu more (--top=N)\n", s->count - n);
	put_verdict(cli, s);
}

static void put_json_method(struct cli_json *json, const struct score *s, const struct scored *m)
{
	cJSON *method = cli_json_object(json, NULL, NULL);

	cli_json_text(json, method, "name", m->method->label);
	cli_json_number(json, method, "calls", m->method->calls);
	cli_json_number(json, method, "bytes", m->method->calls * PAIR_BYTES);
	cli_json_decimal(json, method, "costNs", m->cost_ns, 0);
	cli_json_decimal(json, method, "share", m->cost_ns / (share_of(s) + 1), 5);
	cli_json_decimal(json, method, "bodyNs", m->body_ns, 1);
	cli_json_bool(json, method, "skip", m->skip);
	cli_json_element(json, method);
}

static void put_json_totals(struct cli_json *json, const struct score *s)
{
	cJSON *line = cli_json_object(json, NULL, NULL);

	cli_json_text(json, line, "kind", "score");
	cli_json_general(json, line, "pairCostNs", s->pair_ns);
	cli_json_number(json, line, "calls", s->calls);
	cli_json_number(json, line, "bytes", s->calls * PAIR_BYTES);
	cli_json_decimal(json, line, "costNs", s->cost_ns, 0);
	cli_json_decimal(json, line, "runNs", s->run_ns, 0);
	cli_json_line(json, line);
	line = cli_json_object(json, NULL, NULL);
	cli_json_decimal(json, line, "wallOverhead", trace_cost_overhead(s->run_ns, s->cost_ns), 5);
	if (s->cpu_ns > 0) {
		cli_json_decimal(json, line, "cpuCostNs", s->cpu_cost_ns, 0);
		cli_json_decimal(json, line, "cpuNs", s->cpu_ns, 0);
		cli_json_decimal(json, line, "cpuOverhead", s->all_ns / s->bare_ns, 5);
	} else {
		cli_json_null(json, line, "cpuCostNs");
		cli_json_null(json, line, "cpuNs");
		cli_json_null(json, line, "cpuOverhead");
	}
	cli_json_line(json, line);
	line = cli_json_object(json, NULL, NULL);
	cli_json_decimal(json, line, "overhead", s->all_ns / s->bare_ns, 5);
	cli_json_decimal(json, line, "target", s->target, 5);
	cli_json_decimal(json, line, "overheadAfter", s->after_ns / s->bare_ns, 5);
	cli_json_line(json, line);
}

static enum jw_status put_json(struct cli *cli, const struct score *s, struct jw_err *e)
{
	struct cli_json json;

	cli_json_open(&json, cli, '{');
	put_json_totals(&json, s);
	cli_json_list(&json, "methods");
	for (size_t i = 0; i < cli_report_top(cli, s->count, SIZE_MAX); i++)
		put_json_method(&json, s, &s->methods[i]);
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

static bool has_names(const struct trace_report *r)
{
	bool any = r->method_count == 0;

	for (size_t i = 0; i < r->method_count; i++)
		any |= r->methods[i].class_name[0] != '\0';
	return any;
}

enum jw_status cli_run_score(struct cli *cli, struct jw_err *e)
{
	const char *file = cli_value(cli, CLI_OPT_suggest, NULL);
	struct trace_report report = { 0 };
	struct score s = { .pair_ns = TRACE_PAIR_NS };

	double percent = TARGET_PERCENT;

	if (cli_given(cli, CLI_OPT_target))
		JW_TRY(cli_take_percent(cli, CLI_OPT_target, 0.01, 10000, &percent, e));
	s.target = percent / 100;
	if (cli_given(cli, CLI_OPT_pair_cost))
		s.pair_ns = (double)cli->args.numbers[CLI_OPT_pair_cost];
	if (file)
		JW_TRY(check_place(cli, file, e));
	JW_TRY(cli_profile(cli, &report, e));
	if (file && !has_names(&report))
		return jw_fail(e, JW_USAGE,
			       "no method has a whole name, by which a rule could choose it: "
			       "rules can be suggested from a recording, or from a trace that "
			       "jweave made of it, beside its .pcf");
	JW_TRY(fill(cli, &report, &s, e));
	choose(&s);
	if (file)
		JW_TRY(write_rules(cli, &s, file, e));
	if (cli_given(cli, CLI_OPT_json))
		return put_json(cli, &s, e);
	put_text(cli, &s);
	return JW_OK;
}
