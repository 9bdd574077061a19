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
 * Of all bounds of a stretch of time only those on their convex hull count, few of many: memory
 * holds these, and the latest. The more stretches there are, the longer they become. Cost: a sort of
 * a few thousand at a time.
 *
 * A clock whose rate changes is no line: it is a line with bends, as far as possible from all bounds.
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
	struct trace_bound *list; /* owned; the hulls, by X, then the latest */
	size_t n, cap, hull;
	double stretch; /* of time, that has a hull; 0: not known yet */
};

/* False: no memory. */
bool trace_bounds_add(struct trace_bounds *bounds, double x, double y);
/* Keeps the hulls alone. */
void trace_bounds_settle(struct trace_bounds *bounds);
void trace_bounds_free(struct trace_bounds *bounds);

/* A clock of which, at X, another one is AT + RATE * (X - FROM) ahead; with BENDS, of N > 0, by X: as
 * these say, and as the first and the last one before and after. */
struct trace_line {
	double at, rate, from;
	struct trace_bound *bends;
	size_t n;
};

double trace_line_at(const struct trace_line *line, double x);

/* The line between ABOVE and BELOW, each settled, which says of BELOW how much -Y is. Rates are
 * 0 where that is possible, since clocks were set to run alike before; else those by which the line
 * keeps its distance, at most MOST. Returns how far both are from the line, at least: below 0, none
 * fits. Both must have bounds. */
double trace_bounds_fit(const struct trace_bounds *above, const struct trace_bounds *below,
			double most, struct trace_line *out);

/* The bends of a line as above whose rate is MOST at most, anywhere: OUT->bends are owned by the
 * caller; none, where no such line fits. *MISS: by how much at least; below 0, one fits. False: no
 * memory. */
bool trace_bounds_bend(const struct trace_bounds *above, const struct trace_bounds *below,
		       double most, struct trace_line *out, double *miss);

#endif
