/*
 * weak_refs.c: an agent that counts the weak references that are made and deleted through JNI, and says at the end how
 * many there were, and are.
 */
#include <jni.h>
#include <jvmti.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/banned.h"

static atomic_int made, deleted;
static jweak(JNICALL *make)(JNIEnv *env, jobject object);
static void(JNICALL *delete)(JNIEnv *env, jweak reference);

static jweak JNICALL count(JNIEnv *env, jobject object)
{
	made++;
	return make(env, object);
}

static void JNICALL count_out(JNIEnv *env, jweak reference)
{
	deleted++;
	delete (env, reference);
}

static void JNICALL on_init(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
	jniNativeInterface *functions = NULL;

	(void)env;
	(void)thread;
	if ((*ti)->GetJNIFunctionTable(ti, &functions) != JVMTI_ERROR_NONE)
		return;
	make = functions->NewWeakGlobalRef;
	functions->NewWeakGlobalRef = count;
	delete = functions->DeleteWeakGlobalRef;
	functions->DeleteWeakGlobalRef = count_out;
	(void)(*ti)->SetJNIFunctionTable(ti, functions);
	(*ti)->Deallocate(ti, (unsigned char *)functions);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	static const jvmtiEventCallbacks calls = { .VMInit = on_init };
	void *ti = NULL;

	(void)options;
	(void)reserved;
	if ((*vm)->GetEnv(vm, &ti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	jvmtiEnv *own = ti;

	return (*own)->SetEventCallbacks(own, &calls, sizeof(calls)) == JVMTI_ERROR_NONE &&
			       (*own)->SetEventNotificationMode(own, JVMTI_ENABLE,
								JVMTI_EVENT_VM_INIT,
								NULL) == JVMTI_ERROR_NONE
		       ? JNI_OK
		       : JNI_ERR;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm)
{
	(void)vm;
	fprintf(stderr, "weak references: %d, left: %d\n", (int)made, made - deleted);
}
