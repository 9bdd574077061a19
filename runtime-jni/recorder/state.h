/*
 * state.h: the state of the one recording that a process has, for the files of the recorder, and for
 * taps, which ask it at every read and write.
 *
 * session.c moves it on, under its lock: OFF -> RUN -> STOPPED -> ENDED, never back (but to OFF in a
 * forked child). Everybody may read it without the lock.
 */
#ifndef RT_STATE_H
#define RT_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/slots.h"

#define RT_CACHE_LINE 64

/* for a thread that is writing its window out while the process ends */
#define RT_END_PATIENCE_MS 5000

enum rt_state {
	RT_OFF,     /* not begun, or in a forked child */
	RT_RUN,     /* events are recorded, unless paused */
	RT_STOPPED, /* stopped early: events are counted */
	RT_ENDED,
};

struct rt_recorder {
	/* What is asked for each event that takes more than the hot path: in one line of the cache,
	 * which nobody writes while events are recorded. */
	_Alignas(RT_CACHE_LINE) _Atomic int state; /* of enum rt_state */
	_Atomic bool paused; /* events are neither recorded nor counted; only in RT_RUN */
	bool all_threads;    /* the VM's events are told of all */
	bool keeps_places;   /* enters may have to be taken out of chunks (sampling.c) */
	bool follows;        /* virtual threads: the VM says when one is mounted */
	enum trace_ticks clock;
	enum rt_mode mode;
	_Atomic uint64_t pauses; /* so far, the one that goes on too */
	/* The others. */
	_Alignas(RT_CACHE_LINE) pthread_mutex_t
		lock;      /* slots, state changes; never held while a thread is described */
	pthread_key_t key; /* its destructor ends threads that no JVM announces */
	bool has_key;
	struct jw_arena arena;
	struct rt_recorder_names names;
	char *windows_path;
	rt_describe_fn describe;
	_Atomic uint32_t threads;
	_Atomic uint64_t lost; /* events of threads that got no slot at all */
	_Atomic bool noted_anonymous, noted_virtual, noted_full;
	rt_virtual_name_fn virtual_name;
	rt_virtual_name_fn own_name; /* NULL: names are not looked at again */
	struct rt_slot *vm;          /* for what the VM does on no Java thread */
	bool vm_named;
	uint64_t long_bytes; /* when_long is called once, there */
	void (*when_long)(void);
	_Atomic bool is_long;
	char stopped[128];
	struct jwr_clock_point began; /* the first of meta */
	uint64_t end_tick;
};
extern struct rt_recorder rt_recorder; /* session.c */

static inline enum rt_state rt_state_now(void)
{
	return (enum rt_state)atomic_load_explicit(&rt_recorder.state, memory_order_acquire);
}

static inline bool rt_paused(void)
{
	return atomic_load_explicit(&rt_recorder.paused, memory_order_relaxed);
}

/* Is an event recorded now? */
static inline bool rt_recording_now(void)
{
	return rt_state_now() == RT_RUN && !rt_paused();
}

/* How often it was paused so far. */
static inline uint64_t rt_pauses(void)
{
	return atomic_load_explicit(&rt_recorder.pauses, memory_order_relaxed);
}

#endif
