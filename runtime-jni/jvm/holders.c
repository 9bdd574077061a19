/*
 * holders.c: see holders.h.
 *
 * One lock is of all that is known of waits. It is taken by threads in native code, so it does not
 * hold up a safepoint; and nobody asks the VM about a monitor while it is taken.
 */
#include "runtime-jni/jvm/holders.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/lock_owners.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/own_thread.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/state.h"
#include "trace/format/recording.h"
#include "trace/format/tick.h"

#include "base/banned.h"

#define WAITS     64 /* of more at a time nobody is asked about */
#define LONG_NS   (5 * UINT64_C(1000000))
#define SHARE     50 /* so much longer than it takes to ask it is quiet */
#define SECOND_NS UINT64_C(1000000000)

/* By the thread that waits, since a virtual one may go on elsewhere. */
struct wait {
	uint64_t thread;         /* its id; 0: there is none */
	jobject object;          /* a global reference */
	uint64_t begin;          /* ns */
	uint64_t since;          /* likewise; or when the VM was asked, and nobody had it */
	struct rt_holder holder; /* thread 0: not known yet */
	uint64_t had;            /* since then: ns */
	uint64_t handed; /* when a thread that had waited, too, got it last; ns, 0: none has */
	struct rt_held longest; /* of those that had it before; */
	uint64_t longest_ns;    /* so long, during the wait */
	uint64_t told;          /* in meta: the tick of the holder that was, */
	uint64_t told_at;       /* then; ns */
};

static struct {
	atomic_bool can;
	bool begun;
	pthread_mutex_t lock;
	pthread_cond_t wake; /* somebody waits */
	atomic_uint waiting; /* changed with the lock */
	struct wait waits[WAITS];
} holders = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER };

void rt_holders_prepare(void)
{
	static const jvmtiCapabilities needs = { .can_get_monitor_info = 1 };

	holders.can = (*rt_jvm.ti)->AddCapabilities(rt_jvm.ti, &needs) == JVMTI_ERROR_NONE;
}

/* ---- asking ---- */

/* The id of the thread that has the monitor of OBJECT; 0: nobody, or the VM does not say. */
static uint64_t holder_of(JNIEnv *env, jobject object)
{
	jvmtiMonitorUsage usage = { 0 };
	bool framed = rt_jvm_many(env); /* all who wait are told, too */
	uint64_t id = 0;

	if ((*rt_jvm.ti)->GetObjectMonitorUsage(rt_jvm.ti, object, &usage) == JVMTI_ERROR_NONE) {
		id = rt_jvmti_id(env, usage.owner);
		(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)usage.waiters);
		(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)usage.notify_waiters);
	}
	if (framed)
		(*env)->PopLocalFrame(env, NULL);
	return id;
}

/* The next wait from place *AT that has lasted at NOW; NULL: none. */
static struct wait *next_long(size_t *at, uint64_t now)
{
	while (*at < WAITS) {
		struct wait *w = &holders.waits[(*at)++];

		if (w->thread && !w->holder.thread && now - w->since >= LONG_NS)
			return w;
	}
	return NULL;
}

/* What it waits for, as a local reference; NULL: no wait has lasted. */
static jobject awaited(JNIEnv *env, size_t *at, uint64_t now)
{
	pthread_mutex_lock(&holders.lock);
	struct wait *w = next_long(at, now);
	jobject object = w ? (*env)->NewLocalRef(env, w->object) : NULL;

	if (w)
		w->since = now;
	pthread_mutex_unlock(&holders.lock);
	return object;
}

/* HOLDER had the monitor of OBJECT after BEFORE: for all who have waited for it since then, or longer. */
static void tell(JNIEnv *env, jobject object, struct rt_holder holder, uint64_t before)
{
	pthread_mutex_lock(&holders.lock);
	for (size_t i = 0; i < WAITS; i++) {
		struct wait *w = &holders.waits[i];

		if (w->thread && w->since <= before && w->handed <= before &&
		    jwr_thread_object(w->thread) != holder.thread &&
		    (*env)->IsSameObject(env, w->object, object)) {
			w->holder = holder;
			w->had = w->handed ? w->handed : w->begin;
		}
	}
	pthread_mutex_unlock(&holders.lock);
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec t = { (time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS) };

	nanosleep(&t, NULL);
}

/* Asks about the next wait from place *AT that has lasted, for all that wait for the same. */
static void ask(JNIEnv *env, size_t *at)
{
	uint64_t before = trace_ns_of(CLOCK_MONOTONIC);
	jobject object = awaited(env, at, before);
	uint64_t id = object ? holder_of(env, object) : 0;
	const struct rt_holder holder = { jwr_thread_object(id),
					  trace_tick_now(rt_recorder_clock()) };

	if (id)
		tell(env, object, holder, before);
	if (object)
		(*env)->DeleteLocalRef(env, object);
}

/* Is there a wait from place AT on that has lasted at NOW? */
static bool any_lasts(size_t at, uint64_t now)
{
	pthread_mutex_lock(&holders.lock);
	bool any = next_long(&at, now);

	pthread_mutex_unlock(&holders.lock);
	return any;
}

static void ask_all(void)
{
	uint64_t now = trace_ns_of(CLOCK_MONOTONIC);

	for (size_t at = 0; rt_recording() && any_lasts(at, now);) {
		JNIEnv *env = rt_jvm_attach_own();

		if (!env)
			return;
		ask(env, &at);
		rt_jvm_detach_own(env);
		sleep_ns((trace_ns_of(CLOCK_MONOTONIC) - now) * SHARE);
		now = trace_ns_of(CLOCK_MONOTONIC);
	}
}

/* Which wait has begun by THEN, from place *AT on, and was not told since, or not its holder; thread 0: none. */
static struct wait next_to_tell(size_t *at, uint64_t then)
{
	struct wait found = { 0 };

	pthread_mutex_lock(&holders.lock);
	while (*at < WAITS && !found.thread) {
		struct wait *w = &holders.waits[(*at)++];

		if (!w->thread || !w->holder.thread || w->told == w->holder.tick ||
		    w->begin > then || w->told_at > then)
			continue;
		w->told = w->holder.tick;
		w->told_at = trace_ns_of(CLOCK_MONOTONIC);
		found = *w;
	}
	pthread_mutex_unlock(&holders.lock);
	return found;
}

/* Those that have lasted for NS may never end. */
static void tell_lasting(uint64_t ns)
{
	uint64_t then = trace_ns_of(CLOCK_MONOTONIC) - ns;
	struct wait w;

	for (size_t at = 0; (w = next_to_tell(&at, then)).thread;)
		rt_line_held(w.thread, w.holder.tick, w.holder.thread);
}

static void await_waits(void)
{
	pthread_mutex_lock(&holders.lock);
	while (!holders.waiting)
		pthread_cond_wait(&holders.wake, &holders.lock);
	pthread_mutex_unlock(&holders.lock);
}

static void *ask_on(void *unused)
{
	rt_mute();
	while (rt_recording()) {
		await_waits();
		sleep_ns(LONG_NS);
		if (rt_paused())
			continue;
		ask_all();
		tell_lasting(SECOND_NS);
	}
	return unused;
}

/* ---- who waits ---- */

/* The place of THREAD; 0: the first that is free; NULL: none. */
static struct wait *place_of(uint64_t thread)
{
	for (size_t i = 0; i < WAITS; i++)
		if (holders.waits[i].thread == thread)
			return &holders.waits[i];
	return NULL;
}

/* Begins our thread, the first time; false: there is none. */
static bool is_asked(JNIEnv *env)
{
	if (!holders.begun) {
		rt_jvm_prepare_own(env);
		holders.can = rt_own_thread(ask_on, RT_STACK_JAVA) == 0;
	}
	holders.begun = true;
	return holders.can;
}

void rt_holder_begins(JNIEnv *env, jthread thread, jobject object)
{
	if (!holders.can || rt_recorder_mode() == RT_MODE_SUMMARY)
		return;
	jobject kept = (*env)->NewGlobalRef(env, object);
	uint64_t now = trace_ns_of(CLOCK_MONOTONIC);
	const struct wait wait = {
		.thread = rt_jvmti_id(env, thread),
		.object = kept,
		.begin = now,
		.since = now,
	};

	rt_holder_gone(env, thread); /* what it has waited for before it has got */
	pthread_mutex_lock(&holders.lock);
	struct wait *w = is_asked(env) && kept && wait.thread ? place_of(0) : NULL;

	if (w) {
		*w = wait;
		if (holders.waiting++ == 0)
			pthread_cond_signal(&holders.wake);
	}
	pthread_mutex_unlock(&holders.lock);
	if (!w && kept)
		(*env)->DeleteGlobalRef(env, kept);
}

/* Takes the wait of THREAD out, with the lock; thread 0: there is none. */
static struct wait take_out(uint64_t thread)
{
	struct wait *w = holders.waiting ? place_of(thread) : NULL, taken = { 0 };

	if (w) {
		taken = *w;
		*w = (struct wait){ 0 };
		holders.waiting--;
	}
	return taken;
}

void rt_holder_gone(JNIEnv *env, jthread thread)
{
	uint64_t id = atomic_load(&holders.waiting) ? rt_jvmti_id(env, thread) : 0;

	if (!id)
		return;
	pthread_mutex_lock(&holders.lock);
	struct wait gone = take_out(id);

	pthread_mutex_unlock(&holders.lock);
	if (gone.object)
		(*env)->DeleteGlobalRef(env, gone.object);
}

/* Who has had the monitor of W has it no longer, as somebody has got it at NOW, which is TICK; 0: W itself. */
static void end_part(struct wait *w, uint64_t now, uint64_t tick)
{
	uint64_t ns = w->holder.thread ? now - w->had : 0;

	if (ns > w->longest_ns) {
		w->longest = (struct rt_held){ w->holder, tick };
		w->longest_ns = ns;
	}
}

/* ENDED has got the monitor: those who have waited for it for long know who has it now. */
static void hand_over(JNIEnv *env, const struct wait *ended, uint64_t now)
{
	const struct rt_holder holder = { jwr_thread_object(ended->thread),
					  trace_tick_now(rt_recorder_clock()) };

	for (size_t i = 0; holders.waiting && i < WAITS; i++) {
		struct wait *w = &holders.waits[i];

		if (!w->thread || now - w->begin < LONG_NS ||
		    !(*env)->IsSameObject(env, w->object, ended->object))
			continue;
		end_part(w, now, holder.tick);
		w->holder = holder;
		w->had = w->handed = now;
	}
}

struct rt_held rt_holder_ends(JNIEnv *env, jthread thread)
{
	uint64_t id = holders.can ? rt_jvmti_id(env, thread) : 0;
	struct wait ended = { 0 };

	if (!id)
		return ended.longest;
	pthread_mutex_lock(&holders.lock);
	ended = take_out(id);
	if (ended.thread) {
		uint64_t now = trace_ns_of(CLOCK_MONOTONIC);

		end_part(&ended, now, 0);
		hand_over(env, &ended, now);
	}
	pthread_mutex_unlock(&holders.lock);
	if (ended.object)
		(*env)->DeleteGlobalRef(env, ended.object);
	return ended.longest;
}

/* ---- at the end ---- */

static void tell_lock(void *ctx, JNIEnv *env, jthread thread)
{
	uint64_t id = rt_lock_owner(env, thread);

	(void)ctx;
	if (id)
		rt_line_held(rt_jvmti_id(env, thread), trace_tick_now(rt_recorder_clock()),
			     jwr_thread_object(id));
}

void rt_holders_tell(JNIEnv *env)
{
	uint64_t now = trace_ns_of(CLOCK_MONOTONIC);

	if (!rt_recording() || rt_recorder_mode() == RT_MODE_SUMMARY)
		return;
	for (size_t at = 0; any_lasts(at, now);)
		ask(env, &at);
	tell_lasting(0);
	rt_lock_owners_prepare(env);
	rt_jvmti_each_thread(env, tell_lock, NULL);
}
