/*
 * report_spans.c: jweave report --trace-id=ID: the calls that threads made while a trace of that id
 * was current, in all processes, by thread and time.
 *
 * The JSON: { kind: "trace", traceId, durationNs, callCount, calls: [{ traceId, spanId, process, pid,
 * host, thread, row, beginNs, ns, depth, method, failed, open }],
 * spans: [{ traceId, spanId, process, pid, host, thread, row, beginNs, endNs, calls }] }
 */
#include "cli/report_spans.h"

#include "cli/help.h"
#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/report_shared.h"
#include "cli/report_source.h"
#include "cli/safe_text.h"
#include "trace/spans/spans.h"

#include "base/banned.h"

#define CALLS_SHOWN 20
#define INDENT_MOST 40 /* levels: deeper calls stay there */

static struct trace_context context_of(const struct trace_span_stretch *s)
{
	return (struct trace_context){ .trace_high = s->trace_high,
				       .trace_low = s->trace_low,
				       .span = s->span };
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static const struct trace_span_process *process_of(const struct trace_spans_list *list,
						   uint32_t thread)
{
	return &list->processes[list->threads[thread].process];
}

/* ---- text ---- */

/* Are there several traces whose ids begin so? */
static bool has_many(const struct trace_spans_list *list)
{
	for (size_t i = 1; i < list->stretch_count; i++)
		if (list->stretches[i].trace_high != list->stretches[0].trace_high ||
		    list->stretches[i].trace_low != list->stretches[0].trace_low)
			return true;
	return false;
}

static void put_id(struct cli *cli, const struct trace_span_stretch *s, bool span)
{
	const struct trace_context c = context_of(s);
	struct jw_buf text = { 0 };

	(span ? trace_context_put_span : trace_context_put_trace)(&text, &c);
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

static void put_calls(struct cli *cli, const struct trace_spans_list *list, uint32_t thread,
		      bool many)
{
	const struct trace_span_thread *t = &list->threads[thread];
	size_t n = cli_report_top(cli, t->n, CALLS_SHOWN);

	cli_put(cli, "\n%12s %13s  %-16s  ", "at s", "ms", "span");
	if (many)
		cli_put(cli, "%-32s  ", "trace");
	cli_put(cli, "call, in ");
	cli_report_put_name(cli, t->name);
	if (list->processes_of_all > 1) {
		cli_put(cli, " of ");
		cli_report_put_name(cli, process_of(list, thread)->name);
	}
	cli_put(cli, "\n");
	for (size_t i = t->first; i < t->first + n; i++) {
		const struct trace_span_call *c = &list->calls[i];
		uint32_t depth = c->depth < INDENT_MOST ? c->depth : INDENT_MOST;

		cli_put(cli, "%12.6f %13.3f  ", seconds(c->begin), cli_report_ms(c->ns));
		put_id(cli, &list->stretches[c->stretch], true);
		cli_put(cli, "  ");
		if (many) {
			put_id(cli, &list->stretches[c->stretch], false);
			cli_put(cli, "  ");
		}
		cli_put(cli, "%*s", (int)(2 * depth), "");
		cli_report_put_name(cli, c->method);
		cli_put(cli, "%s\n", c->failed ? "  (failed)" : c->open ? "  (open)" : "");
	}
	cli_report_put_more(cli, t->n - n);
}

static void put_text(struct cli *cli, const struct trace_spans_list *list, const char *id)
{
	struct jw_arena *a = &cli->arena;
	bool many = has_many(list);

	if (!list->stretch_count) {
		cli_put(cli, "no trace whose id begins with %s in %.3f s\n", id,
			seconds(list->duration_ns));
		return;
	}
	cli_put(cli, "trace ");
	if (many)
		cli_put(cli, "%s..", id);
	else
		put_id(cli, &list->stretches[0], false);
	cli_put(cli, ": %s in %s of %s, from %.6f s to %.6f s\n",
		cli_plural(a, list->call_count + list->calls_left, "call", "calls"),
		cli_plural(a, list->thread_count, "thread", "threads"),
		cli_plural(a, list->process_count, "process", "processes"), seconds(list->begin),
		seconds(list->end));
	for (uint32_t i = 0; i < list->thread_count; i++)
		put_calls(cli, list, i, many);
}

/* ---- JSON ---- */

static void add_where(struct cli_json *json, cJSON *to, const struct trace_spans_list *list,
		      const struct trace_span_stretch *s)
{
	const struct trace_context c = context_of(s);
	const struct trace_span_process *p = process_of(list, s->thread);
	struct jw_buf id = { 0 };

	trace_context_put_trace(&id, &c);
	cli_json_span(json, to, "traceId", jw_buf_span(&id));
	id.n = 0;
	trace_context_put_span(&id, &c);
	cli_json_span(json, to, "spanId", jw_buf_span(&id));
	jw_buf_free(&id);
	cli_json_text(json, to, "process", p->name);
	if (p->pid)
		cli_json_number(json, to, "pid", p->pid);
	cli_json_text(json, to, "host", p->host);
	cli_json_text(json, to, "thread", list->threads[s->thread].name);
	cli_json_number(json, to, "row", list->threads[s->thread].row);
}

static void add_call(struct cli_json *json, const struct trace_spans_list *list,
		     const struct trace_span_call *c)
{
	cJSON *call = cli_json_object(json, NULL, NULL);

	add_where(json, call, list, &list->stretches[c->stretch]);
	cli_json_number(json, call, "beginNs", c->begin);
	cli_json_number(json, call, "ns", c->ns);
	cli_json_number(json, call, "depth", c->depth);
	cli_json_text(json, call, "method", c->method);
	cli_json_bool(json, call, "failed", c->failed);
	cli_json_bool(json, call, "open", c->open);
	cli_json_element(json, call);
}

static void add_stretch(struct cli_json *json, const struct trace_spans_list *list,
			const struct trace_span_stretch *s)
{
	cJSON *span = cli_json_object(json, NULL, NULL);

	add_where(json, span, list, s);
	cli_json_number(json, span, "beginNs", s->begin);
	cli_json_number(json, span, "endNs", s->end);
	cli_json_number(json, span, "calls", s->calls);
	cli_json_element(json, span);
}

static enum jw_status put_json(struct cli *cli, const struct trace_spans_list *list, const char *id,
			       struct jw_err *e)
{
	struct cli_json json = { 0 };
	size_t most = cli_report_top(cli, list->call_count, SIZE_MAX);

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "kind", "trace");
	cli_json_line_text(&json, "traceId", id);
	cli_json_line_number(&json, "durationNs", list->duration_ns);
	cli_json_line_number(&json, "callCount", list->call_count + list->calls_left);
	cli_json_list(&json, "calls");
	for (size_t i = 0; i < list->call_count && i < most; i++)
		add_call(&json, list, &list->calls[i]);
	cli_json_list_end(&json);
	cli_json_list(&json, "spans");
	for (size_t i = 0; i < list->stretch_count; i++)
		add_stretch(&json, list, &list->stretches[i]);
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

/* ---- all of it ---- */

static enum jw_status put(struct cli *cli, const struct trace_spans_list *list, const char *id,
			  struct jw_err *e)
{
	if (!list->stretch_count && !list->others)
		cli_warn(cli, "no trace of OpenTelemetry is in it: --preset=otel records which are "
			      "current");
	else if (!list->stretch_count)
		cli_warn(cli, "others are in it: %llu times another trace became current",
			 (unsigned long long)list->others);
	if (list->calls_left)
		cli_warn(cli, "too many calls to tell: %zu are only counted", list->calls_left);
	if (cli_given(cli, CLI_OPT_json))
		return put_json(cli, list, id, e);
	put_text(cli, list, id);
	return JW_OK;
}

enum jw_status cli_report_spans(struct cli *cli, struct jw_err *e)
{
	const char *id = cli_value(cli, CLI_OPT_trace_id, "");
	struct trace_id_prefix prefix;

	if (!trace_id_prefix_read(id, &prefix))
		return jw_fail(e, JW_USAGE,
			       "--trace-id is %d to %d hex digits, the first ones of a trace id%s",
			       TRACE_ID_LEAST, TRACE_ID_DIGITS,
			       cli_see(&cli->arena, cli->args.command));
	struct trace_spans *spans = trace_spans_new(&prefix, &cli->arena);

	if (!spans)
		return jw_nomem(e);
	enum jw_status status =
		cli_report_tell(cli, &trace_spans_output, spans, CLI_REPORT_CALLS, e);
	const struct trace_spans_list list = trace_spans_list(spans);

	if (status == JW_OK)
		status = put(cli, &list, id, e);
	trace_spans_free(spans);
	return status;
}
