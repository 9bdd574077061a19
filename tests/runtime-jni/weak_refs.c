/*
 * weak_refs.c: an agent that counts the weak references that are made through JNI, and says at the end how
 * many there were.
 */
#include <jni.h>
#include <jvmti.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/banned.h"

static atomic_int made;
static jweak(JNICALL *make)(JNIEnv *env, jobject object);

static jweak JNICALL count(JNIEnv *env, jobject object)
{
	made++;
	return make(env, object);
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
	fprintf(stderr, "weak references: %d\n", (int)made);
}
