/*
 * own_monitor.h: does a thread have a monitor itself? Before JDK 24 the VM tells that a wait begins before it looks whether
 * it may: one of a thread that does not have the monitor fails, and nothing tells of its end. JVM TI knows who has a
 * monitor only once all threads stand still; what Thread.holdsLock() calls takes some 50 ns.
 */
#ifndef RT_OWN_MONITOR_H
#define RT_OWN_MONITOR_H

#include <jni.h>
#include <stdbool.h>

/* Looks for what to ask, in the library of the VM. */
void rt_own_monitor_prepare(void);

/* Has the thread that runs here the monitor of OBJECT? True where nobody can be asked. */
bool rt_own_monitor(JNIEnv *env, jobject object);

#endif
