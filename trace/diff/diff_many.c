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

/* Holm: of COUNT figures, by rising p, and the OTHERS, whose p is not asked for as they differ by too
 * little, one passes while p times all that are left is below the limit. */
static void correct(struct trace_diff_figure **figures, size_t count, size_t others, double least)
{
	bool hopeless = least * (double)(count + others) >= TRACE_DIFF_CHANCE;
	double corrected = 0;

	if (count > 1)
		qsort(figures, count, sizeof(struct trace_diff_figure *), by_p);
	for (size_t i = 0; i < count; i++) {
		struct trace_diff_figure *f = figures[i];
		double p = f->p * (double)(count + others - i);

		corrected = p > corrected ? p : corrected;
		f->corrected = corrected < 1 ? corrected : 1;
		if (f->verdict == TRACE_DIFF_CHANGED && corrected >= TRACE_DIFF_CHANCE &&
		    !(hopeless && f->apart))
			f->verdict = TRACE_DIFF_NOISE;
	}
}

enum jw_status trace_diff_correct(struct trace_diff *d, double least, struct jw_err *e)
{
	size_t n = d->first[TRACE_DIFF_KINDS];
	struct trace_diff_figure **figures =
		jw_mem_zalloc(n + 1, sizeof(struct trace_diff_figure *));

	if (!figures)
		return jw_nomem(e);
	for (size_t kind = 0; kind < TRACE_DIFF_KINDS; kind++) {
		for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++) {
			size_t count = 0, others = 0;

			for (size_t i = 0; i < n; i++) {
				struct trace_diff_figure *f = &d->pairs[i].figures[c];

				if (trace_diff_item_of(&d->pairs[i])->kind != kind)
					continue;
				if (f->p != TRACE_DIFF_UNKNOWN)
					figures[count++] = f;
				else
					others += f->large;
			}
			correct(figures, count, others, least);
		}
	}
	jw_mem_free(figures);
	return JW_OK;
}
