#include "runtime-jni/jvm/jvm.h"

#include <string.h>

#include "base/runtime_class.h"

#include "base/banned.h"

#define STACK_DEPTH 32

struct rt_jvm rt_jvm;

JNIEnv *rt_jvm_env(void)
{
	void *env = NULL;

	if (!rt_jvm.vm || (*rt_jvm.vm)->GetEnv(rt_jvm.vm, &env, JNI_VERSION_1_6) != JNI_OK)
		return NULL;
	return env;
}

jfieldID rt_jvm_field(JNIEnv *env, jclass class, const char *name, const char *type)
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

	rt_jvm.thread_id = rt_jvm_field(env, thread, "tid", "J");
	rt_jvm.blocker = rt_jvm_field(env, thread, "parkBlocker", "Ljava/lang/Object;");
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
	rt_jvm.stacks_apart = rt_jvmti_property_has("java.vm.name", "Zero VM");
	find_thread_fields(env);
	return true;
}

/* What JVM TI does not tell in a running VM, System.getProperty() does. */
static char *system_property(const char *name, struct jw_arena *arena)
{
	JNIEnv *env = rt_jvm_env();
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

bool rt_jvmti_property_has(const char *name, const char *word)
{
	struct jw_arena arena = { 0 };
	const char *value = rt_jvmti_property(NULL, name, &arena);
	bool has = value && strstr(value, word);

	jw_arena_free(&arena);
	return has;
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

/* HotSpot takes no memory for it, and refuses more. */
#define MANY_REFERENCES 65536

bool rt_jvm_many(JNIEnv *env)
{
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) == JNI_OK)
		return true;
	(*env)->ExceptionClear(env);
	return false;
}

/* ---- threads ---- */

uint64_t rt_jvmti_id(JNIEnv *env, jthread thread)
{
	return thread && rt_jvm.thread_id
		       ? (uint64_t)(*env)->GetLongField(env, thread, rt_jvm.thread_id)
		       : 0;
}

static jobject own_group; /* of the VM's own threads, a global reference; NULL: unknown */

void rt_jvm_prepare_own(JNIEnv *env)
{
	jthreadGroup *groups = NULL;
	jint count = 0;

	if (own_group || !rt_jvm.ti ||
	    (*rt_jvm.ti)->GetTopThreadGroups(rt_jvm.ti, &count, &groups) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		if (i == 0)
			own_group = (*env)->NewGlobalRef(env, groups[i]);
		(*env)->DeleteLocalRef(env, groups[i]);
	}
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)groups);
}

JNIEnv *rt_jvm_attach_own(void)
{
	JavaVMAttachArgs args = { JNI_VERSION_1_6, (char[]){ "jweave" }, own_group };
	void *env = NULL;

	if ((*rt_jvm.vm)->AttachCurrentThreadAsDaemon(rt_jvm.vm, &env, &args) != JNI_OK)
		return NULL;
	return env;
}

void rt_jvm_detach_own(JNIEnv *env)
{
	if (env)
		(*rt_jvm.vm)->DetachCurrentThread(rt_jvm.vm);
}

/* ---- classes ---- */

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

static void call_each(JNIEnv *env,
		      void (*each)(void *ctx, JNIEnv *env, jclass class, const char *signature),
		      void *ctx)
{
	jclass *classes = NULL;
	jint count = 0;

	if ((*rt_jvm.ti)->GetLoadedClasses(rt_jvm.ti, &count, &classes) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		char *signature = NULL;

		(*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, classes[i], &signature, NULL);
		if (signature)
			each(ctx, env, classes[i], signature);
		(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)classes);
}

void rt_jvmti_each_class(JNIEnv *env,
			 void (*each)(void *ctx, JNIEnv *env, jclass class, const char *signature),
			 void *ctx)
{
	if (!rt_jvm.ti)
		return;
	bool framed = rt_jvm_many(env);
	call_each(env, each, ctx);
	if (framed)
		(*env)->PopLocalFrame(env, NULL);
}

void rt_jvmti_each_thread(JNIEnv *env, void (*each)(void *ctx, JNIEnv *env, jthread thread),
			  void *ctx)
{
	jthread *threads = NULL;
	jint count = 0;

	if (!rt_jvm.ti)
		return;
	bool framed = rt_jvm_many(env);

	if ((*rt_jvm.ti)->GetAllThreads(rt_jvm.ti, &count, &threads) == JVMTI_ERROR_NONE) {
		for (jint i = 0; i < count; i++) {
			each(ctx, env, threads[i]);
			(*env)->DeleteLocalRef(env, threads[i]);
		}
		(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)threads);
	}
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
