/*
 * cmd_report.c: jweave report RECORDING|TRACE: where the time went.
 *
 * JSON: { kind, exceptionsKnown, durationNs, calls, methodCount, threadCount,
 *         methods: [{ name, full, calls, [exceptional,] inclusiveNs, exclusiveNs, meanNs }],
 *         threads: [{ task, thread, name, calls, lifeNs, runningNs, insideNs,
 *                     states: { NUMBER: ns } }],
 *         states: { NUMBER: label } }
 */
#include <string.h>

#include "cli/profile.h"

#include "base/banned.h"

#define TOP_SHOWN   20
#define STATE_WIDTH 24

static double by_self(const struct trace_report_method *m)
{
	return (double)m->exclusive_ns;
}

static double by_total(const struct trace_report_method *m)
{
	return (double)m->inclusive_ns;
}

static double by_calls(const struct trace_report_method *m)
{
	return (double)m->calls;
}

/* ORDER: the words of --by */
static const cli_method_key keys[] = { by_self, by_total, by_calls };

static size_t top(struct cli *cli, size_t count, size_t otherwise)
{
	size_t most =
		cli_given(cli, CLI_OPT_top) ? (size_t)cli->args.numbers[CLI_OPT_top] : otherwise;

	return count < most ? count : most;
}

static double mean_ns(const struct trace_report_method *m)
{
	return m->calls ? (double)m->inclusive_ns / (double)m->calls : 0;
}

/* ---- text ---- */

static void put_more(struct cli *cli, size_t left)
{
	if (left)
		cli_put(cli, "  and %zu more (--top=N)\n", left);
}

static void put_methods(struct cli *cli, const struct trace_report *r,
			const struct trace_report_method **sorted)
{
	size_t n = top(cli, r->method_count, TOP_SHOWN);

	if (n == 0)
		return;
	cli_put(cli, "\n%12s%s %13s %13s %12s  method\n", "calls",
		r->exceptions_known ? "  exceptions" : "", "self ms", "total ms", "mean us");
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_method *m = sorted[i];

		cli_put(cli, "%12llu", (unsigned long long)m->calls);
		if (r->exceptions_known)
			cli_put(cli, " %11llu", (unsigned long long)m->exceptional);
		cli_put(cli, " %13.3f %13.3f %12.3f  ", (double)m->exclusive_ns / 1e6,
			(double)m->inclusive_ns / 1e6, mean_ns(m) / 1e3);
		cli_put_short(cli, m->label);
		cli_put(cli, "\n");
	}
	put_more(cli, r->method_count - n);
}

static void put_thread_name(struct cli *cli, const struct trace_report *r,
			    const struct trace_report_thread *t)
{
	struct jw_buf name = { 0 };
	const struct trace_report_thread *last = &r->threads[r->thread_count - 1];

	cli_put_escaped(&name, jw_span_str(t->name));
	cli_put_span(cli, jw_buf_span(&name));
	jw_buf_free(&name);
	if (last->task > 1)
		cli_put(cli, " (process %u)", t->task);
	cli_put(cli, "\n");
}

static void put_threads(struct cli *cli, const struct trace_report *r)
{
	size_t n = top(cli, r->thread_count, TOP_SHOWN);

	cli_put(cli, "\n%13s %13s %13s %12s  thread\n", "life ms", "running ms", "in methods",
		"calls");
	for (size_t i = 0; i < n; i++) {
		const struct trace_report_thread *t = &r->threads[i];

		cli_put(cli, "%13.3f %13.3f %13.3f %12llu  ", (double)t->life_ns / 1e6,
			(double)t->running_ns / 1e6, (double)t->inside_ns / 1e6,
			(unsigned long long)t->calls);
		put_thread_name(cli, r, t);
	}
	put_more(cli, r->thread_count - n);
}

static size_t state_width(const struct trace_report_state *s)
{
	size_t width = cli_width(jw_span_str(s->name)) + 3;

	return width < 13 ? 13 : width > STATE_WIDTH ? STATE_WIDTH : width;
}

/* One state alone says no more than the table of threads. */
static void put_states(struct cli *cli, const struct trace_report *r)
{
	size_t n = top(cli, r->thread_count, TOP_SHOWN);

	if (r->state_count < 2)
		return;
	cli_put(cli, "\n");
	for (size_t s = 0; s < r->state_count; s++) {
		struct jw_buf name = { 0 };

		cli_put_escaped(&name, jw_span_str(r->states[s].name));
		jw_put_str(&name, " ms");
		jw_put_u1(&name, 0);
		if (name.failed == JW_OK)
			cli_put_right(cli, (const char *)name.p, state_width(&r->states[s]));
		cli_put(cli, " ");
		jw_buf_free(&name);
	}
	cli_put(cli, " thread\n");
	for (size_t i = 0; i < n; i++) {
		for (size_t s = 0; s < r->state_count; s++)
			cli_put(cli, "%*.3f ", (int)state_width(&r->states[s]),
				(double)r->threads[i].states_ns[s] / 1e6);
		cli_put(cli, " ");
		put_thread_name(cli, r, &r->threads[i]);
	}
	put_more(cli, r->thread_count - n);
}

static void put_text(struct cli *cli, const struct trace_report *r,
		     const struct trace_report_method **sorted)
{
	struct jw_arena *a = &cli->arena;

	cli_put(cli, "%s, %s, %s in %.3f s\n", cli_plural(a, r->thread_count, "thread", "threads"),
		cli_plural(a, r->method_count, "method", "methods"),
		cli_plural(a, r->calls, "call", "calls"), (double)r->duration_ns / 1e9);
	put_methods(cli, r, sorted);
	put_threads(cli, r);
	put_states(cli, r);
}

/* ---- JSON ---- */

static void number(struct jw_buf *out, const char *key, uint64_t value)
{
	jw_put_fmt(out, "\"%s\":%llu,", key, (unsigned long long)value);
}

static void json_method(struct jw_buf *out, const struct trace_report *r,
			const struct trace_report_method *m)
{
	struct jw_span label = jw_span_str(m->label), full = label, name = label;
	const char *open = strchr(m->label, '[');

	if (open && open > m->label && jw_span_ends(label, JW_SPAN_LIT("]"))) {
		name.n = (size_t)(open - m->label);
		full = jw_span_sub(label, name.n + 1, label.n - name.n - 2);
		while (name.n && name.p[name.n - 1] == ' ')
			name.n--;
	}
	jw_put_str(out, "{\"name\":");
	cli_put_json(out, name);
	jw_put_str(out, ",\"full\":");
	cli_put_json(out, full);
	jw_put_str(out, ",");
	number(out, "calls", m->calls);
	if (r->exceptions_known)
		number(out, "exceptional", m->exceptional);
	number(out, "inclusiveNs", m->inclusive_ns);
	number(out, "exclusiveNs", m->exclusive_ns);
	jw_put_fmt(out, "\"meanNs\":%.1f}", mean_ns(m));
}

static void json_thread(struct jw_buf *out, const struct trace_report *r,
			const struct trace_report_thread *t)
{
	const char *comma = "";

	jw_put_fmt(out, "{\"task\":%u,\"thread\":%u,\"name\":", t->task, t->number);
	cli_put_json(out, jw_span_str(t->name));
	jw_put_str(out, ",");
	number(out, "calls", t->calls);
	number(out, "lifeNs", t->life_ns);
	number(out, "runningNs", t->running_ns);
	number(out, "insideNs", t->inside_ns);
	jw_put_str(out, "\"states\":{");
	for (size_t s = 0; s < r->state_count; s++) {
		if (!t->states_ns[s])
			continue;
		jw_put_fmt(out, "%s\"%llu\":%llu", comma, (unsigned long long)r->states[s].number,
			   (unsigned long long)t->states_ns[s]);
		comma = ",";
	}
	jw_put_str(out, "}}");
}

static void put_json(struct cli *cli, const struct trace_report *r,
		     const struct trace_report_method **sorted)
{
	struct jw_buf out = { 0 };

	jw_put_fmt(&out, "{\n\"kind\":\"report\",\n\"exceptionsKnown\":%s,\n",
		   r->exceptions_known ? "true" : "false");
	number(&out, "durationNs", r->duration_ns);
	number(&out, "calls", r->calls);
	number(&out, "methodCount", r->method_count);
	number(&out, "threadCount", r->thread_count);
	jw_put_str(&out, "\n\"methods\":[");
	for (size_t i = 0; i < top(cli, r->method_count, SIZE_MAX); i++) {
		jw_put_str(&out, i ? ",\n" : "\n");
		json_method(&out, r, sorted[i]);
	}
	jw_put_str(&out, "\n],\n\"threads\":[");
	for (size_t i = 0; i < top(cli, r->thread_count, SIZE_MAX); i++) {
		jw_put_str(&out, i ? ",\n" : "\n");
		json_thread(&out, r, &r->threads[i]);
	}
	jw_put_str(&out, "\n],\n\"states\":{");
	for (size_t s = 0; s < r->state_count; s++) {
		jw_put_fmt(&out, "%s\"%llu\":", s ? "," : "",
			   (unsigned long long)r->states[s].number);
		cli_put_json(&out, jw_span_str(r->states[s].name));
	}
	jw_put_str(&out, "}\n}\n");
	cli_put_span(cli, jw_buf_span(&out));
	if (out.failed != JW_OK)
		cli->out.failed = out.failed;
	jw_buf_free(&out);
}

enum jw_status cli_run_report(struct cli *cli, struct jw_err *e)
{
	struct trace_report report = { 0 };

	JW_TRY(cli_profile(cli, &report, e));
	const struct trace_report_method **sorted =
		cli_sort_methods(cli, &report, keys[cli->args.numbers[CLI_OPT_by]]);

	if (!sorted)
		return jw_nomem(e);
	if (cli_given(cli, CLI_OPT_json))
		put_json(cli, &report, sorted);
	else
		put_text(cli, &report, sorted);
	return JW_OK;
}
