/*
 * lock_owners.c: see lock_owners.h.
 */
#include "runtime-jni/jvm/lock_owners.h"

#include <stdatomic.h>

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

/* ---- who joins a virtual thread ---- */

static struct {
	atomic_bool asked;
	_Atomic(jfieldID) latch, sync; /* NULL: not known (yet) */
} joins;

static jfieldID latch_of(JNIEnv *env, jobject thread)
{
	if (atomic_exchange(&joins.asked, true))
		return atomic_load(&joins.latch);
	jclass class = (*env)->GetObjectClass(env, thread);

	atomic_store(&joins.latch, rt_jvm_field(env, class, "termination",
						"Ljava/util/concurrent/CountDownLatch;"));
	(*env)->DeleteLocalRef(env, class);
	return atomic_load(&joins.latch);
}

static jfieldID sync_of(JNIEnv *env, jobject latch)
{
	jfieldID field = atomic_load(&joins.sync);

	if (field)
		return field;
	jclass class = (*env)->GetObjectClass(env, latch);

	field = rt_jvm_field(env, class, "sync", "Ljava/util/concurrent/CountDownLatch$Sync;");
	atomic_store(&joins.sync, field);
	(*env)->DeleteLocalRef(env, class);
	return field;
}

jobject rt_joiners_blocker(JNIEnv *env, jobject thread)
{
	jfieldID field = latch_of(env, thread);
	jobject latch = field ? (*env)->GetObjectField(env, thread, field) : NULL;
	jfieldID of_latch = latch ? sync_of(env, latch) : NULL;
	jobject sync = of_latch ? (*env)->GetObjectField(env, latch, of_latch) : NULL;

	(*env)->DeleteLocalRef(env, latch);
	return sync;
}
