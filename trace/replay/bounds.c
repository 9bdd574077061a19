/*
 * bounds.c: see bounds.h.
 *
 * For a given rate the best line is in the middle between the tightest bounds. How far these are
 * from it is a concave function of the rate: where they are at one time it is largest, and their
 * times say on which side of it a rate is.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "trace/reader/reader.h"
#include "trace/replay/bounds.h"

#include "base/banned.h"

#define FRESH 4096  /* that wait to be sorted */
#define MOST  65536 /* on a hull; no clock makes so many */
#define STEPS 100   /* of halving, more than a double has bits */

static int by_time(const void *a, const void *b)
{
	const struct trace_bound *x = a, *y = b;

	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	return x->y < y->y ? -1 : x->y > y->y;
}

/* Is B above the line from A to C, or on it? */
static bool is_above(const struct trace_bound *a, const struct trace_bound *b,
		     const struct trace_bound *c)
{
	return (b->y - a->y) * (c->x - a->x) >= (c->y - a->y) * (b->x - a->x);
}

void trace_bounds_settle(struct trace_bounds *bounds)
{
	struct trace_bound *p = bounds->list;
	size_t n = 0;

	if (bounds->hull == bounds->n)
		return;
	qsort(p, bounds->n, sizeof(*p), by_time);
	for (size_t i = 0; i < bounds->n; i++) {
		if (n && p[n - 1].x == p[i].x)
			continue; /* the first is the tightest */
		while (n > 1 && is_above(&p[n - 2], &p[n - 1], &p[i]))
			n--;
		p[n++] = p[i];
	}
	for (size_t i = 0; n > MOST && i < n / 2; i++) /* fewer are less tight, but true */
		p[i] = p[2 * i];
	n = n > MOST ? n / 2 : n;
	bounds->n = bounds->hull = n;
}

bool trace_bounds_add(struct trace_bounds *bounds, double x, double y)
{
	if (bounds->n - bounds->hull == FRESH)
		trace_bounds_settle(bounds);
	struct trace_bound *grown =
		trace_grow(bounds->list, bounds->n, &bounds->cap, sizeof(*grown));

	if (!grown)
		return false;
	bounds->list = grown;
	grown[bounds->n++] = (struct trace_bound){ x, y };
	return true;
}

void trace_bounds_free(struct trace_bounds *bounds)
{
	jw_mem_free(bounds->list);
	*bounds = (struct trace_bounds){ 0 };
}

/* ---- the line ---- */

double trace_line_at(const struct trace_line *line, double x)
{
	return line->at + line->rate * (x - line->from);
}

/* The tightest of BOUNDS for a line of RATE from FROM on: how far it is, and when. */
static struct trace_bound tightest(const struct trace_bounds *bounds, double rate, double from)
{
	struct trace_bound least = { 0, 0 };

	for (size_t i = 0; i < bounds->n; i++) {
		double y = bounds->list[i].y - rate * (bounds->list[i].x - from);

		if (i == 0 || y < least.y)
			least = (struct trace_bound){ bounds->list[i].x, y };
	}
	return least;
}

/* Both sides, with the line LINE->rate; sets LINE->at to the middle. */
struct corridor {
	double half;    /* of its width */
	double towards; /* above 0: a higher rate makes it wider */
};

static struct corridor try_rate(const struct trace_bounds *above, const struct trace_bounds *below,
				struct trace_line *line, double rate)
{
	struct trace_bound up = tightest(above, rate, line->from);
	struct trace_bound down = tightest(below, -rate, line->from);

	line->rate = rate;
	line->at = (up.y - down.y) / 2;
	return (struct corridor){ (up.y + down.y) / 2, down.x - up.x };
}

/* Where it is widest, between -MOST and MOST. */
static double widest(const struct trace_bounds *above, const struct trace_bounds *below,
		     struct trace_line *line, double most)
{
	double low = -most, high = most;

	for (int i = 0; i < STEPS; i++) {
		double rate = low + (high - low) / 2;

		if (try_rate(above, below, line, rate).towards > 0)
			low = rate;
		else
			high = rate;
	}
	return low + (high - low) / 2;
}

/* Between 0 and RATE, the nearest to 0 with half the width of RATE, WIDTH: bounds do not say how far
 * to go. */
static double nearest(const struct trace_bounds *above, const struct trace_bounds *below,
		      struct trace_line *line, double rate, double width)
{
	double low = 0, high = rate;

	for (int i = 0; i < STEPS; i++) {
		double middle = low + (high - low) / 2;

		if (try_rate(above, below, line, middle).half >= width / 2)
			high = middle;
		else
			low = middle;
	}
	return high;
}

double trace_bounds_fit(const struct trace_bounds *above, const struct trace_bounds *below,
			double most, struct trace_line *out)
{
	out->from = above->list[0].x;
	double half = try_rate(above, below, out, 0).half;

	if (half > 0)
		return half;
	double rate = widest(above, below, out, most), limit = most * (1 - 1e-9);

	half = try_rate(above, below, out, rate).half;
	if (rate < limit && rate > -limit)
		return half;
	if (half <= 0) /* no clock is like that */
		return try_rate(above, below, out, 0).half;
	return try_rate(above, below, out, nearest(above, below, out, rate, half)).half;
}
