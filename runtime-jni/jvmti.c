#include "runtime-jni/jvm.h"

#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#include "runtime-jni/finish.h"

#include "base/banned.h"

#define STACK_DEPTH              32
#define JNI_VERSION_WITH_VIRTUAL 0x00150000 /* 21 */

static struct {
	JavaVM *vm;
	jvmtiEnv *ti;
	jfieldID thread_id;   /* Thread.tid: the method getId() may be overridden by the program */
	jclass virtual_class; /* java.lang.BaseVirtualThread, from 21 on */
} jvm;

static JNIEnv *current_env(void)
{
	void *env = NULL;

	if (!jvm.vm || (*jvm.vm)->GetEnv(jvm.vm, &env, JNI_VERSION_1_6) != JNI_OK)
		return NULL;
	return env;
}

static void find_thread_fields(JNIEnv *env)
{
	jclass thread = (*env)->FindClass(env, "java/lang/Thread");

	if (thread)
		jvm.thread_id = (*env)->GetFieldID(env, thread, "tid", "J");
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	if (thread)
		(*env)->DeleteLocalRef(env, thread);
	if ((*env)->GetVersion(env) < JNI_VERSION_WITH_VIRTUAL)
		return;
	jclass found = (*env)->FindClass(env, "java/lang/BaseVirtualThread");
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	if (!found)
		return;
	jvm.virtual_class = (*env)->NewGlobalRef(env, found);
	(*env)->DeleteLocalRef(env, found);
}

bool rt_jvmti_open(JavaVM *vm, JNIEnv *env)
{
	void *ti = NULL;

	jvm.vm = vm;
	if ((*vm)->GetEnv(vm, &ti, JVMTI_VERSION_1_2) != JNI_OK)
		return false;
	jvm.ti = ti;
	find_thread_fields(env);
	return true;
}

/* What JVM TI does not tell in a running VM, System.getProperty() does. */
static char *system_property(const char *name, struct jw_arena *arena)
{
	JNIEnv *env = current_env();
	jclass system = env ? (*env)->FindClass(env, "java/lang/System") : NULL;
	jmethodID get = system ? (*env)->GetStaticMethodID(env, system, "getProperty",
							   "(Ljava/lang/String;)Ljava/lang/String;")
			       : NULL;
	jstring key = get ? (*env)->NewStringUTF(env, name) : NULL;
	jstring value = key ? (*env)->CallStaticObjectMethod(env, system, get, key) : NULL;
	char *copy = NULL;

	if (env && (*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	const char *text = value ? (*env)->GetStringUTFChars(env, value, NULL) : NULL;
	if (text) {
		copy = jw_arena_str(arena, jw_span_str(text));
		(*env)->ReleaseStringUTFChars(env, value, text);
	}
	if (value)
		(*env)->DeleteLocalRef(env, value);
	if (key)
		(*env)->DeleteLocalRef(env, key);
	if (system)
		(*env)->DeleteLocalRef(env, system);
	return copy;
}

char *rt_jvmti_property(void *ctx, const char *name, struct jw_arena *arena)
{
	char *value = NULL, *copy = NULL;

	(void)ctx;
	if (!jvm.ti || (*jvm.ti)->GetSystemProperty(jvm.ti, name, &value) != JVMTI_ERROR_NONE)
		return system_property(name, arena);
	if (value)
		copy = jw_arena_str(arena, jw_span_str(value));
	(*jvm.ti)->Deallocate(jvm.ti, (unsigned char *)value);
	return copy;
}

/* ---- threads ---- */

static bool name_of(JNIEnv *env, jthread thread, struct rt_thread_info *out)
{
	jvmtiThreadInfo info = { 0 };

	if ((*jvm.ti)->GetThreadInfo(jvm.ti, thread, &info) != JVMTI_ERROR_NONE)
		return false;
	out->daemon = info.is_daemon;
	snprintf(out->name, sizeof(out->name), "%s", info.name ? info.name : "");
	(*jvm.ti)->Deallocate(jvm.ti, (unsigned char *)info.name);
	if (info.thread_group)
		(*env)->DeleteLocalRef(env, info.thread_group);
	if (info.context_class_loader)
		(*env)->DeleteLocalRef(env, info.context_class_loader);
	if (jvm.thread_id)
		out->java_id = (*env)->GetLongField(env, thread, jvm.thread_id);
	out->is_virtual = jvm.virtual_class && (*env)->IsInstanceOf(env, thread, jvm.virtual_class);
	return true;
}

void rt_jvmti_describe(struct rt_thread_info *out)
{
	JNIEnv *env = current_env();
	jthread thread = NULL;

	if (!env || !jvm.ti || (*jvm.ti)->GetCurrentThread(jvm.ti, &thread) != JVMTI_ERROR_NONE)
		return;
	if (!thread)
		return;
	name_of(env, thread, out);
	(*env)->DeleteLocalRef(env, thread);
}

void rt_jvmti_alive(rt_name_fn take)
{
	JNIEnv *env = current_env();
	jthread *threads = NULL;
	jint count = 0;

	if (!env || !jvm.ti ||
	    (*jvm.ti)->GetAllThreads(jvm.ti, &count, &threads) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		struct rt_thread_info info = { 0 };

		if (name_of(env, threads[i], &info))
			take(info.java_id, info.name);
		(*env)->DeleteLocalRef(env, threads[i]);
	}
	(*jvm.ti)->Deallocate(jvm.ti, (unsigned char *)threads);
}

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
	(void)ti;
	(void)env;
	(void)thread;
	rt_thread_begins();
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
	struct rt_thread_info info = { 0 };
	bool named = rt_tls.slot && thread && name_of(env, thread, &info);

	(void)ti;
	rt_thread_ends(named ? info.name : NULL);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env)
{
	(void)ti;
	(void)env;
	rt_finish("vm-death", rt_jvmti_alive);
}

void rt_jvmti_listen(void)
{
	static const jvmtiEvent events[] = { JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
					     JVMTI_EVENT_VM_DEATH };
	jvmtiEventCallbacks calls = { .ThreadStart = on_thread_start,
				      .ThreadEnd = on_thread_end,
				      .VMDeath = on_vm_death };

	if (!jvm.ti) {
		rt_note("the VM grants no JVM TI: threads have no names, starts and ends");
		return;
	}
	jvmtiError failed = (*jvm.ti)->SetEventCallbacks(jvm.ti, &calls, sizeof(calls));
	for (size_t i = 0; !failed && i < sizeof(events) / sizeof(events[0]); i++)
		failed = (*jvm.ti)->SetEventNotificationMode(jvm.ti, JVMTI_ENABLE, events[i], NULL);
	if (failed)
		rt_note("the VM refuses events of threads and of its own end");
}

/* ---- who called System.load() ---- */

static jclass class_of_frame(JNIEnv *env, jmethodID method, const char *prefix)
{
	char *signature = NULL;
	jclass class = NULL;

	if ((*jvm.ti)->GetMethodDeclaringClass(jvm.ti, method, &class) != JVMTI_ERROR_NONE)
		return NULL;
	(*jvm.ti)->GetClassSignature(jvm.ti, class, &signature, NULL);
	bool found = signature && !strncmp(signature, prefix, strlen(prefix));
	(*jvm.ti)->Deallocate(jvm.ti, (unsigned char *)signature);
	if (found)
		return class;
	(*env)->DeleteLocalRef(env, class);
	return NULL;
}

jclass rt_jvmti_caller(JNIEnv *env, const char *prefix)
{
	jvmtiFrameInfo frames[STACK_DEPTH];
	jint count = 0;
	jclass class = NULL;

	if (!jvm.ti || (*jvm.ti)->GetStackTrace(jvm.ti, NULL, 0, STACK_DEPTH, frames, &count) !=
			       JVMTI_ERROR_NONE)
		return NULL;
	for (jint i = 0; i < count && !class; i++)
		class = class_of_frame(env, frames[i].method, prefix);
	return class;
}
