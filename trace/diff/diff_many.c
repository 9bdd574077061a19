/*
 * diff_many.c: see diff_many.h.
 */
#include "trace/diff/diff_many.h"

#include <stdlib.h>

#include "base/banned.h"

static int by_p(const void *a, const void *b)
{
	const struct trace_diff_figure *x = *(struct trace_diff_figure *const *)a;
	const struct trace_diff_figure *y = *(struct trace_diff_figure *const *)b;

	return x->p < y->p ? -1 : x->p > y->p;
}

/* p of F where so many are LEFT, and one before it had LAST. */
static double holm(const struct trace_diff_figure *f, size_t left, double last)
{
	double p = f->p * (double)left;

	return p > last ? p : last;
}

/* Of COUNT figures and OTHERS. LEAST: the least p of sides that just do not overlap. */
static void correct(struct trace_diff_figure **figures, size_t count, size_t others, double least)
{
	bool few = least * (double)(count + others) >= TRACE_DIFF_CHANCE;
	double corrected = 0;

	if (count > 1)
		qsort(figures, count, sizeof(*figures), by_p);
	for (size_t i = 0; i < count; i++) {
		struct trace_diff_figure *f = figures[i];

		corrected = holm(f, count + others - i, corrected);
		f->corrected = corrected < 1 ? corrected : 1;
		if (f->verdict == TRACE_DIFF_CHANGED && corrected >= TRACE_DIFF_CHANCE)
			f->verdict = few ? TRACE_DIFF_FEW : TRACE_DIFF_NOISE;
	}
}

enum jw_status trace_diff_correct(struct trace_diff *d, double least, struct jw_err *e)
{
	struct trace_diff_figure **figures =
		jw_mem_zalloc(d->all * TRACE_DIFF_COLUMNS + 1, sizeof(*figures));
	size_t count = 0, others = 0;

	if (!figures)
		return jw_nomem(e);
	for (size_t i = 0; i < d->all * TRACE_DIFF_COLUMNS; i++) {
		struct trace_diff_pair *pair = &d->pairs[i / TRACE_DIFF_COLUMNS];
		struct trace_diff_figure *f = &pair->figures[i % TRACE_DIFF_COLUMNS];

		if (pair->aside)
			continue;
		if (f->p != TRACE_DIFF_UNKNOWN)
			figures[count++] = f;
		else
			others += f->large;
	}
	correct(figures, count, others, least);
	jw_mem_free(figures);
	return JW_OK;
}

double trace_diff_most_p(struct trace_diff_figure **figures, size_t n, double chance)
{
	size_t count = 0, others = 0;
	double corrected = 0, most = TRACE_DIFF_UNKNOWN;

	for (size_t i = 0; i < n; i++) {
		if (figures[i]->p != TRACE_DIFF_UNKNOWN)
			figures[count++] = figures[i];
		else
			others += figures[i]->large;
	}
	if (count > 1)
		qsort(figures, count, sizeof(*figures), by_p);
	for (size_t i = 0; i < count; i++) {
		corrected = holm(figures[i], count + others - i, corrected);
		if (corrected >= chance)
			break;
		most = figures[i]->p;
	}
	return most;
}
