/*
 * sums.h: a summary in place of events (JWEAVE_MODE=summary): the recorder adds up, thread by
 * thread, in tables (sums_table.h).
 *
 *     rt_sums_try_enter(), _exit()   the hot path: no lock, no allocation, no system call
 *     rt_sums_event()                the slow path: a thread's first event, a method's first call,
 *                                    an exit that is not that of the innermost call, waits, a
 *                                    resumed recording, virtual threads
 *
 * A table that is full moves into one of twice the size (sums_memory.h), up to RT_SUMS_ROWS; one
 * that may not grow is written out as a chunk, and begins anew. So nothing is ever left out, and a
 * thread's memory is bounded.
 *
 * Virtual threads: their calls are open on stacks of their own, in the process's memory; what has
 * ended is added up by carrier, of all of them together.
 */
#ifndef RT_SUMS_H
#define RT_SUMS_H

#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/slots.h"
#include "runtime-jni/recorder/sums_table.h"

#define RT_SUMS_ROWS   (UINT32_C(1) << 16) /* 4 MiB a thread */
#define RT_SUMS_FRAMES (UINT32_C(1) << 20)

static inline bool rt_sums_try_enter(enum trace_ticks clock, uint64_t id)
{
	struct rt_table *t = rt_tls.table;
	struct jwr_row *row = rt_table_ready(t, jwr_word(JWR_ENTER, id));

	if (!row)
		return false;
	rt_table_push(t, row, trace_tick_now(clock));
	return true;
}

static inline bool rt_sums_try_exit(enum trace_ticks clock, uint64_t id, bool failed)
{
	struct rt_table *t = rt_tls.table;

	if (!rt_table_ends(t, jwr_word(JWR_ENTER, id)))
		return false;
	rt_table_pop(t, trace_tick_now(clock), failed);
	return true;
}

/* Adds up one event of this thread, now. */
static inline void rt_sums_enter(enum trace_ticks clock, uint64_t id)
{
	if (!rt_sums_try_enter(clock, id))
		rt_event_slow(JWR_ENTER, id);
}

static inline void rt_sums_exit(enum trace_ticks clock, uint64_t id, bool failed)
{
	if (!rt_sums_try_exit(clock, id, failed))
		rt_event_slow(failed ? JWR_FAIL : JWR_EXIT, id);
}

/* ---- for the recorder ---- */

/* Of a thread that has no table: its limit is zero. */
extern struct rt_table rt_no_table;

/* TICK: when a wait of a virtual thread has ended; 0: now. */
void rt_sums_event(enum jwr_kind kind, uint64_t payload, uint64_t tick);

/* The window of SLOT has a new owner; the recorder's mutex is held. */
void rt_sums_own(struct rt_slot *slot);
/* The memory beside its window is given back; the mutex is held. */
void rt_sums_disown(struct rt_slot *slot);

/* Writes the table of SLOT out for good; it is locked. NULL, or why not. LAST as in rt_data_append(). */
const char *rt_sums_finish(struct rt_slot *slot, bool last);

/* Appends the table of SLOT, which is owned, to the file FD, while its owner works on; the mutex is
 * held. One more is LEFT_OUT where that stays in the middle of a change. False: errno. */
bool rt_sums_copy_out(struct rt_slot *slot, int fd, uint32_t *left_out);

/* Recording was paused at TICK. */
void rt_sums_pause(uint64_t tick);
/* When recording was paused for the time NUMBER, from 0. */
uint64_t rt_sums_pause_tick(uint64_t number);

void rt_sums_vm_event(struct rt_slot *slot, enum jwr_kind kind, uint64_t now);

/* ---- for the other files of summaries ---- */

/* The row of KEY, an old one or new; NULL: recording has stopped. SLOT's owner calls. */
struct jwr_row *rt_sums_row(struct rt_slot *slot, uint64_t key);
/* A wait, or a pause of the collector, begins or ends. */
/* Does a record of KIND begin a wait? */
bool rt_sums_begins_wait(enum jwr_kind kind);
/* What the row is about that a wait for OBJECT, which begins by KIND in so many calls, counts in. */
uint64_t rt_sums_wait_key(enum jwr_kind kind, uint64_t object, uint64_t depth);
void rt_sums_wait(struct rt_slot *slot, enum jwr_kind kind, uint64_t payload, uint64_t now);

/* An allocation, with its class and size; false: it is lost. */
bool rt_sums_alloc(struct rt_slot *slot, uint64_t payload);

/* An event of the virtual thread that is mounted here, as rt_sums_event(); false: it is lost. */
bool rt_sums_virtual(struct rt_slot *carrier, enum jwr_kind kind, uint64_t payload, uint64_t tick);
void rt_sums_virtual_ends(uint64_t id);
/* The process ends: adds up what virtual threads have open, on a slot that is still to be finished.
 */
void rt_sums_virtual_finish(void);

#endif
