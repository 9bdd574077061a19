/*
 * taps_waits.c: what is called in place of the natives that wait, and that let others go on.
 *
 *     PLACE, PARK     the original park()     PARKED
 *     UNPARK          the original unpark()
 *     START           the original start0(), whose thread may run before it returns
 *     INTERRUPT       the original interrupt0()
 *     PLACE, AWAIT    the original sleep()    AWAITED
 *
 * A thread that is about to wait has time: where it is (stack_place.c) and what it waits for is
 * found out before, so that nothing but the end is told once it goes on. What lets another thread
 * go on is told in a few ns: somebody waits for it.
 */
#include <stdatomic.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/lock_owners.h"
#include "runtime-jni/jvm/objects.h"
#include "runtime-jni/jvm/stack_place.h"
#include "runtime-jni/jvm/taps.h"
#include "runtime-jni/jvm/threads.h"
#include "runtime-jni/jvm/waiter.h"
#include "runtime-jni/recorder/budget.h"
#include "runtime-jni/recorder/channels.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/early.h"
#include "runtime-jni/recorder/off_cpu.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/short_waits.h"
#include "runtime-jni/recorder/virtual_names.h"

#include "base/banned.h"

typedef void(JNICALL *park_fn)(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time);
typedef void(JNICALL *unpark_fn)(JNIEnv *env, jobject unsafe, jobject thread);
typedef void(JNICALL *of_thread_fn)(JNIEnv *env, jobject thread);
typedef void(JNICALL *sleep_fn)(JNIEnv *env, jclass class, jlong time);
typedef void(JNICALL *references_fn)(JNIEnv *env, jclass class);
typedef jobject(JNICALL *unblock_fn)(JNIEnv *env, jclass class);

rt_native_fn rt_tap_original[RT_TAP_FUNCTIONS];

static atomic_bool closed;
static bool tells_parks;

bool rt_taps_prepare(unsigned events)
{
	bool can = rt_jvm.ti && rt_jvm.thread && rt_jvm.thread_id && rt_places_prepare();

	tells_parks = can && events & RT_EVENTS_PARK;
	return can;
}

void rt_taps_close(void)
{
	atomic_store(&closed, true);
}

static bool may_tell(void)
{
	return rt_recording() && !atomic_load_explicit(&closed, memory_order_relaxed);
}

/* Threads that never ran woven code get no row by waiting. */
static bool tells(void)
{
	return rt_is_told() && may_tell();
}

static uint64_t sleep_number(JNIEnv *env)
{
	(void)env;
	return jwr_await(JWR_AWAIT_SLEEP, 0);
}

/* What tells of a wait, what it is for, and what is told of it where it does not end. */
static const struct way {
	enum jwr_kind begins, ends;
	uint64_t (*number)(JNIEnv *env);
	uint64_t over, open;
} parks = { JWR_PARK, JWR_PARKED, rt_waiter_blocker, 0, 0 },
  sleeps = { JWR_AWAIT, JWR_AWAITED, sleep_number, JWR_AWAIT_SLEEP, JWR_AWAIT_SLEEP };

/* A wait that is going on. */
struct wait {
	const void *frame;     /* on the stack of the thread (rt_waiter_place) */
	bool early;            /* kept in case that the thread tells something */
	bool told;             /* that it began */
	uint64_t began, least; /* ticks; BEGAN 0: it is told at once, or not at all */
	uint64_t id;           /* of the thread, where it is told late */
};

/* ---- where short waits are left out (budget.h) ---- */

/* Since when threads wait, by the hash of their ids; a thread may take the place of another one:
 * who unparks that is not told. */
#define WAITING 4096
static struct {
	_Atomic uint64_t id, since;
} waiting[WAITING];

static uint64_t own_id(JNIEnv *env)
{
	jthread thread = NULL;

	if ((*rt_jvm.ti)->GetCurrentThread(rt_jvm.ti, &thread) != JVMTI_ERROR_NONE || !thread)
		return 0;
	uint64_t id = rt_jvmti_id(env, thread);
	(*env)->DeleteLocalRef(env, thread);
	return id;
}

static void note_since(uint64_t id, uint64_t since)
{
	atomic_store_explicit(&waiting[id % WAITING].id, id, memory_order_relaxed);
	atomic_store_explicit(&waiting[id % WAITING].since, since, memory_order_release);
}

/* Has the thread ID waited for LEAST ticks? */
static bool waits_long(uint64_t id, uint64_t least)
{
	uint64_t since = atomic_load_explicit(&waiting[id % WAITING].since, memory_order_acquire);

	return since &&
	       atomic_load_explicit(&waiting[id % WAITING].id, memory_order_relaxed) == id &&
	       trace_tick_now(rt_recorder_clock()) - since >= least;
}

/* ---- waits ---- */

/* Where, then what for. A summary adds up by what alone. */
static void tell_now(JNIEnv *env, const struct way *way, const void *frame)
{
	bool sums = rt_recorder_mode() == RT_MODE_SUMMARY;
	uint64_t now = trace_tick_now(rt_recorder_clock()), number = way->number(env);
	uint32_t place = sums ? 0 : rt_waiter_place(env, number, frame, now);

	rt_placed_event_at(now, place, way->begins, number);
}

/* The same of a wait that began at TICK and is over: the thread is where it was. */
static void tell_late(JNIEnv *env, const struct way *way, const struct wait *w)
{
	uint64_t number = way->number(env);
	uint32_t place =
		rt_waiter_place(env, number, w->frame, trace_tick_now(rt_recorder_clock()));

	rt_short_waits_told(w->began);
	if (place)
		rt_event_late(w->began, JWR_PLACE, place);
	rt_event_late(w->began, way->begins, number);
}

/* Of a thread that has told nothing yet, but may. */
static void begin_early(JNIEnv *env, const struct way *way, struct wait *w)
{
	w->early = rt_early_wanted() && !atomic_load_explicit(&closed, memory_order_relaxed);
	if (w->early)
		rt_early_begins(way->begins, way->number(env));
}

static void begin(JNIEnv *env, const struct way *way, struct wait *w, const void *frame)
{
	*w = (struct wait){ .frame = frame };
	if (!tells()) {
		begin_early(env, way, w);
		return;
	}
	w->least = rt_budget_least_wait();
	if (!w->least) {
		tell_now(env, way, frame);
		w->told = true;
		return;
	}
	w->id = own_id(env);
	w->began = rt_expect_late(way->begins, way->open, -1);
	note_since(w->id, w->began);
}

static void tell_end(JNIEnv *env, const struct way *way, struct wait *w)
{
	uint64_t now = trace_tick_now(rt_recorder_clock());

	if (w->began) {
		rt_expect_no_more();
		note_since(w->id, 0);
		w->told = now - w->began >= w->least;
		if (w->told)
			tell_late(env, way, w);
		if (w->told)
			rt_event_late(now, way->ends, way->over);
		else
			rt_short_wait(now, now - w->began, w->least, false);
	} else {
		rt_event(rt_recorder_clock(), way->ends, way->over);
	}
}

/* What the recorder may ask the VM then, it must not with an exception pending. */
static void end(JNIEnv *env, const struct way *way, struct wait *w)
{
	if (!w->told && !w->began && !w->early)
		return;
	if (w->told && rt_try_event(rt_recorder_clock(), way->ends, way->over)) {
		rt_off_cpu_waited();
		return;
	}
	jthrowable pending = (*env)->ExceptionCheck(env) ? (*env)->ExceptionOccurred(env) : NULL;

	if (pending)
		(*env)->ExceptionClear(env);
	if (w->early)
		rt_early_ends(way->ends, way->over, rt_early_place(env));
	else
		tell_end(env, way, w);
	if (pending) {
		(void)(*env)->Throw(env, pending);
		(*env)->DeleteLocalRef(env, pending);
	}
}

/* ---- taps ---- */

/* The descriptor from which the thread that runs here wants to read; of virtual ones alone it matters. */
#define NO_DESCRIPTOR (-1)
static _Thread_local int polls = NO_DESCRIPTOR;

/* How the wait was told that goes on here, of a virtual thread that is pinned; NULL: none. */
static _Thread_local const struct way *pinned_way;

/* The same wait goes on; false: there is none. */
static bool go_on(struct wait *w, const struct way **way)
{
	const struct way *as = pinned_way;

	pinned_way = NULL;
	if (!as || !rt_goes_on())
		return false;
	*way = as;
	*w = (struct wait){ .told = true };
	return true;
}

void JNICALL rt_tap_park(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time)
{
	const struct way *way = &parks;
	struct wait w;

	polls = NO_DESCRIPTOR; /* of one that is pinned */
	if (!pinned_way || !go_on(&w, &way))
		begin(env, way, &w, __builtin_frame_address(0));
	((park_fn)rt_tap_original[RT_TAP_PARK])(env, unsafe, absolute, time);
	end(env, way, &w);
}

/* Threads of the JDK that wait in the VM for references that are cleared, and for virtual threads that have
 * the monitor that they were blocked for: as if they parked. */
void JNICALL rt_tap_references(JNIEnv *env, jclass class)
{
	struct wait w;

	begin(env, &parks, &w, __builtin_frame_address(0));
	((references_fn)rt_tap_original[RT_TAP_REFERENCES])(env, class);
	end(env, &parks, &w);
}

jobject JNICALL rt_tap_unblock(JNIEnv *env, jclass class)
{
	struct wait w;

	begin(env, &parks, &w, __builtin_frame_address(0));
	jobject list = ((unblock_fn)rt_tap_original[RT_TAP_UNBLOCK])(env, class);
	end(env, &parks, &w);
	return list;
}

static void tell_unpark(uint64_t id)
{
	uint64_t least = rt_budget_least_wait();

	if (least && !waits_long(id, least))
		return;
	rt_meet_waker(id);
	if (rt_is_told())
		rt_event(rt_recorder_clock(), JWR_UNPARK, jwr_thread_object(id));
}

void JNICALL rt_tap_unpark(JNIEnv *env, jobject unsafe, jobject thread)
{
	if (thread && may_tell())
		tell_unpark(rt_jvmti_id(env, thread));
	((unpark_fn)rt_tap_original[RT_TAP_UNPARK])(env, unsafe, thread);
}

/* What is done to THREAD by the native of TAP is told as KIND before. */
static void tell_of_thread(JNIEnv *env, jobject thread, enum jwr_kind kind,
			   enum rt_tap_function tap)
{
	if (thread && tells())
		rt_event(rt_recorder_clock(), kind, jwr_thread_object(rt_jvmti_id(env, thread)));
	((of_thread_fn)rt_tap_original[tap])(env, thread);
}

void JNICALL rt_tap_start(JNIEnv *env, jobject thread)
{
	tell_of_thread(env, thread, JWR_START, RT_TAP_START);
}

void JNICALL rt_tap_interrupt(JNIEnv *env, jobject thread)
{
	tell_of_thread(env, thread, JWR_INTERRUPT, RT_TAP_INTERRUPT);
}

void JNICALL rt_tap_sleep(JNIEnv *env, jclass class, jlong time)
{
	struct wait w;

	begin(env, &sleeps, &w, __builtin_frame_address(0));
	((sleep_fn)rt_tap_original[RT_TAP_SLEEP])(env, class, time);
	end(env, &sleeps, &w);
}

/* ---- virtual threads ---- */

/* Which of them have told that they wait, and which of these for a descriptor, by their ids; two ids
 * in 2^20 share a bit. */
static _Atomic uint64_t away[RT_VIRTUAL_BITS / 64], away_polling[RT_VIRTUAL_BITS / 64];

static void set_bit(_Atomic uint64_t *bits, uint64_t id)
{
	atomic_fetch_or(&bits[id % RT_VIRTUAL_BITS / 64], UINT64_C(1) << id % 64);
}

/* Was it set? */
static bool take_bit(_Atomic uint64_t *bits, uint64_t id)
{
	_Atomic uint64_t *word = &bits[id % RT_VIRTUAL_BITS / 64];
	uint64_t bit = UINT64_C(1) << id % 64;

	if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
		return false;
	atomic_fetch_and(word, ~bit);
	return true;
}

void rt_virtual_polls(int fd)
{
	polls = fd;
}

static uint64_t poll_number(JNIEnv *env)
{
	(void)env;
	return jwr_await(JWR_AWAIT_POLL, rt_channel_met(polls));
}

static const struct way virtual_polls = { JWR_AWAIT, JWR_AWAITED, poll_number, JWR_AWAIT_POLL, 0 };

/* Who unparks a virtual thread is told by no native: who has the lock when it begins to wait has to do. */
static void tell_owner(JNIEnv *env, jobject thread)
{
	uint64_t owner = rt_lock_owner(env, thread);

	if (owner)
		rt_event(rt_recorder_clock(), JWR_HOLDER, jwr_thread_object(owner));
}

/* Those that ran on a thread that tells. The next one that they run on may have told nothing yet. */
static _Atomic uint64_t have_told[RT_VIRTUAL_BITS / 64];

/* Has ID told anything, or may what runs it? */
static bool is_told(uint64_t id)
{
	uint64_t bit = UINT64_C(1) << id % 64;
	uint64_t before =
		atomic_load_explicit(&have_told[id % RT_VIRTUAL_BITS / 64], memory_order_relaxed);

	if (before & bit)
		return may_tell();
	if (!tells())
		return false;
	set_bit(have_told, id);
	return true;
}

/* Who joins it parks for its latch. Of several the VM lets one go on, who lets the next. (It has left its carrier by then.) */
void rt_taps_virtual_ends(JNIEnv *env, jobject thread, uint64_t id)
{
	bool tells_end = tells_parks && may_tell() && rt_virtual_has_logged(id) &&
			 rt_recorder_mode() != RT_MODE_SUMMARY;
	jobject latch = tells_end ? rt_joiners_blocker(env, thread) : NULL;
	uint64_t number = latch ? rt_object_number(env, latch) : 0;

	take_bit(have_told, id);
	(*env)->DeleteLocalRef(env, latch);
	if (!number)
		return;
	rt_thread_mounts(id);
	rt_event(rt_recorder_clock(), JWR_UNPARK, number);
}

/* How long they wait is not known until they run on another carrier, which has told other things
 * since: where short waits are left out, theirs are all told in sum. */
void rt_taps_unmount(JNIEnv *env, jobject thread, bool waits)
{
	uint64_t id = rt_tls.mounted;

	if (!tells_parks || !id || !is_told(id) || !waits)
		return;
	/* of what has no number, as a pipe, it is not seen when it is read */
	bool polling = polls != NO_DESCRIPTOR && rt_channel_met(polls);

	if (rt_budget_least_wait()) {
		rt_short_unmount(id, polling);
	} else {
		tell_now(env, polling ? &virtual_polls : &parks, __builtin_frame_address(0));
		if (!polling && rt_recorder_mode() != RT_MODE_SUMMARY)
			tell_owner(env, thread);
		set_bit(away, id);
		if (polling)
			set_bit(away_polling, id);
	}
	polls = NO_DESCRIPTOR;
}

void rt_taps_mounted(uint64_t id, bool pinned)
{
	uint64_t least = rt_budget_least_wait();
	bool told = take_bit(away, id), polled = told && take_bit(away_polling, id);
	const struct way *way = polled ? &virtual_polls : &parks;
	uint64_t over = polled ? way->over : JWR_PARKED_MOUNT;

	polls = NO_DESCRIPTOR;
	pinned_way = told && pinned ? way : NULL;
	if (!may_tell())
		rt_short_lost(id);
	if ((!told && !least) || !may_tell())
		return;
	if (pinned_way)
		rt_may_go_on(trace_tick_now(rt_recorder_clock()), way->ends, over);
	else if (told)
		rt_event(rt_recorder_clock(), way->ends, over);
	else
		rt_short_mounted(id, least);
}

/* ---- waits that go on at the end ---- */

static void tell_open(void *ctx, JNIEnv *env, jthread thread)
{
	int64_t id = (int64_t)rt_jvmti_id(env, thread);
	struct rt_open_wait wait = rt_open_wait_of(id);

	(void)ctx;
	if (!wait.since)
		return;
	wait.place = rt_place_of(env, thread);
	if (jwr_word_kind(wait.word) == parks.begins)
		wait.word = jwr_word(parks.begins, rt_waiter_blocker_of(env, thread));
	else if (wait.fd >= 0)
		wait.word = jwr_word(JWR_AWAIT, jwr_await(JWR_AWAIT_READ, rt_channel_met(wait.fd)));
	if (wait.place)
		rt_open_wait_is(id, wait);
}

void rt_taps_tell_open(JNIEnv *env)
{
	if (rt_recording())
		rt_jvmti_each_thread(env, tell_open, NULL);
}
