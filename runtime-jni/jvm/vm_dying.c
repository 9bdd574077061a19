#include "runtime-jni/jvm/vm_dying.h"

#include <stdio.h>

#include "base/banned.h"

/* No exception may be left: the code around the probe has none to expect. */
static bool clear(JNIEnv *env)
{
	if (!(*env)->ExceptionCheck(env))
		return false;
	(*env)->ExceptionClear(env);
	return true;
}

/* The static method of CLASS_NAME, with its class; NULL: there is none. */
static jmethodID static_method(JNIEnv *env, const char *class_name, const char *name,
			       const char *type, jclass *class)
{
	*class = (*env)->FindClass(env, class_name);
	jmethodID found = *class ? (*env)->GetStaticMethodID(env, *class, name, type) : NULL;

	(void)clear(env);
	return found;
}

uint32_t rt_dying_hash(JNIEnv *env, jobject object)
{
	jclass system = NULL;
	jmethodID hash = static_method(env, "java/lang/System", "identityHashCode",
				       "(Ljava/lang/Object;)I", &system);
	jint value = hash ? (*env)->CallStaticIntMethod(env, system, hash, object) : 0;

	if (clear(env))
		value = 0;
	(*env)->DeleteLocalRef(env, system);
	return (uint32_t)value;
}

jthread rt_dying_thread(JNIEnv *env)
{
	jclass class = NULL;
	jmethodID current = static_method(env, "java/lang/Thread", "currentThread",
					  "()Ljava/lang/Thread;", &class);
	jobject thread = current ? (*env)->CallStaticObjectMethod(env, class, current) : NULL;

	if (clear(env))
		thread = NULL;
	(*env)->DeleteLocalRef(env, class);
	return thread;
}

bool rt_dying_text(JNIEnv *env, jobject object, const char *method, char *text, size_t size)
{
	jclass class = (*env)->GetObjectClass(env, object);
	jmethodID get = (*env)->GetMethodID(env, class, method, "()Ljava/lang/String;");
	jstring value = get ? (*env)->CallObjectMethod(env, object, get) : NULL;
	bool failed = clear(env);
	const char *bytes = value && !failed ? (*env)->GetStringUTFChars(env, value, NULL) : NULL;

	if (bytes) {
		snprintf(text, size, "%s", bytes);
		(*env)->ReleaseStringUTFChars(env, value, bytes);
	}
	(void)clear(env);
	(*env)->DeleteLocalRef(env, value);
	(*env)->DeleteLocalRef(env, class);
	return bytes != NULL;
}
