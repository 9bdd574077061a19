/*
 * capture.h: the natives of Probe.object(), value() and their like, and of thrown(),
 * caught() and passed().
 */
#ifndef RT_CAPTURE_H
#define RT_CAPTURE_H

#include <jni.h>
#include <stdbool.h>

/* Binds them to the class PROBE, once the recording has begun; DIRECT: as in a class that was made
 * native (natives.h), which value() then is. False: the class has not all of them
 * (it is older than the library); no exception is left. */
bool rt_capture_bind(JNIEnv *env, jclass probe, bool direct);

/* The same for task(), handed(), runs() and ran(): capture_tasks.c. */
bool rt_tasks_bind(JNIEnv *env, jclass probe);

/* The same for context(): trace_context.c. */
bool rt_context_bind(JNIEnv *env, jclass probe);

/* The same for created(). */
bool rt_creations_bind(JNIEnv *env, jclass probe, bool direct);

/* The same for those of exceptions. */
bool rt_exceptions_bind(JNIEnv *env, jclass probe);

#endif
