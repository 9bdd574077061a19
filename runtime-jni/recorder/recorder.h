/*
 * recorder.h: threads and their events, into a recording (trace/format/recording.h). Knows no JVM.
 *
 * session.h begins and ends it. In between rt_event() is called on any thread. It is the hot path:
 * one thread-local pointer, one comparison, the clock, one record. When the cursor has reached the
 * limit (no window yet, window full, recording paused or stopped) it is rt_event_slow().
 *
 * A summary has no events: there rt_event() always takes the slow path, which adds up (sums.h).
 */
#ifndef RT_RECORDER_H
#define RT_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/virtual_names.h"
#include "trace/format/recording.h"
#include "trace/format/tick.h"

struct rt_slot;
struct rt_table;
struct rt_virtual_calls;

/* What a thread knows of itself. `window` is never NULL: without a window it is a header whose
 * limit is zero, so that the first event takes the slow path. */
struct rt_tls {
	struct jwr_window *window;
	struct rt_slot *slot;
	uint64_t start;      /* tick of the thread's start, 0: unknown */
	uint64_t mounted;    /* id of the virtual thread that runs on it; 0: none */
	uint64_t flight;     /* number of the exception that was recorded last as thrown; 0: none,
			     or caught */
	uint64_t cpu_before; /* ns of CPU time that it had as another thread of Java */
	bool muted;          /* a thread of the runtime's own: it logs nothing */
	bool hushed;         /* captures say nothing (sampling.h); `window` is none then */
	/* Of a summary (sums.h): the table, never NULL; the open calls of `mounted`, once known. */
	struct rt_table *table;
	struct rt_virtual_calls *calls;
	uintptr_t
		calm; /* above this, inverted, addresses are near the end of its stack (brink.h) */
	const void *published;      /* where a library tells this thread's (trace_context.c) */
	struct jwr_context context; /* that it has told, */
	bool has_context;           /* if it has, of whoever runs on it, in its window */
	struct {
		uint64_t tick, word;
	} ended; /* of `mounted`, which has told nothing since (rt_may_go_on); tick 0: nothing */
};
#ifndef RT_TLS
#define RT_TLS "initial-exec" /* one load; musl wants another for what is loaded late */
#endif
extern _Thread_local struct rt_tls rt_tls __attribute__((tls_model(RT_TLS), visibility("hidden")));

/* The clock whose probes are bound where the recording uses it: it is read without a call. */
#if defined(__x86_64__)
#define RT_FAST_CLOCK TRACE_TICKS_TSC
#elif defined(__aarch64__)
#define RT_FAST_CLOCK TRACE_TICKS_CNTVCT
#else
#define RT_FAST_CLOCK TRACE_TICKS_MONOTONIC
#endif

void rt_event_slow(enum jwr_kind kind, uint64_t payload);

static inline void rt_record(struct jwr_window *w, uint64_t at, uint64_t tick, uint64_t word)
{
	struct jwr_record *r = (struct jwr_record *)(void *)((char *)w + at);

	r->tick = tick;
	r->word = word;
	/* the record before the cursor: what reads the window after kill -9, or writes it out at
	 * the end, trusts everything below the cursor */
	__atomic_store_n(&w->cursor, at + sizeof(*r), __ATOMIC_RELEASE);
}

/* Is there room in W, which is this thread's, for a record at *AT? */
static inline bool rt_has_room(const struct jwr_window *w, uint64_t *at)
{
	*at = w->cursor;
	return __builtin_expect(*at < __atomic_load_n(&w->limit, __ATOMIC_RELAXED), 1);
}

/* Records one event of this thread, now, if that takes no slow path. CLOCK is a constant where it
 * matters. */
static inline bool rt_try_event(enum trace_ticks clock, enum jwr_kind kind, uint64_t payload)
{
	struct jwr_window *w = rt_tls.window;
	uint64_t at;

	if (!rt_has_room(w, &at))
		return false;
	rt_record(w, at, trace_tick_now(clock), jwr_word(kind, payload));
	return true;
}

/* Records one event of this thread at TICK, before which it has told nothing later; where that
 * takes the slow path, now, and it is false. */
static inline bool rt_event_at(uint64_t tick, enum jwr_kind kind, uint64_t payload)
{
	struct jwr_window *w = rt_tls.window;
	uint64_t at;

	if (!rt_has_room(w, &at)) {
		rt_event_slow(kind, payload);
		return false;
	}
	rt_record(w, at, tick, jwr_word(kind, payload));
	return true;
}

/* The same of an event, and before it of its PLACE, which is 0 if nobody knows it. */
static inline void rt_placed_event_at(uint64_t tick, uint32_t place, enum jwr_kind kind,
				      uint64_t payload)
{
	if (place && !rt_event_at(tick, JWR_PLACE, place))
		rt_event_slow(kind, payload); /* the place was recorded later than TICK */
	else
		rt_event_at(tick, kind, payload);
}

/* Records one event of this thread, now. */
static inline void rt_event(enum trace_ticks clock, enum jwr_kind kind, uint64_t payload)
{
	if (!rt_try_event(clock, kind, payload))
		rt_event_slow(kind, payload);
}

/* What is told late, once it is over: makes room for the few records that tell it. It begins at the tick that is returned. Should
 * the recording end before it does, an event of KIND with PAYLOAD is told; FD: of a wait for the bytes of that, else -1. Then
 * each with its TICK, none before that of another record of this thread. */
uint64_t rt_expect_late(enum jwr_kind kind, uint64_t payload, int fd);
/* What was expected is over, and may be told. */
void rt_expect_no_more(void);
void rt_event_late(uint64_t tick, enum jwr_kind kind, uint64_t payload);

/* The trace context of this thread is CONTEXT: records that, where it is another one than before. */
void rt_context(const struct jwr_context *context);
/* Would it be recorded? */
bool rt_wants_context(void);
/* While it is SILENT, this thread records nothing. */
void rt_silence(bool silent);

/* Describes the thread it runs on. */
typedef void (*rt_describe_fn)(struct rt_thread_info *out);

/* Takes one thread that is alive when the VM dies: its id and its name then. */
typedef void (*rt_name_fn)(int64_t java_id, const char *name);

/* The current thread begins (the time is kept), or ends (its window is written out; NAME: its name
 * now, or NULL). A thread that has ended and logs again is a new one. */
void rt_thread_begins(void);
void rt_thread_ends(const char *name);

/*
 * Virtual threads (where the VM tells of their mounts): the hot path knows nothing of them. A mount
 * points the carrier's thread-local window at nothing, so that the next event takes the slow path,
 * which writes a SWITCH record if it is not about the same thread as the one before.
 */
/* From now on every mount and end is told; NAME may be NULL. */
void rt_follow_virtual(rt_virtual_name_fn name);
/* The virtual thread ID runs on this thread from now on; 0: the thread itself. */
void rt_thread_mounts(uint64_t id);
/* The virtual thread ID has ended, on this thread. */
void rt_virtual_ends(uint64_t id);

/* The wait of the virtual thread that runs here has ended at TICK, of which a record of KIND with PAYLOAD tells, before whatever is
 * told next; unless it goes on, as soon as that is said. False: it is told already. */
void rt_may_go_on(uint64_t tick, enum jwr_kind kind, uint64_t payload);
bool rt_goes_on(void);

/* Where the next record of the virtual thread that runs here goes; at 0: it has told nothing yet since it is here, or nothing
 * can be taken back (of a summary). */
struct rt_mark {
	uint64_t seq, at;
};
struct rt_mark rt_mark(void);
/* What it has told from FROM to TO has not been, if it was the last that this carrier told, and nobody copies it now; false: it stays. */
bool rt_take_back(struct rt_mark from, struct rt_mark to);

/* A program may rename its threads, of which the VM says nothing: from now on a thread whose window
 * is full looks at its name now and then (NAME gives it, "" where it is not known), and tells meta
 * when it is another one. */
void rt_watch_names(rt_virtual_name_fn name);

/* Writes the window of this thread out, as if it were full. */
void rt_flush(void);

/* Is it told what the VM says of the current thread (of the virtual one, if one is mounted)? If it
 * has logged before, or all threads are wanted. */
bool rt_is_told(void);

/* The current thread is the runtime's own: it logs nothing. */
void rt_mute(void);

/* Calls TELL once, when chunks have reached BYTES, on the thread that has just filled a window. Set
 * before there are threads. */
void rt_when_long(uint64_t bytes, void (*tell)(void));

/* Events of the VM, or of the runtime, that belong to no Java thread; from any thread. Prepare
 * before the first. */
void rt_vm_prepare(void);
void rt_vm_event(enum jwr_kind kind, uint64_t payload);

/* ---- for the recorder itself ---- */

/* The first event of the current thread: it gets a slot and a line in meta. NULL: its events cannot
 * even be counted by thread. */
struct rt_slot *rt_attach(void);

/* One slot more, for what INFO says. LATE: also once recording has ended. */
struct rt_slot *rt_attach_more(const struct rt_thread_info *info, const char *flags, bool late);

/* An event of SLOT (NULL: of no slot at all) was not recorded. */
void rt_count_lost(struct rt_slot *slot);

/* The current thread is about to log: it gets its slot now, if there is one. */
void rt_meet_thread(void);

/* The current thread lets the one of JAVA_ID go on. Where that has a row, this one gets one, too, so that
 * it is known who ended the wait. */
void rt_meet_waker(uint64_t java_id);

/* With HUSH, captures of this thread say nothing until its next event of another kind, or until
 * this is called without. */
void rt_hush(bool hush);

/* It does not go on: what of a wait has ended (`ended` of rt_tls) is told. */
void rt_tell_ended(void);

/* The current thread has no window from now on. */
void rt_forget_thread(void);

/* The destructor of the key: its thread ends. */
void rt_key_destructor(void *slot);

#endif
