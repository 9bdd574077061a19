/*
 * holders.h: who has the monitor that a thread waits to enter. The VM tells that a thread is
 * blocked, not by whom, and to ask stops all threads for a moment. So a thread of ours asks, of
 * waits that last:
 *
 *     begins          -> some milliseconds ->  it asks the VM          -> ends
 *     CONTENDED                                                          HOLDER ENTERED
 *
 * What it learns is a fact of one moment of the wait. Who gets the monitor after a wait of its own has it from then on:
 * so a wait has parts, and of these the longest of which it is known who had the monitor is told:
 *
 *     CONTENDED ... HOLDER a (seen, or it got it) ... HOLDER 0 (another one got it) ... ENTERED
 *
 * Asking takes a fiftieth of the time at most. Of a wait that
 * lasts for a second, or until the VM ends, meta tells (`held`): it may be a deadlock.
 */
#ifndef RT_HOLDERS_H
#define RT_HOLDERS_H

#include <jni.h>
#include <jvmti.h>
#include <stdint.h>

/* TICK: when THREAD (jwr_thread_object()) was seen to have it; THREAD 0: nobody has looked, or nobody
 * had it then. */
struct rt_holder {
	uint64_t thread, tick;
};

/* The holder that is told of a wait; UNTIL: the tick at which another thread got the monitor; 0: it had it to the end. */
struct rt_held {
	struct rt_holder holder;
	uint64_t until;
};

/* Asks the VM for what that needs; where it refuses, nobody is asked about. */
void rt_holders_prepare(void);
/* THREAD, which runs here, is about to wait for the monitor of OBJECT. */
void rt_holder_begins(JNIEnv *env, jthread thread, jobject object);
/* The wait of THREAD is over: it has the monitor. */
struct rt_held rt_holder_ends(JNIEnv *env, jthread thread);
/* THREAD, which runs here, waits for no monitor, whatever was told: it ends, or waits for another one. */
void rt_holder_gone(JNIEnv *env, jthread thread);
/* The VM ends: meta tells who has the monitors, and the locks of java.util.concurrent (ReentrantLock), that threads
 * still wait for. */
void rt_holders_tell(JNIEnv *env);

#endif
