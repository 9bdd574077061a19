/*
 * diff_text.c: what `jweave diff` prints for people: what changed, in one screen, most first.
 *
 * A table has a row for what has changed and, while there are too few runs to judge, for what looks
 * so; of each figure what B has and how it differs from A.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/diff.h"
#include "cli/out.h"
#include "cli/report_shared.h"
#include "cli/safe_text.h"
#include "cli/terminal.h"

#include "base/banned.h"

#define TOP_SHOWN   20
#define LINES_SHOWN 10
#define CELL        32

/* ---- one figure ---- */

/* In ms, but for what is of one call: us. */
static double scale(const struct trace_diff_column *column)
{
	return column->unit == TRACE_DIFF_NS ? 1e6 : column->unit == TRACE_DIFF_CALL_NS ? 1e3 : 1;
}

static void put_value(char out[CELL], const struct trace_diff_column *column, double value)
{
	snprintf(out, CELL, trace_diff_is_time(column) ? "%.3f" : "%.0f", value / scale(column));
}

/* "+1", "+20.0 %", "new": of a count the difference, of a time its share of A. */
static void put_change(char out[CELL], const struct trace_diff_column *column,
		       const struct trace_diff_figure *f)
{
	double percent;

	if (f->a == f->b)
		snprintf(out, CELL, "=");
	else if (column->unit == TRACE_DIFF_COUNT)
		snprintf(out, CELL, "%+.0f", f->b - f->a);
	else if (cli_diff_percent(f, &percent) && fabs(percent) < 0.05)
		snprintf(out, CELL, "0.0 %%");
	else if (f->a > 0)
		snprintf(out, CELL, "%+.1f %%", percent);
	else
		snprintf(out, CELL, "new");
}

static char mark_of(enum trace_diff_verdict verdict)
{
	switch (verdict) {
	case TRACE_DIFF_CHANGED:
		return '*';
	case TRACE_DIFF_NOISE:
	case TRACE_DIFF_SMALL:
		return '~';
	case TRACE_DIFF_FEW:
	case TRACE_DIFF_UNJUDGED:
		return '?';
	case TRACE_DIFF_AT_LEAST:
	case TRACE_DIFF_SAME:
	case TRACE_DIFF_NOT_KNOWN:
		break;
	}
	return ' ';
}

/* ---- tables ---- */

struct table {
	const struct trace_diff_pair *rows;
	size_t n, by; /* by: the column of methods that rows are sorted by */
	const struct trace_diff_column *columns;
	bool shown[TRACE_DIFF_COLUMNS];
	size_t values[TRACE_DIFF_COLUMNS], changes[TRACE_DIFF_COLUMNS]; /* widths */
	bool color;
};

static bool is_there(const struct trace_diff_figure *f)
{
	return f->verdict != TRACE_DIFF_NOT_KNOWN && (f->a > 0 || f->b > 0);
}

/* Percentiles are wide: those that have changed, or that rows are sorted by. */
static bool is_wanted(const struct table *t, size_t c, const struct trace_diff_figure *f)
{
	return t->columns != trace_diff_kinds[TRACE_DIFF_METHOD].columns || c < TRACE_DIFF_P50 ||
	       c == t->by || f->verdict == TRACE_DIFF_CHANGED;
}

static size_t wider(size_t width, const char *text)
{
	return strlen(text) > width ? strlen(text) : width;
}

static void put_head(char out[CELL], const struct trace_diff_column *column)
{
	snprintf(out, CELL, "%s%s", column->head,
		 column->unit == TRACE_DIFF_NS        ? " ms"
		 : column->unit == TRACE_DIFF_CALL_NS ? " us"
						      : "");
}

static void measure(struct table *t)
{
	char text[CELL];

	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && t->columns[c].word; c++) {
		put_head(text, &t->columns[c]);
		t->values[c] = strlen(text);
		t->changes[c] = strlen("change");
		for (size_t i = 0; i < t->n; i++) {
			const struct trace_diff_figure *f = &t->rows[i].figures[c];

			t->shown[c] |= is_there(f) && is_wanted(t, c, f);
			put_value(text, &t->columns[c], f->b);
			t->values[c] = wider(t->values[c], text);
			put_change(text, &t->columns[c], f);
			t->changes[c] = wider(t->changes[c], text);
		}
	}
}

static void put_figure(struct cli *cli, const struct table *t, size_t c,
		       const struct trace_diff_figure *f)
{
	char value[CELL] = "-", change[CELL] = "";
	bool told = t->color && f->verdict == TRACE_DIFF_CHANGED;

	if (f->verdict != TRACE_DIFF_NOT_KNOWN) {
		put_value(value, &t->columns[c], f->b);
		put_change(change, &t->columns[c], f);
	}
	cli_put(cli, "  %*s  %s%*s%c%s", (int)t->values[c], value,
		!told         ? ""
		: f->a < f->b ? CLI_RED
			      : CLI_GREEN,
		(int)t->changes[c], change, mark_of(f->verdict), told ? CLI_NORMAL : "");
}

/* "Main.lambda$main$4 (was lambda$main$3)" */
static void put_name(struct cli *cli, const struct trace_diff_pair *pair)
{
	const struct trace_diff_item *a = pair->a, *b = pair->b;

	cli_report_put_name(cli, pair->title);
	if (a && b && strcmp(a->name, b->name) != 0) {
		cli_put(cli, " (was ");
		cli_report_put_name(cli, a->name);
		cli_put(cli, ")");
	}
	cli_put(cli, "%s\n", !a ? " (new)" : !b ? " (gone)" : "");
}

static void put_table(struct cli *cli, const struct trace_diff *d, enum trace_diff_kind kind,
		      bool color)
{
	struct table t = { .rows = d->pairs + d->first[kind],
			   .columns = trace_diff_kinds[kind].columns,
			   .by = d->by,
			   .color = color };
	size_t all = 0;
	char head[CELL];

	while (d->first[kind] + all < d->first[kind + 1] &&
	       (t.rows[all].changed || t.rows[all].unjudged))
		all++;
	t.n = cli_report_top(cli, all, TOP_SHOWN);
	if (t.n == 0)
		return;
	measure(&t);
	cli_put(cli, "\n");
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++) {
		if (!t.shown[c])
			continue;
		put_head(head, &t.columns[c]);
		cli_put(cli, "  %*s  %*s ", (int)t.values[c], head, (int)t.changes[c], "change");
	}
	cli_put(cli, "  %s\n", trace_diff_kinds[kind].one);
	for (size_t i = 0; i < t.n; i++) {
		for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++)
			if (t.shown[c])
				put_figure(cli, &t, c, &t.rows[i].figures[c]);
		cli_put(cli, "  ");
		put_name(cli, &t.rows[i]);
	}
	cli_report_put_more(cli, all - t.n);
}

/* ---- the whole ---- */

static void put_side(struct cli *cli, const char *letter, const char *name,
		     const struct trace_diff_side *side, double duration_ns)
{
	double most = 0, least = 0;

	for (size_t run = 0; run < side->runs; run++) {
		most = side->calls[run] > most ? side->calls[run] : most;
		least = run == 0 || side->calls[run] < least ? side->calls[run] : least;
	}
	cli_put(cli, "%s  ", letter);
	cli_report_put_name(cli, name);
	cli_put(cli, ": %s, ", cli_plural(&cli->arena, side->runs, "run", "runs"));
	if (least < most)
		cli_put(cli, "%.0f to ", least);
	cli_put(cli, "%s in %.3f s\n", cli_plural(&cli->arena, (uint64_t)most, "call", "calls"),
		duration_ns / 1e9);
}

/* What only one of the sides has recorded would look new, or gone. */
static void put_not_thrown(struct cli *cli, const struct trace_diff *d)
{
	const struct trace_diff_side *sides[] = { d->a, d->b };

	if (d->first[TRACE_DIFF_THROWN] == d->first[TRACE_DIFF_THROWN + 1])
		return;
	for (size_t i = 0; i < 2; i++)
		if (trace_diff_side_lacks(sides[i], TRACE_DIFF_THROWN))
			cli_put(cli,
				"%s has no classes of exceptions (recorded without "
				"preset:exceptions, "
				"or as a summary): they are not compared\n",
				i ? "B" : "A");
}

/* "changed: calls of 1 method, self of 2 methods" */
static void put_summary(struct cli *cli, const struct trace_diff *d)
{
	const char *before = "changed: ",
		   *none = d->judged ? "nothing has changed" : "no count has changed";

	for (size_t kind = 0; kind < TRACE_DIFF_KINDS; kind++) {
		const struct trace_diff_kind_info *info = &trace_diff_kinds[kind];

		for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++) {
			if (d->changed[kind][c] == 0)
				continue;
			cli_put(cli, "%s%s of %s", before, info->columns[c].head,
				cli_plural(&cli->arena, d->changed[kind][c], info->one,
					   info->many));
			before = ", ";
		}
	}
	cli_put(cli, "%s\n", *before == ',' ? "" : none);
	if (d->few)
		cli_put(cli,
			"too few runs to tell of so many figures whether they have changed, in %zu "
			"of the rows: name what you ask for (--fail-on), or compare more runs\n",
			d->few);
	if (d->partly)
		cli_put(cli, "%s not all recorded: nobody knows whether that has changed\n",
			cli_plural(&cli->arena, d->partly, "method was", "methods were"));
	put_not_thrown(cli, d);
	if (!d->judged)
		cli_put(cli, "times are not judged: that takes folders with 4 runs or more\n");
}

/* What the marks of the rows mean. */
static void put_marks(struct cli *cli, const struct trace_diff *d)
{
	static const char *const marks[] = {
		"*: changed",
		"~: within noise, or too little to tell",
		"?: may be noise: too few runs",
	};
	bool seen[256] = { false };
	size_t shown = 0;

	for (size_t i = 0; i < d->first[TRACE_DIFF_KINDS]; i++) {
		if (!d->pairs[i].changed && !d->pairs[i].unjudged)
			continue;
		shown++;
		for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++)
			seen[(unsigned char)mark_of(d->pairs[i].figures[c].verdict)] = true;
	}
	if (shown)
		cli_put(cli, "\n  B's figures, and how they differ from A's\n");
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (seen[(unsigned char)marks[i][0]])
			cli_put(cli, "  %s\n", marks[i]);
}

static void put_gate_line(struct cli *cli, const struct cli_gate_line *line)
{
	const struct trace_diff_item *item = trace_diff_item_of(line->pair);
	const struct trace_diff_column *column =
		&trace_diff_kinds[item->kind].columns[line->column];
	const struct trace_diff_figure *f = &line->pair->figures[line->column];
	char a[CELL], b[CELL], change[CELL], head[CELL];

	put_head(head, column);
	put_value(a, column, f->a);
	put_value(b, column, f->b);
	put_change(change, column, f);
	cli_put(cli, "  %s %s -> %s (%s)%s  ", head, a, b, change,
		f->verdict == TRACE_DIFF_UNJUDGED ? ", may be noise" : "");
	put_name(cli, line->pair);
}

/* What came of G; none of those that it is about may tell. */
static const char *word_of(const struct cli_gate *g)
{
	return g->failed ? "FAILED" : g->asked && g->open == g->asked ? "undecided" : "passed";
}

static void put_gates(struct cli *cli, const struct cli_diff *d, bool color)
{
	for (size_t i = 0; i < d->gates.n; i++) {
		const struct cli_gate *g = &d->gates.list[i];
		size_t n = cli_report_top(cli, g->line_count, LINES_SHOWN);

		cli_put(cli, "%s%s%s%s  --fail-on '", i ? "" : "\n",
			!color      ? ""
			: g->failed ? CLI_RED
				    : CLI_GREEN,
			word_of(g), color ? CLI_NORMAL : "");
		cli_report_put_name(cli, g->text);
		cli_put(cli, "'");
		if (g->open)
			cli_put(cli, " (%s cannot decide: not all recorded, or not known)",
				cli_plural(&cli->arena, g->open, trace_diff_kinds[g->kind].one,
					   trace_diff_kinds[g->kind].many));
		if (g->idle)
			cli_put(cli, " (there is no such %s)", trace_diff_kinds[g->kind].one);
		cli_put(cli, "\n");
		for (size_t k = 0; k < n; k++)
			put_gate_line(cli, &g->lines[k]);
		cli_report_put_more(cli, g->line_count - n);
	}
}

void cli_diff_text(struct cli *cli, const struct cli_diff *d)
{
	bool color = cli_colored(cli);

	put_side(cli, "A", d->a_name, d->diff.a, d->diff.a_duration_ns);
	put_side(cli, "B", d->b_name, d->diff.b, d->diff.b_duration_ns);
	put_summary(cli, &d->diff);
	for (enum trace_diff_kind kind = 0; kind < TRACE_DIFF_KINDS; kind++)
		put_table(cli, &d->diff, kind, color);
	put_marks(cli, &d->diff);
	put_gates(cli, d, color);
}
