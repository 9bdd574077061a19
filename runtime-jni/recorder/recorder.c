#include "runtime-jni/recorder/recorder.h"

#include <errno.h>
#include <stdio.h>

#include "runtime-jni/recorder/budget.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/early.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/meta_trim.h"
#include "runtime-jni/recorder/off_cpu.h"
#include "runtime-jni/recorder/sampling.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/state.h"
#include "runtime-jni/recorder/sums.h"

#include "base/banned.h"

/* Where threads without a window point: nobody writes here. */
static struct jwr_window nowhere;

_Thread_local struct rt_tls rt_tls = { .window = &nowhere, .table = &rt_no_table };

static const struct rt_thread_info vm_info = { .name = "JVM" };

/* A thread of the system may become one of Java again: main becomes DestroyJavaVM. One of the runtime's own, which
 * attaches itself again and again, stays muted. */
void rt_forget_thread(void)
{
	rt_tls = (struct rt_tls){ .window = &nowhere,
				  .table = &rt_no_table,
				  .cpu_before = rt_tls.cpu_before,
				  .muted = rt_tls.muted };
}

/* ---- threads ---- */

/* The window's header for its new owner; magic last, since kill -9 may come at any instant. */
static void own_window(struct rt_slot *slot)
{
	struct jwr_window *w = slot->window;

	w->thread = slot->uid;
	w->seq = 0;
	w->waits = 0;
	slot->shown = 0;
	w->lost = 0;
	w->began = trace_tick_point(rt_recorder.clock, 1);
	slot->place_count = 0;
	__atomic_store_n(&w->cursor, (uint64_t)JWR_HEADER_SIZE, __ATOMIC_RELEASE);
	if (rt_recorder.mode == RT_MODE_SUMMARY)
		rt_sums_own(slot);
	else
		__atomic_store_n(&w->limit, rt_recorder.paused ? 0 : (uint64_t)JWR_WINDOW_FULL,
				 __ATOMIC_RELAXED);
	__atomic_store_n(&w->magic, JWR_MAGIC, __ATOMIC_RELEASE);
}

/* Which threads have, or had, a row: a bit for each Java id, of which those 65,536 apart share one. */
static _Atomic uint64_t rows[1024];

static void note_row(uint64_t java_id)
{
	atomic_fetch_or_explicit(&rows[java_id / 64 % 1024], UINT64_C(1) << java_id % 64,
				 memory_order_relaxed);
}

static bool has_row(uint64_t java_id)
{
	return atomic_load_explicit(&rows[java_id / 64 % 1024], memory_order_relaxed) >>
		       java_id % 64 &
	       1;
}

/* A slot for this thread, with a window if there is one to be had; NULL: no memory at all. LATE:
 * even when recording has ended. */
static struct rt_slot *take_slot(const struct rt_thread_info *info, bool late)
{
	struct rt_slot_refusal refusal = { 0 };
	struct rt_slot *slot = NULL;

	pthread_mutex_lock(&rt_recorder.lock);
	enum rt_state state = rt_state_now();
	if ((state == RT_RUN || late) && (!info->is_virtual || rt_recorder.follows))
		slot = rt_slot_take(&refusal);
	if (!slot && (state == RT_RUN || state == RT_STOPPED))
		slot = rt_slot_take_bare();
	if (slot) {
		slot->uid = atomic_fetch_add(&rt_recorder.threads, 1) + 1;
		slot->java_id = info->java_id;
		slot->cpu = (struct rt_cpu){ 0 };
		slot->last_name = NULL;
		slot->name_hash = jw_hash64(jw_span_str(info->name), 0);
		if (slot->window != &slot->none)
			own_window(slot);
		slot->looked_ns = slot->window->began.mono_ns;
		atomic_store(&slot->owned, true);
	}
	pthread_mutex_unlock(&rt_recorder.lock);
	if (refusal.full)
		rt_no_window();
	if (slot && slot->anonymous)
		rt_note_anonymous(refusal.anonymous);
	return slot;
}

static const char virtual_note[] =
	"events of virtual threads are not recorded: they are counted as lost, on their carriers";

struct rt_slot *rt_attach(void)
{
	struct rt_thread_info info = { 0 };
	enum rt_state state = rt_state_now();
	char flags[3];

	if (state != RT_RUN) /* after an early stop a thread that is new is not even named */
		return NULL;
	uint64_t now = trace_tick_now(rt_recorder.clock);
	if (rt_recorder.describe)
		rt_recorder.describe(&info);
	if (info.is_virtual && !rt_recorder.follows &&
	    !atomic_exchange(&rt_recorder.noted_virtual, true))
		rt_note(virtual_note);
	struct rt_slot *slot = take_slot(&info, false);
	if (!slot)
		return NULL;
	snprintf(flags, sizeof(flags), "%s%s", info.daemon ? "d" : "",
		 info.is_virtual && !rt_recorder.follows ? "v" : "");
	rt_line_thread(slot->uid, rt_tls.start, now, flags[0] ? flags : "-", &info);
	if (!info.is_virtual) /* a carrier has no row of its own */
		note_row((uint64_t)info.java_id);
	else if (rt_recorder.follows) /* mounted before anybody could tell */
		rt_tls.mounted = info.virtual_id;
	slot->cpu.before = rt_tls.start ? rt_tls.cpu_before : trace_ns_of(CLOCK_THREAD_CPUTIME_ID);
	rt_off_cpu_begins(slot, slot->cpu.before);
	if (pthread_getcpuclockid(pthread_self(), &slot->cpu.clock) != 0)
		slot->cpu.clock = 0;
	rt_tls.slot = slot;
	rt_tls.window = slot->window;
	if (rt_recorder.has_key)
		pthread_setspecific(rt_recorder.key, slot);
	if (slot->window != &slot->none)
		rt_early_tell(slot->window);
	return slot;
}

struct rt_slot *rt_attach_more(const struct rt_thread_info *info, const char *flags, bool late)
{
	struct rt_slot *slot = take_slot(info, late);

	if (slot)
		rt_line_thread(slot->uid, 0, trace_tick_now(rt_recorder.clock), flags, info);
	return slot;
}

void rt_meet_thread(void)
{
	int saved = errno;

	if (!rt_tls.slot)
		(void)rt_attach();
	errno = saved;
}

void rt_meet_waker(uint64_t java_id)
{
	if (!rt_tls.slot && !rt_tls.muted && !rt_tls.mounted &&
	    rt_recorder.mode != RT_MODE_SUMMARY && has_row(java_id))
		rt_meet_thread();
}

void rt_thread_begins(void)
{
	if (rt_recording())
		rt_tls.start = trace_tick_now(rt_recorder.clock);
}

static void end_slot(struct rt_slot *slot, const char *name)
{
	uint64_t lost = 0, now = trace_tick_now(rt_recorder.clock);
	uint32_t uid = slot->uid;
	const struct rt_cpu cpu = slot->cpu;
	bool empty = false;

	if (!rt_slot_lock(slot, RT_END_PATIENCE_MS))
		return;
	bool mine = !slot->done;
	if (mine)
		empty = rt_retire(slot, rt_state_now() != RT_RUN, &lost);
	atomic_store(&slot->owned, false);
	rt_slot_unlock(slot);
	if (!mine)
		return;
	rt_line_lost(uid, lost);
	rt_line_thread_named("thread-end", uid, now, name ? name : slot->last_name, &cpu);
	rt_trim_meta();
	if (!empty)
		return;
	pthread_mutex_lock(&rt_recorder.lock);
	rt_sums_disown(slot);
	rt_slot_give(slot);
	pthread_mutex_unlock(&rt_recorder.lock);
}

void rt_thread_ends(const char *name)
{
	struct rt_slot *slot = rt_tls.slot;
	int saved = errno;

	rt_forget_thread();
	rt_early_forget();
	if (!slot)
		return;
	rt_tls.cpu_before = trace_ns_of(CLOCK_THREAD_CPUTIME_ID);
	if (rt_recorder.has_key)
		pthread_setspecific(rt_recorder.key, NULL);
	if (rt_state_now() == RT_RUN || rt_state_now() == RT_STOPPED) {
		struct rt_slot *virtuals = slot->virtuals;

		if (virtuals)
			end_slot(virtuals, NULL);
		end_slot(slot, name);
	}
	errno = saved;
}

void rt_key_destructor(void *slot)
{
	if (slot == rt_tls.slot)
		rt_thread_ends(NULL);
}

/* ---- events ---- */

static void look_at_length(void)
{
	if (rt_recorder.when_long && rt_data_bytes() >= rt_recorder.long_bytes &&
	    !atomic_exchange(&rt_recorder.is_long, true))
		rt_recorder.when_long();
}

/* A busy thread fills a window in 100 us, and a look at its name takes 2 or 3. */
#define LOOK_EVERY_NS UINT64_C(10000000)

/* The window of this thread is full: is its name another one by now? */
static void look_at_name(struct rt_slot *slot)
{
	uint64_t began = slot->window->began.mono_ns;
	char name[sizeof(((struct rt_thread_info *)0)->name)] = "";

	if (!rt_recorder.own_name || rt_tls.mounted || began - slot->looked_ns < LOOK_EVERY_NS)
		return;
	slot->looked_ns = began;
	rt_recorder.own_name(name, sizeof(name));
	uint64_t hash = jw_hash64(jw_span_str(name), 0);

	if (!name[0] || hash == slot->name_hash)
		return;
	slot->name_hash = hash;
	rt_line_thread_named("thread-name", slot->uid, trace_tick_now(rt_recorder.clock), name,
			     NULL);
}

void rt_watch_names(rt_virtual_name_fn name)
{
	rt_recorder.own_name = name;
}

/* Makes room in the full window of this thread. */
static bool make_room(struct rt_slot *slot)
{
	if (rt_state_now() != RT_RUN || slot->window == &slot->none ||
	    !rt_slot_lock(slot, RT_END_PATIENCE_MS))
		return false;
	uint64_t at = 0;
	const char *why = slot->done ? NULL : rt_data_write(slot->window, &at);
	bool room = !slot->done && !why;
	if (room && rt_recorder.keeps_places)
		rt_slot_note_place(slot, slot->window->seq, at);
	if (room)
		rt_data_emptied(slot->window);
	if (slot == rt_tls.slot) /* where the recording is a ring, what was told may go */
		rt_tls.has_context = false;
	if (room && slot == rt_tls.slot)
		rt_off_cpu_window(slot);
	rt_slot_unlock(slot);
	if (why)
		rt_stop(why);
	if (room) {
		look_at_length();
		rt_budget_full();
	}
	return room;
}

void rt_flush(void)
{
	struct rt_slot *slot = rt_tls.slot;
	int saved = errno;

	if (rt_recorder.mode == RT_MODE_SUMMARY) /* the file has what is mapped */
		return;
	if (slot && slot->window->cursor > JWR_HEADER_SIZE && make_room(slot)) {
		slot->shown = 0;
		rt_tls.window = rt_tls.mounted ? &nowhere : slot->window;
	}
	errno = saved;
}

void rt_when_long(uint64_t bytes, void (*tell)(void))
{
	rt_recorder.long_bytes = bytes;
	rt_recorder.when_long = tell;
}

void rt_mute(void)
{
	rt_tls.muted = true;
}

/* Nothing was promised after the end: what daemon threads log then is not lost. */
void rt_count_lost(struct rt_slot *slot)
{
	enum rt_state state = rt_state_now();

	if (state != RT_RUN && state != RT_STOPPED)
		return;
	if (slot) { /* its owner alone writes the count */
		uint64_t *lost = &slot->window->lost;

		__atomic_store_n(lost, *lost + 1, __ATOMIC_RELAXED);
	} else {
		atomic_fetch_add_explicit(&rt_recorder.lost, 1, memory_order_relaxed);
	}
}

/* Room for one record more, paused or not: the limit that the hot path sees is not asked. A fresh
 * window begins with records of the thread itself. */
static bool has_room(struct rt_slot *slot)
{
	struct jwr_window *w = slot->window;

	while (rt_state_now() != RT_RUN || w == &slot->none || w->cursor >= JWR_WINDOW_FULL) {
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
		rt_virtual_logs(id, rt_recorder.virtual_name);
	while (has_room(slot)) {
		if (slot->shown == id)
			return true;
		rt_record(w, w->cursor, trace_tick_now(rt_recorder.clock),
			  jwr_word(JWR_SWITCH, id));
		slot->shown = id;
		rt_tls.has_context = false;
	}
	return false;
}

void rt_hush(bool hush)
{
	rt_tls.hushed = hush;
	if (hush)
		rt_tls.window = &nowhere; /* the next event looks what it is */
}

/* Is an event of KIND one that this thread does not say just now? Any but a capture ends that. */
static bool is_hushed(enum jwr_kind kind)
{
	if (rt_tls.hushed && (kind == JWR_OBJECT || kind == JWR_VALUE || kind == JWR_WIDE))
		return true;
	rt_tls.hushed = false;
	return false;
}

void rt_event_slow(enum jwr_kind kind, uint64_t payload)
{
	struct rt_slot *slot = rt_tls.slot;
	int saved = errno;

	if (rt_tls.ended.tick)
		rt_tell_ended();
	if (rt_tls.muted || rt_paused() || is_hushed(kind))
		return;
	if (rt_recorder.mode == RT_MODE_SUMMARY) {
		rt_sums_event(kind, payload, 0);
		return;
	}
	if (!slot)
		slot = rt_attach();
	if (slot && slot->window->cursor >= JWR_WINDOW_FULL)
		look_at_name(slot);
	if (slot && prepare(slot)) {
		struct jwr_window *w = slot->window;

		rt_tls.window = w;
		rt_record(w, w->cursor, trace_tick_now(rt_recorder.clock), jwr_word(kind, payload));
	} else {
		rt_count_lost(slot);
	}
	errno = saved;
}

static bool same_context(const struct jwr_context *a, const struct jwr_context *b)
{
	return a->trace_high == b->trace_high && a->trace_low == b->trace_low && a->span == b->span;
}

/* A virtual thread that runs here now has told another one than the last (prepare()). */
static bool may_have_moved(const struct rt_slot *slot)
{
	return slot && slot->shown != rt_tls.mounted;
}

bool rt_wants_context(void)
{
	return !rt_tls.muted && !rt_paused() && rt_recorder.mode != RT_MODE_SUMMARY;
}

void rt_silence(bool silent)
{
	rt_tls.muted = silent;
	rt_tls.window = &nowhere; /* the next event asks */
}

void rt_context(const struct jwr_context *context)
{
	if (!rt_wants_context())
		return;
	if (rt_tls.has_context && !may_have_moved(rt_tls.slot) &&
	    same_context(&rt_tls.context, context))
		return;
	for (unsigned i = 0; i < JWR_CONTEXT_PARTS; i++)
		rt_event(rt_recorder.clock, JWR_CONTEXT, jwr_context_part(context, i));
	rt_tls.context = *context;
	rt_tls.has_context = true;
}

#define LATE_RECORDS 6 /* what one wait takes, with the sums of short ones before it */

/* A chunk says when it began: a record from before would be taken for one of then. */
uint64_t rt_expect_late(enum jwr_kind kind, uint64_t payload, int fd)
{
	const uint64_t most = JWR_WINDOW_FULL - LATE_RECORDS * sizeof(struct jwr_record);
	struct rt_slot *slot = rt_tls.slot;

	if (slot && slot->window->cursor > most)
		rt_flush();
	uint64_t tick = trace_tick_now(rt_recorder.clock);
	if (!slot || slot->window == &slot->none || slot->window->cursor > most ||
	    may_have_moved(slot) || rt_paused())
		return tick;
	struct jwr_window *w = slot->window;
	struct jwr_record *r = (struct jwr_record *)(void *)((char *)w + w->cursor);

	*r = (struct jwr_record){ tick, jwr_word(kind, payload) };
	slot->awaited_fd = fd;
	__atomic_store_n(&w->waits, 1u, __ATOMIC_RELEASE);
	return tick;
}

void rt_expect_no_more(void)
{
	struct rt_slot *slot = rt_tls.slot;

	if (slot && slot->window != &slot->none)
		__atomic_store_n(&slot->window->waits, 0u, __ATOMIC_RELEASE);
}

void rt_event_late(uint64_t tick, enum jwr_kind kind, uint64_t payload)
{
	struct rt_slot *slot = rt_tls.slot;
	int saved = errno;

	if (rt_tls.ended.tick)
		rt_tell_ended();
	if (!slot || rt_paused())
		return;
	if (prepare(slot)) {
		struct jwr_window *w = slot->window;

		rt_record(w, w->cursor, tick, jwr_word(kind, payload));
	} else {
		rt_count_lost(slot);
	}
	errno = saved;
}

/* ---- virtual threads ---- */

void rt_follow_virtual(rt_virtual_name_fn name)
{
	rt_recorder.virtual_name = name;
	rt_recorder.follows = true;
}

void rt_thread_mounts(uint64_t id)
{
	if (rt_tls.ended.tick)
		rt_tell_ended();
	rt_tls.mounted = id;
	rt_tls.window = &nowhere; /* the next event looks who it is */
	rt_tls.table = &rt_no_table;
	rt_tls.calls = NULL;
}

void rt_virtual_ends(uint64_t id)
{
	int saved = errno;

	rt_sampling_virtual_ends(id);
	if (!rt_virtual_has_logged(id))
		return;
	struct rt_slot *slot = rt_tls.slot ? rt_tls.slot : rt_attach();
	rt_virtual_leaves(id, rt_recorder.virtual_name);
	rt_thread_mounts(0);
	if (rt_recorder.mode == RT_MODE_SUMMARY) {
		rt_sums_virtual_ends(id);
		errno = saved;
		return;
	}
	if (slot && has_room(slot)) {
		struct jwr_window *w = slot->window;

		rt_record(w, w->cursor, trace_tick_now(rt_recorder.clock), jwr_word(JWR_END, id));
		if (slot->shown == id)
			slot->shown = 0;
	}
	errno = saved;
}

bool rt_is_told(void)
{
	if (__builtin_expect(rt_recorder.all_threads, 0) && !rt_tls.muted) {
		rt_meet_thread();
		return rt_tls.slot;
	}
	return rt_tls.slot && (!rt_tls.mounted || rt_virtual_has_logged(rt_tls.mounted));
}

/* ---- the VM's own events ---- */

void rt_vm_prepare(void)
{
	if (!rt_recorder.vm)
		rt_recorder.vm = take_slot(&vm_info, false);
}

static void vm_event(struct rt_slot *slot, enum jwr_kind kind, uint64_t payload)
{
	uint64_t now = trace_tick_now(rt_recorder.clock);

	if (rt_paused() || (rt_state_now() != RT_RUN && rt_state_now() != RT_STOPPED))
		return;
	if (!rt_recorder.vm_named)
		rt_line_thread(slot->uid, 0, now, "j", &vm_info);
	rt_recorder.vm_named = true;
	if (rt_recorder.mode == RT_MODE_SUMMARY)
		rt_sums_vm_event(slot, kind, now);
	else if (has_room(slot))
		rt_record(slot->window, slot->window->cursor, now, jwr_word(kind, payload));
	else
		rt_count_lost(slot);
}

void rt_vm_event(enum jwr_kind kind, uint64_t payload)
{
	static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
	int saved = errno;

	if (!rt_recorder.vm)
		return;
	pthread_mutex_lock(&one_at_a_time);
	vm_event(rt_recorder.vm, kind, payload);
	pthread_mutex_unlock(&one_at_a_time);
	errno = saved;
}
