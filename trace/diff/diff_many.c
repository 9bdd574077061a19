/*
 * diff_many.c: see diff_many.h.
 */
#include "trace/diff/diff_many.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* ---- by how many are tested ---- */

static int by_p(const void *a, const void *b)
{
	const struct trace_diff_figure *x = *(struct trace_diff_figure *const *)a;
	const struct trace_diff_figure *y = *(struct trace_diff_figure *const *)b;

	return x->p < y->p ? -1 : x->p > y->p;
}

/* Of the COUNT figures of a family with a p, and OTHERS. Where sides are apart p is LEAST, but for one figure alone: where
 * that does not pass among many, other gaps decide, and two chances are not one. */
static void holm(struct trace_diff_figure **figures, size_t count, size_t others, double least)
{
	double last = 0, floor = count + others > 1 ? least : 0;

	if (count > 1)
		qsort(figures, count, sizeof(*figures), by_p);
	for (size_t i = 0; i < count; i++) {
		double p = figures[i]->p > floor ? figures[i]->p : floor;

		p *= (double)(count + others - i);
		last = p > last ? p : last;
		figures[i]->asked = last < 1 ? last : 1;
	}
}

/* ---- by the gaps that others have ---- */

static int by_runs(const void *a, const void *b)
{
	const struct trace_rank_split *x = a, *y = b;
	int order = memcmp(x->runs, y->runs, sizeof(x->runs));

	return order ? order : x->gap > y->gap ? -1 : x->gap < y->gap;
}

static int by_gap(const void *a, const void *b)
{
	const struct trace_rank_split *x = a, *y = b;

	return x->gap > y->gap ? -1 : x->gap < y->gap;
}

/* The N SPLITS of all figures become those of the widest gap of each, by that; returns how many these are. */
static size_t widest(struct trace_rank_split *splits, size_t n)
{
	size_t count = 0;

	if (n > 1)
		qsort(splits, n, sizeof(*splits), by_runs);
	for (size_t i = 0; i < n; i++)
		if (count == 0 ||
		    memcmp(splits[count - 1].runs, splits[i].runs, sizeof(splits->runs)) != 0)
			splits[count++] = splits[i];
	if (count > 1)
		qsort(splits, count, sizeof(*splits), by_gap);
	return count;
}

/* How many of the N splits, by their gaps, have one as wide as GAP? */
static size_t as_wide(const struct trace_rank_split *splits, size_t n, double gap)
{
	size_t from = 0;

	while (from < n) {
		size_t middle = from + (n - from) / 2;

		if (splits[middle].gap >= gap)
			from = middle + 1;
		else
			n = middle;
	}
	return from;
}

/* ---- both ---- */

static void swap(struct trace_diff_figure **figures, size_t i, size_t k)
{
	struct trace_diff_figure *f = figures[i];

	figures[i] = figures[k];
	figures[k] = f;
}

enum jw_status trace_diff_family(const struct trace_diff *d, struct trace_diff_figure **figures,
				 size_t n, struct jw_err *e)
{
	struct trace_rank_split *splits = jw_mem_zalloc(2 * n + 1, sizeof(*splits));
	size_t count = 0, others = 0, all = 0;

	if (!splits)
		return jw_nomem(e);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < 2; k++)
			if (figures[i]->splits[k].gap > 0)
				splits[all++] = figures[i]->splits[k];
		figures[i]->asked = TRACE_DIFF_UNKNOWN;
		if (figures[i]->p != TRACE_DIFF_UNKNOWN)
			swap(figures, count++, i);
		else
			others += figures[i]->large;
	}
	holm(figures, count, others, d->least);
	all = widest(splits, all);
	for (size_t i = 0; i < count; i++) {
		struct trace_diff_figure *f = figures[i];
		size_t as = f->gap > 0 ? as_wide(splits, all, f->gap) : 0;
		double p = (double)as * d->least / 2;

		if (as > 0 && p < f->asked)
			f->asked = p > f->p ? p : f->p;
	}
	jw_mem_free(splits);
	return JW_OK;
}

enum jw_status trace_diff_correct(struct trace_diff *d, struct jw_err *e)
{
	struct trace_diff_figure **figures =
		jw_mem_zalloc(d->all * TRACE_DIFF_COLUMNS + 1, sizeof(*figures));
	size_t n = 0, tested = 0;

	if (!figures)
		return jw_nomem(e);
	for (size_t i = 0; i < d->all * TRACE_DIFF_COLUMNS; i++)
		if (!d->pairs[i / TRACE_DIFF_COLUMNS].aside)
			figures[n++] =
				&d->pairs[i / TRACE_DIFF_COLUMNS].figures[i % TRACE_DIFF_COLUMNS];
	enum jw_status s = trace_diff_family(d, figures, n, e);

	for (size_t i = 0; i < n; i++)
		tested += figures[i]->p != TRACE_DIFF_UNKNOWN || figures[i]->large;
	for (size_t i = 0; i < n && s == JW_OK; i++) {
		struct trace_diff_figure *f = figures[i];

		f->corrected = f->asked;
		if (f->verdict == TRACE_DIFF_CHANGED && f->p != TRACE_DIFF_UNKNOWN &&
		    f->corrected >= TRACE_DIFF_CHANCE)
			f->verdict = d->least * (double)tested >= TRACE_DIFF_CHANCE
					     ? TRACE_DIFF_FEW
					     : TRACE_DIFF_NOISE;
	}
	jw_mem_free(figures);
	return s;
}
