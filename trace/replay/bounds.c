/*
 * bounds.c: see bounds.h.
 *
 * For a given rate the best line is in the middle between the tightest bounds. How far these are
 * from it is a concave function of the rate: where they are at one time it is largest, and their
 * times say on which side of it a rate is.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/reader/reader.h"
#include "trace/replay/bounds.h"

#include "base/banned.h"

#define FRESH      4096 /* that wait to be sorted */
#define MOST       2048 /* on all hulls */
#define STRETCH    1e8  /* of time, at least, that has a hull */
#define LEAST_RATE 1e-7
#define STEPS      100 /* of halving, more than a double has bits */

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

/* The hulls of the N bounds at P, in time, of each stretch; how many are left. */
static size_t keep_hulls(struct trace_bound *p, size_t n, double stretch)
{
	size_t kept = 0, first = 0; /* of this stretch */
	double last = 0;

	for (size_t i = 0; i < n; i++) {
		double number = (double)(int64_t)(p[i].x / stretch);

		if (number != last)
			first = kept;
		last = number;
		if (kept > first && p[kept - 1].x == p[i].x)
			continue; /* the first is the tightest */
		while (kept > first + 1 && is_above(&p[kept - 2], &p[kept - 1], &p[i]))
			kept--;
		p[kept++] = p[i];
	}
	return kept;
}

void trace_bounds_settle(struct trace_bounds *bounds)
{
	if (bounds->hull == bounds->n)
		return;
	if (bounds->stretch == 0)
		bounds->stretch = STRETCH;
	qsort(bounds->list, bounds->n, sizeof(*bounds->list), by_time);
	bounds->n = keep_hulls(bounds->list, bounds->n, bounds->stretch);
	while (bounds->n > MOST) {
		bounds->stretch *= 2;
		bounds->n = keep_hulls(bounds->list, bounds->n, bounds->stretch);
	}
	bounds->hull = bounds->n;
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

static double bent_at(const struct trace_line *line, double x)
{
	const struct trace_bound *b = line->bends;
	size_t low = 0, high = line->n - 1;

	if (x <= b[low].x)
		return b[low].y;
	if (x >= b[high].x)
		return b[high].y;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (b[middle].x <= x)
			low = middle;
		else
			high = middle;
	}
	return b[low].y + (b[high].y - b[low].y) * (x - b[low].x) / (b[high].x - b[low].x);
}

double trace_line_at(const struct trace_line *line, double x)
{
	if (line->n)
		return bent_at(line, x);
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
	*out = (struct trace_line){ .from = above->list[0].x };
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

/* ---- a line with bends ---- */

/* At X it is between LOW and HIGH. */
struct span {
	double x, low, high;
};

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static int by_x(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->x < y->x ? -1 : x->x > y->x;
}

/* All bounds by time, each time once; how many there are. */
static size_t spread(const struct trace_bounds *above, const struct trace_bounds *below,
		     struct span *out)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < above->n; i++)
		out[n++] = (struct span){ above->list[i].x, -INFINITY, above->list[i].y };
	for (size_t i = 0; i < below->n; i++)
		out[n++] = (struct span){ below->list[i].x, -below->list[i].y, INFINITY };
	qsort(out, n, sizeof(*out), by_x);
	for (size_t i = 0; i < n; i++) {
		struct span *last = &out[kept ? kept - 1 : 0];

		if (kept && last->x == out[i].x) {
			last->low = larger(last->low, out[i].low);
			last->high = smaller(last->high, out[i].high);
		} else {
			out[kept++] = out[i];
		}
	}
	return kept;
}

/* A line of rate MOST, at most, that is between the bounds of FROM is between these at TO. */
static void reach(const struct span *from, struct span *to, double most)
{
	double far = most * fabs(to->x - from->x);

	to->low = larger(to->low, from->low - far);
	to->high = smaller(to->high, from->high + far);
}

/* What all N say of each, to OUT; by how much they contradict each other. */
static double narrow(const struct span *at, size_t n, double most, struct span *out)
{
	double miss = -INFINITY;

	memcpy(out, at, n * sizeof(*out));
	for (size_t i = 1; i < n; i++)
		reach(&out[i - 1], &out[i], most);
	for (size_t i = n - 1; i-- > 0;)
		reach(&out[i + 1], &out[i], most);
	for (size_t i = 0; i < n; i++)
		miss = larger(miss, out[i].low - out[i].high);
	return miss;
}

/* As above, for the lowest rate, of some, that leaves half as much room. A quarter of it is left on
 * both sides. */
static double narrow_most(const struct span *at, size_t n, double most, struct span *out)
{
	double miss = narrow(at, n, most, out), rate = most;

	while (miss < 0 && rate > LEAST_RATE && narrow(at, n, rate / 2, out) < miss / 2)
		rate /= 2;
	(void)narrow(at, n, rate, out);
	for (size_t i = 0; i < n; i++) {
		double room = out[i].high - out[i].low;

		out[i].low += room / 4;
		out[i].high -= room / 4;
	}
	return miss;
}

/* From one bend on, all rates that pass between the bounds up to the next one; where none is left,
 * there is a bend before. */
static size_t bend(const struct span *at, size_t n, double most, struct trace_bound *out)
{
	double low = -most, high = most;
	size_t bends = 1, from = 0;

	out[0] = (struct trace_bound){ at[0].x, (at[0].low + at[0].high) / 2 };
	for (size_t i = 1; i < n; i++) {
		struct trace_bound last = out[bends - 1];
		double least = larger(low, (at[i].low - last.y) / (at[i].x - last.x));
		double greatest = smaller(high, (at[i].high - last.y) / (at[i].x - last.x));

		if (least <= greatest) {
			low = least;
			high = greatest;
			if (i + 1 < n)
				continue;
		}
		bool nearest = least > greatest && from + 1 == i; /* (rounding) */
		size_t to = least > greatest && !nearest ? i - 1 : i;
		double y = nearest ? (at[i].low + at[i].high) / 2
				   : last.y + (low + high) / 2 * (at[to].x - last.x);

		out[bends++] = (struct trace_bound){ at[to].x, y };
		from = to;
		i = to;
		low = -most;
		high = most;
	}
	return bends;
}

bool trace_bounds_bend(const struct trace_bounds *above, const struct trace_bounds *below,
		       double most, struct trace_line *out, double *miss)
{
	size_t n = above->n + below->n;
	struct span *at = jw_mem_zalloc(2 * n, sizeof(*at));

	*out = (struct trace_line){ 0 };
	if (!at)
		return false;
	n = spread(above, below, at);
	*miss = narrow_most(at, n, most, at + n);
	if (*miss < 0) {
		out->bends = jw_mem_zalloc(n, sizeof(*out->bends));
		out->n = out->bends ? bend(at + n, n, most, out->bends) : 0;
	}
	jw_mem_free(at);
	return *miss >= 0 || out->bends;
}
