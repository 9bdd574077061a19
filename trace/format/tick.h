/*
 * tick.h: what time it is, in raw ticks.
 *
 * Ticks are whatever counts cheapest here; nothing is calibrated while the program runs. Clock
 * points (recording.h) tie ticks to the monotonic and the wall clock at the start, at each spill
 * and at the end, and the conversion interpolates between them.
 *
 *   tsc        x86-64, where the counter is invariant and the kernel itself trusts it
 *   cntvct     aarch64: the virtual counter, always there
 *   monotonic  elsewhere: clock_gettime(), nanoseconds
 *
 * It lives in this room, not in the runtime's, for the sake of processes that were killed before
 * they had said that they live: their recording knows the clocks from its first instant only, and the
 * reader, if it runs before the machine is booted again, reads the same counter for them
 * (trace_tick_late()).
 */
#ifndef JW_TRACE_TICK_H
#define JW_TRACE_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "trace/format/recording.h"

enum trace_ticks { TRACE_TICKS_MONOTONIC, TRACE_TICKS_TSC, TRACE_TICKS_CNTVCT };

/* Which clock this machine gets: asks the processor and the kernel (one small file). */
enum trace_ticks trace_ticks_choose(void);

/* Its name in meta's "clock" line. */
const char *trace_ticks_name(enum trace_ticks clock);

/* The time of the system's clock ID in nanoseconds. */
static inline uint64_t trace_ns_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Now, in ticks of CLOCK. With a constant CLOCK this is one instruction. */
static inline uint64_t trace_tick_now(enum trace_ticks clock)
{
#if defined(__x86_64__)
	if (clock == TRACE_TICKS_TSC)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (clock == TRACE_TICKS_CNTVCT) {
		uint64_t ticks;

		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
	}
#endif
	(void)clock;
	return trace_ns_of(CLOCK_MONOTONIC);
}

/* One instant on the three clocks: the best of TRIES (an interruption between the readings would
 * tie a tick to the wrong time). */
struct jwr_clock_point trace_tick_point(enum trace_ticks clock, int tries);

/* Which boot of which kernel this is, and how long it slept since. */
struct trace_boot {
	char id[40]; /* "" when unknown */
	/* the monotonic clock stops while the machine sleeps, ticks may not */
	uint64_t slept_ns;
	uint64_t time_namespace; /* in which that clock is read; 0: unknown */
};
struct trace_boot trace_boot_now(void);

/* Do both, of which the id is known, have one monotonic clock? */
bool trace_is_one_boot(const struct trace_boot *a, const struct trace_boot *b);

/* The clock point that a recording with the clock NAME, begun at START during BOOT, would get now.
 * False where it would not be of the same clocks: another boot, a sleep, another time namespace. */
bool trace_tick_late(const char *name, const struct trace_boot *boot,
		     const struct jwr_clock_point *start, struct jwr_clock_point *out);

#endif
