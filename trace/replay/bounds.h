/*
 * bounds.h: what messages say of two clocks: none is received before it is sent, so each bounds how
 * far one clock is ahead of the other. And the line that fits many such bounds best.
 *
 *     add .. -> settle -> trace_bounds_fit -> free
 *
 *      offset |  o  o      o        o        bounds from above: by messages there
 *             |      .-o-----o------.
 *             |  ---------------------       the line, in the middle of the narrowest place
 *             |   x-------x------x
 *             |      x       x       x       bounds from below: by messages back
 *             +------------------------ time
 *
 * Of all bounds only those on the convex hull count, few of many: memory holds these, and the
 * latest. Cost: a sort of a few thousand at a time.
 */
#ifndef JW_TRACE_REPLAY_BOUNDS_H
#define JW_TRACE_REPLAY_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At X, a time of one clock, the other one is ahead of it by Y at most (from below: at least). */
struct trace_bound {
	double x, y;
};

/* From above. {0}: none. */
struct trace_bounds {
	struct trace_bound *list; /* owned; the hull, by X, then the latest */
	size_t n, cap, hull;
};

/* False: no memory. */
bool trace_bounds_add(struct trace_bounds *bounds, double x, double y);
/* Keeps the hull alone. */
void trace_bounds_settle(struct trace_bounds *bounds);
void trace_bounds_free(struct trace_bounds *bounds);

/* A clock of which, at X, another one is AT + RATE * (X - FROM) ahead. */
struct trace_line {
	double at, rate, from;
};

double trace_line_at(const struct trace_line *line, double x);

/* The line between ABOVE and BELOW, each on its hull, which says of BELOW how much -Y is. Rates are
 * 0 where that is possible, since clocks were set to run alike before; else those by which the line
 * keeps its distance, at most MOST. Returns how far both are from the line, at least: below 0, none
 * fits. Both must have bounds. */
double trace_bounds_fit(const struct trace_bounds *above, const struct trace_bounds *below,
			double most, struct trace_line *out);

#endif
