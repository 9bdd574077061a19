#include "runtime-jni/jvm/probes.h"

#include "runtime-jni/jvm/brink.h"
#include "runtime-jni/jvm/capture.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/numbered.h"
#include "runtime-jni/jvm/trace_api.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/sums.h"

#include "base/banned.h"

/* ---- probes: one set per clock and mode, so that the hot path does not ask which ---- */

#define PROBE(name, kind, clock)                                      \
	static void JNICALL name(JNIEnv *env, jclass class, jlong id) \
	{                                                             \
		(void)env;                                            \
		(void)class;                                          \
		rt_event(clock, kind, (uint64_t)id);                  \
	}
PROBE(enter_fast, JWR_ENTER, RT_FAST_CLOCK)
PROBE(exit_fast, JWR_EXIT, RT_FAST_CLOCK)
PROBE(enter_slow, JWR_ENTER, TRACE_TICKS_MONOTONIC)
PROBE(exit_slow, JWR_EXIT, TRACE_TICKS_MONOTONIC)

#define SUMS_PROBE(name, call)                                        \
	static void JNICALL name(JNIEnv *env, jclass class, jlong id) \
	{                                                             \
		(void)env;                                            \
		(void)class;                                          \
		call;                                                 \
	}
SUMS_PROBE(sum_enter_fast, rt_sums_enter(RT_FAST_CLOCK, (uint64_t)id))
SUMS_PROBE(sum_exit_fast, rt_sums_exit(RT_FAST_CLOCK, (uint64_t)id, false))
SUMS_PROBE(sum_enter_slow, rt_sums_enter(TRACE_TICKS_MONOTONIC, (uint64_t)id))
SUMS_PROBE(sum_exit_slow, rt_sums_exit(TRACE_TICKS_MONOTONIC, (uint64_t)id, false))

/* By an exception: which may be that the stack is full. */
#define FAIL_PROBE(name, call)                                                                \
	static void JNICALL name(JNIEnv *env, jclass class, jlong id)                         \
	{                                                                                     \
		if (rt_may_be_on_brink(__builtin_frame_address(0)))                           \
			rt_brink_fails(env, class, (uint64_t)id, __builtin_frame_address(0)); \
		call;                                                                         \
	}
FAIL_PROBE(fail_fast, rt_event(RT_FAST_CLOCK, JWR_FAIL, (uint64_t)id))
FAIL_PROBE(fail_slow, rt_event(TRACE_TICKS_MONOTONIC, JWR_FAIL, (uint64_t)id))
FAIL_PROBE(sum_fail_fast, rt_sums_exit(RT_FAST_CLOCK, (uint64_t)id, true))
FAIL_PROBE(sum_fail_slow, rt_sums_exit(TRACE_TICKS_MONOTONIC, (uint64_t)id, true))

/* Inside a critical call the VM waits for us: nothing here may block. What would need the slow path
 * is left to it, by the caller. */
static inline bool try_event(enum jwr_kind kind, int64_t id)
{
	enum trace_ticks clock = rt_recorder_clock();

	return clock == RT_FAST_CLOCK ? rt_try_event(RT_FAST_CLOCK, kind, (uint64_t)id)
				      : rt_try_event(clock, kind, (uint64_t)id);
}

int32_t rt_ffm_enter(int64_t id)
{
	return try_event(JWR_ENTER, id);
}

int32_t rt_ffm_exit(int64_t id)
{
	return try_event(JWR_EXIT, id);
}

int32_t rt_ffm_sum_enter(int64_t id)
{
	return rt_sums_try_enter(rt_recorder_clock(), (uint64_t)id);
}

int32_t rt_ffm_sum_exit(int64_t id)
{
	return rt_sums_try_exit(rt_recorder_clock(), (uint64_t)id, false);
}

/* Natives of Probe. DIRECT: what it is called in a class that was made native (natives.h). */
static const struct probe_native {
	const char *name, *direct, *signature;
	rt_probe_fn fast, slow, sum_fast, sum_slow;
} probe_natives[] = {
	[RT_ENTER] = { "enter0", "enter", "(J)V", enter_fast, enter_slow, sum_enter_fast,
		       sum_enter_slow },
	[RT_EXIT] = { "exit0", "exit", "(J)V", exit_fast, exit_slow, sum_exit_fast, sum_exit_slow },
	[RT_FAIL] = { "fail0", "fail", "(J)V", fail_fast, fail_slow, sum_fail_fast, sum_fail_slow },
};

static const rt_probe_fn *function_of(const struct probe_native *n)
{
	bool fast = rt_recorder_clock() == RT_FAST_CLOCK;

	if (rt_recorder_mode() == RT_MODE_SUMMARY)
		return fast ? &n->sum_fast : &n->sum_slow;
	return fast ? &n->fast : &n->slow;
}

bool rt_bind_numbered(JNIEnv *env, jclass probe, int taken)
{
	rt_probe_fn events[RT_PROBES];

	for (size_t i = 0; i < RT_PROBES; i++)
		events[i] = *function_of(&probe_natives[i]);
	return rt_numbered_bind(env, probe, taken, events);
}

bool rt_bind_probes(JNIEnv *env, jclass probe, bool direct)
{
	JNINativeMethod natives[sizeof(probe_natives) / sizeof(*probe_natives)];

	for (size_t i = 0; i < sizeof(natives) / sizeof(*natives); i++) {
		const struct probe_native *n = &probe_natives[i];

		natives[i] = rt_native_method(direct ? n->direct : n->name, n->signature,
					      function_of(n));
	}
	if (!rt_user_bind(env, probe)) {
		if (!rt_capture_bind(env, probe, direct))
			rt_note("an archive was woven by an older jweave: its captures are not "
				"recorded");
		/* one that is too old for them calls none of them */
		(void)rt_exceptions_bind(env, probe);
		(void)rt_tasks_bind(env, probe);
		(void)rt_context_bind(env, probe);
		(void)rt_creations_bind(env, probe, direct);
	}
	return (*env)->RegisterNatives(env, probe, natives, sizeof(natives) / sizeof(*natives)) ==
	       JNI_OK;
}
