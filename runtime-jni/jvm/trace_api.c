#include "runtime-jni/jvm/trace_api.h"

#include <string.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/regions.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

static jlong JNICALL region(JNIEnv *env, jclass class, jstring name)
{
	const char *text = name ? (*env)->GetStringUTFChars(env, name, NULL) : NULL;
	uint64_t id = text ? rt_region(text) : 0;

	(void)class;
	if (text)
		(*env)->ReleaseStringUTFChars(env, name, text);
	return (jlong)id;
}

static void JNICALL event(JNIEnv *env, jclass class, jint type, jlong value)
{
	(void)env;
	(void)class;
	rt_event(rt_recorder_clock(), JWR_EVENT, (uint64_t)type);
	rt_event(rt_recorder_clock(), JWR_EVENT_VALUE, (uint64_t)value);
}

static void JNICALL label(JNIEnv *env, jclass class, jint type, jlong value, jstring name)
{
	const char *text = (*env)->GetStringUTFChars(env, name, NULL);

	(void)class;
	if (!text)
		return;
	rt_line_event_label((uint32_t)type, value, text);
	(*env)->ReleaseStringUTFChars(env, name, text);
}

static void JNICALL pause(JNIEnv *env, jclass class, jboolean begins)
{
	(void)env;
	(void)class;
	rt_pause(begins);
}

static void JNICALL flush(JNIEnv *env, jclass class)
{
	(void)env;
	(void)class;
	rt_flush();
}

bool rt_user_bind(JNIEnv *env, jclass class)
{
	jlong(JNICALL * to_region)(JNIEnv *, jclass, jstring) = region;
	void(JNICALL * to_event)(JNIEnv *, jclass, jint, jlong) = event;
	void(JNICALL * to_label)(JNIEnv *, jclass, jint, jlong, jstring) = label;
	void(JNICALL * to_pause)(JNIEnv *, jclass, jboolean) = pause;
	void(JNICALL * to_flush)(JNIEnv *, jclass) = flush;
	const JNINativeMethod natives[] = {
		rt_native_method("region0", "(Ljava/lang/String;)J", &to_region),
		rt_native_method("event0", "(IJ)V", &to_event),
		rt_native_method("label0", "(IJLjava/lang/String;)V", &to_label),
		rt_native_method("pause0", "(Z)V", &to_pause),
		rt_native_method("flush0", "()V", &to_flush),
	};
	/* asked for first: a class without it is no error */
	bool is_ours = (*env)->GetStaticMethodID(env, class, "region0", natives[0].signature);
	if (is_ours)
		return rt_register(env, class, natives, sizeof(natives) / sizeof(natives[0]));
	(*env)->ExceptionClear(env);
	return false;
}
