#include "runtime-jni/recorder/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/job.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/meta_trim.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/ring.h"
#include "runtime-jni/recorder/say.h"
#include "runtime-jni/recorder/state.h"
#include "runtime-jni/recorder/sums.h"

#include "base/banned.h"

/* A program that may open hardly any file needs them itself: to load its classes, for one. */
#define FILES_LEAST 16

struct rt_recorder rt_recorder = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool rt_recording(void)
{
	return rt_state_now() == RT_RUN;
}

enum rt_mode rt_recorder_mode(void)
{
	return rt_recorder.mode;
}

enum trace_ticks rt_recorder_clock(void)
{
	return rt_recorder.clock;
}

void rt_note(const char *text)
{
	rt_meta_item("note", text);
}

static struct jwr_clock_point put_point(const char *item)
{
	struct jwr_clock_point p = trace_tick_point(rt_recorder.clock, 9);
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, item);
	rt_meta_number(&line, p.tick);
	rt_meta_number(&line, p.mono_ns);
	rt_meta_number(&line, p.wall_ns);
	rt_meta_end(&line);
	return p;
}

void rt_recorder_alive(void)
{
	if (rt_state_now() == RT_RUN)
		put_point("alive");
}

static void put_clock_point(void)
{
	struct jwr_clock_point p = put_point("clock-point");

	rt_recorder.end_tick = p.tick;
	if (!rt_recorder.began.tick)
		rt_recorder.began = p;
}

/* ---- pausing, and stopping early ---- */

static void pull_limit(void *ctx, struct rt_slot *slot)
{
	(void)ctx;
	__atomic_store_n(&slot->window->limit, UINT64_C(0), __ATOMIC_RELAXED);
	__atomic_store_n(&slot->window->sums.limit, UINT64_C(0), __ATOMIC_RELAXED);
}

static void restore_limit(void *ctx, struct rt_slot *slot)
{
	(void)ctx;
	if (slot->window != &slot->none && rt_recorder.mode != RT_MODE_SUMMARY) /* there, sums.c */
		__atomic_store_n(&slot->window->limit, (uint64_t)JWR_WINDOW_FULL, __ATOMIC_RELAXED);
}

static void put_switch(bool pause)
{
	struct jw_buf line = { 0 };
	uint64_t now = trace_tick_now(rt_recorder.clock);

	rt_meta_begin(&line, pause ? "pause" : "resume");
	rt_meta_number(&line, now);
	rt_meta_end(&line);
	if (pause)
		rt_sums_pause(now);
}

bool rt_pause(bool pause)
{
	pthread_mutex_lock(&rt_recorder.lock);
	bool running = rt_state_now() == RT_RUN;

	if (running && pause != rt_paused()) {
		if (!pause)
			put_switch(false);
		atomic_store(&rt_recorder.paused, pause);
		rt_slots_each(pause ? pull_limit : restore_limit, NULL);
		if (pause)
			put_switch(true);
	}
	pthread_mutex_unlock(&rt_recorder.lock);
	return running;
}

/* Goes on to STATE, unless that or a later one is reached; true for the one caller that did it. */
static bool leave_run(enum rt_state state)
{
	pthread_mutex_lock(&rt_recorder.lock);
	enum rt_state old = rt_state_now();
	bool mine = old != RT_OFF && old < state;

	if (mine) {
		atomic_store(&rt_recorder.state, (int)state);
		rt_slots_each(pull_limit, NULL);
	}
	pthread_mutex_unlock(&rt_recorder.lock);
	return mine;
}

void rt_stop(const char *why)
{
	if (!leave_run(RT_STOPPED))
		return;
	snprintf(rt_recorder.stopped, sizeof(rt_recorder.stopped), "%s", why);
	rt_line_tick("stop", trace_tick_now(rt_recorder.clock), why);
	rt_say("recording stopped: %s; the program runs on", why);
}

void rt_no_window(void)
{
	static const char text[] = "more threads are alive than three quarters of JWEAVE_MAX_SIZE "
				   "have windows for: events of "
				   "the others are counted, and not recorded";

	if (rt_state_now() != RT_RUN)
		return;
	if (rt_recorder.mode != RT_MODE_FLIGHT) {
		rt_stop(rt_data_size_limit);
	} else if (!atomic_exchange(&rt_recorder.noted_full, true)) {
		rt_note(text);
		rt_say("%s", text);
	}
}

void rt_note_anonymous(int refused)
{
	char text[160];

	if (atomic_exchange(&rt_recorder.noted_anonymous, true))
		return;
	rt_meta_item("windows", "anonymous");
	snprintf(text, sizeof(text),
		 "windows are in anonymous memory (allocating their file failed: %s): a killed "
		 "process loses its %s",
		 strerror(refused), rt_recorder.mode == RT_MODE_SUMMARY ? "sums" : "last events");
	rt_note(text);
}

static void add_lost(void *ctx, struct rt_slot *slot)
{
	uint64_t *lost = ctx;

	if (atomic_load(&slot->owned))
		*lost += __atomic_load_n(&slot->window->lost, __ATOMIC_RELAXED);
}

bool rt_recorder_status(struct rt_recorder_status *out)
{
	enum rt_state state = rt_state_now();

	if (state == RT_OFF)
		return false;
	*out = (struct rt_recorder_status){
		.names = rt_recorder.names,
		.mode = rt_recorder.mode,
		.word = state == RT_STOPPED ? "stopped"
			: state == RT_ENDED ? "ended"
			: rt_paused()       ? "paused"
					    : "recording",
		.why = rt_recorder.stopped,
		.bytes = rt_data_bytes(),
		.threads = atomic_load(&rt_recorder.threads),
		.lost = atomic_load(&rt_recorder.lost),
	};
	pthread_mutex_lock(&rt_recorder.lock);
	rt_slots_each(add_lost, &out->lost);
	pthread_mutex_unlock(&rt_recorder.lock);
	return true;
}

/* ---- begin ---- */

static void forked_child(void)
{
	atomic_store(&rt_recorder.state, (int)RT_OFF);
	rt_meta_silence();
	rt_forget_thread();
}

/* The window file, inside the recording or in the folder that the user chose; -1: errno. */
static int open_windows(const struct rt_config *config, int folder)
{
	static const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;

	if (!config->tmp || !*config->tmp) {
		rt_recorder.windows_path =
			jw_arena_fmt(&rt_recorder.arena, "%s/windows", rt_recorder.names.folder);
		return openat(folder, "windows", flags, 0600);
	}
	const char *tmp = rt_absolute(config->tmp, &rt_recorder.arena);
	rt_recorder.windows_path =
		jw_arena_fmt(&rt_recorder.arena, "%s/jweave-%ld-%llx.windows", tmp ? tmp : ".",
			     (long)getpid(), (unsigned long long)trace_ns_of(CLOCK_REALTIME));
	return rt_recorder.windows_path ? open(rt_recorder.windows_path, flags, 0600) : -1;
}

/* The file of tables of a summary, beside the windows; NULL: no memory. */
static const char *tables_path(const struct rt_config *config)
{
	bool inside = !config->tmp || !*config->tmp;

	return inside ? jw_arena_fmt(&rt_recorder.arena, "%s/" JWR_TABLES, rt_recorder.names.folder)
		      : jw_arena_fmt(&rt_recorder.arena, "%s." JWR_TABLES,
				     rt_recorder.windows_path);
}

/* The file of chunks, or their ring. False: errno. */
static bool open_data(const struct rt_config *config, int folder, struct rt_data_limits limits)
{
	int fd = -1;

	if (config->mode == RT_MODE_FLIGHT) {
		int own = fcntl(folder, F_DUPFD_CLOEXEC, 0);

		if (own < 0 || !rt_ring_open(own, limits.max_bytes, limits.file_bytes))
			return false;
		rt_trim_begin(limits.max_bytes);
	} else {
		fd = openat(folder, JWR_DATA, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0)
			return false;
	}
	if (config->mode != RT_MODE_STREAM)
		rt_meta_item("mode", rt_mode_name(config->mode));
	rt_data_open(fd, rt_recorder.clock, limits);
	return true;
}

/* COUNT, in digits: a trace that shows no call of what costs most has to say why. */
static void note_left_out(const char *count)
{
	size_t n = count ? strspn(count, "0123456789") : 0;
	char text[256];

	if (!n || n > 9 || count[n])
		return;
	snprintf(text, sizeof(text),
		 "%s small, hot method%s left out when this was woven, as earlier runs had learnt: "
		 "no call of them is "
		 "here, and their time is that of who called them ('jweave run --forget' drops "
		 "what was learnt)",
		 count, strcmp(count, "1") == 0 ? " was" : "s were");
	rt_note(text);
}

/* The files in FOLDER. */
static enum jw_status open_files(const struct rt_config *config, int folder, struct jw_err *e)
{
	struct rt_data_limits limits = { config->max_size, 0, rt_output_file_limit() };
	uint64_t free_bytes;

	rt_output_space(folder, &limits.floor, &free_bytes);
	if (free_bytes < limits.floor)
		return jw_fail(e, JW_IO,
			       "less than %llu MiB are free where '%s' would go: name another "
			       "place with %s",
			       (unsigned long long)(limits.floor >> 20), rt_recorder.names.shown,
			       rt_place_variable(config));
	if (!rt_meta_open(folder, config->mode == RT_MODE_SUMMARY ? JWR_VERSION_SUMS : JWR_VERSION))
		return jw_fail_errno(e, errno, "cannot write '%s.jwr/meta'",
				     rt_recorder.names.shown);
	if (!open_data(config, folder, limits))
		return jw_fail_errno(e, errno, "cannot create '%s.jwr/data'",
				     rt_recorder.names.shown);
	int windows = open_windows(config, folder), failed = errno;
	if (windows >= 0)
		rt_meta_item("windows", rt_recorder.windows_path);
	rt_slots_open((struct rt_slots_place){ windows, limits.file_bytes });
	rt_tables_open(windows >= 0 ? tables_path(config) : NULL, limits.file_bytes);
	put_clock_point();
	rt_line_cpu(rt_recorder.end_tick);
	rt_lines_process(rt_recorder.clock, limits.max_bytes, limits.floor);
	rt_job_tell(config, &rt_recorder.arena);
	note_left_out(config->left_out);
	if (windows < 0)
		rt_note_anonymous(failed);
	return JW_OK;
}

static void remove_files(int folder)
{
	static const char *const names[] = { "meta", JWR_DATA, "windows" };

	rt_meta_close();
	rt_data_close();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(folder, names[i], 0);
	rmdir(rt_recorder.names.folder);
}

enum jw_status rt_recorder_start(const struct rt_config *config, rt_describe_fn describe,
				 struct jw_err *e)
{
	int folder;

	if (rt_state_now() != RT_OFF)
		return jw_bug(e, "a recording has begun already");
	if (rt_output_files_left() < FILES_LEAST)
		return jw_fail(e, JW_IO,
			       "the program may open fewer than %d more files (ulimit -n)",
			       FILES_LEAST);
	rt_recorder.clock = trace_ticks_choose();
	rt_recorder.describe = describe;
	rt_recorder.mode = config->mode;
	rt_recorder.all_threads = config->all_threads;
	JW_TRY(rt_output_create(config, &rt_recorder.arena, &rt_recorder.names, &folder, e));
	enum jw_status status = open_files(config, folder, e);
	if (status != JW_OK)
		remove_files(folder);
	close(folder);
	if (status != JW_OK)
		return status;
	rt_recorder.has_key = pthread_key_create(&rt_recorder.key, rt_key_destructor) == 0;
	pthread_atfork(NULL, NULL, forked_child);
	if (config->start == RT_START_PAUSED) {
		put_switch(true);
		atomic_store(&rt_recorder.paused, true);
	}
	atomic_store(&rt_recorder.state, (int)RT_RUN);
	return JW_OK;
}

/* ---- end ---- */

/* What is done to the slot of the thread JAVA_ID. */
struct visit {
	int64_t java_id;
	void (*what)(void *ctx, struct rt_slot *slot);
	void *ctx;
};

static void visit_slot(void *ctx, struct rt_slot *slot)
{
	const struct visit *v = ctx;

	if (atomic_load(&slot->owned) && slot->java_id == v->java_id)
		v->what(v->ctx, slot);
}

static void visit(int64_t java_id, void (*what)(void *ctx, struct rt_slot *slot), void *ctx)
{
	struct visit v = { java_id, what, ctx };

	if (!java_id)
		return;
	pthread_mutex_lock(&rt_recorder.lock);
	rt_slots_each(visit_slot, &v);
	pthread_mutex_unlock(&rt_recorder.lock);
}

static void name_slot(void *ctx, struct rt_slot *slot)
{
	const char *const *name = ctx;

	slot->last_name = jw_arena_str(&rt_recorder.arena, jw_span_str(*name));
}

static void take_name(int64_t java_id, const char *name)
{
	if (name)
		visit(java_id, name_slot, &name);
}

/* Does it tell of waits, its own, and is it locked? Of a virtual thread that is pinned, another stack would be
 * seen. */
static bool lock_waiting(struct rt_slot *slot)
{
	return rt_recording() && rt_recorder.mode != RT_MODE_SUMMARY && !slot->shown &&
	       slot->window != &slot->none && rt_slot_lock(slot, RT_END_PATIENCE_MS);
}

static void find_wait(void *ctx, struct rt_slot *slot)
{
	struct rt_open_wait *found = ctx;

	if (!lock_waiting(slot))
		return;
	if (!slot->done) {
		*found = rt_data_open_wait(slot->window);
		found->fd = slot->awaited_fd;
	}
	rt_slot_unlock(slot);
}

static void keep_wait(void *ctx, struct rt_slot *slot)
{
	const struct rt_open_wait *wait = ctx;

	if (!lock_waiting(slot))
		return;
	slot->open = *wait;
	rt_slot_unlock(slot);
}

struct rt_open_wait rt_open_wait_of(int64_t java_id)
{
	struct rt_open_wait found = { 0 };

	visit(java_id, find_wait, &found);
	return found;
}

void rt_open_wait_is(int64_t java_id, struct rt_open_wait wait)
{
	visit(java_id, keep_wait, &wait);
}

bool rt_recorder_outlives(void (*alive)(rt_name_fn take))
{
	if (rt_state_now() == RT_RUN || rt_state_now() == RT_STOPPED)
		alive(take_name);
	return !rt_recorder.follows;
}

static void put_name(void *ctx, struct rt_slot *slot)
{
	(void)ctx;
	if (atomic_load(&slot->owned) && slot->last_name)
		rt_line_thread_named("thread-end", slot->uid, rt_recorder.end_tick, slot->last_name,
				     NULL);
}

static const char *write_out(struct rt_slot *slot, bool last)
{
	struct jwr_window *w = slot->window;

	if (w == &slot->none)
		return NULL;
	if (rt_recorder.mode == RT_MODE_SUMMARY)
		return rt_sums_finish(slot, last);
	return last ? rt_data_write_last(w, &slot->open) : rt_data_write(w, NULL);
}

bool rt_retire(struct rt_slot *slot, bool last, uint64_t *lost)
{
	struct jwr_window *w = slot->window;
	bool sums = rt_recorder.mode == RT_MODE_SUMMARY;
	const char *why = write_out(slot, last);

	if (why && !last) {
		rt_stop(why);
		why = write_out(slot, true);
	}
	slot->done = true;
	*lost = __atomic_load_n(&w->lost, __ATOMIC_RELAXED);
	if (!why) {
		__atomic_store_n(&w->magic, 0u, __ATOMIC_RELEASE);
		return true;
	}
	rt_stop(why);
	if (slot->anonymous && !sums) /* else the window file keeps the records */
		*lost += (__atomic_load_n(&w->cursor, __ATOMIC_ACQUIRE) - JWR_HEADER_SIZE) /
			 sizeof(struct jwr_record);
	return false;
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
	if (!rt_slot_lock(slot, RT_END_PATIENCE_MS)) {
		*complete = false;
		return;
	}
	if (!slot->done && !rt_retire(slot, true, &lost))
		*complete = false;
	rt_slot_unlock(slot);
	rt_line_lost(slot->uid, lost);
	rt_line_thread_cpu(slot->uid, &slot->cpu);
}

/* Threads that not even a slot without records could be had for, and those that began after an early
 * stop, share one line: what they have lost. */
static void put_crowd(void)
{
	struct rt_thread_info info = { .name = "(threads that there was no room for)" };
	uint64_t lost = atomic_load(&rt_recorder.lost);

	if (!lost)
		return;
	uint32_t uid = atomic_fetch_add(&rt_recorder.threads, 1) + 1;
	rt_line_thread(uid, 0, rt_recorder.end_tick, "c", &info);
	rt_line_lost(uid, lost);
}

static bool holds_bytes(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && st.st_size > 0;
}

/* Is there no event in the recording? COMPLETE: none is in the windows alone. */
static bool is_empty(bool complete)
{
	const char *data =
		jw_arena_fmt(&rt_recorder.arena, "%s/" JWR_DATA, rt_recorder.names.folder);

	return data && !holds_bytes(data) && !rt_ring_has_bytes() &&
	       (complete || !holds_bytes(rt_recorder.windows_path));
}

bool rt_recorder_end(const char *reason, struct rt_recorder_result *out)
{
	bool complete = true;

	if (!leave_run(RT_ENDED))
		return false;
	bool whole = rt_trim_pause();
	if (rt_recorder.mode == RT_MODE_SUMMARY)
		rt_sums_virtual_finish();
	rt_data_take_windows();
	rt_slots_each(finish_slot, &complete);
	put_clock_point();
	put_crowd();
	rt_line_cpu(rt_recorder.end_tick);
	rt_slots_each(put_name, NULL);
	if (complete && rt_recorder.mode != RT_MODE_FLIGHT)
		rt_line_data(rt_data_bytes());
	rt_line_tick("end", rt_recorder.end_tick, reason);
	bool empty = is_empty(complete);
	if (complete && rt_recorder.windows_path)
		unlink(rt_recorder.windows_path);
	if (complete)
		rt_tables_remove();
	rt_meta_close();
	if (whole)
		rt_trim_go_on();
	*out = (struct rt_recorder_result){ .names = rt_recorder.names,
					    .bytes = rt_data_bytes(),
					    .complete = complete,
					    .empty = empty };
	snprintf(out->stopped, sizeof(out->stopped), "%s", rt_recorder.stopped);
	return true;
}
