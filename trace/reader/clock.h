/*
 * clock.h: ticks into nanoseconds.
 *
 * A recording has no rate, only instants seen on several clocks. Between two of them time is
 * linear; drift and clock changes show as a change of slope, a machine that was suspended as a step
 * (clock_steps.h). An instant is noisy (its thread may be preempted between the readings) and, in a
 * damaged recording, may be nonsense: hence medians, few knots, and none closer to the next than
 * TRACE_CLOCK_GAP_NS.
 *
 *     points (many, noisy) -> trace_clock_fit() -> knots (few, rising) -> trace_clock_ns()
 */
#ifndef JW_TRACE_CLOCK_H
#define JW_TRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/format/recording.h"

#define TRACE_CLOCK_KNOTS  512
#define TRACE_CLOCK_GAP_NS 10000000 /* 100 ns of noise over 10 ms bend the slope by 1e-5 */
#define TRACE_MAX_NS       (INT64_C(1) << 52)

struct trace_knot {
	uint64_t tick;
	int64_t ns;
	double rate; /* ns a tick, up to the next knot; of the last one: beyond it too */
};

struct trace_clock {
	struct trace_knot *knots; /* at least one, rising in tick and ns; owned */
	uint32_t count;
	double rate;      /* of the whole */
	bool rate_known;  /* else one tick was taken for one ns */
	uint64_t dropped; /* points that contradicted the rest */
	uint32_t
		steps; /* so often the counter has jumped against the monotonic clock (clock_steps.h) */
};

struct trace_points {
	struct jwr_clock_point *p; /* owned */
	size_t n, cap;
};

/* Appends POINT; POINTS is {0} at first. */
enum jw_status JW_MUST_USE trace_points_add(struct trace_points *points,
					    const struct jwr_clock_point *point, struct jw_err *e);

/* A point on a line through START, which two readings of one machine, LATE for the one, have the same:
 * its rate is rounded to less than 1/16384, and so that the time of the tick LAST is off by no more
 * than 4 us. It is far beyond LAST. LATE itself where all takes longer than a quarter of an hour. */
struct jwr_clock_point trace_clock_steady(const struct jwr_clock_point *start,
					  const struct jwr_clock_point *late, uint64_t last);

/* Fits CLOCK to POINTS, which it sorts. NS_TICKS: ticks are nanoseconds of the monotonic clock
 * themselves. Without any point, tick 0 is taken for ns 0. */
enum jw_status JW_MUST_USE trace_clock_fit(struct trace_points *points, bool ns_ticks,
					   struct trace_clock *out, struct jw_err *e);
void trace_clock_free(struct trace_clock *clock);

/* What trace_clock_ns() does where the knot at *HINT is not the one, or the last. */
int64_t trace_clock_search_ns(const struct trace_clock *clock, uint64_t tick, uint32_t *hint);

/* The monotonic ns of TICK, never falling as TICK rises; within +-TRACE_MAX_NS of a knot. *HINT:
 * where to begin the search (0 at first), left at the knot that was used. */
static inline int64_t trace_clock_ns(const struct trace_clock *clock, uint64_t tick, uint32_t *hint)
{
	const struct trace_knot *k = &clock->knots[*hint];

	if (*hint + 1 >= clock->count || tick < k->tick || tick >= k[1].tick)
		return trace_clock_search_ns(clock, tick, hint);
	double ahead = (double)(tick - k->tick) * k->rate;
	int64_t ns = k->ns + (ahead > (double)TRACE_MAX_NS ? TRACE_MAX_NS : (int64_t)ahead);

	return ns < k[1].ns ? ns : k[1].ns; /* rounding must not pass the next knot */
}

#endif
