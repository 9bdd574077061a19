/*
 * diff_json.c: `jweave diff --json`.
 *
 * { kind: "diff", version: 1, judged, failed, a, b: { source, runs, incomplete, durationNs, calls },
 *   methods: [{ label, class, name, descriptor, title, place, was, in, changed, calls: { a, b, change,
 *               percent, p, verdict }, exceptions, self, total, cpu, mean, longest }],
 *   waits, roles, locks, operations, requests, exceptions: [{ label, in, changed, and their columns }],
 *   gates: [{ gate, failed, asked, undecided, lines: [{ label, class, name, descriptor, metric, a,
 *             b }] }] }
 */
#include <string.h>

#include "cli/diff.h"
#include "cli/json_out.h"
#include "cli/report_shared.h"

#include "base/banned.h"

/* Whole numbers as such; means have a digit more. */
static void put_number(struct cli_json *json, cJSON *parent, const char *key, double value)
{
	cli_json_decimal(json, parent, key, value, value == (double)(int64_t)value ? 0 : 1);
}

static void put_known(struct cli_json *json, cJSON *parent, const char *key, double value)
{
	if (value == TRACE_DIFF_UNKNOWN)
		cli_json_null(json, parent, key);
	else
		put_number(json, parent, key, value);
}

static void put_figure(struct cli_json *json, cJSON *parent, const char *key,
		       const struct trace_diff_figure *f)
{
	cJSON *figure = cli_json_object(json, parent, key);
	bool known = f->verdict != TRACE_DIFF_NOT_KNOWN;
	double percent;

	put_known(json, figure, "a", f->a);
	put_known(json, figure, "b", f->b);
	if (known)
		put_number(json, figure, "change", f->b - f->a);
	else
		cli_json_null(json, figure, "change");
	if (known && cli_diff_percent(f, &percent))
		cli_json_decimal(json, figure, "percent", percent, 2);
	else
		cli_json_null(json, figure, "percent");
	if (f->p == TRACE_DIFF_UNKNOWN)
		cli_json_null(json, figure, "p");
	else
		cli_json_decimal(json, figure, "p", f->p, 6);
	if (f->corrected == TRACE_DIFF_UNKNOWN)
		cli_json_null(json, figure, "corrected");
	else
		cli_json_decimal(json, figure, "corrected", f->corrected, 6);
	cli_json_text(json, figure, "verdict", trace_diff_verdict_word(f->verdict));
}

static void put_names(struct cli_json *json, cJSON *parent, const struct trace_diff_item *item)
{
	cli_json_text(json, parent, "label", item->label);
	if (item->kind != TRACE_DIFF_METHOD)
		return;
	cli_json_text(json, parent, "class", item->class_name);
	cli_json_text(json, parent, "name", item->name);
	cli_json_text(json, parent, "descriptor", item->descriptor);
}

static void put_pair(struct cli_json *json, const struct trace_diff_pair *pair)
{
	const struct trace_diff_item *item = trace_diff_item_of(pair), *a = pair->a, *b = pair->b;
	const struct trace_diff_column *columns = trace_diff_kinds[item->kind].columns;
	cJSON *part = cli_json_object(json, NULL, NULL);

	put_names(json, part, item);
	if (item->kind == TRACE_DIFF_METHOD) {
		cli_json_text(json, part, "title", pair->title);
		cli_json_text(json, part, "place", item->place);
	}
	if (a && b && strcmp(a->name, b->name) != 0)
		cli_json_text(json, part, "was", a->name);
	cli_json_text(json, part, "in", !a ? "b" : !b ? "a" : "both");
	cli_json_bool(json, part, "changed", pair->changed);
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && columns[c].word; c++)
		put_figure(json, part, columns[c].word, &pair->figures[c]);
	cli_json_element(json, part);
}

static void put_side(struct cli_json *json, const char *key, const char *name,
		     const struct trace_diff_side *side, double duration_ns)
{
	cJSON *line = cli_json_object(json, NULL, NULL), *part = cli_json_object(json, line, key);

	cli_json_text(json, part, "source", name);
	cli_json_number(json, part, "runs", side->runs);
	cli_json_bool(json, part, "incomplete", side->incomplete);
	put_number(json, part, "durationNs", duration_ns);
	cJSON *calls = cli_json_array(json, part, "calls");

	for (size_t run = 0; run < side->runs; run++)
		put_number(json, calls, NULL, side->calls[run]);
	cli_json_line(json, line);
}

static void put_gate(struct cli *cli, struct cli_json *json, const struct cli_gate *g)
{
	cJSON *part = cli_json_object(json, NULL, NULL), *lines;

	cli_json_text(json, part, "gate", g->text);
	cli_json_bool(json, part, "failed", g->failed);
	cli_json_number(json, part, "asked", g->asked);
	cli_json_number(json, part, "undecided", g->open);
	lines = cli_json_array(json, part, "lines");
	for (size_t i = 0; i < cli_report_top(cli, g->line_count, SIZE_MAX); i++) {
		const struct trace_diff_pair *pair = g->lines[i].pair;
		const struct trace_diff_item *item = trace_diff_item_of(pair);
		const struct trace_diff_figure *f = &pair->figures[g->lines[i].column];
		cJSON *line = cli_json_object(json, lines, NULL);

		put_names(json, line, item);
		cli_json_text(json, line, "metric",
			      trace_diff_kinds[item->kind].columns[g->lines[i].column].word);
		put_number(json, line, "a", f->a);
		put_number(json, line, "b", f->b);
	}
	cli_json_element(json, part);
}

static void put_kind(struct cli *cli, struct cli_json *json, const struct trace_diff *d,
		     enum trace_diff_kind kind)
{
	size_t n = cli_report_top(cli, d->first[kind + 1] - d->first[kind], SIZE_MAX);

	cli_json_list(json, trace_diff_kinds[kind].list);
	for (size_t i = 0; i < n; i++)
		put_pair(json, &d->pairs[d->first[kind] + i]);
	cli_json_list_end(json);
}

enum jw_status cli_diff_json(struct cli *cli, const struct cli_diff *d, struct jw_err *e)
{
	struct cli_json json;

	cli_json_open(&json, cli, '{');
	cJSON *line = cli_json_object(&json, NULL, NULL);

	cli_json_text(&json, line, "kind", "diff");
	cli_json_number(&json, line, "version", 1);
	cli_json_bool(&json, line, "judged", d->diff.judged);
	cli_json_bool(&json, line, "failed", d->gates.failed);
	cli_json_line(&json, line);
	put_side(&json, "a", d->a_name, d->diff.a, d->diff.a_duration_ns);
	put_side(&json, "b", d->b_name, d->diff.b, d->diff.b_duration_ns);
	for (enum trace_diff_kind kind = 0; kind < TRACE_DIFF_KINDS; kind++)
		put_kind(cli, &json, &d->diff, kind);
	cli_json_list(&json, "gates");
	for (size_t i = 0; i < d->gates.n; i++)
		put_gate(cli, &json, &d->gates.list[i]);
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}
