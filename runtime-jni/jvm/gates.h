/*
 * gates.h: the gates in the VM: an array of Java that all probe classes have as a constant
 * (Probe.GATES), so that compiled code asks for one byte of it. budget.h says who closes them.
 */
#ifndef RT_GATES_H
#define RT_GATES_H

#include <jni.h>
#include <stdbool.h>

/* Makes the gates, and begins to keep recording within SHARE (0 to 1) of the CPU time; false: the
 * VM refuses, and all is recorded. Called once, before the first rt_gates_bind(). */
bool rt_gates_open(JNIEnv *env, double share);

/* Gives PROBE the gates, while its initialiser runs. No exception is left. */
void rt_gates_bind(JNIEnv *env, jclass probe);

/* Has the process gates that may close? */
bool rt_gates_are(void);

#endif
