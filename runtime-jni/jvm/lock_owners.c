/*
 * lock_owners.c: see lock_owners.h.
 */
#include "runtime-jni/jvm/lock_owners.h"

#include "runtime-jni/jvm/jvm.h"

#include "base/banned.h"

static struct {
	jclass synchronizers; /* a global reference; NULL: not asked for, or there is none */
	jfieldID owner;
} locks;

void rt_lock_owners_prepare(JNIEnv *env)
{
	if (locks.synchronizers)
		return;
	jclass found =
		(*env)->FindClass(env, "java/util/concurrent/locks/AbstractOwnableSynchronizer");
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	locks.owner = rt_jvm_field(env, found, "exclusiveOwnerThread", "Ljava/lang/Thread;");
	if (locks.owner && rt_jvm.blocker)
		locks.synchronizers = (*env)->NewGlobalRef(env, found);
	(*env)->DeleteLocalRef(env, found);
}

uint64_t rt_lock_owner(JNIEnv *env, jobject thread)
{
	if (!locks.synchronizers)
		return 0;
	jobject lock = (*env)->GetObjectField(env, thread, rt_jvm.blocker);
	jobject owner = lock && (*env)->IsInstanceOf(env, lock, locks.synchronizers)
				? (*env)->GetObjectField(env, lock, locks.owner)
				: NULL;
	uint64_t id = owner ? rt_jvmti_id(env, owner) : 0;

	(*env)->DeleteLocalRef(env, owner);
	(*env)->DeleteLocalRef(env, lock);
	return id;
}
