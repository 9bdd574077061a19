#include "runtime-jni/jvm/jvm.h"

#include <jvmti.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/runtime_class.h"
#include "base/text.h"
#include "runtime-jni/jvm/vm_dying.h"

#include "base/banned.h"

#define STACK_DEPTH 32

struct rt_jvm rt_jvm;

static JNIEnv *current_env(void)
{
	void *env = NULL;

	if (!rt_jvm.vm || (*rt_jvm.vm)->GetEnv(rt_jvm.vm, &env, JNI_VERSION_1_6) != JNI_OK)
		return NULL;
	return env;
}

/* The field NAME of CLASS; NULL: there is none. */
static jfieldID field(JNIEnv *env, jclass class, const char *name, const char *type)
{
	jfieldID found = class ? (*env)->GetFieldID(env, class, name, type) : NULL;

	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	return found;
}

static jclass class_named(JNIEnv *env, const char *name)
{
	jclass found = (*env)->FindClass(env, name);

	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	return found;
}

static void find_thread_fields(JNIEnv *env)
{
	jclass thread = class_named(env, "java/lang/Thread");

	rt_jvm.thread_id = field(env, thread, "tid", "J");
	rt_jvm.thread = thread ? (*env)->NewGlobalRef(env, thread) : NULL;
	if (thread)
		(*env)->DeleteLocalRef(env, thread);
}

bool rt_jvmti_open(JavaVM *vm, JNIEnv *env)
{
	void *ti = NULL;

	rt_jvm.vm = vm;
	if ((*vm)->GetEnv(vm, &ti, JVMTI_VERSION_1_2) != JNI_OK)
		return false;
	rt_jvm.ti = ti;
	find_thread_fields(env);
	return true;
}

/* What JVM TI does not tell in a running VM, System.getProperty() does. */
static char *system_property(const char *name, struct jw_arena *arena)
{
	JNIEnv *env = current_env();
	jclass system = env ? (*env)->FindClass(env, "java/lang/System") : NULL;
	jmethodID get = system ? (*env)->GetStaticMethodID(env, system, "getProperty",
							   "(Ljava/lang/String;)Ljava/lang/String;")
			       : NULL;
	jstring key = get ? (*env)->NewStringUTF(env, name) : NULL;
	jstring value = key ? (*env)->CallStaticObjectMethod(env, system, get, key) : NULL;
	char *copy = NULL;

	if (env && (*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	const char *text = value ? (*env)->GetStringUTFChars(env, value, NULL) : NULL;
	if (text) {
		copy = jw_arena_str(arena, jw_span_str(text));
		(*env)->ReleaseStringUTFChars(env, value, text);
	}
	if (value)
		(*env)->DeleteLocalRef(env, value);
	if (key)
		(*env)->DeleteLocalRef(env, key);
	if (system)
		(*env)->DeleteLocalRef(env, system);
	return copy;
}

char *rt_jvmti_property(void *ctx, const char *name, struct jw_arena *arena)
{
	char *value = NULL, *copy = NULL;

	(void)ctx;
	if (!rt_jvm.ti ||
	    (*rt_jvm.ti)->GetSystemProperty(rt_jvm.ti, name, &value) != JVMTI_ERROR_NONE)
		return system_property(name, arena);
	if (value)
		copy = jw_arena_str(arena, jw_span_str(value));
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)value);
	return copy;
}

void rt_jvmti_properties(void (*take)(void *ctx, const char *name), void *ctx)
{
	char **names = NULL;
	jint count = 0;

	if (!rt_jvm.ti ||
	    (*rt_jvm.ti)->GetSystemProperties(rt_jvm.ti, &count, &names) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		take(ctx, names[i]);
		(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)names[i]);
	}
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)names);
}

/* ---- objects ---- */

static uint32_t identity_hash(JNIEnv *env, jobject object)
{
	jint hash = 0;
	jvmtiError e = (*rt_jvm.ti)->GetObjectHashCode(rt_jvm.ti, object, &hash);

	if (e == JVMTI_ERROR_WRONG_PHASE)
		return rt_late_hash(env, object);
	return e == JVMTI_ERROR_NONE ? (uint32_t)hash : 0;
}

/* The classes that meta names already, by hash + 1. Threads only ever fill free places; where all
 * that a class may have are taken, it goes unnamed. */
#define CLASSES      4096
#define CLASS_PLACES 16
static _Atomic uint32_t named_classes[CLASSES];

static bool is_new_class(uint32_t hash)
{
	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		_Atomic uint32_t *at = &named_classes[(hash * 2654435761u + i) % CLASSES];
		uint32_t found = atomic_load_explicit(at, memory_order_relaxed);

		if (found == 0 && atomic_compare_exchange_strong(at, &found, hash + 1))
			return true;
		if (found == hash + 1)
			return false;
	}
	return false;
}

/* "[Lcom/acme/Lock;" as it is written in Java: "com.acme.Lock[]". */
static void put_type(struct jw_buf *out, const char *signature)
{
	static const char *const primitives[] = { "Bbyte", "Cchar", "Ddouble", "Ffloat",
						  "Iint",  "Jlong", "Sshort",  "Zboolean" };
	size_t dimensions = strspn(signature, "[");
	struct jw_span type = jw_span_str(signature + dimensions);

	for (size_t i = 0; i < sizeof(primitives) / sizeof(*primitives) && dimensions; i++)
		if (type.n && type.p[0] == (uint8_t)*primitives[i])
			jw_put_str(out, primitives[i] + 1);
	if (type.n > 2 && type.p[0] == 'L')
		jw_put_dotted(out, jw_span(type.p + 1, type.n - 2));
	for (size_t i = 0; i < dimensions; i++)
		jw_put_str(out, "[]");
	jw_put_u1(out, 0);
}

static void name_class_late(JNIEnv *env, jclass class, uint32_t hash)
{
	char name[512];

	if (rt_late_text(env, class, "getTypeName", name, sizeof(name)))
		rt_line_class(hash, name);
}

static void name_class(JNIEnv *env, jclass class, uint32_t hash)
{
	struct jw_buf name = { 0 };
	char *signature = NULL;
	jvmtiError e = (*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL);

	if (e == JVMTI_ERROR_WRONG_PHASE)
		name_class_late(env, class, hash);
	if (e != JVMTI_ERROR_NONE)
		return;
	put_type(&name, signature);
	if (!name.failed)
		rt_line_class(hash, (const char *)name.p);
	jw_buf_free(&name);
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
}

void rt_name_class(JNIEnv *env, jclass class, uint32_t hash)
{
	if (rt_jvm.ti && is_new_class(hash))
		name_class(env, class, hash);
}

uint32_t rt_class_hash(JNIEnv *env, jclass class)
{
	uint32_t hash = identity_hash(env, class) & JWR_CLASS_HASH_MASK;

	rt_name_class(env, class, hash);
	return hash;
}

uint64_t rt_object_number(JNIEnv *env, jobject object)
{
	if (!object || !rt_jvm.ti)
		return 0;
	if (rt_jvm.thread && (*env)->IsInstanceOf(env, object, rt_jvm.thread))
		return jwr_thread_object(rt_jvmti_id(env, object));
	jclass class = (*env)->GetObjectClass(env, object);
	uint32_t hash = identity_hash(env, class);
	uint64_t number = jwr_object(identity_hash(env, object), hash);

	rt_name_class(env, class, hash & JWR_CLASS_HASH_MASK);
	(*env)->DeleteLocalRef(env, class);
	return number;
}

/* ---- threads ---- */

uint64_t rt_jvmti_id(JNIEnv *env, jthread thread)
{
	return thread && rt_jvm.thread_id
		       ? (uint64_t)(*env)->GetLongField(env, thread, rt_jvm.thread_id)
		       : 0;
}

bool rt_jvmti_name(JNIEnv *env, jthread thread, struct rt_thread_info *out)
{
	jvmtiThreadInfo info = { 0 };
	jvmtiError e = (*rt_jvm.ti)->GetThreadInfo(rt_jvm.ti, thread, &info);

	out->java_id = (int64_t)rt_jvmti_id(env, thread);
	if (e == JVMTI_ERROR_WRONG_PHASE)
		return rt_late_text(env, thread, "getName", out->name, sizeof(out->name));
	if (e != JVMTI_ERROR_NONE)
		return false;
	out->daemon = info.is_daemon;
	snprintf(out->name, sizeof(out->name), "%s", info.name ? info.name : "");
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)info.name);
	if (info.thread_group)
		(*env)->DeleteLocalRef(env, info.thread_group);
	if (info.context_class_loader)
		(*env)->DeleteLocalRef(env, info.context_class_loader);
	return true;
}

/* The thread that runs here, as a local reference: the virtual one where one is mounted. */
static jthread current_thread(JNIEnv *env)
{
	jthread thread = NULL;
	jvmtiError e = JVMTI_ERROR_INVALID_ENVIRONMENT;

	if (rt_jvm.ti)
		e = (*rt_jvm.ti)->GetCurrentThread(rt_jvm.ti, &thread);
	if (e == JVMTI_ERROR_WRONG_PHASE)
		return rt_late_thread(env);
	return e == JVMTI_ERROR_NONE ? thread : NULL;
}

enum rt_loader rt_loader_of(JNIEnv *env, jclass class)
{
	jobject loader = NULL;
	char *signature = NULL;
	enum rt_loader found = RT_LOADER_OTHER;

	if (!rt_jvm.ti ||
	    (*rt_jvm.ti)->GetClassLoader(rt_jvm.ti, class, &loader) != JVMTI_ERROR_NONE || !loader)
		return RT_LOADER_BOOT;
	jclass of_loader = (*env)->GetObjectClass(env, loader);
	if ((*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, of_loader, &signature, NULL) ==
		    JVMTI_ERROR_NONE &&
	    !strcmp(signature, "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;"))
		found = RT_LOADER_PLATFORM;
	if (signature)
		(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
	(*env)->DeleteLocalRef(env, of_loader);
	(*env)->DeleteLocalRef(env, loader);
	return found;
}

/* The class of THREAD where it is a virtual one, as a local reference, else NULL. Told by its name:
 * to look the class up would initialise it, which makes a scheduler with its threads (10 ms), and
 * most programs have no virtual thread. Where the VM has no continuations, virtual threads are
 * another class, and threads of the operating system: those are like any other. */
static jclass virtual_class(JNIEnv *env, jthread thread)
{
	jclass class = (*env)->GetObjectClass(env, thread);
	char *signature = NULL, name[64] = "";

	if ((*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL) ==
	    JVMTI_ERROR_WRONG_PHASE)
		(void)rt_late_text(env, class, "getTypeName", name, sizeof(name));
	bool is = signature ? !strcmp(signature, "Ljava/lang/VirtualThread;")
			    : !strcmp(name, "java.lang.VirtualThread");
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
	if (is)
		return class;
	(*env)->DeleteLocalRef(env, class);
	return NULL;
}

static void describe_carrier(JNIEnv *env, jthread thread, jclass class, struct rt_thread_info *out)
{
	jfieldID of = field(env, class, "carrierThread", "Ljava/lang/Thread;");
	jthread carrier = of ? (*env)->GetObjectField(env, thread, of) : NULL;

	if (carrier) {
		rt_jvmti_name(env, carrier, out);
		(*env)->DeleteLocalRef(env, carrier);
	}
	rt_jvmti_meet_virtual(env);
	out->is_virtual = true;
	out->virtual_id = rt_jvmti_id(env, thread);
}

void rt_jvmti_describe(struct rt_thread_info *out)
{
	JNIEnv *env = current_env();
	jthread thread = env ? current_thread(env) : NULL;

	if (!thread)
		return;
	jclass class = virtual_class(env, thread);
	if (class) {
		describe_carrier(env, thread, class, out);
		(*env)->DeleteLocalRef(env, class);
	} else {
		rt_jvmti_name(env, thread, out);
	}
	(*env)->DeleteLocalRef(env, thread);
}

void rt_jvmti_virtual_name(char *name, size_t size)
{
	JNIEnv *env = current_env();
	jthread thread = env ? current_thread(env) : NULL;
	struct rt_thread_info info = { 0 };

	if (!thread)
		return;
	if (rt_jvmti_name(env, thread, &info))
		snprintf(name, size, "%s", info.name);
	(*env)->DeleteLocalRef(env, thread);
}

void rt_jvmti_own_name(char *name, size_t size)
{
	JNIEnv *env = current_env();
	jthread thread = NULL;
	struct rt_thread_info info = { 0 };

	if (!env || !rt_jvm.ti ||
	    (*rt_jvm.ti)->GetCurrentThread(rt_jvm.ti, &thread) != JVMTI_ERROR_NONE || !thread)
		return;
	jclass class = virtual_class(env, thread);
	if (class)
		(*env)->DeleteLocalRef(env, class);
	else if (rt_jvmti_name(env, thread, &info))
		snprintf(name, size, "%s", info.name);
	(*env)->DeleteLocalRef(env, thread);
}

/* A frame for the local references that JVM TI makes of all threads or classes at once: -Xcheck:jni
 * wants to be told of many. HotSpot takes no memory for it, and refuses more. */
#define MANY_REFERENCES 65536

static bool expect_many(JNIEnv *env)
{
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) == JNI_OK)
		return true;
	(*env)->ExceptionClear(env);
	return false;
}

static void name_all(JNIEnv *env, rt_name_fn take)
{
	jthread *threads = NULL;
	jint count = 0;

	if ((*rt_jvm.ti)->GetAllThreads(rt_jvm.ti, &count, &threads) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		struct rt_thread_info info = { 0 };

		if (rt_jvmti_name(env, threads[i], &info))
			take(info.java_id, info.name);
		(*env)->DeleteLocalRef(env, threads[i]);
	}
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)threads);
}

void rt_jvmti_alive(rt_name_fn take)
{
	JNIEnv *env = current_env();

	if (!env || !rt_jvm.ti)
		return;
	bool framed = expect_many(env);
	name_all(env, take);
	if (framed)
		(*env)->PopLocalFrame(env, NULL);
}

/* ---- classes by signature ---- */

static bool has_signature(jclass class, const char *wanted)
{
	char *signature = NULL;

	(*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL);
	bool has = signature && !strcmp(signature, wanted);
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
	return has;
}

/* "Lname;" */
static bool is_of_runtime(jclass class)
{
	char *signature = NULL;

	(*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL);
	bool is =
		signature && signature[0] == 'L' && jw_is_runtime_class(jw_span_str(signature + 1));
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
	return is;
}

static void call_each(JNIEnv *env, const char *signature, void (*each)(JNIEnv *env, jclass class))
{
	jclass *classes = NULL;
	jint count = 0;

	if ((*rt_jvm.ti)->GetLoadedClasses(rt_jvm.ti, &count, &classes) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		if (has_signature(classes[i], signature))
			each(env, classes[i]);
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)classes);
}

void rt_jvmti_each_class(JNIEnv *env, const char *signature,
			 void (*each)(JNIEnv *env, jclass class))
{
	if (!rt_jvm.ti)
		return;
	bool framed = expect_many(env);
	call_each(env, signature, each);
	if (framed)
		(*env)->PopLocalFrame(env, NULL);
}

/* Who called System.load()? */
static jclass class_of_frame(JNIEnv *env, jmethodID method)
{
	jclass class = NULL;

	if ((*rt_jvm.ti)->GetMethodDeclaringClass(rt_jvm.ti, method, &class) != JVMTI_ERROR_NONE)
		return NULL;
	if (is_of_runtime(class))
		return class;
	(*env)->DeleteLocalRef(env, class);
	return NULL;
}

jclass rt_jvmti_caller(JNIEnv *env)
{
	jvmtiFrameInfo frames[STACK_DEPTH];
	jint count = 0;
	jclass class = NULL;

	if (!rt_jvm.ti ||
	    (*rt_jvm.ti)->GetStackTrace(rt_jvm.ti, NULL, 0, STACK_DEPTH, frames, &count) !=
		    JVMTI_ERROR_NONE)
		return NULL;
	for (jint i = 0; i < count && !class; i++)
		class = class_of_frame(env, frames[i].method);
	return class;
}
