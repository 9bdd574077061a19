/*
 * align.h: the clocks of all processes on one axis: trace_align() once, then trace_time(), some ns
 * a call.
 */
#ifndef JW_TRACE_REPLAY_ALIGN_H
#define JW_TRACE_REPLAY_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

struct trace_line;
struct trace_task;
struct trace_world;

/* Lays all clocks on one axis, so that the earliest instant is time 1. A process that knows no wall
 * clock begins there too. LINES, by task, are how far each is to be moved then, by what messages say
 * (messages.h); NULL: nowhere. False: no memory. */
bool trace_align(struct trace_world *world, const struct trace_line *lines);
/* Do A and B read one clock, so that it is known what was first? */
bool trace_on_one_clock(const struct trace_task *a, const struct trace_task *b);
/* Time of the trace of TICK of TASK, at least 1. */
uint64_t trace_time(const struct trace_task *task, uint64_t tick, uint32_t *hint);

/* Where times rise by one rate: what trace_time() says of ticks FROM on, of so many. */
struct trace_straight {
	uint64_t from, ticks;
	double rate;
	int64_t ns, most;
};

/* That at knot HINT of the clock of TASK; of no ticks where it is not as simple. */
struct trace_straight trace_straight_at(const struct trace_task *task, uint32_t hint);

static inline bool trace_straight_has(const struct trace_straight *s, uint64_t tick)
{
	return tick - s->from < s->ticks; /* (before it that is a large number) */
}

static inline uint64_t trace_straight_time(const struct trace_straight *s, uint64_t tick)
{
	int64_t ns = s->ns + (int64_t)((double)(tick - s->from) * s->rate);

	ns = ns < s->most ? ns : s->most;
	return ns < 1 ? 1 : (uint64_t)ns;
}

#endif
