/*
 * exceptions.c: exceptions thrown and caught. An exception passes many frames, and each of them
 * sees it: it is recorded where it is seen first, and where it is thrown again.
 */
#include "runtime-jni/jvm/capture.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/objects.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

static void record(JNIEnv *env, enum jwr_kind kind, jlong number, jclass type)
{
	rt_event(rt_recorder_clock(), kind, rt_exception_number(env, type, (uint64_t)number));
}

static void JNICALL thrown(JNIEnv *env, jclass class, jlong number, jclass type)
{
	(void)class;
	rt_tls.flight = (uint64_t)number;
	record(env, JWR_THROWN, number, type);
}

static void JNICALL caught(JNIEnv *env, jclass class, jlong number, jclass type)
{
	(void)class;
	rt_tls.flight = 0;
	record(env, JWR_CAUGHT, number, type);
}

static void JNICALL passed(JNIEnv *env, jclass class, jlong number, jclass type)
{
	if (rt_tls.flight != (uint64_t)number)
		thrown(env, class, number, type);
}

bool rt_exceptions_bind(JNIEnv *env, jclass probe)
{
	static const char signature[] = "(JLjava/lang/Class;)V";
	void(JNICALL * functions[])(JNIEnv *, jclass, jlong, jclass) = { thrown, caught, passed };
	const JNINativeMethod natives[] = {
		rt_native_method("thrown0", signature, &functions[0]),
		rt_native_method("caught0", signature, &functions[1]),
		rt_native_method("passed0", signature, &functions[2]),
	};

	return rt_register(env, probe, natives, sizeof(natives) / sizeof(natives[0]));
}
