/*
 * clock_steps.h: where the counter of ticks has jumped against the monotonic clock: the machine was
 * suspended, or a virtual one moved to another host, and the counter went on, or anew from elsewhere.
 *
 *     points by tick -> pieces, in each of which one line fits -> a fit of each (clock.c)
 *
 * A point alone that fits nothing is a wild one. The rate is that of short distances: a step spoils few
 * of them.
 */
#ifndef JW_TRACE_CLOCK_STEPS_H
#define JW_TRACE_CLOCK_STEPS_H

#include <stddef.h>

#include "trace/format/recording.h"

#define TRACE_CLOCK_PIECES  8         /* more steps are none: nothing fits */
#define TRACE_CLOCK_STEP_NS 100000000 /* less may be a thread that lost its processor */

/* The rate as the median of the slopes between each of p[0..n) and that DISTANCE further: a few wild points
 * cannot move it. Pairs that lie close together say little (noise over a short distance), and are left
 * out. Ticks rise. SCRATCH has room for N. 0: no two points that rise. */
double trace_clock_slope(const struct jwr_clock_point *p, size_t n, size_t distance,
			 double *scratch);

/* Where the pieces of p[0..n) begin, whose ticks rise: AT[0] is 0; returns how many there are. 1: the counter
 * has not jumped. */
size_t trace_clock_pieces(const struct jwr_clock_point *p, size_t n, double *scratch,
			  size_t at[TRACE_CLOCK_PIECES]);

#endif
