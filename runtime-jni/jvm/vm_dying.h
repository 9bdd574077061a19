/*
 * vm_dying.h: what JVM TI tells until the VM says that it dies, asked of Java itself.
 *
 * From then until the VM has stopped them, threads run on and call woven methods, but JVM TI
 * answers "wrong phase" to everything: objects would have no number, and threads and classes that
 * are new no name. These calls are many times slower and made in those moments alone. None leaves
 * an exception; each wants a Java thread with none pending.
 */
#ifndef RT_VM_DYING_H
#define RT_VM_DYING_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The identity hash of OBJECT; 0: not to be had. */
uint32_t rt_dying_hash(JNIEnv *env, jobject object);

/* The thread that runs, as a local reference; NULL: not to be had. */
jthread rt_dying_thread(JNIEnv *env);

/* What METHOD of OBJECT, which takes nothing, returns as a String, cut to SIZE. False: nothing. */
bool rt_dying_text(JNIEnv *env, jobject object, const char *method, char *text, size_t size);

#endif
