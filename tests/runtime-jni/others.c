/*
 * others.c: a library of somebody else that binds Unsafe.park() anew, too. Its park() returns at
 * once, as that of the JDK may, and counts.
 */
#include <jni.h>
#include <stdatomic.h>
#include <string.h>

#include "base/banned.h"

static atomic_int called;

static void JNICALL park(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time)
{
	(void)env;
	(void)unsafe;
	(void)absolute;
	(void)time;
	called++;
}

JNIEXPORT void JNICALL Java_Odd_bind(JNIEnv *env, jclass class)
{
	static char name[] = "park", signature[] = "(ZJ)V";
	void(JNICALL * function)(JNIEnv *, jobject, jboolean, jlong) = park;
	JNINativeMethod native = { .name = name, .signature = signature };
	jclass unsafe = (*env)->FindClass(env, "jdk/internal/misc/Unsafe");

	(void)class;
	memcpy(&native.fnPtr, &function, sizeof(native.fnPtr));
	(void)(*env)->RegisterNatives(env, unsafe, &native, 1);
}

JNIEXPORT jint JNICALL Java_Odd_called(JNIEnv *env, jclass class)
{
	(void)env;
	(void)class;
	return called;
}
