/*
 * recorder.h: events of threads into a recording (trace/format/recording.h). Knows no JVM.
 *
 *   rt_recorder_start() -> rt_event()* on any thread -> rt_recorder_end()
 *
 * The hot path is rt_event(): one thread-local pointer, one comparison, the clock, one record. When
 * the cursor has reached the limit (no window yet, window full, recording stopped) it is
 * rt_event_slow(). A recording that has to stop early (size cap, disk full) pulls the limits of all
 * windows to zero; from then on events are only counted, and after the end not even that. Pausing
 * pulls the limits, too. Nothing here ever stops the program.
 *
 * A summary has no events: there rt_event() always takes the slow path, which adds up (sums.h).
 */
#ifndef RT_RECORDER_H
#define RT_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/format/tick.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/virtual_names.h"
#include "trace/format/recording.h"

struct rt_slot;
struct rt_table;
struct rt_virtual_calls;

/* What a thread knows of itself. `window` is never NULL: without a window it is a header whose
 * limit is zero, so that the first event takes the slow path. */
struct rt_tls {
	struct jwr_window *window;
	struct rt_slot *slot;
	uint64_t start;   /* tick of the thread's start, 0: unknown */
	uint64_t mounted; /* id of the virtual thread that runs on it; 0: none */
	uint64_t flight;  /* number of the exception that was recorded last as thrown; 0: none,
			     or caught */
	bool muted;       /* a thread of the runtime's own: it logs nothing */
	bool hushed;      /* captures say nothing (sampling.h); `window` is none then */
	/* Of a summary (sums.h): the table, never NULL; the open calls of `mounted`, once known. */
	struct rt_table *table;
	struct rt_virtual_calls *calls;
};
#ifndef RT_TLS
#define RT_TLS "initial-exec" /* one load; musl wants another for what is loaded late */
#endif
extern _Thread_local struct rt_tls rt_tls __attribute__((tls_model(RT_TLS), visibility("hidden")));

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

/* Records one event of this thread, now, if that takes no slow path. CLOCK is a constant where it
 * matters. */
static inline bool rt_try_event(enum trace_ticks clock, enum jwr_kind kind, uint64_t payload)
{
	struct jwr_window *w = rt_tls.window;
	uint64_t at = w->cursor;

	if (__builtin_expect(at >= __atomic_load_n(&w->limit, __ATOMIC_RELAXED), 0))
		return false;
	rt_record(w, at, trace_tick_now(clock), jwr_word(kind, payload));
	return true;
}

/* Records one event of this thread, now. */
static inline void rt_event(enum trace_ticks clock, enum jwr_kind kind, uint64_t payload)
{
	if (!rt_try_event(clock, kind, payload))
		rt_event_slow(kind, payload);
}

/* Describes the thread it runs on. */
typedef void (*rt_describe_fn)(struct rt_thread_info *out);

/* Takes one thread that is alive when the VM dies: its id and its name then. */
typedef void (*rt_name_fn)(int64_t java_id, const char *name);

struct rt_recorder_names {
	const char *shown;  /* name without suffix, as the user gave it (and a suffix -N) */
	const char *base;   /* the same, absolute */
	const char *folder; /* base.jwr */
};

/* Creates the recording and begins it. On an error nothing is left behind, and events are not
 * counted. DESCRIBE may be NULL. */
enum jw_status JW_MUST_USE rt_recorder_start(const struct rt_config *config,
					     rt_describe_fn describe, struct jw_err *e);

/* The thread that runs begins (remembers when), or ends (its window is written out; NAME: its name
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
/* The virtual thread ID runs on this thread from now on; 0: none, the thread itself. */
void rt_thread_mounts(uint64_t id);
/* The virtual thread ID has ended, on this thread. */
void rt_virtual_ends(uint64_t id);

/* A program may rename its threads, of which the VM says nothing: from now on a thread whose window
 * is full looks at its name now and then (NAME gives it, "" where it is not known), and tells meta
 * when it is another one. */
void rt_watch_names(rt_virtual_name_fn name);

/* Writes the window of this thread out, as if it were full. */
void rt_flush(void);

/* Has the thread that runs here (the virtual one, if one is mounted) logged before? */
bool rt_has_logged(void);

/* The thread that runs here is the runtime's own. */
void rt_mute(void);

/* Calls TELL once, on whatever thread it is that fills a window when chunks have reached BYTES. Set
 * before there are threads. */
void rt_when_long(uint64_t bytes, void (*tell)(void));

/* What the VM, or the runtime, does on no Java thread, from any thread. Prepare before the first.
 */
void rt_vm_prepare(void);
void rt_vm_event(enum jwr_kind kind, uint64_t payload);

/* Pauses recording, or goes on with it. While it is paused events are neither recorded nor counted,
 * and cost little more than the way here; meta says from when to when. False: there is nothing to
 * pause (not begun, stopped early, or ended). */
bool rt_pause(bool pause);

struct rt_recorder_status {
	struct rt_recorder_names names;
	enum rt_mode mode;
	const char *word; /* "recording", "paused", "stopped" or "ended" */
	const char *why;  /* of "stopped", else "" */
	uint64_t bytes;   /* of chunks */
	uint64_t threads; /* so far */
	uint64_t lost;    /* events not recorded, of threads alive and of those without a slot */
};

/* False: nothing has begun. */
bool rt_recorder_status(struct rt_recorder_status *out);

struct rt_recorder_result {
	struct rt_recorder_names names;
	uint64_t bytes;    /* of chunks */
	bool complete;     /* every window is in `data` */
	char stopped[128]; /* why recording stopped early, or "" */
};

/* Writes down that the process lives, now: where nothing ever tells its end, it was later. */
void rt_recorder_alive(void);

/* How recording goes. */
enum rt_mode rt_recorder_mode(void);

/* The VM dies: ALIVE hands over the names that threads have now, and keep. Recording goes on, since
 * threads run until the VM has stopped them. False: it should end here, since the VM no longer
 * tells which virtual thread runs. */
bool rt_recorder_outlives(void (*alive)(rt_name_fn take));

/* Ends the recording, once; false when there is none, or another call does or did it. Other threads
 * may go on logging: their events are dropped. */
bool rt_recorder_end(const char *reason, struct rt_recorder_result *out);

/* Is an event recorded now? */
bool rt_recording(void);

/* The clock of the recording, once it has begun. */
enum trace_ticks rt_recorder_clock(void);

/* Says in meta what was refused; each text once is enough. */
void rt_note(const char *text);

#endif
