/*
 * numbered.h: probes by number as natives, for an interpreter.
 *
 * Probe.Code(number) adds the base of its archive and calls what enter(id) calls. Where a probe is
 * to be a native itself (natives.h), the base has to come from the native: there are so many of
 * them, and each belongs to one archive.
 */
#ifndef RT_NUMBERED_H
#define RT_NUMBERED_H

#include <jni.h>
#include <stdbool.h>

typedef void(JNICALL *rt_probe_fn)(JNIEnv *env, jclass class, jlong id);

enum rt_probe { RT_ENTER, RT_EXIT, RT_FAIL, RT_PROBES };

/* Takes natives for PROBE, whose base is read now; -1: there are none left. Any thread. */
int rt_numbered_take(JNIEnv *env, jclass probe);

/* Binds the probes by number of PROBE, which are natives now, to those that were TAKEN. They call
 * EVENTS (by enum rt_probe; the same for all archives). False: an exception is pending. */
bool rt_numbered_bind(JNIEnv *env, jclass probe, int taken, const rt_probe_fn events[RT_PROBES]);

#endif
