/*
 * threads.h: what the VM knows of threads: ids, names, carriers of virtual threads.
 */
#ifndef RT_THREADS_H
#define RT_THREADS_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime-jni/recorder/recorder.h"

/* The id of THREAD, its name and more. */
bool rt_jvmti_name(JNIEnv *env, jthread thread, struct rt_thread_info *out);

/* The current thread, for the recorder (rt_describe_fn). */
void rt_jvmti_describe(struct rt_thread_info *out);

/* Hands the name of each live thread to TAKE. */
void rt_jvmti_alive(rt_name_fn take);

/* The name of the virtual thread that is mounted here. */
void rt_jvmti_virtual_name(char *name, size_t size);

/* That of the current thread, unless it is a virtual one; "" where it is unknown. */
void rt_jvmti_own_name(char *name, size_t size);

#endif
