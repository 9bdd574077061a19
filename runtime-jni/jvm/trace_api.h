/*
 * trace_api.h: the natives of jweave.api.Trace: regions, events, labels, pauses of the
 * program's own.
 */
#ifndef RT_TRACE_API_H
#define RT_TRACE_API_H

#include <jni.h>
#include <stdbool.h>

/* Binds them to CLASS if it is that class. False: it is another; no exception is left. */
bool rt_user_bind(JNIEnv *env, jclass class);

#endif
