/*
 * clock.c: see clock.h. Cost of trace_clock_ns: one multiplication when ticks rise.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/memory.h"
#include "trace/reader/clock.h"
#include "trace/reader/clock_steps.h"

#include "base/banned.h"

#define END_POINTS 5 /* that say where the first and last knot are */
/* of trace_clock_steady() */
#define STEADY_MOST_NS 1e12 /* of a recording */
#define STEADY_STEP_NS 8192 /* the coarsest step */
#define STEADY_SHARE   16384
#define STEADY_FAR     1024
#define MAX_CLOCK_NS   (UINT64_C(1) << 58) /* nine years of uptime */

enum jw_status trace_points_add(struct trace_points *points, const struct jwr_clock_point *point,
				struct jw_err *e)
{
	static const struct jw_growth growth = { .what = "points", .first = 64 };

	JW_TRY(jw_grow(NULL, &points->p, &points->cap, sizeof(*points->p), points->n + 1, &growth,
		       e));
	points->p[points->n++] = *point;
	return JW_OK;
}

struct jwr_clock_point trace_clock_steady(const struct jwr_clock_point *start,
					  const struct jwr_clock_point *late, uint64_t last)
{
	uint64_t span = last - start->tick, step = 1;
	double rate = (double)(late->mono_ns - start->mono_ns) / (double)(late->tick - start->tick);
	double ns = rate * (double)span;

	if (!(ns < STEADY_MOST_NS) || span > UINT64_MAX / STEADY_FAR / 2)
		return *late;
	while (step < STEADY_STEP_NS && (double)step * 2 * STEADY_SHARE <= ns)
		step *= 2;
	uint64_t whole = (uint64_t)(ns / (double)step + 0.5) * step;

	/* no wall clock: what that has done since then is not of the recording */
	return (struct jwr_clock_point){ .tick = start->tick + STEADY_FAR * span,
					 .mono_ns = start->mono_ns + STEADY_FAR * whole };
}

static int by_tick(const void *a, const void *b)
{
	const struct jwr_clock_point *x = a, *y = b;

	if (x->tick != y->tick)
		return x->tick < y->tick ? -1 : 1;
	return x->mono_ns < y->mono_ns ? -1 : x->mono_ns > y->mono_ns;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double signed_diff(uint64_t a, uint64_t b)
{
	return a >= b ? (double)(a - b) : -(double)(b - a);
}

/* Sorts; of points with one tick the first stays. */
static size_t sort_points(struct jwr_clock_point *p, size_t n)
{
	size_t kept = 0;

	if (n > 1)
		qsort(p, n, sizeof(*p), by_tick);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || p[i].tick != p[kept - 1].tick)
			p[kept++] = p[i];
	return kept;
}

static bool is_rate(double rate)
{
	return rate >= 1e-6 && rate <= 1e6;
}

/* How far the middle one of the points p[0..n) is off the line through BASE. */
static double median_off(const struct jwr_clock_point *p, size_t n,
			 const struct jwr_clock_point *base, double rate, double *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = signed_diff(p[i].mono_ns, base->mono_ns) -
			     signed_diff(p[i].tick, base->tick) * rate;
	qsort(scratch, n, sizeof(double), by_value);
	return scratch[(n - 1) / 2];
}

/* Drops points that are more than a fifth off the rate as seen from the middle of all, far from any
 * drift or noise; 1 ms is forgiven. */
static size_t drop_wild(struct jwr_clock_point *p, size_t n, double rate, double *scratch)
{
	struct jwr_clock_point base = p[n / 2];
	double median = median_off(p, n, &base, rate, scratch);
	size_t kept = 0, middle = 0;

	for (size_t i = 0; i < n; i++) /* the tick that the median stands for */
		if (signed_diff(p[i].mono_ns, base.mono_ns) -
			    signed_diff(p[i].tick, base.tick) * rate ==
		    median)
			middle = i;
	base = p[middle];
	for (size_t i = 0; i < n; i++) {
		double want = signed_diff(p[i].tick, base.tick) * rate;
		double off = signed_diff(p[i].mono_ns, base.mono_ns) - want;
		double room = (want < 0 ? -want : want) / 5 + 1e6;

		if (off <= room && off >= -room)
			p[kept++] = p[i];
	}
	return kept;
}

/* A lone knot that jumps off the line and back is noise: its distance becomes that of a neighbour.
 */
static void smooth(struct trace_knot *k, size_t n, double rate)
{
	double before = 0;

	for (size_t i = 1; i + 1 < n; i++) {
		double r = (double)(k[i].ns - k[0].ns) - (double)(k[i].tick - k[0].tick) * rate;
		double next = (double)(k[i + 1].ns - k[0].ns) -
			      (double)(k[i + 1].tick - k[0].tick) * rate;
		double low = before < next ? before : next, high = before < next ? next : before;
		double want = r < low ? low : r > high ? high : r;

		k[i].ns += (int64_t)(want - r);
		before = want;
	}
}

static void set_rates(struct trace_clock *c)
{
	uint32_t kept = 1;

	for (uint32_t i = 1; i < c->count; i++)
		if (c->knots[i].ns > c->knots[kept - 1].ns)
			c->knots[kept++] = c->knots[i];
	c->count = kept;
	for (uint32_t i = 0; i + 1 < kept; i++) {
		struct trace_knot *k = &c->knots[i];

		k->rate = (double)(k[1].ns - k->ns) / (double)(k[1].tick - k->tick);
	}
	c->knots[kept - 1].rate = c->rate;
}

/* A knot at the tick of P[AT], as far off the line as the middle one of p[from..to); none where the
 * one before is closer than GAP. */
static void put_knot(struct trace_clock *c, const struct jwr_clock_point *p, size_t at,
		     const size_t group[2], double gap, double *scratch)
{
	if (c->count && (double)(p[at].tick - c->knots[c->count - 1].tick) < gap)
		return;
	double off = median_off(p + group[0], group[1] - group[0], p, c->rate, scratch);
	double ns = (double)(p[at].tick - p[0].tick) * c->rate + off;

	c->knots[c->count++] = (struct trace_knot){ .tick = p[at].tick,
						    .ns = (int64_t)p[0].mono_ns + (int64_t)ns };
}

/* The points in groups of at least the gap: a knot for the middle of each, and for both ends. ROOM: for so many. */
static void pick_knots(struct trace_clock *c, const struct jwr_clock_point *p, size_t n,
		       size_t room, double *scratch)
{
	double span = (double)(p[n - 1].tick - p[0].tick);
	double width = TRACE_CLOCK_GAP_NS / c->rate, least = span / (double)(room - 4);
	size_t group[2] = { 0, 0 };

	if (width < least)
		width = least;
	while (group[1] < n) {
		group[0] = group[1]++;
		while (group[1] < n && (double)(p[group[1]].tick - p[group[0]].tick) < width)
			group[1]++;
		size_t few = group[1] - group[0] < END_POINTS ? group[1] - group[0] : END_POINTS;

		if (c->count == 0)
			put_knot(c, p, 0, (const size_t[2]){ 0, few }, 0, scratch);
		put_knot(c, p, (group[0] + group[1] - 1) / 2, group, width / 2, scratch);
		if (group[1] == n)
			put_knot(c, p, n - 1, (const size_t[2]){ n - few, n }, width / 2, scratch);
	}
	smooth(c->knots, c->count, c->rate);
	set_rates(c);
}

/* Fits the knots of C, which may have ROOM, to the points p[0..n), whose rate is known. */
static void fit_piece(struct trace_clock *c, struct jwr_clock_point *p, size_t n, size_t room,
		      double *scratch)
{
	size_t kept = drop_wild(p, n, c->rate, scratch);

	c->dropped = n - kept;
	pick_knots(c, p, kept, room, scratch);
}

/* Appends the knots of NEXT to those of C, which they follow in memory; in between the counter has jumped: half of
 * the time until the next point is taken for before that. */
static void append(struct trace_clock *c, const struct trace_clock *next)
{
	struct trace_knot first = next->knots[0];

	while (c->count > 1 && c->knots[c->count - 1].ns >= first.ns) /* time never falls */
		c->count--;
	struct trace_knot *last = &c->knots[c->count - 1];
	double half = (double)(first.ns - last->ns) / 2, ticks = half / next->rate;
	bool ahead = half >= 1 && (double)(first.tick - last->tick) > 2 * ticks + 2;

	if (half <= 0)
		return;
	if (ahead)
		c->knots[c->count++] = (struct trace_knot){
			.tick = first.tick - (uint64_t)ticks,
			.ns = first.ns - (int64_t)half,
			.rate = next->rate,
		};
	else
		last->rate = 2 * half / (double)(first.tick - last->tick);
	memmove(&c->knots[c->count], next->knots, next->count * sizeof(*next->knots));
	c->count += next->count;
	c->steps++;
}

/* One piece after the other; the rate of the whole is that of the piece with the most points. */
static void fit_pieces(struct trace_clock *c, struct jwr_clock_point *p, size_t n, const size_t *at,
		       size_t pieces, double *scratch)
{
	size_t room = TRACE_CLOCK_KNOTS / pieces - 1, most = 0;

	for (size_t i = 0; i < pieces; i++) {
		size_t begin = at[i], points = (i + 1 < pieces ? at[i + 1] : n) - begin;
		/* before each but the first is room for the knot where the counter has jumped */
		struct trace_clock one = { .knots = c->knots + c->count + (i > 0) };

		one.rate = trace_clock_slope(p + begin, points, points / 2, scratch);
		if (!is_rate(one.rate))
			one.rate = c->rate;
		fit_piece(&one, p + begin, points, room, scratch);
		c->dropped += one.dropped;
		if (points > most) {
			most = points;
			c->rate = one.rate;
		}
		if (i == 0)
			c->count = one.count;
		else
			append(c, &one);
	}
}

static void fit(struct trace_clock *c, struct jwr_clock_point *p, size_t n, bool ns_ticks,
		double *scratch)
{
	size_t at[TRACE_CLOCK_PIECES], pieces;

	n = sort_points(p, n);
	pieces = ns_ticks ? 1 : trace_clock_pieces(p, n, scratch, at);
	c->rate = ns_ticks ? 1 : trace_clock_slope(p, n, pieces > 1 ? n / 8 + 1 : n / 2, scratch);
	c->rate_known = is_rate(c->rate);
	if (!c->rate_known)
		c->rate = 1;
	if (ns_ticks || !c->rate_known) {
		struct jwr_clock_point base = n ? p[n / 2] : (struct jwr_clock_point){ 0 };

		c->knots[0].tick = base.tick;
		c->knots[0].ns = (int64_t)(ns_ticks ? base.tick : base.mono_ns);
		c->knots[0].rate = 1;
		c->count = 1;
		return;
	}
	if (pieces > 1)
		fit_pieces(c, p, n, at, pieces, scratch);
	else
		fit_piece(c, p, n, TRACE_CLOCK_KNOTS, scratch);
}

enum jw_status trace_clock_fit(struct trace_points *points, bool ns_ticks, struct trace_clock *out,
			       struct jw_err *e)
{
	struct trace_clock c = { .knots = jw_mem_zalloc(TRACE_CLOCK_KNOTS, sizeof(*c.knots)) };
	double *scratch = jw_mem_zalloc(points->n + 1, sizeof(*scratch));

	if (!c.knots || !scratch) {
		jw_mem_free(c.knots);
		jw_mem_free(scratch);
		return jw_nomem(e);
	}
	/* what no clock of a machine can say would overflow the arithmetic */
	size_t kept = 0;

	for (size_t i = 0; i < points->n; i++)
		if (points->p[i].mono_ns < MAX_CLOCK_NS &&
		    (!ns_ticks || points->p[i].tick < MAX_CLOCK_NS))
			points->p[kept++] = points->p[i];
	fit(&c, points->p, kept, ns_ticks, scratch);
	c.dropped += points->n - kept;
	jw_mem_free(scratch);
	/* most clocks need a few knots, and jobs have thousands of clocks */
	struct trace_knot *fitting =
		jw_mem_realloc(c.knots, (c.count ? c.count : 1) * sizeof(*c.knots));

	c.knots = fitting ? fitting : c.knots;
	*out = c;
	return JW_OK;
}

void trace_clock_free(struct trace_clock *clock)
{
	jw_mem_free(clock->knots);
	*clock = (struct trace_clock){ 0 };
}

static uint32_t find_knot(const struct trace_clock *c, uint64_t tick, uint32_t hint)
{
	uint32_t low = 0, high = c->count;

	if (hint < c->count && tick >= c->knots[hint].tick &&
	    (hint + 1 == c->count || tick < c->knots[hint + 1].tick))
		return hint;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (c->knots[middle].tick <= tick)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int64_t trace_clock_search_ns(const struct trace_clock *clock, uint64_t tick, uint32_t *hint)
{
	uint32_t at = find_knot(clock, tick, *hint);
	const struct trace_knot *k = &clock->knots[at];

	*hint = at;
	if (tick < k->tick) { /* before the first */
		double back = (double)(k->tick - tick) * k->rate;

		return k->ns - (back > (double)TRACE_MAX_NS ? TRACE_MAX_NS : (int64_t)back);
	}
	double ahead = (double)(tick - k->tick) * k->rate;
	int64_t ns = k->ns + (ahead > (double)TRACE_MAX_NS ? TRACE_MAX_NS : (int64_t)ahead);

	/* rounding must not pass the next knot: time never falls */
	if (at + 1 < clock->count && ns > clock->knots[at + 1].ns)
		return clock->knots[at + 1].ns;
	return ns;
}
