#include "runtime-jni/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "runtime-jni/data.h"
#include "runtime-jni/lines.h"
#include "runtime-jni/meta.h"
#include "runtime-jni/output.h"
#include "runtime-jni/say.h"
#include "runtime-jni/slots.h"

#include "base/banned.h"

#define END_PATIENCE_MS \
	5000 /* for a thread that is writing its window out while the process ends */

enum state {
	OFF,     /* not begun, or in a forked child */
	RUN,     /* events are recorded */
	STOPPED, /* stopped early: events are counted */
	ENDED,
};

/* Where threads without a window point: nobody writes here. */
static struct jwr_window nowhere;

_Thread_local struct rt_tls rt_tls = { .window = &nowhere };

static struct {
	_Atomic int state;
	pthread_mutex_t lock; /* slots, state changes; never held while a thread is described */
	pthread_key_t key;    /* its destructor ends threads that no JVM announces */
	bool has_key;
	struct jw_arena arena;
	struct rt_recorder_names names;
	char *windows_path;
	enum trace_ticks clock;
	rt_describe_fn describe;
	_Atomic uint32_t threads;
	_Atomic uint64_t lost; /* events of threads that got no slot at all */
	_Atomic bool noted_anonymous, noted_virtual;
	bool follows; /* virtual threads: the VM says when one is mounted */
	rt_virtual_name_fn virtual_name;
	struct rt_slot *vm; /* for what the VM does on no Java thread */
	bool vm_named;
	char stopped[128];
	uint64_t end_tick;
} rec = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct rt_thread_info vm_info = { .name = "JVM" };

static enum state state_now(void)
{
	return (enum state)atomic_load_explicit(&rec.state, memory_order_acquire);
}

bool rt_recording(void)
{
	return state_now() == RUN;
}

enum trace_ticks rt_recorder_clock(void)
{
	return rec.clock;
}

void rt_note(const char *text)
{
	rt_meta_item("note", text);
}

static void put_clock_point(void)
{
	struct jwr_clock_point p = trace_tick_point(rec.clock, 9);
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "clock-point");
	rt_meta_number(&line, p.tick);
	rt_meta_number(&line, p.mono_ns);
	rt_meta_number(&line, p.wall_ns);
	rt_meta_end(&line);
	rec.end_tick = p.tick;
}

/* ---- stopping early ---- */

static void pull_limit(void *ctx, struct rt_slot *slot)
{
	(void)ctx;
	__atomic_store_n(&slot->window->limit, UINT64_C(0), __ATOMIC_RELAXED);
}

/* Into STATE unless it is there or further; true for the one caller that did it. */
static bool leave_run(enum state state)
{
	pthread_mutex_lock(&rec.lock);
	enum state old = state_now();
	bool mine = old != OFF && old < state;

	if (mine) {
		atomic_store(&rec.state, (int)state);
		rt_slots_each(pull_limit, NULL);
	}
	pthread_mutex_unlock(&rec.lock);
	return mine;
}

static void stop(const char *why)
{
	if (!leave_run(STOPPED))
		return;
	snprintf(rec.stopped, sizeof(rec.stopped), "%s", why);
	rt_line_tick("stop", trace_tick_now(rec.clock), why);
	rt_say("recording stopped: %s; the program runs on", why);
}

/* ---- threads ---- */

static void note_anonymous(int refused)
{
	char text[160];

	if (atomic_exchange(&rec.noted_anonymous, true))
		return;
	rt_meta_item("windows", "anonymous");
	snprintf(text, sizeof(text),
		 "windows are in anonymous memory (allocating their file failed: %s): a killed "
		 "process loses its last events",
		 strerror(refused));
	rt_note(text);
}

/* The window's header for its new owner; magic last, since kill -9 may come at any instant. */
static void own_window(struct rt_slot *slot)
{
	struct jwr_window *w = slot->window;

	w->thread = slot->uid;
	w->seq = 0;
	w->unused = 0;
	slot->shown = 0;
	w->lost = 0;
	w->began = trace_tick_point(rec.clock, 1);
	__atomic_store_n(&w->cursor, (uint64_t)JWR_HEADER_SIZE, __ATOMIC_RELEASE);
	__atomic_store_n(&w->limit, (uint64_t)JWR_WINDOW_SIZE, __ATOMIC_RELAXED);
	__atomic_store_n(&w->magic, JWR_MAGIC, __ATOMIC_RELEASE);
}

/* A slot for this thread, with a window if there is one to be had; NULL: no memory at all. */
static struct rt_slot *take_slot(const struct rt_thread_info *info)
{
	uint64_t grew = 0;
	int refused = 0;
	struct rt_slot *slot = NULL;

	pthread_mutex_lock(&rec.lock);
	enum state state = state_now();
	if (state == RUN && (!info->is_virtual || rec.follows))
		slot = rt_slot_take(&grew, &refused);
	if (!slot && (state == RUN || state == STOPPED))
		slot = rt_slot_take_bare();
	if (slot) {
		slot->uid = atomic_fetch_add(&rec.threads, 1) + 1;
		slot->java_id = info->java_id;
		if (slot->window != &slot->none)
			own_window(slot);
		atomic_store(&slot->owned, true);
	}
	pthread_mutex_unlock(&rec.lock);
	rt_data_account(grew);
	if (slot && slot->anonymous)
		note_anonymous(refused);
	return slot;
}

static const char virtual_note[] =
	"events of virtual threads are not recorded: they are counted as lost, on their carriers";

/* This thread's first event: a slot, a line in meta. NULL: its events cannot even be counted apart.
 */
static struct rt_slot *attach(void)
{
	struct rt_thread_info info = { 0 };
	enum state state = state_now();
	char flags[3];

	if (state == OFF || state == ENDED)
		return NULL;
	uint64_t now = trace_tick_now(rec.clock);
	if (rec.describe)
		rec.describe(&info);
	if (info.is_virtual && !rec.follows && !atomic_exchange(&rec.noted_virtual, true))
		rt_note(virtual_note);
	struct rt_slot *slot = take_slot(&info);
	if (!slot)
		return NULL;
	snprintf(flags, sizeof(flags), "%s%s", info.daemon ? "d" : "",
		 info.is_virtual && !rec.follows ? "v" : "");
	rt_line_thread(slot->uid, rt_tls.start, now, flags[0] ? flags : "-", &info);
	if (info.is_virtual && rec.follows) /* mounted before anybody could tell */
		rt_tls.mounted = info.virtual_id;
	rt_tls.slot = slot;
	rt_tls.window = slot->window;
	if (rec.has_key)
		pthread_setspecific(rec.key, slot);
	return slot;
}

void rt_thread_begins(void)
{
	if (rt_recording())
		rt_tls.start = trace_tick_now(rec.clock);
}

/* Writes the window out for good. The slot is locked, and not done. */
static bool retire(struct rt_slot *slot, uint64_t *lost)
{
	struct jwr_window *w = slot->window;
	const char *why = w == &slot->none ? NULL : rt_data_write(w, true);

	slot->done = true;
	*lost = __atomic_load_n(&w->lost, __ATOMIC_RELAXED);
	if (!why) {
		__atomic_store_n(&w->magic, 0u, __ATOMIC_RELEASE);
		return true;
	}
	stop(why);
	if (slot->anonymous) /* else the window file keeps the records */
		*lost += (__atomic_load_n(&w->cursor, __ATOMIC_ACQUIRE) - JWR_HEADER_SIZE) /
			 sizeof(struct jwr_record);
	return false;
}

static void end_slot(struct rt_slot *slot, const char *name)
{
	uint64_t lost = 0, now = trace_tick_now(rec.clock);
	uint32_t uid = slot->uid;
	bool empty = false;

	if (!rt_slot_lock(slot, END_PATIENCE_MS))
		return;
	bool mine = !slot->done;
	if (mine)
		empty = retire(slot, &lost);
	atomic_store(&slot->owned, false);
	rt_slot_unlock(slot);
	if (!mine)
		return;
	rt_line_thread_end(uid, now, name);
	rt_line_lost(uid, lost);
	if (!empty)
		return;
	pthread_mutex_lock(&rec.lock);
	rt_slot_give(slot);
	pthread_mutex_unlock(&rec.lock);
}

void rt_thread_ends(const char *name)
{
	struct rt_slot *slot = rt_tls.slot;
	int saved = errno;

	rt_tls = (struct rt_tls){ .window = &nowhere };
	if (!slot)
		return;
	if (rec.has_key)
		pthread_setspecific(rec.key, NULL);
	if (state_now() == RUN || state_now() == STOPPED)
		end_slot(slot, name);
	errno = saved;
}

static void key_destructor(void *slot)
{
	if (slot == rt_tls.slot)
		rt_thread_ends(NULL);
}

/* ---- events ---- */

/* Makes room in the full window of this thread. */
static bool make_room(struct rt_slot *slot)
{
	if (state_now() != RUN || slot->window == &slot->none ||
	    !rt_slot_lock(slot, END_PATIENCE_MS))
		return false;
	const char *why = slot->done ? NULL : rt_data_write(slot->window, false);
	bool room = !slot->done && !why;
	if (room)
		rt_data_emptied(slot->window);
	rt_slot_unlock(slot);
	if (why)
		stop(why);
	return room;
}

/* Nothing was promised after the end: what daemon threads log then is not lost. */
static void count_lost(struct rt_slot *slot)
{
	enum state state = state_now();

	if (state != RUN && state != STOPPED)
		return;
	if (slot) { /* its owner alone writes the count */
		uint64_t *lost = &slot->window->lost;

		__atomic_store_n(lost, *lost + 1, __ATOMIC_RELAXED);
	} else {
		atomic_fetch_add_explicit(&rec.lost, 1, memory_order_relaxed);
	}
}

/* Room for one record more. A fresh window begins with records of the thread itself. */
static bool has_room(struct rt_slot *slot)
{
	struct jwr_window *w = slot->window;

	while (w->cursor >= __atomic_load_n(&w->limit, __ATOMIC_RELAXED)) {
		if (!make_room(slot))
			return false;
		slot->shown = 0;
	}
	return true;
}

/* Room for a record of whoever runs on this thread: says so when it is not the one before. */
static bool prepare(struct rt_slot *slot)
{
	uint64_t id = rt_tls.mounted;
	struct jwr_window *w = slot->window;

	if (id && id != slot->shown)
		rt_virtual_logs(id, rec.virtual_name);
	while (has_room(slot)) {
		if (slot->shown == id)
			return true;
		rt_record(w, w->cursor, trace_tick_now(rec.clock), jwr_word(JWR_SWITCH, id));
		slot->shown = id;
	}
	return false;
}

void rt_event_slow(enum jwr_kind kind, uint64_t payload)
{
	struct rt_slot *slot = rt_tls.slot;
	int saved = errno;

	if (!slot)
		slot = attach();
	if (slot && prepare(slot)) {
		struct jwr_window *w = slot->window;

		rt_tls.window = w;
		rt_record(w, w->cursor, trace_tick_now(rec.clock), jwr_word(kind, payload));
	} else {
		count_lost(slot);
	}
	errno = saved;
}

/* ---- virtual threads ---- */

void rt_follow_virtual(rt_virtual_name_fn name)
{
	rec.virtual_name = name;
	rec.follows = true;
}

void rt_thread_mounts(uint64_t id)
{
	rt_tls.mounted = id;
	rt_tls.window = &nowhere; /* the next event looks who it is */
}

void rt_virtual_ends(uint64_t id)
{
	int saved = errno;

	if (!rt_virtual_has_logged(id))
		return;
	struct rt_slot *slot = rt_tls.slot ? rt_tls.slot : attach();
	rt_thread_mounts(0);
	if (slot && has_room(slot)) {
		struct jwr_window *w = slot->window;

		rt_record(w, w->cursor, trace_tick_now(rec.clock), jwr_word(JWR_END, id));
		if (slot->shown == id)
			slot->shown = 0;
	}
	errno = saved;
}

bool rt_has_logged(void)
{
	return rt_tls.slot && (!rt_tls.mounted || rt_virtual_has_logged(rt_tls.mounted));
}

/* ---- the VM's own events ---- */

void rt_vm_prepare(void)
{
	rec.vm = take_slot(&vm_info);
}

void rt_vm_event(enum jwr_kind kind, uint64_t payload)
{
	struct rt_slot *slot = rec.vm;
	uint64_t now = trace_tick_now(rec.clock);
	int saved = errno;

	if (!slot || (state_now() != RUN && state_now() != STOPPED))
		return;
	if (!rec.vm_named)
		rt_line_thread(slot->uid, 0, now, "j", &vm_info);
	rec.vm_named = true;
	if (has_room(slot))
		rt_record(slot->window, slot->window->cursor, now, jwr_word(kind, payload));
	else
		count_lost(slot);
	errno = saved;
}

/* ---- begin ---- */

static void forked_child(void)
{
	atomic_store(&rec.state, (int)OFF);
	rt_meta_silence();
	rt_tls = (struct rt_tls){ .window = &nowhere };
}

/* The window file, inside the recording or in the folder that the user chose; -1: errno. */
static int open_windows(const struct rt_config *config, int folder)
{
	static const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;

	if (!config->tmp || !*config->tmp) {
		rec.windows_path = jw_arena_fmt(&rec.arena, "%s/windows", rec.names.folder);
		return openat(folder, "windows", flags, 0600);
	}
	const char *tmp = rt_absolute(config->tmp, &rec.arena);
	rec.windows_path =
		jw_arena_fmt(&rec.arena, "%s/jweave-%ld-%llx.windows", tmp ? tmp : ".",
			     (long)getpid(), (unsigned long long)trace_ns_of(CLOCK_REALTIME));
	return rec.windows_path ? open(rec.windows_path, flags, 0600) : -1;
}

/* The three files in FOLDER. */
static enum jw_status open_files(const struct rt_config *config, int folder, struct jw_err *e)
{
	struct rt_data_limits limits = { config->max_size, 0, rt_output_file_limit() };
	uint64_t free_bytes;

	rt_output_space(folder, &limits.floor, &free_bytes);
	if (free_bytes < limits.floor)
		return jw_fail(e, JW_IO, "less than %llu MiB are free where '%s' would go",
			       (unsigned long long)(limits.floor >> 20), rec.names.shown);
	if (!rt_meta_open(folder))
		return jw_fail_errno(e, errno, "cannot write '%s.jwr/meta'", rec.names.shown);
	int data = openat(folder, "data", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (data < 0)
		return jw_fail_errno(e, errno, "cannot create '%s.jwr/data'", rec.names.shown);
	rt_data_open(data, rec.clock, limits);
	int windows = open_windows(config, folder), failed = errno;
	if (windows >= 0)
		rt_meta_item("windows", rec.windows_path);
	rt_slots_open((struct rt_slots_place){ windows, limits.file_bytes });
	put_clock_point();
	rt_lines_process(rec.clock, limits.max_bytes, limits.floor);
	if (windows < 0)
		note_anonymous(failed);
	return JW_OK;
}

static void remove_files(int folder)
{
	static const char *const names[] = { "meta", "data", "windows" };

	rt_meta_close();
	rt_data_close();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(folder, names[i], 0);
	rmdir(rec.names.folder);
}

enum jw_status rt_recorder_start(const struct rt_config *config, rt_describe_fn describe,
				 struct jw_err *e)
{
	int folder;

	if (state_now() != OFF)
		return jw_bug(e, "a recording has begun already");
	rec.clock = trace_ticks_choose();
	rec.describe = describe;
	JW_TRY(rt_output_create(config, &rec.arena, &rec.names, &folder, e));
	enum jw_status status = open_files(config, folder, e);
	if (status != JW_OK)
		remove_files(folder);
	close(folder);
	if (status != JW_OK)
		return status;
	rec.has_key = pthread_key_create(&rec.key, key_destructor) == 0;
	pthread_atfork(NULL, NULL, forked_child);
	atomic_store(&rec.state, (int)RUN);
	return JW_OK;
}

/* ---- end ---- */

static struct {
	int64_t java_id;
	const char *name;
} wanted;

static void name_slot(void *ctx, struct rt_slot *slot)
{
	(void)ctx;
	if (atomic_load(&slot->owned) && slot->java_id == wanted.java_id)
		rt_line_thread_end(slot->uid, rec.end_tick, wanted.name);
}

static void take_name(int64_t java_id, const char *name)
{
	wanted.java_id = java_id;
	wanted.name = name;
	if (java_id)
		rt_slots_each(name_slot, NULL);
}

static void finish_slot(void *ctx, struct rt_slot *slot)
{
	bool *complete = ctx;
	uint64_t lost = 0;

	if (!atomic_load(&slot->owned)) {
		/* a window that its thread could not write out when it ended */
		if (__atomic_load_n(&slot->window->magic, __ATOMIC_ACQUIRE))
			*complete = false;
		return;
	}
	if (!rt_slot_lock(slot, END_PATIENCE_MS)) {
		*complete = false;
		return;
	}
	if (!slot->done && !retire(slot, &lost))
		*complete = false;
	rt_slot_unlock(slot);
	rt_line_lost(slot->uid, lost);
}

/* Threads that not even a slot without records could be had for stand on one row. */
static void put_crowd(void)
{
	struct rt_thread_info info = { .name = "(threads that there was no memory for)" };
	uint64_t lost = atomic_load(&rec.lost);

	if (!lost)
		return;
	uint32_t uid = atomic_fetch_add(&rec.threads, 1) + 1;
	rt_line_thread(uid, 0, rec.end_tick, "-", &info);
	rt_line_lost(uid, lost);
}

bool rt_recorder_end(const char *reason, void (*alive)(rt_name_fn take),
		     struct rt_recorder_result *out)
{
	bool complete = true;

	if (!leave_run(ENDED))
		return false;
	rt_slots_each(finish_slot, &complete);
	put_clock_point();
	put_crowd();
	if (alive)
		alive(take_name);
	rt_line_tick("end", rec.end_tick, reason);
	if (complete && rec.windows_path)
		unlink(rec.windows_path);
	rt_meta_close();
	*out = (struct rt_recorder_result){ .names = rec.names,
					    .bytes = rt_data_bytes(),
					    .complete = complete };
	snprintf(out->stopped, sizeof(out->stopped), "%s", rec.stopped);
	return true;
}
