/*
 * jvm.h: between the files that know a JVM: jni.c (loading, binding, probes), probe_paths.c (other
 * ways into the recorder), jvmti.c (properties, threads) and events.c (what the VM tells).
 */
#ifndef RT_JVM_H
#define RT_JVM_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/recorder.h"

#define RT_JNI_VERSION_21 0x00150000

extern struct rt_jvm {
	JavaVM *vm;
	jvmtiEnv *ti;       /* NULL: not granted */
	jfieldID thread_id; /* Thread.tid: the program may override the method getId() */
	jclass thread;      /* java.lang.Thread, a global reference */
} rt_jvm;

/* Asks VM for JVM TI and what describing threads takes. False: not granted; the rest of this header
 * then answers "unknown". */
bool rt_jvmti_open(JavaVM *vm, JNIEnv *env);

/* A system property as given on the command line or by the VM (rt_config_source.property). */
char *rt_jvmti_property(void *ctx, const char *name, struct jw_arena *arena);
/* The names of those (rt_config_source.each_property); none where JVM TI does not tell. */
void rt_jvmti_properties(void (*take)(void *ctx, const char *name), void *ctx);

/* Listens to threads, the VM's death and what CONFIG asks for (events, alloc); what is refused is
 * noted. */
void rt_jvmti_listen(JNIEnv *env, const struct rt_config *config);

/* Listens to virtual threads being mounted, once: called by whoever finds itself on one at its
 * first event, and back when the VM tells. Not done at start, since it takes 10 ms, and most
 * programs have none; a carrier cannot miss its first mount by it, because its own first event is
 * what comes here. */
void rt_jvmti_meet_virtual(JNIEnv *env);

/* The identity hash of CLASS, which is named in meta, as far as numbers have it. */
uint32_t rt_class_hash(JNIEnv *env, jclass class);

/* Who loaded CLASS. Without JVM TI: BOOT, which is treated with the most care. */
enum rt_loader { RT_LOADER_BOOT, RT_LOADER_PLATFORM, RT_LOADER_OTHER };
enum rt_loader rt_loader_of(JNIEnv *env, jclass class);

/* The number of OBJECT (recording.h); 0: NULL, or not to be had. Gives it an identity hash. */
uint64_t rt_object_number(JNIEnv *env, jobject object);

/* Tells meta the name of CLASS, once, whose 24 bits of identity hash in numbers of objects are
 * HASH.
 */
void rt_name_class(JNIEnv *env, jclass class, uint32_t hash);

/* stack_place.c: prepare once, true; then where this thread is, for PLACE records; 0: unknown. */
bool rt_places_prepare(void);
uint32_t rt_place(JNIEnv *env);

/* Id, and name and more, of THREAD. */
uint64_t rt_jvmti_id(JNIEnv *env, jthread thread);
bool rt_jvmti_name(JNIEnv *env, jthread thread, struct rt_thread_info *out);

/* The current thread; all threads alive (see recorder.h). */
void rt_jvmti_describe(struct rt_thread_info *out);
void rt_jvmti_alive(rt_name_fn take);
void rt_jvmti_virtual_name(char *name, size_t size);
/* Of the current thread, unless it is a virtual one; "" where nobody can say. */
void rt_jvmti_own_name(char *name, size_t size);

/* The clock whose probes are bound where the recording uses it: it is read without a call. */
#if defined(__x86_64__)
#define RT_FAST_CLOCK TRACE_TICKS_TSC
#elif defined(__aarch64__)
#define RT_FAST_CLOCK TRACE_TICKS_CNTVCT
#else
#define RT_FAST_CLOCK TRACE_TICKS_MONOTONIC
#endif

/* FUNCTION points at a pointer to the function. JNI's table wants an object pointer, and names that
 * are not const though nobody writes to them.
 */
static inline JNINativeMethod rt_native_method(const char *name, const char *signature,
					       const void *function)
{
	JNINativeMethod m;

	memcpy(&m.name, &name, sizeof(m.name));
	memcpy(&m.signature, &signature, sizeof(m.signature));
	memcpy(&m.fnPtr, function, sizeof(m.fnPtr));
	return m;
}

/* Binds COUNT natives of CLASS. False: it has not all of them; no exception is left. */
static inline bool rt_register(JNIEnv *env, jclass class, const JNINativeMethod *natives,
			       size_t count)
{
	if ((*env)->RegisterNatives(env, class, natives, (jint)count) == JNI_OK &&
	    !(*env)->ExceptionCheck(env))
		return true;
	(*env)->ExceptionClear(env);
	return false;
}

/* The class of the runtime nearest to the top of this thread's stack, as a local reference; NULL:
 * none. */
jclass rt_jvmti_caller(JNIEnv *env);

/* Calls EACH, which leaves no exception, for every loaded class of SIGNATURE: one for each loader
 * that has it. */
void rt_jvmti_each_class(JNIEnv *env, const char *signature,
			 void (*each)(JNIEnv *env, jclass class));

/* Binds the natives of PROBE; DIRECT: its probes themselves, in a class of natives (natives.h).
 * False, and maybe an exception: the class has others. */
bool rt_bind_probes(JNIEnv *env, jclass probe, bool direct);

/* Binds the probes by number of PROBE, which was made native, to what was TAKEN for it
 * (numbered.h). False: an exception is pending. */
bool rt_bind_numbered(JNIEnv *env, jclass probe, int taken);

/* sampling_jni.c: binds the probes of rules that record less than all calls, where BAKED
 * (base/baked.h) has such rules, and says in PROBE that they are bound. No exception is left. */
void rt_spare_bind(JNIEnv *env, jclass probe, struct jw_span baked, const struct rt_config *config);

/* Probes as functions that FFM calls (jni.c); 0: go the ordinary way. */
int32_t rt_ffm_enter(int64_t id);
int32_t rt_ffm_exit(int64_t id);
/* The same for a summary. */
int32_t rt_ffm_sum_enter(int64_t id);
int32_t rt_ffm_sum_exit(int64_t id);

/* Whether probes may go through FFM, and when: AUTO, once the recording is long. */
void rt_paths_prepare(JNIEnv *env, enum rt_choice mode);

/* The initialiser of PROBE is done but for this: what its probes become (probe_paths.c). */
void rt_paths_settle(JNIEnv *env, jclass probe);

/* The bytes of the class that is defined in the boot loader (anchor.S). */
extern const unsigned char rt_anchor_class[], rt_anchor_class_end[];

#endif
