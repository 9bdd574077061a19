/*
 * events.h: what the VM tells by itself: threads, its end, pauses, monitors, allocations.
 */
#ifndef RT_EVENTS_H
#define RT_EVENTS_H

#include <jni.h>
#include <jvmti.h>

#include "runtime-jni/recorder/config.h"

/* Listens to threads, the VM's death and what CONFIG asks for (events, alloc); what is refused is
 * noted. */
void rt_jvmti_listen(JNIEnv *env, const struct rt_config *config);

/* Listens to virtual threads being mounted, once: called at the first event of a thread that is a
 * virtual one, and returns when the VM tells. Not done at start, since it takes 10 ms and most
 * programs have none. No carrier misses its first mount: its own first event calls this. THREAD: the
 * virtual one; NULL: there is none yet. */
void rt_jvmti_meet_virtual(JNIEnv *env, jthread thread);

#endif
