/*
 * rank.h: medians, and the rank test of Mann and Whitney.
 *
 * The test is exact: the chance that two sides of which neither is slower come in an order as
 * uneven as this one, or more so, counted over all orders. Figures that tie count half, which makes
 * the test more careful, never less.
 */
#ifndef JW_TRACE_DIFF_RANK_H
#define JW_TRACE_DIFF_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* Of N figures (at least 1), which are sorted by this: the median, and how far the middle half of
 * them is apart. */
double trace_rank_median(double *figures, size_t n);
double trace_rank_spread(const double *sorted, size_t n);

/* For sides of N and M runs. */
struct trace_rank {
	size_t n, m;
	double *chance; /* by U: p of both sides together; in the arena */
};
/* False: no memory. */
bool trace_rank_open(struct trace_rank *rank, struct jw_arena *arena, size_t n, size_t m);
/* p of the figures A and B, and the least p that so many runs can have. */
double trace_rank_test(const struct trace_rank *rank, const double *a, const double *b);
double trace_rank_least(const struct trace_rank *rank);

#endif
