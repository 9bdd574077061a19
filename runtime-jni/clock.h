/*
 * clock.h: what time it is, in raw ticks.
 *
 * Ticks are whatever counts cheapest here; nothing is calibrated while the program runs. Clock
 * points (recording.h) tie ticks to the monotonic and the wall clock at the start, at each spill
 * and at the end, and the conversion interpolates between them.
 *
 *   tsc        x86-64, where the counter is invariant and the kernel itself trusts it
 *   cntvct     aarch64: the virtual counter, always there
 *   monotonic  elsewhere: clock_gettime(), nanoseconds
 */
#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "trace/recording.h"

enum rt_clock { RT_CLOCK_MONOTONIC, RT_CLOCK_TSC, RT_CLOCK_CNTVCT };

/* Which clock this machine gets: asks the processor and the kernel (one small file). */
enum rt_clock rt_clock_choose(void);

/* Its name in meta's "clock" line. */
const char *rt_clock_name(enum rt_clock clock);

static inline uint64_t rt_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Now, in ticks of CLOCK. With a constant CLOCK this is one instruction. */
static inline uint64_t rt_now(enum rt_clock clock)
{
#if defined(__x86_64__)
	if (clock == RT_CLOCK_TSC)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (clock == RT_CLOCK_CNTVCT) {
		uint64_t ticks;

		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
	}
#endif
	(void)clock;
	return rt_ns(CLOCK_MONOTONIC);
}

/* One instant on the three clocks: the best of TRIES (an interruption between the readings would
 * tie a tick to the wrong time). */
struct jwr_clock_point rt_clock_point(enum rt_clock clock, int tries);

#endif
