/*
 * recorder_int.h: what the files of the recorder share.
 *
 *     recorder.c   threads and their events: the slow paths
 *     session.c    the recording as a whole: begin, pause, early stop, end
 */
#ifndef RT_RECORDER_INT_H
#define RT_RECORDER_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/slots.h"

#define RT_END_PATIENCE_MS \
	5000 /* for a thread that is writing its window out while the process ends */

enum rt_state {
	RT_OFF,     /* not begun, or in a forked child */
	RT_RUN,     /* events are recorded, unless paused */
	RT_STOPPED, /* stopped early: events are counted */
	RT_ENDED,
};

struct rt_recorder {
	_Atomic int state;    /* of enum rt_state */
	_Atomic bool paused;  /* events are neither recorded nor counted; only in RT_RUN */
	pthread_mutex_t lock; /* slots, state changes; never held while a thread is described */
	pthread_key_t key;    /* its destructor ends threads that no JVM announces */
	bool has_key;
	struct jw_arena arena;
	struct rt_recorder_names names;
	char *windows_path;
	enum trace_ticks clock;
	rt_describe_fn describe;
	_Atomic uint32_t threads;
	_Atomic uint64_t pauses; /* so far, the one that goes on too */
	_Atomic uint64_t lost;   /* events of threads that got no slot at all */
	_Atomic bool noted_anonymous, noted_virtual;
	bool follows; /* virtual threads: the VM says when one is mounted */
	rt_virtual_name_fn virtual_name;
	rt_virtual_name_fn own_name; /* NULL: names are not looked at again */
	struct rt_slot *vm; /* for what the VM does on no Java thread */
	bool vm_named;
	uint64_t long_bytes; /* when_long is called once, there */
	void (*when_long)(void);
	_Atomic bool is_long;
	bool keeps_places; /* enters may have to be taken out of chunks (sampling.c) */
	enum rt_mode mode;
	char stopped[128];
	struct jwr_clock_point began; /* the first of meta */
	uint64_t end_tick;
};
extern struct rt_recorder rt_recorder;

static inline enum rt_state rt_state_now(void)
{
	return (enum rt_state)atomic_load_explicit(&rt_recorder.state, memory_order_acquire);
}

static inline bool rt_paused(void)
{
	return atomic_load_explicit(&rt_recorder.paused, memory_order_relaxed);
}

/* The first event of the thread that runs: a slot, a line in meta. NULL: its events cannot even be
 * counted apart. */
struct rt_slot *rt_attach(void);

/* One slot more, for what INFO says. LATE: also once recording has ended. */
struct rt_slot *rt_attach_more(const struct rt_thread_info *info, const char *flags, bool late);

/* An event of SLOT (NULL: of no slot at all) was not recorded. */
void rt_count_lost(struct rt_slot *slot);

/* Stops recording early, once, and says why. */
void rt_stop(const char *why);

/* Says in meta, once, that the windows are anonymous memory, and why (an errno). */
void rt_note_anonymous(int refused);

/* The thread that runs logs soon: from here on it has a slot, unless there is none to be had. */
void rt_meet_thread(void);

/* With HUSH, captures of this thread say nothing until its next event of another kind, or until
 * this is called without. */
void rt_hush(bool hush);

/* Where the thread that runs has no window: nobody writes there. */
void rt_forget_thread(void);

/* The destructor of the key: its thread ends. */
void rt_key_destructor(void *slot);

/* Writes the window of SLOT out for good, and adds what could not be recorded to *LOST. The slot is
 * locked, and not done. False: its records are still in the window. */
bool rt_retire(struct rt_slot *slot, uint64_t *lost);

#endif
