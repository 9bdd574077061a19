#include "runtime-jni/jvm/gates.h"

#include <pthread.h>
#include <stddef.h>

#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/budget.h"
#include "trace/format/recording.h"

#include "base/banned.h"

/* The array of one probe class more; of nearly all there is one for all. */
struct array {
	struct array *next;
	jbyteArray gates; /* a global reference */
};

static struct {
	jbyteArray all;     /* a global reference; NULL: there are none */
	struct array *more; /* see keep_own() */
	pthread_mutex_t lock;
	JNIEnv *env; /* of the budget's thread, while it is attached */
} gates = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool rt_gates_are(void)
{
	return gates.all != NULL;
}

static bool set_gates(const uint8_t *bytes)
{
	JNIEnv *env = gates.env;

	if (!bytes) {
		rt_jvm_detach_own(env);
		gates.env = NULL;
		return true;
	}
	env = gates.env = env ? env : rt_jvm_attach_own();
	if (!env)
		return false;
	(*env)->SetByteArrayRegion(env, gates.all, 0, JWR_GATES, (const jbyte *)bytes);
	pthread_mutex_lock(&gates.lock);
	struct array *more = gates.more;
	pthread_mutex_unlock(&gates.lock);
	for (; more; more = more->next)
		(*env)->SetByteArrayRegion(env, more->gates, 0, JWR_GATES, (const jbyte *)bytes);
	return true;
}

bool rt_gates_open(JNIEnv *env, double share)
{
	jbyteArray array = (*env)->NewByteArray(env, JWR_GATES);

	if (array)
		gates.all = (*env)->NewGlobalRef(env, array);
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, array);
	if (!gates.all)
		return false;
	rt_jvm_prepare_own(env);
	rt_budget_start(share, set_gates);
	return true;
}

/* A class whose initialiser found too little stack for the library has an array of its own by now.
 */
static void keep_own(JNIEnv *env, jclass probe, jfieldID field)
{
	jobject own = (*env)->GetStaticObjectField(env, probe, field);
	struct array *more = own ? jw_mem_zalloc(1, sizeof(*more)) : NULL;

	if (more)
		more->gates = (*env)->NewGlobalRef(env, own);
	if (more && more->gates) {
		pthread_mutex_lock(&gates.lock);
		more->next = gates.more;
		gates.more = more;
		pthread_mutex_unlock(&gates.lock);
	} else if (own) {
		rt_budget_give_up();
	}
	if (own)
		(*env)->DeleteLocalRef(env, own);
}

void rt_gates_bind(JNIEnv *env, jclass probe)
{
	if (!gates.all)
		return;
	jfieldID field = (*env)->GetStaticFieldID(env, probe, "gates", "[B");
	jfieldID constant = field ? (*env)->GetStaticFieldID(env, probe, "GATES", "[B") : NULL;
	jfieldID ids = constant ? (*env)->GetStaticFieldID(env, probe, "IDS", "J") : NULL;

	if (!ids) {
		(*env)->ExceptionClear(env);
		rt_budget_give_up();
		return;
	}
	rt_budget_numbers((uint64_t)(*env)->GetStaticLongField(env, probe, ids));
	keep_own(env, probe, constant);
	(*env)->SetStaticObjectField(env, probe, field, gates.all);
}
