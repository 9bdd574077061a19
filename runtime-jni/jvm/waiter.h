/*
 * waiter.h: what the current thread waits for and where, for threads that wait as often as they
 * can.
 *
 * Each thread keeps what it has found out of late, since to ask the VM takes longer than a wait may
 * last: who it is, the numbers of a few objects, and a few places.
 */
#ifndef RT_WAITER_H
#define RT_WAITER_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

/* The object that this thread parks for; 0: none that it told. */
uint64_t rt_waiter_blocker(JNIEnv *env);

/* The same of THREAD, which is another one. */
uint64_t rt_waiter_blocker_of(JNIEnv *env, jthread thread);

/* Where this thread is, which is about to wait for NUMBER, as rt_place() says; FRAME is an address
 * on its stack, the same for the same depth of calls; NOW: the tick. */
uint32_t rt_waiter_place(JNIEnv *env, uint64_t number, const void *frame, uint64_t now);

/* This thread ends: what was kept of it is forgotten. */
void rt_waiter_ends(JNIEnv *env);

#endif
