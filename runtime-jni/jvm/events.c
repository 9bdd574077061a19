/*
 * events.c: what the VM tells through JVM TI: threads, virtual threads, pauses of the garbage
 * collector, monitors.
 *
 * One table of groups: what each needs, what it listens to, what the note says when the VM refuses.
 * A callback that runs on a Java thread logs on that thread; those of the collector run on a thread
 * of the VM's own, within the pause: no JNI, no JVM TI there.
 */
#include "runtime-jni/jvm/events.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime-jni/jvm/class_waits.h"
#include "runtime-jni/jvm/holders.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/loaded.h"
#include "runtime-jni/jvm/lock_owners.h"
#include "runtime-jni/jvm/objects.h"
#include "runtime-jni/jvm/own_monitor.h"
#include "runtime-jni/jvm/stack_place.h"
#include "runtime-jni/jvm/taps.h"
#include "runtime-jni/jvm/threads.h"
#include "runtime-jni/jvm/waiter.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/early.h"
#include "runtime-jni/recorder/finish.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/off_cpu.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

/* Of JVM TI 21; this may be compiled with the header of an older JDK. */
#define EVENT_VIRTUAL_THREAD_END 88
#define CAPABILITY_VIRTUAL_BIT   44
#define EVENTS                   (EVENT_VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL + 1)

typedef void(JNICALL *callback_fn)(void);

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
	(void)ti;
	(void)env;
	(void)thread;
	rt_thread_begins();
}

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
	struct rt_thread_info info = { 0 };
	bool named = rt_tls.slot && thread && rt_jvmti_name(env, thread, &info);

	(void)ti;
	rt_holder_gone(env, thread);
	rt_waiter_ends(env);
	rt_thread_ends(named ? info.name : NULL);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env)
{
	(void)ti;
	rt_loaded_tell(env);
	rt_name_seen_classes(env);
	rt_taps_close();
	rt_taps_tell_open(env);
	rt_holders_tell(env);
	rt_io_taps_close();
	rt_finish_dying(rt_jvmti_alive);
}

/* ---- waiting for a monitor ---- */

/* The thread that runs here waits for a monitor, as the VM has told: on 24 and later a virtual one
 * gives its carrier back then, too. */
static _Thread_local bool blocked;

/* Threads that never ran woven code get no row by blocking. */
static void log_monitor(JNIEnv *env, enum jwr_kind kind, jobject object)
{
	bool begins = kind == JWR_CONTENDED || kind == JWR_WAIT;

	if (rt_is_told()) {
		rt_event(rt_recorder_clock(), kind, rt_object_number(env, object));
		if (!begins)
			rt_off_cpu_waited();
	} else if (begins && rt_early_wanted()) {
		rt_early_begins(kind, rt_object_number(env, object));
	} else if (!begins) {
		rt_early_ends(kind, rt_object_number(env, object), rt_early_place(env));
	}
}

/* A wait begins: where, then what for. A summary adds up by object alone. */
static void log_wait(JNIEnv *env, enum jwr_kind kind, jobject object)
{
	uint32_t place = 0;

	if (rt_is_told() && rt_recording() && rt_recorder_mode() != RT_MODE_SUMMARY)
		place = rt_place(env);
	if (place)
		rt_event(rt_recorder_clock(), JWR_PLACE, place);
	log_monitor(env, kind, object);
	blocked = rt_tls.mounted;
}

/* Of who runs here it is told that it has entered, before the VM says so, if it ever does. */
static _Thread_local bool entered;

static void begin_contended(JNIEnv *env, jthread thread, jobject object)
{
	entered = false;
	log_wait(env, JWR_CONTENDED, object);
	if (rt_is_told() && rt_recording())
		rt_holder_begins(env, thread, object);
}

static void tell_holder(JNIEnv *env, jthread thread)
{
	struct rt_held held = rt_holder_ends(env, thread);

	if (held.holder.thread && rt_is_told())
		rt_event_at(held.holder.tick, JWR_HOLDER, held.holder.thread);
	if (held.until && rt_is_told())
		rt_event_at(held.until, JWR_HOLDER, 0);
}

/*
 * A virtual thread that comes back from Object.wait() on 24 and later is mounted so that the VM can
 * tell of it (WAITED), and unmounted from within wait0(); only then it looks for its monitor:
 *
 *     notified:             mount WAITED unmount ... mount ENTERED
 *     else, it is taken:    mount WAITED unmount ... mount ENTERED
 *     else, and it is free: mount WAITED unmount     mount
 *
 * So the second unmount may be one of a thread that is blocked. It is taken for that; what ends it is
 * ENTERED, or, as that may never come, the next mount of the same thread, if it is the next one here. Where
 * that comes at once it was not blocked: all is taken back.
 */
#define AT_ONCE_NS \
	UINT64_C(50000) /* it takes 4 to 20 us; to get off and to be let go on takes longer */

static _Atomic(jmethodID) wait0;     /* NULL: not known (yet) */
static _Thread_local jobject waited; /* by who runs here: a global reference, or NULL */
static _Thread_local struct {
	uint64_t
		thread; /* who was the last one that ran here, and is taken for blocked; 0: nobody */
	uint64_t number; /* of the object */
	uint64_t since;  /* ns */
	struct rt_mark from, to;
} again;

static void forget_waited(JNIEnv *env)
{
	if (waited)
		(*env)->DeleteGlobalRef(env, waited);
	waited = NULL;
}

static void note_waited(JNIEnv *env, jobject object)
{
	forget_waited(env);
	if (rt_tls.mounted && wait0 && rt_is_told() && rt_recording())
		waited = (*env)->NewGlobalRef(env, object);
}

static void learn_wait(JNIEnv *env)
{
	jclass object = (*env)->FindClass(env, "java/lang/Object");

	wait0 = object ? (*env)->GetMethodID(env, object, "wait0", "(J)V") : NULL;
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, object);
}

static bool is_in_wait(void)
{
	jvmtiFrameInfo top;
	jint count = 0;

	return (*rt_jvm.ti)->GetStackTrace(rt_jvm.ti, NULL, 0, 1, &top, &count) ==
		       JVMTI_ERROR_NONE &&
	       count == 1 && top.method == wait0;
}

/* THREAD, whose number is ID, leaves its carrier: for the monitor of what it has waited for? */
static bool is_blocked_again(JNIEnv *env, jthread thread, uint64_t id)
{
	if (!waited || blocked || !is_in_wait())
		return false;
	again.thread = id;
	again.number = rt_object_number(env, waited);
	again.from = rt_mark();
	begin_contended(env, thread, waited);
	again.to = rt_mark();
	again.since = trace_ns_of(CLOCK_MONOTONIC);
	return true;
}

/* It is mounted. */
static void enters_again(JNIEnv *env, jthread thread, uint64_t id)
{
	entered = id && again.thread == id;
	again.thread = 0;
	if (!entered)
		return;
	if (trace_ns_of(CLOCK_MONOTONIC) - again.since < AT_ONCE_NS &&
	    rt_take_back(again.from, again.to)) {
		rt_holder_gone(env, thread);
		return;
	}
	tell_holder(env, thread);
	if (rt_is_told())
		rt_event(rt_recorder_clock(), JWR_ENTERED, again.number);
}

/* ---- virtual threads ---- */

/* Values of VirtualThread.state. */
enum { RUNNING, YIELDING, PARKING, TIMED_PARKING, STATES };
static struct {
	_Atomic(jfieldID) field; /* NULL: not known (yet) */
	jint values[STATES];     /* set before */
} states;

static void learn_states(JNIEnv *env, jthread thread)
{
	static const char *const names[] = { "RUNNING", "YIELDING", "PARKING",
					     "TIMED_PARKING" }; /* the latter since 22 */
	jclass class = (*env)->GetObjectClass(env, thread);
	jfieldID field = rt_jvm_field(env, class, "state", "I");

	for (int i = 0; i < STATES; i++) {
		jfieldID value = (*env)->GetStaticFieldID(env, class, names[i], "I");

		if (value)
			states.values[i] = (*env)->GetStaticIntField(env, class, value);
		else
			(*env)->ExceptionClear(env);
		if (!value && i == TIMED_PARKING)
			states.values[i] = states.values[PARKING];
		else if (!value)
			field = NULL;
	}
	atomic_store(&states.field, field);
	(*env)->DeleteLocalRef(env, class);
}

static bool is_in_state(JNIEnv *env, jthread thread, int state)
{
	jfieldID field = atomic_load(&states.field);

	return field && (*env)->GetIntField(env, thread, field) == states.values[state];
}

/* It has nothing to wait for: it ends, or yields. */
static bool is_ready(JNIEnv *env, jthread thread)
{
	return is_in_state(env, thread, RUNNING) || is_in_state(env, thread, YIELDING);
}

/* It is back on its carrier, of which it could not get off: else it is running again by now. */
static bool is_pinned(JNIEnv *env, jthread thread)
{
	return is_in_state(env, thread, PARKING) || is_in_state(env, thread, TIMED_PARKING);
}

static void JNICALL on_mount(jvmtiEnv *ti, ...)
{
	va_list args;

	va_start(args, ti);
	JNIEnv *env = va_arg(args, JNIEnv *);
	jthread thread = va_arg(args, jthread);
	va_end(args);
	uint64_t id = rt_jvmti_id(env, thread);
	rt_thread_mounts(id);
	rt_taps_mounted(id, is_pinned(env, thread));
	enters_again(env, thread, id);
	blocked = false;
	forget_waited(env);
}

static void JNICALL on_unmount(jvmtiEnv *ti, ...)
{
	va_list args;

	va_start(args, ti);
	JNIEnv *env = va_arg(args, JNIEnv *);
	jthread thread = va_arg(args, jthread);
	va_end(args);
	if (!is_blocked_again(env, thread, rt_tls.mounted) && !blocked)
		rt_taps_unmount(env, thread, !is_ready(env, thread));
	rt_thread_mounts(0);
	blocked = false;
	forget_waited(env);
}

static void JNICALL on_virtual_end(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
	(void)ti;
	uint64_t id = rt_jvmti_id(env, thread);

	rt_holder_gone(env, thread);
	rt_taps_virtual_ends(env, thread, id);
	rt_virtual_ends(id);
}

static void free_extensions(jvmtiExtensionEventInfo *all, jint count)
{
	jvmtiEnv *ti = rt_jvm.ti;

	for (jint i = 0; i < count; i++) {
		for (jint k = 0; k < all[i].param_count; k++)
			(*ti)->Deallocate(ti, (unsigned char *)all[i].params[k].name);
		(*ti)->Deallocate(ti, (unsigned char *)all[i].params);
		(*ti)->Deallocate(ti, (unsigned char *)all[i].id);
		(*ti)->Deallocate(ti, (unsigned char *)all[i].short_description);
	}
	(*ti)->Deallocate(ti, (unsigned char *)all);
}

/* Mounts are no events of JVM TI proper. Setting the callback alone is not enough: HotSpot stays
 * silent until the event is enabled under its index too. */
static bool listen_to_mounts(void)
{
	static const struct {
		const char *id;
		jvmtiExtensionEvent call;
	} wanted[] = { { "com.sun.hotspot.events.VirtualThreadMount", on_mount },
		       { "com.sun.hotspot.events.VirtualThreadUnmount", on_unmount } };
	jvmtiEnv *ti = rt_jvm.ti;
	jvmtiExtensionEventInfo *all = NULL;
	jint count = 0;
	size_t found = 0;

	if ((*ti)->GetExtensionEvents(ti, &count, &all) != JVMTI_ERROR_NONE)
		return false;
	rt_lock_owners_prepare(rt_jvm_env());
	for (jint i = 0; i < count; i++) {
		jint index = all[i].extension_event_index;

		for (size_t k = 0; k < sizeof(wanted) / sizeof(*wanted); k++)
			if (!strcmp(all[i].id, wanted[k].id))
				found += !(*ti)->SetExtensionEventCallback(ti, index,
									   wanted[k].call) &&
					 !(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
									  (jvmtiEvent)index, NULL);
	}
	free_extensions(all, count);
	if (found < sizeof(wanted) / sizeof(*wanted))
		return false;
	rt_follow_virtual(rt_jvmti_virtual_name);
	return true;
}

/* ---- the garbage collector ---- */

static void JNICALL on_gc_start(jvmtiEnv *ti)
{
	(void)ti;
	rt_vm_event(JWR_GC_BEGIN, 0);
}

static void JNICALL on_gc_finish(jvmtiEnv *ti)
{
	(void)ti;
	rt_vm_event(JWR_GC_END, 0);
}

static bool prepare_gc(void)
{
	rt_vm_prepare();
	return true;
}

/* ---- monitors ---- */

static void JNICALL on_contended(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject object)
{
	(void)ti;
	begin_contended(env, thread, object);
}

static void JNICALL on_entered(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject object)
{
	(void)ti;
	blocked = false;
	if (!entered) {
		tell_holder(env, thread);
		log_monitor(env, JWR_ENTERED, object);
	}
	entered = false;
}

static void JNICALL on_wait(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject object, jlong ms)
{
	(void)ti;
	(void)thread;
	if (ms < 0 || !rt_own_monitor(env, object)) /* it fails, without a WAITED */
		return;
	rt_class_waits_other();
	log_wait(env, JWR_WAIT, object);
}

/* A wait of which the VM tells only that it is over: if it was for a class, where, and since when. */
static bool tell_class_wait(JNIEnv *env, jobject object)
{
	uint64_t number = rt_object_number(env, object);
	uint64_t since = rt_is_init_lock(number) ? rt_off_cpu_since() : 0;

	if (!since)
		return false;
	rt_placed_event_at(since, rt_place(env), JWR_CONTENDED, number);
	log_monitor(env, JWR_ENTERED, object);
	return true;
}

static void JNICALL on_waited(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject object,
			      jboolean timed_out)
{
	(void)ti;
	(void)thread;
	blocked = false;
	if (rt_class_waits_may_be() && tell_class_wait(env, object))
		return;
	log_monitor(env, timed_out ? JWR_EXPIRED : JWR_WAITED, object);
	note_waited(env, object);
}

/* Who has a monitor may stay unknown. */
static bool prepare_monitors(void)
{
	rt_holders_prepare();
	rt_own_monitor_prepare();
	return rt_places_prepare();
}

/* ---- allocations ---- */

static uint64_t alloc_interval;

/* As with monitors: threads that never ran woven code get no row by it. JVM TI wants six
 * parameters.
 */
static void JNICALL on_alloc(jvmtiEnv *ti, JNIEnv *env, jthread thread, jobject object,
			     jclass class, jlong size)
{
	(void)ti;
	(void)thread;
	(void)object;
	if (rt_is_told())
		rt_event(rt_recorder_clock(), JWR_ALLOC,
			 jwr_alloc((uint64_t)size, rt_class_number(env, class)));
}

/* Once the capability is there the VM is one that has the function. */
static bool prepare_alloc(void)
{
	jint bytes = alloc_interval > INT32_MAX ? INT32_MAX : (jint)alloc_interval;

	return (*rt_jvm.ti)->SetHeapSamplingInterval(rt_jvm.ti, bytes) == JVMTI_ERROR_NONE;
}

/* ---- the table ---- */

#define MOST_EVENTS 4

struct listener {
	int event;
	callback_fn call;
};

static const struct group {
	unsigned option; /* of rt_config.events; 0: always */
	jint since;      /* JNI version of the first VM that has it */
	jvmtiCapabilities needs;
	bool needs_virtual; /* listened to from the first virtual thread on: rt_jvmti_meet_virtual()
			     */
	bool (*prepare)(void); /* what is left to do before listening; may be NULL */
	const char *refused;
	struct listener listeners[MOST_EVENTS];
} groups[] = {
	{ .refused = "the VM refuses events of threads and of its own end",
	  .listeners = { { JVMTI_EVENT_THREAD_START, (callback_fn)on_thread_start },
			 { JVMTI_EVENT_THREAD_END, (callback_fn)on_thread_end },
			 { JVMTI_EVENT_VM_DEATH, (callback_fn)on_vm_death } } },
	{ .since = RT_JNI_VERSION_21,
	  .needs_virtual = true,
	  .prepare = listen_to_mounts,
	  .refused = "the VM does not tell when virtual threads are mounted",
	  .listeners = { { EVENT_VIRTUAL_THREAD_END, (callback_fn)on_virtual_end } } },
	{ .option = RT_EVENTS_GC,
	  .needs = { .can_generate_garbage_collection_events = 1 },
	  .prepare = prepare_gc,
	  .refused = "the VM refuses events of the garbage collector: pauses are not recorded",
	  .listeners = { { JVMTI_EVENT_GARBAGE_COLLECTION_START, (callback_fn)on_gc_start },
			 { JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, (callback_fn)on_gc_finish } } },
	{ .option = RT_EVENTS_MONITOR,
	  .needs = { .can_generate_monitor_events = 1 },
	  .prepare = prepare_monitors,
	  .refused = "the VM refuses events of monitors: contention and waits are not recorded",
	  .listeners = { { JVMTI_EVENT_MONITOR_CONTENDED_ENTER, (callback_fn)on_contended },
			 { JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, (callback_fn)on_entered },
			 { JVMTI_EVENT_MONITOR_WAIT, (callback_fn)on_wait },
			 { JVMTI_EVENT_MONITOR_WAITED, (callback_fn)on_waited } } },
	{ .option = RT_EVENTS_ALLOC,
	  .needs = { .can_generate_sampled_object_alloc_events = 1 },
	  .prepare = prepare_alloc,
	  .refused = "the VM refuses samples of allocations (JDK 11 and later have them): none are "
		     "recorded",
	  .listeners = { { JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, (callback_fn)on_alloc } } },
};

static bool wanted(const struct group *g, JNIEnv *env, unsigned events)
{
	return (!g->option || g->option & events) && (*env)->GetVersion(env) >= g->since;
}

static bool called; /* the VM took our callbacks */

static bool grant(const struct group *g)
{
	jvmtiCapabilities needs = g->needs;

	if (g->needs_virtual)
		((unsigned char *)&needs)[CAPABILITY_VIRTUAL_BIT / 8] |=
			1u << CAPABILITY_VIRTUAL_BIT % 8;
	return (*rt_jvm.ti)->AddCapabilities(rt_jvm.ti, &needs) == JVMTI_ERROR_NONE;
}

static bool enable(const struct group *g)
{
	jvmtiEnv *ti = rt_jvm.ti;
	bool enabled = true;

	for (size_t i = 0; i < MOST_EVENTS && g->listeners[i].call; i++)
		enabled &= (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
							   (jvmtiEvent)g->listeners[i].event,
							   NULL) == JVMTI_ERROR_NONE;
	return enabled;
}

/* JVM TI's struct of callbacks is an array by number of event; older VMs know fewer. */
static bool set_callbacks(void)
{
	static callback_fn calls[EVENTS];
	jvmtiEventCallbacks table;

	_Static_assert(sizeof(calls) >= sizeof(table), "the table of any JDK up to 25 fits");
	for (size_t g = 0; g < sizeof(groups) / sizeof(*groups); g++)
		for (size_t i = 0; i < MOST_EVENTS && groups[g].listeners[i].call; i++)
			calls[groups[g].listeners[i].event - JVMTI_MIN_EVENT_TYPE_VAL] =
				groups[g].listeners[i].call;
	return (*rt_jvm.ti)
		       ->SetEventCallbacks(rt_jvm.ti,
					   (const jvmtiEventCallbacks *)(const void *)calls,
					   (jint)sizeof(calls)) == JVMTI_ERROR_NONE;
}

static void listen_to(const struct group *g)
{
	if (!(called && grant(g) && (!g->prepare || g->prepare()) && enable(g)))
		rt_note(g->refused);
}

void rt_jvmti_listen(JNIEnv *env, const struct rt_config *config)
{
	if (!rt_jvm.ti) {
		rt_note("the VM grants no JVM TI: threads have no names, starts and ends");
		return;
	}
	alloc_interval = config->alloc;
	rt_class_waits_prepare(config->events);
	called = set_callbacks();
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (!groups[i].needs_virtual && wanted(&groups[i], env, config->events))
			listen_to(&groups[i]);
}

void rt_jvmti_meet_virtual(JNIEnv *env, jthread thread)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static bool met;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; !met && i < sizeof(groups) / sizeof(*groups); i++)
		if (groups[i].needs_virtual && wanted(&groups[i], env, 0))
			listen_to(&groups[i]);
	met = true;
	if (thread && !atomic_load(&states.field)) {
		learn_states(env, thread);
		learn_wait(env);
	}
	pthread_mutex_unlock(&lock);
}
