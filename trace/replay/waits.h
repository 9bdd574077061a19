/*
 * waits.h: what threads wait for as JVM TI tells it, and natives of the JDK.
 *
 *     open -> take .. take, show once their instant is over -> free      (open, show: second reading)
 *     close: a thread whose waits are not known to go on
 */
#ifndef JW_TRACE_REPLAY_WAITS_H
#define JW_TRACE_REPLAY_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_frames;
struct trace_row;
struct trace_waiter;
struct trace_who;
struct trace_world;

/* What a thread waits for: a small stack, the innermost last. */
#define TRACE_WAITS 4
struct trace_waits {
	struct trace_wait {
		uint64_t object;
		struct trace_waiter *waiter; /* arrows.c */
		uint32_t class, place;       /* as they are shown; 0: unknown */
		uint8_t value;               /* which wait: waits.c */
	} at[TRACE_WAITS];
	uint32_t over; /* beyond that: counted, not shown */
	uint8_t n;
};

/* The wait that each row is in, as its events say, and as they have to say once the instant is
 * over: waits.c. */
struct trace_shown_waits {
	struct trace_shown_wait {
		struct trace_wait now, shown; /* without their waiters, which may be gone */
		bool due;
	} * rows;                     /* owned; by order */
	const struct trace_row **due; /* owned array */
	size_t due_n;
	uint64_t time; /* the instant */
};

/* The state that goes with each value of a wait. */
extern const uint32_t trace_wait_states[];

/* For the second reading, of ROWS rows that are shown; false: no memory. */
bool trace_waits_open(struct trace_shown_waits *all, size_t rows);
void trace_waits_free(struct trace_shown_waits *all);
/* A record of WHO about a monitor, a park or a sleep. */
void trace_waits_take(struct trace_frames *to, const struct trace_world *world,
		      const struct trace_who *who, uint64_t time, uint64_t word);
/* Closes what is open. */
void trace_waits_close(struct trace_frames *to, const struct trace_who *who, uint64_t time);
/* The instant of what is due, waits.time, is over: writes it. */
void trace_waits_show(struct trace_frames *to);

#endif
