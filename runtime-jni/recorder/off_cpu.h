/*
 * off_cpu.h: since when the current thread has waited for what nobody tells the begin of: its time since its last
 * record, less the CPU time that it has had.
 *
 *     mark of CPU time       last record          now
 *     |---- records ---------|--- runs ---|- off -|     how long it ran is not known, but no longer than it had CPU
 *                                                       since the mark
 *
 * Marks are made where a window is empty again, or a long wait is over: it costs next to nothing.
 */
#ifndef RT_OFF_CPU_H
#define RT_OFF_CPU_H

#include <stdint.h>

#include "runtime-jni/recorder/recorder.h"

struct rt_slot;

/* Some 10 ms, of slow clocks more. */
#define RT_LONG_WAIT_TICKS (UINT64_C(1) << 24)

/* This thread has got SLOT, and had CPU_NS at most before its first record. */
void rt_off_cpu_begins(struct rt_slot *slot, uint64_t cpu_ns);
/* A window of SLOT, which is this thread's, is empty. */
void rt_off_cpu_window(struct rt_slot *slot);
/* The same after a wait that was long. */
void rt_off_cpu_mark(void);

/* This thread has told that a wait is over. */
static inline void rt_off_cpu_waited(void)
{
	const struct jwr_window *w = rt_tls.window;
	const struct jwr_record *end =
		(const struct jwr_record *)(const void *)((const char *)w + w->cursor);

	if (w->cursor >= JWR_HEADER_SIZE + 2 * sizeof(*end) &&
	    end[-1].tick - end[-2].tick >= RT_LONG_WAIT_TICKS)
		rt_off_cpu_mark();
}

/* The tick since which this thread has had no CPU, had it run at once after its last record; 0: it may have run all the
 * time, has waited for less than 0.1 ms, or that is not known. */
uint64_t rt_off_cpu_since(void);

#endif
