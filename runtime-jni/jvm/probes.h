/*
 * probes.h: the natives that woven code calls at enters, exits and exceptions.
 *
 * There is one set per clock and mode, so that the hot path does not ask which: rt_event() of
 * recorder.h with a constant clock, or a sum of sums.h. Bound once the recording has begun, whose
 * clock is known then.
 */
#ifndef RT_PROBES_H
#define RT_PROBES_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

/* Binds the natives of PROBE; DIRECT: its probes themselves, in a class of natives (natives.h).
 * False, and maybe an exception: the class has others. */
bool rt_bind_probes(JNIEnv *env, jclass probe, bool direct);

/* Binds the probes by number of PROBE, which was made native, to what was TAKEN for it
 * (numbered.h). False: an exception is pending. */
bool rt_bind_numbered(JNIEnv *env, jclass probe, int taken);

/* The same for FFM, which calls them in a critical call, while the VM waits: they do not block.
 * 0: only the ordinary way can record this. */
int32_t rt_ffm_enter(int64_t id);
int32_t rt_ffm_exit(int64_t id);
/* The same for a summary. */
int32_t rt_ffm_sum_enter(int64_t id);
int32_t rt_ffm_sum_exit(int64_t id);

#endif
