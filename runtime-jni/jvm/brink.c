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

/* A method as the VM names it; NULL: it does not say. */
struct names {
	char *name, *descriptor, *class;
};

static void drop_names(struct names *names)
{
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)names->name);
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)names->descriptor);
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)names->class);
	*names = (struct names){ 0 };
}

/* False: they are not all known. */
static bool name_class(JNIEnv *env, jmethodID method, struct names *names)
{
	jclass class = NULL;

	if ((*rt_jvm.ti)->GetMethodDeclaringClass(rt_jvm.ti, method, &class) != JVMTI_ERROR_NONE)
		return false;
	bool known = (*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &names->class, NULL) ==
		     JVMTI_ERROR_NONE;

	(*env)->DeleteLocalRef(env, class);
	return known;
}

static bool name_method(jmethodID method, struct names *names)
{
	return (*rt_jvm.ti)
		       ->GetMethodName(rt_jvm.ti, method, &names->name, &names->descriptor, NULL) ==
	       JVMTI_ERROR_NONE;
}

/* Is the one of NAMES one of ours, that has called the probe: of its class, of one in that, or by number? */
static bool is_ours(jclass probe, const struct names *names)
{
	jvmtiEnv *ti = rt_jvm.ti;
	char *own = NULL;
	bool ours = !strcmp(names->name, "LineNumberTable");

	if (!ours && (*ti)->GetClassSignature(ti, probe, &own, NULL) == JVMTI_ERROR_NONE) {
		size_t n = strlen(own) - 1; /* without the ; */

		ours = !strncmp(names->class, own, n) &&
		       (names->class[n] == ';' || names->class[n] == '$');
	}
	(*ti)->Deallocate(ti, (unsigned char *)own);
	return ours;
}

/* The number of the innermost of the N FRAMES that is not ours, whose NAMES it is then; N: the VM does not say. */
static jint innermost(JNIEnv *env, jclass probe, const jvmtiFrameInfo *frames, jint n,
		      struct names *names)
{
	for (jint i = 0; i < n && i <= PROBE_DEEP; i++) {
		if (!name_method(frames[i].method, names) ||
		    !name_class(env, frames[i].method, names))
			return n;
		if (i == PROBE_DEEP || !is_ours(probe, names))
			return i;
		drop_names(names);
	}
	return n;
}

/* Is METHOD what NAMES tells? It is of another class of that name, or was so before that was redefined. */
static bool is_same(JNIEnv *env, jmethodID method, const struct names *names)
{
	struct names of = { 0 };
	bool same = name_method(method, &of) && !strcmp(of.name, names->name) &&
		    !strcmp(of.descriptor, names->descriptor) && name_class(env, method, &of) &&
		    !strcmp(of.class, names->class);

	drop_names(&of);
	return same;
}

#define KNOWN 16 /* methods that call each other are few */

/* How many of the N FRAMES are of the innermost method that is not ours. One method of the map may be several of the VM: of
 * classes of several loaders, or versions. */
static uint64_t count_same(JNIEnv *env, jclass probe, const jvmtiFrameInfo *frames, jint n)
{
	struct {
		jmethodID method;
		bool same;
	} known[KNOWN] = { 0 };
	struct names names = { 0 };
	uint64_t count = 0;
	jint top = innermost(env, probe, frames, n, &names);

	for (jint i = top; i < n; i++) {
		jmethodID method = frames[i].method;
		size_t k = ((uintptr_t)method >> 3) % KNOWN;

		if (known[k].method != method) {
			known[k].method = method;
			known[k].same =
				method == frames[top].method || is_same(env, method, &names);
		}
		count += known[k].same;
	}
	drop_names(&names);
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

	if (!rt_tls.calm && !brink.pending) { /* a native thread comes again: its stack is known */
		if (!brink.high)
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
