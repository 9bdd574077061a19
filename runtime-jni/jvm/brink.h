/*
 * brink.h: calls that end where the stack is nearly full. Where a StackOverflowError passes, the last
 * calls that have begun may have no room for the probe that tells of their end. The first one that has
 * room tells how many calls of its method are open by now, as the VM knows (DEPTH): the others have ended.
 */
#ifndef RT_BRINK_H
#define RT_BRINK_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime-jni/recorder/recorder.h"

/* May FRAME, an address on the stack of this thread, be near its end? */
static inline bool rt_may_be_on_brink(const void *frame)
{
	return __builtin_expect(~(uintptr_t)frame >= rt_tls.calm, 0);
}

/* A call of ID ends by an exception, at FRAME. PROBE is the class that says so. */
void rt_brink_fails(JNIEnv *env, jclass probe, uint64_t id, const void *frame);

#endif
