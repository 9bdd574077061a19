/*
 * sampling_jni.h: the natives of rules that record less than all calls (recorder/sampling.h).
 */
#ifndef RT_SAMPLING_JNI_H
#define RT_SAMPLING_JNI_H

#include <jni.h>

#include "base/bytes.h"
#include "runtime-jni/recorder/config.h"

/* Binds them, where BAKED (base/baked.h) has such rules, and says in PROBE that they are bound. No
 * exception is left. */
void rt_sampling_bind(JNIEnv *env, jclass probe, struct jw_span baked,
		      const struct rt_config *config);

#endif
