/*
 * report_requests.c: jweave report --requests: requests and their answers, by connection.
 *
 * The JSON: { kind: "requests", durationNs, [cut: { before, after } (requests that a range cuts),] requests: [{ where, asks, task, process, connections, count, ns, p50Ns,
 * p90Ns, p99Ns, longestNs, longestBeginNs }], slowest: [{ asks, connection, task, process, beginNs, ns, answerNs (when
 * its answer began, after its begin), asker, askerName, answerer, answererName }] }
 */
#include "cli/report_requests.h"

#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/report_shared.h"
#include "cli/report_source.h"
#include "cli/safe_text.h"

#include "base/banned.h"

#define SHOWN 20
enum { P50 = 500, P90 = 900, P99 = 990 };

/* ---- text ---- */

static void put_sum(struct cli *cli, const struct trace_request_sum *s)
{
	double n = (double)s->times.n;

	cli_put(cli, "%12llu %12.3f %12.3f %12.3f %12.3f %12.6f %12llu  ",
		(unsigned long long)s->times.n, cli_report_ms(s->ns) / n,
		cli_report_ms(trace_sketch_at(&s->times, P50)),
		cli_report_ms(trace_sketch_at(&s->times, P99)), cli_report_ms(s->times.most),
		(double)s->longest_begin / 1e9, (unsigned long long)s->connections);
	cli_report_put_name(cli, s->where);
	cli_report_put_process(cli, s->process_name);
	cli_put(cli, "\n");
}

/* "a read it and answered", "a read it, b answered", "a asked, b read the answer" */
static void put_threads(struct cli *cli, const struct trace_request *r)
{
	cli_report_put_name(cli, r->asker_name);
	if (r->asker == r->answerer) {
		cli_put(cli, "%s",
			r->asks ? " asked and read the answer" : " read it and answered");
		return;
	}
	cli_put(cli, "%s", r->asks ? " asked, " : " read it, ");
	cli_report_put_name(cli, r->answerer_name);
	cli_put(cli, "%s", r->asks ? " read the answer" : " answered");
}

static void put_slow(struct cli *cli, const struct trace_request *r)
{
	cli_put(cli, "%12.3f %12.6f %12.3f  ", cli_report_ms(r->end - r->begin),
		(double)r->begin / 1e9, cli_report_ms(r->answer_begin - r->begin));
	cli_report_put_name(cli, r->connection);
	cli_report_put_process(cli, r->process_name);
	cli_put(cli, ": ");
	put_threads(cli, r);
	cli_put(cli, "\n");
}

static bool any_answers(const struct trace_request_list *list)
{
	for (size_t i = 0; i < list->sum_count; i++)
		if (!list->sums[i].asks)
			return true;
	return false;
}

static void put_text(struct cli *cli, const struct trace_request_list *list)
{
	size_t sums = cli_report_top(cli, list->sum_count, SHOWN);
	size_t slowest = cli_report_top(cli, list->slowest_count, SHOWN);

	if (!list->sum_count)
		return;
	cli_put(cli, "%12s %12s %12s %12s %12s %12s %12s  requests\n", "count", "mean ms", "p50 ms",
		"p99 ms", "longest ms", "at s", "connections");
	for (size_t i = 0; i < sums; i++)
		put_sum(cli, &list->sums[i]);
	cli_report_put_more(cli, list->sum_count - sums);
	if (any_answers(list))
		cli_put(cli, "  at: from when the server had read a request; that it waited to be "
			     "read is in the "
			     "times of who asks (to), and on the critical path\n");
	cli_put(cli, "\n%12s %12s %12s  the slowest\n", "ms", "at s", "to answer ms");
	for (size_t i = 0; i < slowest; i++)
		put_slow(cli, &list->slowest[i]);
}

/* ---- JSON ---- */

static cJSON *sum_json(struct cli_json *json, const struct trace_request_sum *s)
{
	cJSON *one = cli_json_object(json, NULL, NULL);

	cli_json_text(json, one, "where", s->where);
	cli_json_bool(json, one, "asks", s->asks);
	cli_json_number(json, one, "task", s->process + UINT64_C(1));
	cli_json_text(json, one, "process", s->process_name);
	cli_json_number(json, one, "connections", s->connections);
	cli_json_number(json, one, "count", s->times.n);
	cli_json_number(json, one, "ns", s->ns);
	cli_json_number(json, one, "p50Ns", trace_sketch_at(&s->times, P50));
	cli_json_number(json, one, "p90Ns", trace_sketch_at(&s->times, P90));
	cli_json_number(json, one, "p99Ns", trace_sketch_at(&s->times, P99));
	cli_json_number(json, one, "longestNs", s->times.most);
	cli_json_number(json, one, "longestBeginNs", s->longest_begin);
	return one;
}

static cJSON *slow_json(struct cli_json *json, const struct trace_request *r)
{
	cJSON *one = cli_json_object(json, NULL, NULL);

	cli_json_bool(json, one, "asks", r->asks);
	cli_json_text(json, one, "connection", r->connection);
	cli_json_number(json, one, "task", r->process + UINT64_C(1));
	cli_json_text(json, one, "process", r->process_name);
	cli_json_number(json, one, "beginNs", r->begin);
	cli_json_number(json, one, "ns", r->end - r->begin);
	cli_json_number(json, one, "answerNs", r->answer_begin - r->begin);
	cli_json_number(json, one, "asker", r->asker);
	cli_json_text(json, one, "askerName", r->asker_name);
	cli_json_number(json, one, "answerer", r->answerer);
	cli_json_text(json, one, "answererName", r->answerer_name);
	return one;
}

enum jw_status cli_report_requests_json(struct cli *cli, const struct trace_request_list *list,
					struct jw_err *e)
{
	struct cli_json json = { 0 };
	size_t sums = cli_report_top(cli, list->sum_count, SIZE_MAX);
	size_t slowest = cli_report_top(cli, list->slowest_count, SIZE_MAX);

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "kind", "requests");
	cli_json_line_number(&json, "durationNs", list->duration_ns);
	if (list->before || list->after) {
		cJSON *line = cli_json_object(&json, NULL, NULL),
		      *cut = cli_json_object(&json, line, "cut");

		cli_json_number(&json, cut, "before", list->before);
		cli_json_number(&json, cut, "after", list->after);
		cli_json_line(&json, line);
	}
	cli_json_list(&json, "requests");
	for (size_t i = 0; i < sums; i++)
		cli_json_element(&json, sum_json(&json, &list->sums[i]));
	cli_json_list_end(&json);
	cli_json_list(&json, "slowest");
	for (size_t i = 0; i < slowest; i++)
		cli_json_element(&json, slow_json(&json, &list->slowest[i]));
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

static bool has_range(const struct cli *cli)
{
	return cli_given(cli, CLI_OPT_from) || cli_given(cli, CLI_OPT_to) ||
	       cli_given(cli, CLI_OPT_around);
}

/* What the figures are of, where that is not plain. */
static void tell(struct cli *cli, const struct trace_request_list *list)
{
	if (!list->sum_count && list->connections)
		cli_note(cli, "no request is in it: on %s nothing was asked and answered%s",
			 cli_plural(&cli->arena, list->connections, "connection", "connections"),
			 has_range(cli) ? " in the range" : "");
	else if (!list->sum_count)
		cli_note(cli, "no request is in it: that needs the bytes of connections, which "
			      "--events=default,net records");
	if (list->before || list->after)
		cli_note(cli,
			 "of the requests %llu began before the range and %llu went on after it: "
			 "they "
			 "count whole",
			 (unsigned long long)list->before, (unsigned long long)list->after);
}

enum jw_status cli_report_requests(struct cli *cli, struct jw_err *e)
{
	struct trace_requests *requests = trace_requests_new(CLI_SLOWEST_REQUESTS, &cli->arena);

	if (!requests)
		return jw_nomem(e);
	enum jw_status status =
		cli_report_tell(cli, &trace_requests_output, requests, CLI_REPORT_LAST, e);
	const struct trace_request_list list = trace_requests_list(requests);
	trace_requests_free(requests);
	if (status != JW_OK)
		return status;
	tell(cli, &list);
	if (cli_given(cli, CLI_OPT_json))
		return cli_report_requests_json(cli, &list, e);
	put_text(cli, &list);
	return JW_OK;
}
