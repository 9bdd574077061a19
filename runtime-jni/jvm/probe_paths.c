/*
 * probe_paths.c: ways into the recorder other than a native method whose object is a constant.
 *
 * Through FFM (JDK 22 and later): a critical call of rt_ffm_enter() takes half the time of a native
 * method once it is compiled, and fifty times as long before; getting there takes 100 ms. So it is
 * done when it was asked for (JWEAVE_FFM=1) or when a recording has become long, and by a thread of
 * ours: no thread of the program waits for it, or runs the JDK's code in the middle of its own.
 * Probe.java has the other half.
 *
 * In the interpreter: where nothing is ever compiled (-Xint), the class is made one whose probes
 * are natives themselves (natives.h; numbered.h has those of as many archives as a process of this
 * kind may be thought to have). Elsewhere compilers remove what that saves, and a
 * redefinition would make the VM throw away all compiled code, so it is left alone.
 */
#include "runtime-jni/jvm/probe_paths.h"

#include <jvmti.h>
#include <pthread.h>
#include <string.h>

#include "runtime-jni/jvm/gates.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/numbered.h"
#include "runtime-jni/jvm/probes.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/natives.h"
#include "runtime-jni/recorder/own_thread.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

/* ---- in the interpreter ---- */

/* RetransformClasses() asks us for other bytes than the class has. JVM TI wants ten parameters.
 * NOLINTNEXTLINE(readability-function-size) */
static void JNICALL on_class(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader,
			     const char *name, jobject domain, jint length,
			     const unsigned char *bytes, jint *new_length,
			     unsigned char **new_bytes)
{
	struct jw_buf out = { 0 };

	(void)env;
	(void)loader;
	(void)name;
	(void)domain;
	if (redefined && rt_make_natives(jw_span(bytes, (size_t)length), &out) &&
	    (*ti)->Allocate(ti, (jlong)out.n, new_bytes) == JVMTI_ERROR_NONE) {
		memcpy(*new_bytes, out.p, out.n);
		*new_length = (jint)out.n;
	}
	jw_buf_free(&out);
}

/* With an environment of its own, so that no other event knows of it. */
static bool make_native(jvmtiEnv *ti, jclass probe)
{
	static const jvmtiCapabilities needs = { .can_retransform_classes = 1 };
	static const jvmtiEventCallbacks calls = { .ClassFileLoadHook = on_class };
	if ((*ti)->AddCapabilities(ti, &needs) != JVMTI_ERROR_NONE ||
	    (*ti)->SetEventCallbacks(ti, &calls, sizeof(calls)) != JVMTI_ERROR_NONE ||
	    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
					    NULL) != JVMTI_ERROR_NONE)
		return false;
	return (*ti)->RetransformClasses(ti, 1, &probe) == JVMTI_ERROR_NONE;
}

static void go_direct(JNIEnv *env, jclass probe)
{
	void *ti = NULL;

	if ((*rt_jvm.vm)->GetEnv(rt_jvm.vm, &ti, JVMTI_VERSION_1_2) != JNI_OK)
		return;
	int taken = rt_numbered_take(env, probe);
	bool made = taken >= 0 && make_native(ti, probe);
	(*(jvmtiEnv *)ti)->DisposeEnvironment(ti);
	if (made && rt_bind_probes(env, probe, true))
		(void)rt_bind_numbered(env, probe, taken);
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
}

/* ---- through FFM ---- */

/* What a recording has to hold before it counts as long: 16 million events, in which the way
 * through FFM would have saved more than it takes to get there. */
#define LONG_BYTES (UINT64_C(256) << 20)

#define STACK_BYTES ((size_t)8 << 20) /* the JDK makes method handles on it */

struct waiting {
	struct waiting *next;
	jweak probe;
};

static struct {
	pthread_mutex_t lock;
	struct waiting *probes; /* that still go through JNI */
	bool allowed, wanted;
} ffm = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What Probe.speedUp() makes handles of. */
static jlong address_of(int32_t (*function)(int64_t id))
{
	jlong address = 0;

	memcpy(&address, &function, sizeof(function));
	return address;
}

static void speed_up(JNIEnv *env, jclass probe)
{
	jmethodID method = (*env)->GetStaticMethodID(env, probe, "speedUp", "(JJ)Z");

	bool sums = rt_recorder_mode() == RT_MODE_SUMMARY;
	jlong enter = address_of(sums ? rt_ffm_sum_enter : rt_ffm_enter);
	jlong exit = address_of(sums ? rt_ffm_sum_exit : rt_ffm_exit);

	if (method && (*env)->CallStaticBooleanMethod(env, probe, method, enter, exit))
		rt_line_tick("probes", trace_tick_now(rt_recorder_clock()), "ffm");
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env); /* a probe of another version */
}

static struct waiting *take_waiting(void)
{
	pthread_mutex_lock(&ffm.lock);
	struct waiting *first = ffm.probes;

	if (first)
		ffm.probes = first->next;
	pthread_mutex_unlock(&ffm.lock);
	return first;
}

static void *speed_up_all(void *unused)
{
	rt_mute();
	JNIEnv *env = rt_jvm_attach_own();

	for (struct waiting *w; env && (w = take_waiting()); jw_mem_free(w)) {
		jclass probe = (*env)->NewLocalRef(env, w->probe);

		if (probe) { /* else it was collected */
			speed_up(env, probe);
			(*env)->DeleteLocalRef(env, probe);
		}
		(*env)->DeleteWeakGlobalRef(env, w->probe);
	}
	rt_jvm_detach_own(env);
	return unused;
}

/* The recording has become long. */
static void want_ffm(void)
{
	pthread_mutex_lock(&ffm.lock);
	ffm.wanted = true;
	bool any = ffm.probes;
	pthread_mutex_unlock(&ffm.lock);
	if (any)
		(void)rt_own_thread(speed_up_all, STACK_BYTES); /* else all stays as it is */
}

void rt_paths_prepare(JNIEnv *env, enum rt_choice mode)
{
	ffm.allowed = mode != RT_CHOICE_OFF && (*env)->GetVersion(env) >= RT_JNI_VERSION_21;
	ffm.wanted = mode == RT_CHOICE_ON;
	if (ffm.allowed && !ffm.wanted)
		rt_when_long(LONG_BYTES, want_ffm);
}

static void wait_for_ffm(JNIEnv *env, jclass probe)
{
	/* a woven java.base would log what it does to make the very call that logs */
	struct waiting *w =
		rt_loader_of(env, probe) == RT_LOADER_BOOT ? NULL : jw_mem_zalloc(1, sizeof(*w));

	if (!w)
		return;
	w->probe = (*env)->NewWeakGlobalRef(env, probe);
	pthread_mutex_lock(&ffm.lock);
	w->next = ffm.probes;
	ffm.probes = w;
	bool now = ffm.wanted;
	pthread_mutex_unlock(&ffm.lock);
	if (now)
		(void)rt_own_thread(speed_up_all, STACK_BYTES); /* else all stays as it is */
}

void rt_paths_settle(JNIEnv *env, jclass probe)
{
	/* natives have no gates */
	if (rt_jvm.ti && rt_jvmti_property_has("java.vm.info", "interpreted mode") &&
	    !rt_gates_are())
		go_direct(env, probe);
	else if (ffm.allowed)
		wait_for_ffm(env, probe);
}
