/*
 * stubborn.c: an agent for a JVM, which makes that JVM one that refuses things:
 *
 *	-agentpath:stubborn.so=natives:NAME   RegisterNatives of natives of which the first is NAME
 *	                       jvmti          JVM TI, for everyone who asks after this agent
 *	                       events         the callbacks for events of JVM TI
 *	                       tables         another table of JNI's functions
 */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

static char refused[64];
static struct JNIInvokeInterface_ vm_table;
static const struct JNIInvokeInterface_ *real_vm;
static jniNativeInterface *jni_table, *real_jni;
static struct jvmtiInterface_1_ ti_table;

static jint JNICALL register_natives(JNIEnv *env, jclass class, const JNINativeMethod *m, jint n)
{
	if (n > 0 && strcmp(m[0].name, refused) == 0)
		return JNI_ERR;
	return real_jni->RegisterNatives(env, class, m, n);
}

static jvmtiError JNICALL set_callbacks(jvmtiEnv *ti, const jvmtiEventCallbacks *calls, jint bytes)
{
	(void)ti, (void)calls, (void)bytes;
	return JVMTI_ERROR_NOT_AVAILABLE;
}

static jvmtiError JNICALL set_table(jvmtiEnv *ti, const jniNativeInterface *table)
{
	(void)ti, (void)table;
	return JVMTI_ERROR_NOT_AVAILABLE;
}

static jint JNICALL get_env(JavaVM *vm, void **out, jint version)
{
	int is_ti = (version & JVMTI_VERSION_MASK_INTERFACE_TYPE) ==
		    (JVMTI_VERSION_1 & JVMTI_VERSION_MASK_INTERFACE_TYPE);

	if (is_ti && strcmp(refused, "jvmti") == 0)
		return JNI_EVERSION;
	jint status = real_vm->GetEnv(vm, out, version);
	if (status == JNI_OK && is_ti) {
		jvmtiEnv *ti = *out;

		ti_table = **ti;
		if (strcmp(refused, "tables") == 0)
			ti_table.SetJNIFunctionTable = set_table;
		else
			ti_table.SetEventCallbacks = set_callbacks;
		*ti = &ti_table;
	}
	return status;
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
	(void)env, (void)thread;
	if ((*ti)->GetJNIFunctionTable(ti, &real_jni) != JVMTI_ERROR_NONE ||
	    (*ti)->GetJNIFunctionTable(ti, &jni_table) != JVMTI_ERROR_NONE)
		return;
	jni_table->RegisterNatives = register_natives;
	(void)(*ti)->SetJNIFunctionTable(ti, jni_table);
}

/* The table of functions is not there before the VM begins. */
static jint refuse_natives(JavaVM *vm)
{
	static const jvmtiEventCallbacks calls = { .VMInit = on_vm_init };
	jvmtiEnv *ti;

	if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK ||
	    (*ti)->SetEventCallbacks(ti, &calls, sizeof(calls)) != JVMTI_ERROR_NONE ||
	    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) !=
		    JVMTI_ERROR_NONE)
		return JNI_ERR;
	return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	int natives = strncmp(options, "natives:", 8) == 0;

	(void)reserved;
	snprintf(refused, sizeof(refused), "%s", options + (natives ? 8 : 0));
	if (natives)
		return refuse_natives(vm);
	real_vm = *vm;
	vm_table = *real_vm;
	vm_table.GetEnv = get_env;
	*vm = &vm_table;
	return JNI_OK;
}
