/*
 * taps_waits.c: what is called in place of the natives that wait.
 *
 *     PLACE, PARK     the original park()     PARKED
 *     UNPARK          the original unpark()
 *     PLACE, AWAIT    the original sleep()    AWAITED
 *
 * A thread that is about to wait has time: where it is (stack_place.c) and what it waits for is
 * found out before, so that nothing but the end is told once it goes on. What lets another thread
 * go on is told in a few ns: somebody waits for it.
 */
#include <stdatomic.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/objects.h"
#include "runtime-jni/jvm/stack_place.h"
#include "runtime-jni/jvm/taps.h"
#include "runtime-jni/jvm/threads.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

typedef void(JNICALL *park_fn)(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time);
typedef void(JNICALL *unpark_fn)(JNIEnv *env, jobject unsafe, jobject thread);
typedef void(JNICALL *sleep_fn)(JNIEnv *env, jclass class, jlong time);

rt_native_fn rt_tap_original[RT_TAP_FUNCTIONS];

static jfieldID blocker; /* Thread.parkBlocker; NULL: this JDK has none */
static atomic_bool closed;

bool rt_taps_prepare(JNIEnv *env)
{
	if (!rt_jvm.ti || !rt_jvm.thread || !rt_jvm.thread_id)
		return false;
	blocker = (*env)->GetFieldID(env, rt_jvm.thread, "parkBlocker", "Ljava/lang/Object;");
	if (!blocker)
		(*env)->ExceptionClear(env);
	return rt_places_prepare();
}

void rt_taps_close(void)
{
	atomic_store(&closed, true);
}

/* Threads that never ran woven code get no row by waiting. */
static bool tells(void)
{
	return rt_has_logged() && rt_recording() &&
	       !atomic_load_explicit(&closed, memory_order_relaxed);
}

/* The object that the thread which runs parks for; 0: none that it told. */
static uint64_t blocker_number(JNIEnv *env)
{
	jthread thread = NULL;

	if (!blocker || (*rt_jvm.ti)->GetCurrentThread(rt_jvm.ti, &thread) != JVMTI_ERROR_NONE ||
	    !thread)
		return 0;
	jobject object = (*env)->GetObjectField(env, thread, blocker);
	uint64_t number = rt_object_number(env, object);

	if (object)
		(*env)->DeleteLocalRef(env, object);
	(*env)->DeleteLocalRef(env, thread);
	return number;
}

/* A wait begins: where, then what for. A summary adds up by what alone. */
static void begin(JNIEnv *env, enum jwr_kind kind, uint64_t payload)
{
	uint32_t place = rt_recorder_mode() != RT_MODE_SUMMARY ? rt_place(env) : 0;

	if (place)
		rt_event(rt_recorder_clock(), JWR_PLACE, place);
	rt_event(rt_recorder_clock(), kind, payload);
}

/* A wait is over. What the recorder may ask the VM then, it must not with an exception pending. */
static void end(JNIEnv *env, enum jwr_kind kind, uint64_t payload)
{
	jthrowable pending = (*env)->ExceptionCheck(env) ? (*env)->ExceptionOccurred(env) : NULL;

	if (pending)
		(*env)->ExceptionClear(env);
	rt_event(rt_recorder_clock(), kind, payload);
	if (pending) {
		(void)(*env)->Throw(env, pending);
		(*env)->DeleteLocalRef(env, pending);
	}
}

void JNICALL rt_tap_park(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time)
{
	bool told = tells();

	if (told)
		begin(env, JWR_PARK, blocker_number(env));
	((park_fn)rt_tap_original[RT_TAP_PARK])(env, unsafe, absolute, time);
	if (told)
		end(env, JWR_PARKED, 0);
}

void JNICALL rt_tap_unpark(JNIEnv *env, jobject unsafe, jobject thread)
{
	if (thread && tells())
		rt_event(rt_recorder_clock(), JWR_UNPARK,
			 jwr_thread_object(rt_jvmti_id(env, thread)));
	((unpark_fn)rt_tap_original[RT_TAP_UNPARK])(env, unsafe, thread);
}

void JNICALL rt_tap_sleep(JNIEnv *env, jclass class, jlong time)
{
	bool told = tells();

	if (told)
		begin(env, JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0));
	((sleep_fn)rt_tap_original[RT_TAP_SLEEP])(env, class, time);
	if (told)
		end(env, JWR_AWAITED, JWR_AWAIT_SLEEP);
}
