/*
 * lock_owners.h: what objects of the JDK say of who waits for them. Who has a lock of java.util.concurrent for which a thread
 * parks, where the lock knows that: ReentrantLock, and the writing side of ReentrantReadWriteLock. It is asked where nobody will
 * tell: at the end of the VM, and of virtual threads, which go on without a native of the JDK being called. And what those park
 * for who join a virtual thread.
 */
#ifndef RT_LOCK_OWNERS_H
#define RT_LOCK_OWNERS_H

#include <jni.h>
#include <stdint.h>

/* Before the first question; again, it does nothing. */
void rt_lock_owners_prepare(JNIEnv *env);

/* The id of the thread that has the lock for which THREAD parks; 0: it parks for something else, nobody has it now, or this JDK
 * does not say. Leaves no local reference. */
uint64_t rt_lock_owner(JNIEnv *env, jobject thread);

/* What those park for who join THREAD, a virtual one, as a local reference; NULL: nobody does, or this JDK does not say. */
jobject rt_joiners_blocker(JNIEnv *env, jobject thread);

#endif
