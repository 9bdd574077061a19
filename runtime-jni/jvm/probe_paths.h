/*
 * probe_paths.h: the ways from a probe into the recorder: JNI, natives in place of Java code, FFM.
 */
#ifndef RT_PROBE_PATHS_H
#define RT_PROBE_PATHS_H

#include <jni.h>

#include "runtime-jni/recorder/config.h"

/* Whether probes may go through FFM, and when: AUTO, once the recording is long. */
void rt_paths_prepare(JNIEnv *env, enum rt_choice mode);

/* The initialiser of PROBE has only this left to do: settle how its probes call. */
void rt_paths_settle(JNIEnv *env, jclass probe);

#endif
