/*
 * capture.c: what captures record. Nothing here runs code of the program: identities are the VM's,
 * ids of threads are read from their field, texts are copied out of java.lang.String.
 */
#include "runtime-jni/jvm/capture.h"

#include <string.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/objects.h"
#include "runtime-jni/jvm/threads.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/texts.h"

#include "base/banned.h"

/* ---- what a record can hold ---- */

static inline void put_value(enum trace_ticks clock, jlong v)
{
	if (__builtin_expect(jwr_word_value((uint64_t)v) != v, 0))
		rt_event(clock, JWR_WIDE, (uint64_t)v >> JWR_PAYLOAD_BITS);
	rt_event(clock, JWR_VALUE, (uint64_t)v);
}

/* ---- one set per clock, as in jni.c ---- */

/* Numbers are made in Java, where an identity hash is a load once compiled. */
#define OBJECT(name, clock)                                               \
	static void JNICALL name(JNIEnv *env, jclass class, jlong number) \
	{                                                                 \
		(void)env;                                                \
		(void)class;                                              \
		rt_class_is_seen((uint64_t)number);                       \
		rt_event(clock, JWR_OBJECT, (uint64_t)number);            \
	}
#define VALUE(name, clock)                                               \
	static void JNICALL name(JNIEnv *env, jclass class, jlong value) \
	{                                                                \
		(void)env;                                               \
		(void)class;                                             \
		put_value(clock, value);                                 \
	}
OBJECT(object_fast, RT_FAST_CLOCK)
OBJECT(object_slow, TRACE_TICKS_MONOTONIC)
VALUE(value_fast, RT_FAST_CLOCK)
VALUE(value_slow, TRACE_TICKS_MONOTONIC)

#define CREATED(name, clock)                                          \
	static void JNICALL name(JNIEnv *env, jclass class, jlong id) \
	{                                                             \
		(void)env;                                            \
		(void)class;                                          \
		rt_event(clock, JWR_CREATED, (uint64_t)id);           \
	}
CREATED(created_fast, RT_FAST_CLOCK)
CREATED(created_slow, TRACE_TICKS_MONOTONIC)

/* ---- those that ask the VM ---- */

static void JNICALL thread_number(JNIEnv *env, jclass class, jthread thread)
{
	uint64_t id = rt_jvmti_id(env, thread);

	(void)class;
	rt_event(rt_recorder_clock(), JWR_OBJECT, id ? jwr_thread_object(id) : 0);
}

static void JNICALL text_number(JNIEnv *env, jclass class, jstring string)
{
	char text[RT_TEXT_BYTES + 1];
	jsize length = string ? (*env)->GetStringLength(env, string) : 0;

	(void)class;
	if (rt_tls.hushed)
		return;                 /* nor is the text to be kept */
	if (length > RT_TEXT_BYTES / 3) /* a char is three bytes at most */
		length = RT_TEXT_BYTES / 3;
	memset(text, 0, sizeof(text));
	if (string)
		(*env)->GetStringUTFRegion(env, string, 0, length, text);
	rt_event(rt_recorder_clock(), JWR_VALUE, string ? rt_text(text) : 0);
}

/* ---- binding ---- */

bool rt_capture_bind(JNIEnv *env, jclass probe, bool direct)
{
	bool fast = rt_recorder_clock() == RT_FAST_CLOCK;
	void(JNICALL * object)(JNIEnv *, jclass, jlong) = fast ? object_fast : object_slow;
	void(JNICALL * value)(JNIEnv *, jclass, jlong) = fast ? value_fast : value_slow;
	void(JNICALL * thread)(JNIEnv *, jclass, jthread) = thread_number;
	void(JNICALL * text)(JNIEnv *, jclass, jstring) = text_number;
	const JNINativeMethod natives[] = {
		rt_native_method(direct ? "value" : "value0", "(J)V", &value),
		rt_native_method("object0", "(J)V", &object),
		rt_native_method("thread0", "(Ljava/lang/Thread;)V", &thread),
		rt_native_method("text0", "(Ljava/lang/String;)V", &text),
	};

	return rt_register(env, probe, natives, sizeof(natives) / sizeof(natives[0]));
}

bool rt_creations_bind(JNIEnv *env, jclass probe, bool direct)
{
	bool fast = rt_recorder_clock() == RT_FAST_CLOCK;
	void(JNICALL * created)(JNIEnv *, jclass, jlong) = fast ? created_fast : created_slow;
	const JNINativeMethod native =
		rt_native_method(direct ? "created" : "created0", "(J)V", &created);

	return rt_register(env, probe, &native, 1);
}
