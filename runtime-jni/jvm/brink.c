#define _GNU_SOURCE /* pthread_getattr_np(); NOLINT(bugprone-reserved-identifier) */
/*
 * brink.c: see brink.h.
 *
 * To walk a stack takes the VM 0.5 ns times the square of its calls: of 60,000 a second. So it is asked
 * once an exception that has come from near the end is so far up that few calls are left, and in a third of the time at
 * most: calls that have ended untold are those of a method that calls itself, and which of its calls
 * these are makes no difference. Where the exception is caught farther down, it is asked at the next one.
 */
#include "runtime-jni/jvm/brink.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/session.h"
#include "trace/format/recording.h"
#include "trace/format/tick.h"

#include "base/banned.h"

/* HotSpot keeps some 100 KB free below a native; what has no room there needs some KB more. */
#define BRINK_BYTES (160u << 10)
#define WALK_BYTES  (128u << 10) /* a stack of which that is left is walked, or a half of that .. */
#define WALK_CALLS  512          /* as soon as they are no more */
#define SHARE       2            /* so much longer than a walk it does without */
#define PROBE_DEEP  5            /* methods of ours at most, below the one that was woven */

static _Thread_local struct {
	uintptr_t low, high; /* of the stack; 0: not known */
	bool pending;        /* calls may have ended untold */
	uintptr_t left;      /* so much of the stack is walked */
	uint64_t until;      /* ns: no walk before */
} brink;

static void learn_stack(void)
{
	pthread_attr_t attr;
	void *low = NULL;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return;
	if (pthread_attr_getstack(&attr, &low, &size) == 0 && !rt_jvm.stacks_apart) {
		brink.low = (uintptr_t)low;
		brink.high = brink.low + size;
	}
	pthread_attr_destroy(&attr);
}

/* From now on PENDING; if not, only what is near the end is asked about. */
static void set_pending(bool pending)
{
	brink.pending = pending;
	brink.left = WALK_BYTES;
	rt_tls.calm = pending ? 0 : brink.low ? ~(brink.low + BRINK_BYTES) : UINTPTR_MAX;
}

/* Is METHOD one of ours, that has called the probe: of its class, of one in that, or by number? */
static bool is_ours(JNIEnv *env, jclass probe, jmethodID method)
{
	jvmtiEnv *ti = rt_jvm.ti;
	jclass class = NULL;
	char *name = NULL, *of = NULL, *own = NULL;
	bool ours = false;

	if ((*ti)->GetMethodDeclaringClass(ti, method, &class) != JVMTI_ERROR_NONE)
		return false;
	if ((*ti)->GetMethodName(ti, method, &name, NULL, NULL) == JVMTI_ERROR_NONE &&
	    (*ti)->GetClassSignature(ti, class, &of, NULL) == JVMTI_ERROR_NONE &&
	    (*ti)->GetClassSignature(ti, probe, &own, NULL) == JVMTI_ERROR_NONE) {
		size_t n = strlen(own) - 1; /* without the ; */

		ours = !strcmp(name, "LineNumberTable") ||
		       (!strncmp(of, own, n) && (of[n] == ';' || of[n] == '$'));
	}
	(*ti)->Deallocate(ti, (unsigned char *)own);
	(*ti)->Deallocate(ti, (unsigned char *)of);
	(*ti)->Deallocate(ti, (unsigned char *)name);
	(*env)->DeleteLocalRef(env, class);
	return ours;
}

/* How many of the N FRAMES are of the innermost method that is not ours. */
static uint64_t count_same(JNIEnv *env, jclass probe, const jvmtiFrameInfo *frames, jint n)
{
	uint64_t count = 0;
	jint top = 0;

	while (top < n && top < PROBE_DEEP && is_ours(env, probe, frames[top].method))
		top++;
	for (jint i = top; i < n; i++)
		count += frames[i].method == frames[top].method;
	return count;
}

/* How many calls of the method that calls PROBE this thread is in; 0: too many, or the VM does not say. */
static uint64_t calls_open(JNIEnv *env, jclass probe)
{
	jvmtiEnv *ti = rt_jvm.ti;
	jint n = 0;
	uint64_t count = 0;

	if (!ti || (*ti)->GetFrameCount(ti, NULL, &n) != JVMTI_ERROR_NONE || n <= 0)
		return 0;
	if (n > WALK_CALLS) {
		brink.left /= 2;
		return 0;
	}
	jvmtiFrameInfo *frames = jw_mem_alloc((size_t)n * sizeof(*frames));

	if (frames && (*ti)->GetStackTrace(ti, NULL, 0, n, frames, &n) == JVMTI_ERROR_NONE)
		count = count_same(env, probe, frames, n);
	jw_mem_free(frames);
	return count;
}

static void tell_depth(JNIEnv *env, jclass probe, uint64_t id)
{
	uint64_t begin = trace_ns_of(CLOCK_MONOTONIC);

	if (begin < brink.until || !rt_is_told() || !rt_recording())
		return;
	uint64_t count = calls_open(env, probe), end = trace_ns_of(CLOCK_MONOTONIC);

	if (!count)
		return;
	brink.until = end + (end - begin) * SHARE;
	set_pending(false);
	rt_event(rt_recorder_clock(), JWR_DEPTH, jwr_depth(count, id));
}

void rt_brink_fails(JNIEnv *env, jclass probe, uint64_t id, const void *frame)
{
	uintptr_t at = (uintptr_t)frame;

	if (!rt_tls.calm && !brink.high) {
		learn_stack();
		set_pending(false);
	}
	if (at < brink.low || at >= brink.high)
		return;
	if (at - brink.low < BRINK_BYTES && !brink.pending)
		set_pending(true);
	if (brink.pending && brink.high - at < brink.left && !(id & JWR_SITE_BIT))
		tell_depth(env, probe, id);
}
