/*
 * rank.h: medians, and the rank test of Mann and Whitney.
 *
 * The test is exact: the chance that two sides of which neither is slower come in an order as
 * uneven as this one, or more so, counted over all orders. Figures that tie count half, which makes
 * the test more careful, never less.
 *
 * Of sides that are apart it knows no more than that they are: of 5 and 5 runs that is chance in 0.8 % of all cases,
 * however far apart. So of these the width of the gap counts, too, beside that of the sides: as wide as a side it
 * is in 1 of 6,000 cases, twice as wide in 1 of 70,000 (of 4 and 4 runs in 1 of 700, and 1 of 4,500). That
 * is exact where all figures of a range are as likely, and chance is more seldom where most are near the middle.
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

#define TRACE_RANK_MOST 50 /* runs of a side */

/* For sides of N and M runs, up to TRACE_RANK_MOST each. */
struct trace_rank {
	size_t n, m;
	double *chance; /* by U: p of both sides together; in the arena */
};
/* False: no memory. */
bool trace_rank_open(struct trace_rank *rank, struct jw_arena *arena, size_t n, size_t m);
/* p of the figures A and B, and the least p that so many runs can have. */
double trace_rank_test(const struct trace_rank *rank, const double *a, const double *b);
/* The same, but of sides that are apart by how far they are; both are sorted. GRAIN: figures have steps of so much; 0: none. */
double trace_rank_chance(const struct trace_rank *rank, const double *a, const double *b,
			 double grain);
double trace_rank_least(const struct trace_rank *rank);

#endif
