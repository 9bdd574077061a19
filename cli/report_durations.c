/*
 * report_durations.c: jweave report --percentiles and --histogram: see report_calls.h.
 *
 * The JSON:
 *   { kind: "percentiles", exceptionsKnown, durationNs, calls, error, exactUpTo,
 *     methods: [{ name, full, calls, [exceptional,] totalNs, selfNs, exact, shortestNs, p50Ns, p90Ns,
 *                 p99Ns, p999Ns, longestNs, meanNs }] }
 *   { kind: "histogram", durationNs, calls, error, exactUpTo,
 *     methods: [{ name, full, calls, exact, shortestNs, p50Ns, .., longestNs,
 *                 classes: [{ fromNs, toNs, calls }] }] }
 */
#include <stdio.h>
#include <string.h>

#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/report_calls.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "cli/terminal.h"
#include "trace/calls/histogram.h"

#include "base/banned.h"

#define TOP_SHOWN 20
#define BAR       40

static const struct {
	unsigned mille;
	const char *head, *key;
} percentiles[] = {
#define PERCENTILE(name, mille, word, key) { mille, word " us", key },
	CLI_PERCENTILE_LIST(PERCENTILE)
#undef PERCENTILE
};
#define PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

static const struct trace_report_method **sorted(struct cli *cli, const struct trace_report *r)
{
	const struct cli_report_by *by = cli_report_by(cli, r);

	return cli_sort_methods(cli, r, by->key, by->of);
}

/* ---- JSON of both ---- */

static void open_json(struct cli_json *json, struct cli *cli, const struct trace_report *r,
		      const char *kind)
{
	cli_json_open(json, cli, '{');
	cli_json_line_text(json, "kind", kind);
	cli_json_line_bool(json, "exceptionsKnown", r->exceptions_known);
	cli_json_line_number(json, "durationNs", r->duration_ns);
	cli_json_line_number(json, "calls", r->calls);
	cJSON *line = cli_json_object(json, NULL, NULL);

	cli_json_decimal(json, line, "error", TRACE_SKETCH_ERROR, 6);
	cli_json_number(json, line, "exactUpTo", TRACE_SKETCH_EXACT);
	cli_json_line(json, line);
	cli_json_list(json, "methods");
}

/* One of how long calls took; null where a range cuts each of them. */
static void put_duration(struct cli_json *json, cJSON *part, const char *key,
			 const struct trace_sketch *durations, uint64_t ns)
{
	if (durations->n)
		cli_json_number(json, part, key, ns);
	else
		cli_json_null(json, part, key);
}

static cJSON *make_method(struct cli_json *json, const struct trace_report *r,
			  const struct trace_report_method *m)
{
	cJSON *part = cli_json_object(json, NULL, NULL);
	const struct trace_sketch *d = &m->durations;

	cli_report_json_label(json, part, m->label);
	cli_json_number(json, part, "calls", m->calls);
	if (r->exceptions_known)
		cli_json_number(json, part, "exceptional", m->exceptional);
	cli_json_number(json, part, "totalNs", m->inclusive_ns);
	cli_json_number(json, part, "selfNs", m->exclusive_ns);
	cli_json_bool(json, part, "exact", trace_sketch_is_exact(d));
	put_duration(json, part, "shortestNs", d, d->least);
	for (size_t i = 0; i < PERCENTILES; i++)
		put_duration(json, part, percentiles[i].key, d,
			     trace_sketch_at(d, percentiles[i].mille));
	put_duration(json, part, "longestNs", d, trace_sketch_at(d, 1000));
	cli_json_decimal(json, part, "meanNs", cli_report_mean_ns(m), 1);
	return part;
}

static enum jw_status close_json(struct cli_json *json, struct jw_err *e)
{
	cli_json_list_end(json);
	return cli_json_close(json, e);
}

/* ---- percentiles ---- */

static enum jw_status percentiles_json(struct cli *cli, const struct trace_report *r,
				       const struct trace_report_method **methods, struct jw_err *e)
{
	struct cli_json json;

	open_json(&json, cli, r, "percentiles");
	for (size_t i = 0; i < cli_report_top(cli, r->method_count, SIZE_MAX); i++)
		cli_json_element(&json, make_method(&json, r, methods[i]));
	return close_json(&json, e);
}

/* A dash where a range cuts each call. */
static void put_percentile(struct cli *cli, const struct trace_report_method *m, unsigned mille)
{
	if (m->durations.n)
		cli_put(cli, " %12.3f", (double)trace_sketch_at(&m->durations, mille) / 1e3);
	else
		cli_put(cli, " %12s", "-");
}

static void put_method(struct cli *cli, const struct trace_report *r,
		       const struct trace_report_method *m)
{
	char calls[32];

	snprintf(calls, sizeof(calls), "%s%llu", m->closed_ns ? ">=" : "",
		 (unsigned long long)m->calls);
	cli_put(cli, "%12s", calls);
	if (r->exceptions_known)
		cli_put(cli, " %11llu", (unsigned long long)m->exceptional);
	for (size_t i = 0; i < PERCENTILES; i++)
		put_percentile(cli, m, percentiles[i].mille);
	put_percentile(cli, m, 1000);
	cli_put(cli, "  ");
	cli_put_method_cut(cli, m->title);
	cli_put(cli, "\n");
}

enum jw_status cli_report_percentiles(struct cli *cli, const struct trace_report *r,
				      struct jw_err *e)
{
	const struct trace_report_method **methods = sorted(cli, r);
	size_t n = cli_report_top(cli, r->method_count, TOP_SHOWN);
	bool exact = true;

	if (!methods)
		return jw_nomem(e);
	if (cli_given(cli, CLI_OPT_json))
		return percentiles_json(cli, r, methods, e);
	cli_put_bold(cli, true);
	cli_put(cli, "\n%12s%s", "calls", r->exceptions_known ? "  exceptions" : "");
	for (size_t i = 0; i < PERCENTILES; i++)
		cli_put(cli, " %12s", percentiles[i].head);
	cli_put(cli, " %12s  method", "longest us");
	cli_put_bold(cli, false);
	cli_put(cli, "\n");
	for (size_t i = 0; i < n; i++) {
		put_method(cli, r, methods[i]);
		exact &= trace_sketch_is_exact(&methods[i]->durations);
	}
	cli_report_put_more(cli, r->method_count - n);
	if (!exact)
		cli_put(cli,
			"  of more than %d calls, percentiles are within %.1f %%; the longest is "
			"exact\n",
			TRACE_SKETCH_EXACT, 100 * TRACE_SKETCH_ERROR);
	if (r->cut.before || r->cut.after)
		cli_put(cli, "  calls that the range cuts are among the calls, and have no "
			     "duration\n");
	return JW_OK;
}

/* ---- histograms ---- */

static void put_classes(struct cli_json *json, cJSON *part, const struct trace_histogram *h)
{
	cJSON *list = cli_json_array(json, part, "classes");

	for (size_t i = 0; i < h->n; i++) {
		cJSON *one = cli_json_object(json, list, NULL);

		cli_json_number(json, one, "fromNs", h->at[i].from);
		cli_json_number(json, one, "toNs", h->at[i].to);
		cli_json_number(json, one, "calls", h->at[i].count);
	}
}

/* "20 ms", "1.5 us": borders are round. */
static void put_border(struct cli *cli, uint64_t ns)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
	size_t i = 0;

	while (i < 3 && (double)ns < units[i].ns)
		i++;
	cli_put(cli, "%6.4g %-2s", (double)ns / units[i].ns, units[i].unit);
}

/* Any count has a mark, and the largest one a whole bar. */
static void put_bar(struct cli *cli, uint64_t count, uint64_t most)
{
	char bar[BAR + 1];
	size_t n = (size_t)((double)count / (double)most * BAR + 0.5);

	n = count && n == 0 ? 1 : n;
	memset(bar, '#', n);
	bar[n] = '\0';
	cli_put(cli, "%s", bar);
}

static void put_summary(struct cli *cli, const struct trace_report_method *m)
{
	cli_put(cli, "\n");
	cli_put_method_cut(cli, m->title);
	if (!m->durations.n) {
		cli_put(cli, "\n0 calls that the range does not cut\n");
		return;
	}
	cli_put(cli, "\n%s: ", cli_plural(&cli->arena, m->durations.n, "call", "calls"));
	for (size_t i = 0; i < PERCENTILES; i++)
		cli_put(cli, "%.*s %.3f us, ", (int)(strlen(percentiles[i].head) - strlen(" us")),
			percentiles[i].head,
			(double)trace_sketch_at(&m->durations, percentiles[i].mille) / 1e3);
	cli_put(cli, "longest %.3f us\n", (double)trace_sketch_at(&m->durations, 1000) / 1e3);
}

static void put_histogram(struct cli *cli, const struct trace_report_method *m,
			  const struct trace_histogram *h)
{
	uint64_t seen = 0;

	put_summary(cli, m);
	for (size_t i = 0; i < h->n; i++) {
		const struct trace_histogram_class *c = &h->at[i];

		seen += c->count;
		cli_put(cli, "  ");
		put_border(cli, c->from);
		cli_put(cli, " .. ");
		put_border(cli, c->to);
		cli_put(cli, " %12llu %7.2f %%%s", (unsigned long long)c->count,
			100 * (double)seen / (double)m->durations.n, c->count ? "  " : "");
		put_bar(cli, c->count, h->most);
		cli_put(cli, "\n");
	}
}

enum jw_status cli_report_histogram(struct cli *cli, const struct trace_report *r,
				    const bool *chosen, struct jw_err *e)
{
	const struct trace_report_method **methods = sorted(cli, r);
	bool json = cli_given(cli, CLI_OPT_json);
	size_t most = cli_report_top(cli, SIZE_MAX, json ? SIZE_MAX : TOP_SHOWN), n = 0;
	struct trace_histogram h;
	struct cli_json out;

	if (!methods)
		return jw_nomem(e);
	if (json)
		open_json(&out, cli, r, "histogram");
	for (size_t i = 0; i < r->method_count; i++) {
		if (!chosen[methods[i] - r->methods] || n++ >= most)
			continue;
		trace_histogram_make(&methods[i]->durations, &h);
		if (!json) {
			put_histogram(cli, methods[i], &h);
			continue;
		}
		cJSON *part = make_method(&out, r, methods[i]);

		put_classes(&out, part, &h);
		cli_json_element(&out, part);
	}
	if (json)
		return close_json(&out, e);
	cli_report_put_more(cli, n > most ? n - most : 0);
	return JW_OK;
}
