/*
 * jvm.h: between the two files that know a JVM: jni.c (loading, binding, probes) and jvmti.c
 * (properties, threads, the VM's death).
 */
#ifndef RT_JVM_H
#define RT_JVM_H

#include <jni.h>
#include <stdbool.h>

#include "base/memory.h"
#include "runtime-jni/recorder.h"

/* Asks VM for JVM TI and what describing threads takes. False: not granted; the rest of this header
 * then answers "unknown". */
bool rt_jvmti_open(JavaVM *vm, JNIEnv *env);

/* A system property as given on the command line or by the VM (rt_config_source.property). */
char *rt_jvmti_property(void *ctx, const char *name, struct jw_arena *arena);

/* Asks for thread starts and ends and the VM's death. */
void rt_jvmti_listen(void);

/* The current thread; all threads alive (see recorder.h). */
void rt_jvmti_describe(struct rt_thread_info *out);
void rt_jvmti_alive(rt_name_fn take);

/* The class nearest to the top of this thread's stack whose signature starts with PREFIX, as a
 * local reference; NULL: none. */
jclass rt_jvmti_caller(JNIEnv *env, const char *prefix);

/* The bytes of the class that is defined in the boot loader (anchor.S). */
extern const unsigned char rt_anchor_class[], rt_anchor_class_end[];

#endif
