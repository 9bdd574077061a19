/*
 * jvm.h: the VM that loaded us, and what it tells of its properties and classes.
 *
 * rt_jvmti_open() comes first, from JNI_OnLoad. Without JVM TI (a VM may refuse it) the functions
 * below answer "unknown"; each says what that is.
 */
#ifndef RT_JVM_H
#define RT_JVM_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

#define RT_JNI_VERSION_21 0x00150000

extern struct rt_jvm {
	JavaVM *vm;
	jvmtiEnv *ti;       /* NULL: not granted */
	jfieldID thread_id; /* Thread.tid: the program may override the method getId() */
	jfieldID blocker;   /* Thread.parkBlocker; NULL: this JDK has none */
	jclass thread;      /* java.lang.Thread, a global reference */
	bool stacks_apart;  /* its methods have stacks of their own, beside the native ones: Zero */
} rt_jvm;

/* Asks VM for JVM TI and for what describing threads takes. False: JVM TI is not granted. */
bool rt_jvmti_open(JavaVM *vm, JNIEnv *env);

/* JNI of this thread; NULL: it is not attached to the VM. */
JNIEnv *rt_jvm_env(void);

/* The id of THREAD; 0: unknown. */
uint64_t rt_jvmti_id(JNIEnv *env, jthread thread);

/* The thread that runs here, one of ours, becomes one of the VM's, a daemon; NULL: the VM refuses. Where
 * a thread of the program has called prepare before, it is none of the program's, which may count
 * those. As long as it is one, System.exit() waits 300 ms for it to come out of native code: so not
 * for longer than it has to do with the VM. ENV of detach: NULL: it is none. */
void rt_jvm_prepare_own(JNIEnv *env);
JNIEnv *rt_jvm_attach_own(void);
void rt_jvm_detach_own(JNIEnv *env);

/* A system property as given on the command line or by the VM (rt_config_source.property). */
char *rt_jvmti_property(void *ctx, const char *name, struct jw_arena *arena);
/* Does the property NAME have WORD in it? False: it has not, or is not known. */
bool rt_jvmti_property_has(const char *name, const char *word);
/* The names of those (rt_config_source.each_property); none where JVM TI does not tell. */
void rt_jvmti_properties(void (*take)(void *ctx, const char *name), void *ctx);

/* ---- classes ---- */

/* The field NAME of CLASS; NULL: there is none. No exception is left. */
jfieldID rt_jvm_field(JNIEnv *env, jclass class, const char *name, const char *type);

/* Who loaded CLASS. Without JVM TI: BOOT, which is treated with the most care. */
enum rt_loader { RT_LOADER_BOOT, RT_LOADER_PLATFORM, RT_LOADER_OTHER };
enum rt_loader rt_loader_of(JNIEnv *env, jclass class);

/* The class of the runtime nearest to the top of this thread's stack, as a local reference; NULL:
 * none. */
jclass rt_jvmti_caller(JNIEnv *env);

/* Calls EACH, which leaves no exception, for every loaded class, with its signature ("Lname;"): one
 * for each loader that has it. CLASS is a local reference that is deleted after. */
void rt_jvmti_each_class(JNIEnv *env,
			 void (*each)(void *ctx, JNIEnv *env, jclass class, const char *signature),
			 void *ctx);

/* Likewise for every thread that lives, but virtual ones. */
void rt_jvmti_each_thread(JNIEnv *env, void (*each)(void *ctx, JNIEnv *env, jthread thread),
			  void *ctx);

/* A frame for the local references that JVM TI makes of all threads or classes at once, to be
 * popped if this is true: -Xcheck:jni wants to be told of many. */
bool rt_jvm_many(JNIEnv *env);

/* ---- binding natives ---- */

/* FUNCTION points at a pointer to the function. JNI's table wants an object pointer, and names that
 * are not const though nobody writes to them.
 */
static inline JNINativeMethod rt_native_method(const char *name, const char *signature,
					       const void *function)
{
	JNINativeMethod m;

	memcpy(&m.name, &name, sizeof(m.name));
	memcpy(&m.signature, &signature, sizeof(m.signature));
	memcpy(&m.fnPtr, function, sizeof(m.fnPtr));
	return m;
}

/* Binds COUNT natives of CLASS. False: it has not all of them; no exception is left. */
static inline bool rt_register(JNIEnv *env, jclass class, const JNINativeMethod *natives,
			       size_t count)
{
	if ((*env)->RegisterNatives(env, class, natives, (jint)count) == JNI_OK &&
	    !(*env)->ExceptionCheck(env))
		return true;
	(*env)->ExceptionClear(env);
	return false;
}

#endif
