#include "runtime-jni/jvm/threads.h"

#include <stdio.h>
#include <string.h>

#include "runtime-jni/jvm/events.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/vm_dying.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/recorder.h"

#include "base/banned.h"

bool rt_jvmti_name(JNIEnv *env, jthread thread, struct rt_thread_info *out)
{
	jvmtiThreadInfo info = { 0 };
	jvmtiError e = (*rt_jvm.ti)->GetThreadInfo(rt_jvm.ti, thread, &info);

	out->java_id = (int64_t)rt_jvmti_id(env, thread);
	if (e == JVMTI_ERROR_WRONG_PHASE)
		return rt_dying_text(env, thread, "getName", out->name, sizeof(out->name));
	if (e != JVMTI_ERROR_NONE)
		return false;
	out->daemon = info.is_daemon;
	snprintf(out->name, sizeof(out->name), "%s", info.name ? info.name : "");
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)info.name);
	if (info.thread_group)
		(*env)->DeleteLocalRef(env, info.thread_group);
	if (info.context_class_loader)
		(*env)->DeleteLocalRef(env, info.context_class_loader);
	return true;
}

/* The thread that runs here, as a local reference: the virtual one where one is mounted. */
static jthread current_thread(JNIEnv *env)
{
	jthread thread = NULL;
	jvmtiError e = JVMTI_ERROR_INVALID_ENVIRONMENT;

	if (rt_jvm.ti)
		e = (*rt_jvm.ti)->GetCurrentThread(rt_jvm.ti, &thread);
	if (e == JVMTI_ERROR_WRONG_PHASE)
		return rt_dying_thread(env);
	return e == JVMTI_ERROR_NONE ? thread : NULL;
}

/* The class of THREAD where it is a virtual one, as a local reference, else NULL. Told by its name:
 * to look the class up would initialise it, which makes a scheduler with its threads (10 ms), and
 * most programs have no virtual thread. Where the VM has no continuations, virtual threads are
 * another class, and threads of the operating system: those are like any other. */
static jclass virtual_class(JNIEnv *env, jthread thread)
{
	jclass class = (*env)->GetObjectClass(env, thread);
	char *signature = NULL, name[64] = "";

	if ((*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL) ==
	    JVMTI_ERROR_WRONG_PHASE)
		(void)rt_dying_text(env, class, "getTypeName", name, sizeof(name));
	bool is = signature ? !strcmp(signature, "Ljava/lang/VirtualThread;")
			    : !strcmp(name, "java.lang.VirtualThread");
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
	if (is)
		return class;
	(*env)->DeleteLocalRef(env, class);
	return NULL;
}

static void describe_carrier(JNIEnv *env, jthread thread, jclass class, struct rt_thread_info *out)
{
	jfieldID of = rt_jvm_field(env, class, "carrierThread", "Ljava/lang/Thread;");
	jthread carrier = of ? (*env)->GetObjectField(env, thread, of) : NULL;

	if (carrier) {
		rt_jvmti_name(env, carrier, out);
		(*env)->DeleteLocalRef(env, carrier);
	}
	rt_jvmti_meet_virtual(env, thread);
	out->is_virtual = true;
	out->virtual_id = rt_jvmti_id(env, thread);
}

void rt_jvmti_describe(struct rt_thread_info *out)
{
	JNIEnv *env = rt_jvm_env();
	jthread thread = env ? current_thread(env) : NULL;

	if (!thread)
		return;
	jclass class = virtual_class(env, thread);
	if (class) {
		describe_carrier(env, thread, class, out);
		(*env)->DeleteLocalRef(env, class);
	} else {
		rt_jvmti_name(env, thread, out);
	}
	(*env)->DeleteLocalRef(env, thread);
}

void rt_jvmti_virtual_name(char *name, size_t size)
{
	JNIEnv *env = rt_jvm_env();
	jthread thread = env ? current_thread(env) : NULL;
	struct rt_thread_info info = { 0 };

	if (!thread)
		return;
	if (rt_jvmti_name(env, thread, &info))
		snprintf(name, size, "%s", info.name);
	(*env)->DeleteLocalRef(env, thread);
}

void rt_jvmti_own_name(char *name, size_t size)
{
	JNIEnv *env = rt_jvm_env();
	jthread thread = NULL;
	struct rt_thread_info info = { 0 };

	if (!env || !rt_jvm.ti ||
	    (*rt_jvm.ti)->GetCurrentThread(rt_jvm.ti, &thread) != JVMTI_ERROR_NONE || !thread)
		return;
	jclass class = virtual_class(env, thread);
	if (class)
		(*env)->DeleteLocalRef(env, class);
	else if (rt_jvmti_name(env, thread, &info))
		snprintf(name, size, "%s", info.name);
	(*env)->DeleteLocalRef(env, thread);
}

static void name_one(void *ctx, JNIEnv *env, jthread thread)
{
	struct rt_thread_info info = { 0 };
	rt_name_fn *take = ctx;

	if (rt_jvmti_name(env, thread, &info))
		(*take)(info.java_id, info.name);
}

void rt_jvmti_alive(rt_name_fn take)
{
	JNIEnv *env = rt_jvm_env();

	if (env)
		rt_jvmti_each_thread(env, name_one, &take);
}
