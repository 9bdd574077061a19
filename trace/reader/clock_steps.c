/*
 * clock_steps.c: see clock_steps.h.
 */
#include "trace/reader/clock_steps.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/banned.h"

#define NEAR_NS 1e6 /* that two readings may differ by at least */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double signed_diff(uint64_t a, uint64_t b)
{
	return a >= b ? (double)(a - b) : -(double)(b - a);
}

double trace_clock_slope(const struct jwr_clock_point *p, size_t n, size_t distance,
			 double *scratch)
{
	size_t found = 0;

	if (n < 2)
		return 0;
	for (size_t i = 0; i + distance < n; i++)
		scratch[i] = (double)(p[i + distance].tick - p[i].tick);
	qsort(scratch, n - distance, sizeof(double), by_value);
	double least = scratch[(n - distance) / 2] / 8;

	for (size_t i = 0; i + distance < n; i++) {
		double ticks = (double)(p[i + distance].tick - p[i].tick);
		double ns = signed_diff(p[i + distance].mono_ns, p[i].mono_ns);

		if (ticks >= least && ns > 0)
			scratch[found++] = ns / ticks;
	}
	if (found == 0)
		return 0;
	qsort(scratch, found, sizeof(double), by_value);
	return scratch[found / 2];
}

/* How many ns TO is off the line of RATE through FROM, which is before it. */
static double off_line(const struct jwr_clock_point *from, const struct jwr_clock_point *to,
		       double rate)
{
	return signed_diff(to->mono_ns, from->mono_ns) - (double)(to->tick - from->tick) * rate;
}

/* Is TO off it by no more than OTHERWISE, or a fifth of the distance? */
static bool is_on_line(const struct jwr_clock_point *from, const struct jwr_clock_point *to,
		       double rate, double otherwise)
{
	double off = off_line(from, to, rate);
	double room = (double)(to->tick - from->tick) * rate / 5 + otherwise;

	return off <= room && off >= -room;
}

/* Does a piece begin at p[i], of N points? LAST is of the one before, NULL: there is none. Two points that fit
 * each other are no wild ones: these contradict all. */
static bool begins(const struct jwr_clock_point *p, size_t i, size_t n,
		   const struct jwr_clock_point *last, double rate)
{
	return i + 1 < n && is_on_line(&p[i], &p[i + 1], rate, NEAR_NS) &&
	       (!last || (double)p[i].mono_ns + NEAR_NS >= (double)last->mono_ns);
}

/* Of the PIECES of p[0..n) that begin at AT: does one go on with the line of the piece before after all, by that one's own
 * rate? RATE, of short distances, is a rough one. */
static bool goes_on(const struct jwr_clock_point *p, const size_t *at, size_t pieces, double rate,
		    double *scratch)
{
	for (size_t i = 1; i < pieces; i++) {
		size_t points = at[i] - at[i - 1];
		double own = trace_clock_slope(p + at[i - 1], points, points / 2, scratch);

		if (is_on_line(&p[at[i] - 1], &p[at[i]], own > 0 ? own : rate, TRACE_CLOCK_STEP_NS))
			return true;
	}
	return false;
}

size_t trace_clock_pieces(const struct jwr_clock_point *p, size_t n, double *scratch,
			  size_t at[TRACE_CLOCK_PIECES])
{
	double rate = trace_clock_slope(p, n, n / 8 + 1, scratch);
	const struct jwr_clock_point *last = NULL;
	size_t pieces = 0;

	at[0] = 0;
	for (size_t i = 0; i < n && rate > 0; i++) {
		if (last && is_on_line(last, &p[i], rate, TRACE_CLOCK_STEP_NS)) {
			last = &p[i];
		} else if (begins(p, i, n, last, rate)) {
			if (pieces == TRACE_CLOCK_PIECES)
				return 1;
			at[pieces++] =
				last ? i : 0; /* what is wild before the first is left to its fit */
			last = &p[i];
		}
	}
	return pieces && !goes_on(p, at, pieces, rate, scratch) ? pieces : 1;
}
