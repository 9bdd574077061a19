/*
 * stack_place.h: where a thread is while it waits, for PLACE records.
 */
#ifndef RT_STACK_PLACE_H
#define RT_STACK_PLACE_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* Once, before the first wait. Returns true. */
bool rt_places_prepare(void);

/* The place of this thread, or of THREAD; 0: unknown. */
uint32_t rt_place(JNIEnv *env);
uint32_t rt_place_of(JNIEnv *env, jthread thread);

/* The same for rt_early_ends(): 0, too, where the wait was not so long that a look at the stack would
 * not matter. */
uint32_t rt_early_place(JNIEnv *env);

#endif
