/*
 * holders.c: see holders.h.
 */
#include "runtime-jni/jvm/holders.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/own_thread.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/state.h"
#include "trace/format/recording.h"

#include "base/banned.h"

#define WAITS     64 /* of more at a time nobody is asked about */
#define LONG_NS   (5 * UINT64_C(1000000))
#define SHARE     50 /* so much longer than it takes to ask it is quiet */
#define SECOND_NS UINT64_C(1000000000)

/* By the thread that waits, since a virtual one may go on elsewhere. */
struct wait {
	_Atomic uint64_t thread; /* its id; 0: free */
	pthread_mutex_t lock;    /* of what follows */
	jobject object;          /* a global reference; NULL: it is over */
	uint64_t since;          /* ns */
	struct rt_holder holder; /* thread 0: not known yet */
};

static struct {
	bool can;
	atomic_bool begun;
	atomic_uint waiting;
	pthread_mutex_t lock;
	pthread_cond_t wake; /* somebody waits */
	struct wait waits[WAITS];
} holders = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

bool rt_holders_prepare(void)
{
	static const jvmtiCapabilities needs = { .can_get_monitor_info = 1 };
	JNIEnv *env = rt_jvm_env();

	for (size_t i = 0; i < WAITS; i++)
		pthread_mutex_init(&holders.waits[i].lock, NULL);
	holders.can = env && (*rt_jvm.ti)->AddCapabilities(rt_jvm.ti, &needs) == JVMTI_ERROR_NONE;
	if (holders.can)
		rt_jvm_prepare_own(env);
	return holders.can;
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

/* Has W lasted at NOW? */
static bool lasts(struct wait *w, uint64_t now)
{
	pthread_mutex_lock(&w->lock);
	bool does = w->object && !w->holder.thread && now - w->since >= LONG_NS;

	pthread_mutex_unlock(&w->lock);
	return does;
}

/* What W waits for, as a local reference; NULL: it is over. */
static jobject awaited(JNIEnv *env, struct wait *w, uint64_t now)
{
	pthread_mutex_lock(&w->lock);
	jobject object = w->object ? (*env)->NewLocalRef(env, w->object) : NULL;

	w->since = now; /* where nobody had it, it is asked again later */
	pthread_mutex_unlock(&w->lock);
	return object;
}

/* W may have been over, and another one have begun, while the VM was asked: not one that has lasted
 * since BEFORE. */
static void tell(JNIEnv *env, struct wait *w, jobject object, const struct rt_holder *holder,
		 uint64_t before)
{
	pthread_mutex_lock(&w->lock);
	if (w->object && w->since <= before && (*env)->IsSameObject(env, w->object, object) &&
	    jwr_thread_object(atomic_load(&w->thread)) != holder->thread)
		w->holder = *holder;
	pthread_mutex_unlock(&w->lock);
}

/* Asks about W, which lasts, for all that wait for the same. */
static void ask(JNIEnv *env, struct wait *w)
{
	uint64_t before = now_ns();
	jobject object = awaited(env, w, before);
	uint64_t id = object ? holder_of(env, object) : 0;
	const struct rt_holder holder = { jwr_thread_object(id),
					  trace_tick_now(rt_recorder_clock()) };

	for (size_t i = 0; i < WAITS && id; i++)
		tell(env, &holders.waits[i], object, &holder, before);
	if (object)
		(*env)->DeleteLocalRef(env, object);
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec t = { (time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS) };

	nanosleep(&t, NULL);
}

static void ask_all(void)
{
	for (size_t i = 0; i < WAITS && rt_recording(); i++) {
		struct wait *w = &holders.waits[i];
		uint64_t begin = now_ns();
		JNIEnv *env = lasts(w, begin) ? rt_jvm_attach_own() : NULL;

		if (!env)
			continue;
		ask(env, w);
		rt_jvm_detach_own(env);
		sleep_ns((now_ns() - begin) * SHARE);
	}
}

static void await_waits(void)
{
	pthread_mutex_lock(&holders.lock);
	while (!atomic_load(&holders.waiting))
		pthread_cond_wait(&holders.wake, &holders.lock);
	pthread_mutex_unlock(&holders.lock);
}

static void *ask_on(void *unused)
{
	rt_mute();
	while (rt_recording()) {
		await_waits();
		sleep_ns(LONG_NS);
		if (!rt_paused())
			ask_all();
	}
	return unused;
}

/* ---- who waits ---- */

/* The first wait begins our thread. */
static bool is_asked(void)
{
	if (!holders.can || rt_recorder_mode() == RT_MODE_SUMMARY)
		return false;
	if (!atomic_exchange(&holders.begun, true) && rt_own_thread(ask_on, RT_STACK_JAVA) != 0)
		holders.can = false;
	return holders.can;
}

static struct wait *take_place(uint64_t thread)
{
	for (size_t i = 0; i < WAITS && thread; i++) {
		struct wait *w = &holders.waits[(thread + i) % WAITS];
		uint64_t free_place = 0;

		if (atomic_compare_exchange_strong(&w->thread, &free_place, thread))
			return w;
	}
	return NULL;
}

void rt_holder_begins(JNIEnv *env, jthread thread, jobject object)
{
	struct wait *w = is_asked() ? take_place(rt_jvmti_id(env, thread)) : NULL;

	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->object = (*env)->NewGlobalRef(env, object);
	w->since = now_ns();
	w->holder = (struct rt_holder){ 0 };
	pthread_mutex_unlock(&w->lock);
	if (atomic_fetch_add(&holders.waiting, 1) == 0) {
		pthread_mutex_lock(&holders.lock);
		pthread_cond_signal(&holders.wake);
		pthread_mutex_unlock(&holders.lock);
	}
}

static struct wait *find_place(uint64_t thread)
{
	for (size_t i = 0; i < WAITS; i++) {
		struct wait *w = &holders.waits[(thread + i) % WAITS];

		if (atomic_load(&w->thread) == thread)
			return w;
	}
	return NULL;
}

struct rt_holder rt_holder_ends(JNIEnv *env, jthread thread)
{
	uint64_t id = atomic_load(&holders.waiting) ? rt_jvmti_id(env, thread) : 0;
	struct wait *w = id ? find_place(id) : NULL;

	if (!w)
		return (struct rt_holder){ 0 };
	pthread_mutex_lock(&w->lock);
	struct rt_holder holder = w->holder;

	if (w->object)
		(*env)->DeleteGlobalRef(env, w->object);
	w->object = NULL;
	pthread_mutex_unlock(&w->lock);
	atomic_store(&w->thread, 0);
	atomic_fetch_sub(&holders.waiting, 1);
	return holder;
}
