/*
 * diff_json.c: `jweave diff --json`.
 *
 * { kind: "diff", version: 1, judged, failed, a, b: { source, runs, incomplete, durationNs, calls },
 *   methods: [{ label, class, name, descriptor, place, was, in, changed, calls: { a, b, change,
 *               percent, p, verdict }, exceptions, self, total, mean, longest }],
 *   roles, locks, operations, exceptions: [{ label, in, changed, and their columns }],
 *   gates: [{ gate, failed, asked, undecided, lines: [{ label, class, name, descriptor, metric, a,
 *             b }] }] }
 */
#include <string.h>

#include "cli/diff.h"
#include "cli/report_shared.h"

#include "base/banned.h"

static void put_number(struct jw_buf *out, const char *key, double value, const char *end)
{
	if (value == TRACE_DIFF_UNKNOWN)
		jw_put_fmt(out, "\"%s\":null%s", key, end);
	else
		jw_put_fmt(out, "\"%s\":%.*f%s", key, value == (double)(int64_t)value ? 0 : 1,
			   value, end);
}

static void put_figure(struct jw_buf *out, const char *key, const struct trace_diff_figure *f)
{
	bool known = f->verdict != TRACE_DIFF_NOT_KNOWN;
	double percent;

	jw_put_fmt(out, ",\"%s\":{", key);
	put_number(out, "a", f->a, ",");
	put_number(out, "b", f->b, ",\"change\":");
	jw_put_fmt(out, known ? "%.*f" : "null",
		   f->b - f->a == (double)(int64_t)(f->b - f->a) ? 0 : 1, f->b - f->a);
	if (known && cli_diff_percent(f, &percent))
		jw_put_fmt(out, ",\"percent\":%.2f", percent);
	else
		jw_put_str(out, ",\"percent\":null");
	if (f->p == TRACE_DIFF_UNKNOWN)
		jw_put_str(out, ",\"p\":null");
	else
		jw_put_fmt(out, ",\"p\":%.6f", f->p);
	jw_put_fmt(out, ",\"verdict\":\"%s\"}", trace_diff_verdict_word(f->verdict));
}

static void put_names(struct jw_buf *out, const struct trace_diff_item *item)
{
	cli_json_text(out, "label", item->label, "");
	if (item->kind != TRACE_DIFF_METHOD)
		return;
	jw_put_str(out, ",");
	cli_json_text(out, "class", item->class_name, ",");
	cli_json_text(out, "name", item->name, ",");
	cli_json_text(out, "descriptor", item->descriptor, "");
}

static void put_pair(struct jw_buf *out, const struct trace_diff_pair *pair)
{
	const struct trace_diff_item *item = trace_diff_item_of(pair), *a = pair->a, *b = pair->b;
	const struct trace_diff_column *columns = trace_diff_kinds[item->kind].columns;

	jw_put_str(out, "{");
	put_names(out, item);
	if (item->kind == TRACE_DIFF_METHOD) {
		jw_put_str(out, ",");
		cli_json_text(out, "place", item->place, "");
	}
	if (a && b && strcmp(a->name, b->name) != 0) {
		jw_put_str(out, ",");
		cli_json_text(out, "was", a->name, "");
	}
	jw_put_fmt(out, ",\"in\":\"%s\",\"changed\":%s",
		   !a   ? "b"
		   : !b ? "a"
			: "both",
		   pair->changed ? "true" : "false");
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && columns[c].word; c++)
		put_figure(out, columns[c].word, &pair->figures[c]);
	jw_put_str(out, "}");
}

static void put_side(struct jw_buf *out, const char *key, const char *name,
		     const struct trace_diff_side *side, double duration_ns)
{
	jw_put_fmt(out, ",\n\"%s\":{", key);
	cli_json_text(out, "source", name, "");
	jw_put_fmt(out, ",\"runs\":%zu,\"incomplete\":%s,", side->runs,
		   side->incomplete ? "true" : "false");
	put_number(out, "durationNs", duration_ns, ",\"calls\":[");
	for (size_t run = 0; run < side->runs; run++)
		jw_put_fmt(out, "%s%.0f", run ? "," : "", side->calls[run]);
	jw_put_str(out, "]}");
}

static void put_gate(struct cli *cli, struct jw_buf *out, const struct cli_gate *g)
{
	jw_put_str(out, "{");
	cli_json_text(out, "gate", g->text, "");
	jw_put_fmt(out, ",\"failed\":%s,\"asked\":%zu,\"undecided\":%zu,\"lines\":[",
		   g->line_count ? "true" : "false", g->asked, g->open);
	for (size_t i = 0; i < cli_report_top(cli, g->line_count, SIZE_MAX); i++) {
		const struct cli_gate_line *line = &g->lines[i];
		const struct trace_diff_item *item = trace_diff_item_of(line->pair);
		const struct trace_diff_figure *f = &line->pair->figures[line->column];

		jw_put_str(out, i ? ",\n{" : "\n{");
		put_names(out, item);
		jw_put_fmt(out, ",\"metric\":\"%s\",",
			   trace_diff_kinds[item->kind].columns[line->column].word);
		put_number(out, "a", f->a, ",");
		put_number(out, "b", f->b, "}");
	}
	jw_put_str(out, "]}");
}

static void put_kind(struct cli *cli, struct jw_buf *out, const struct trace_diff *d,
		     enum trace_diff_kind kind)
{
	size_t n = cli_report_top(cli, d->first[kind + 1] - d->first[kind], SIZE_MAX);

	jw_put_fmt(out, ",\n\"%s\":[", trace_diff_kinds[kind].list);
	for (size_t i = 0; i < n; i++) {
		jw_put_str(out, i ? ",\n" : "\n");
		put_pair(out, &d->pairs[d->first[kind] + i]);
	}
	jw_put_str(out, "\n]");
}

void cli_diff_json(struct cli *cli, const struct cli_diff *d)
{
	struct jw_buf out = { 0 };

	jw_put_fmt(&out, "{\n\"kind\":\"diff\",\"version\":1,\"judged\":%s,\"failed\":%s",
		   d->diff.judged ? "true" : "false", d->gates.failed ? "true" : "false");
	put_side(&out, "a", d->a_name, d->diff.a, d->diff.a_duration_ns);
	put_side(&out, "b", d->b_name, d->diff.b, d->diff.b_duration_ns);
	for (enum trace_diff_kind kind = 0; kind < TRACE_DIFF_KINDS; kind++)
		put_kind(cli, &out, &d->diff, kind);
	jw_put_str(&out, ",\n\"gates\":[");
	for (size_t i = 0; i < d->gates.n; i++) {
		jw_put_str(&out, i ? ",\n" : "\n");
		put_gate(cli, &out, &d->gates.list[i]);
	}
	jw_put_str(&out, "\n]\n}\n");
	cli_put_span(cli, jw_buf_span(&out));
	if (out.failed != JW_OK)
		cli->out.failed = out.failed;
	jw_buf_free(&out);
}
