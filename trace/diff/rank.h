/*
 * rank.h: medians, and the rank test of Mann and Whitney.
 *
 * The test is exact: the chance that two sides of which neither is slower come in an order as
 * uneven as this one, or more so, counted over all orders. Figures that tie count half, which makes
 * the test more careful, never less.
 *
 * Of sides that are apart it knows no more than that they are: of 5 and 5 runs that is chance in 0.8 % of all cases,
 * however far apart. How far says little by itself: figures that are one of two, as times with and without a full collection,
 * are always far apart or not at all. But a gap that is wider than either side then takes a half of the runs that are all of
 * one kind, and another half of the other: 0.2 % at most of 5 and 5 runs (of 4 and 4: 0.8 % instead of 2.9 %), whatever
 * figures are like.
 *
 * Whether gaps are wide by chance, other figures of the same runs tell (diff_many.h): hence the splits.
 */
#ifndef JW_TRACE_DIFF_RANK_H
#define JW_TRACE_DIFF_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	double wide;    /* p of sides that are apart by more than either is wide */
};
/* False: no memory. */
bool trace_rank_open(struct trace_rank *rank, struct jw_arena *arena, size_t n, size_t m);
/* p of the figures A and B, and the least p that so many runs can have. */
double trace_rank_test(const struct trace_rank *rank, const double *a, const double *b);
/* The same, but of sides that are apart by more than either is wide that of these; both are sorted. */
double trace_rank_chance(const struct trace_rank *rank, const double *a, const double *b);
/* How many times as wide as the wider one of the sides A and B, sorted, is the gap between them: as a difference, or as a factor,
 * whichever is more; 0: there is none. */
double trace_rank_gap(const struct trace_rank *rank, const double *a, const double *b);

/* All runs, of which as many as A has would have been A, so that the sides were apart. */
struct trace_rank_split {
	uint64_t runs[2]; /* bits of those of A; B's come after A's */
	double gap;       /* in widths; 0: no gap */
	double low, high; /* medians of both sides */
};
/* Both such splits of the figures A and B, by run: the lowest are A, or the highest. */
void trace_rank_splits(const struct trace_rank *rank, const double *a, const double *b,
		       struct trace_rank_split splits[2]);

double trace_rank_least(const struct trace_rank *rank);

#endif
