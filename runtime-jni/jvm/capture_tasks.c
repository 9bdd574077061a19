/*
 * capture_tasks.c: what captures record of tasks: what a FutureTask was made of, and which one it
 * is that runs a body (tasks.h). Nothing here runs code of the program: the fields of FutureTask
 * are read, the same in JDK 8 to 25, and the constants of the classes of lambda expressions.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime-jni/jvm/capture.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/objects.h"
#include "runtime-jni/jvm/threads.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/lambda_target.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/tasks.h"

#include "base/banned.h"

/* ---- fields ---- */

/* Those of FutureTask, and of what the JDK makes a Callable of a Runnable by. */
static _Atomic(jfieldID) callable_field, runner_field, runnable_field;
static const char adapter[] = "Ljava/util/concurrent/Executors$RunnableAdapter;";

static jfieldID field_of(JNIEnv *env, _Atomic(jfieldID) *known, jclass class, const char *name,
			 const char *type)
{
	jfieldID field = *known;

	if (field)
		return field;
	field = (*env)->GetFieldID(env, class, name, type);
	if (!field)
		(*env)->ExceptionClear(env);
	*known = field;
	return field;
}

/* Is CLASS the JDK's own class of SIGNATURE? */
static bool is_class(JNIEnv *env, jclass class, const char *signature)
{
	char *text = NULL;

	if (!rt_jvm.ti || (*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &text, NULL) != 0)
		return false;
	bool same = strcmp(text, signature) == 0;

	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)text);
	return same && rt_loader_of(env, class) == RT_LOADER_BOOT;
}

/* What is in FIELD of OBJECT, which is forgotten; NULL: nothing, or there is no such field. */
static jobject content(JNIEnv *env, jobject object, jfieldID field)
{
	jobject inner = field ? (*env)->GetObjectField(env, object, field) : NULL;

	(*env)->DeleteLocalRef(env, object);
	return inner;
}

/* What TASK, a FutureTask (TYPE is that), was made of; NULL: it is done. *CLASS: of which class;
 * local references both. */
static jobject made_of(JNIEnv *env, jobject task, jclass type, jclass *class)
{
	jfieldID field =
		field_of(env, &callable_field, type, "callable", "Ljava/util/concurrent/Callable;");
	jobject inner = field ? (*env)->GetObjectField(env, task, field) : NULL;

	*class = inner ? (*env)->GetObjectClass(env, inner) : NULL;
	if (!*class || !is_class(env, *class, adapter))
		return inner;
	inner = content(env, inner,
			field_of(env, &runnable_field, *class, "task", "Ljava/lang/Runnable;"));
	(*env)->DeleteLocalRef(env, *class);
	*class = inner ? (*env)->GetObjectClass(env, inner) : NULL;
	return inner;
}

/* ---- classes of lambda expressions ---- */

/* What is known of classes; those of lambda expressions are as many as there are such. */
#define CLASSES    4096
#define ACC_LAMBDA 0x1010 /* final and synthetic, which no class is that was compiled */

struct known_class {
	jweak class;
	uint64_t body; /* 0: none */
};

static struct {
	pthread_mutex_t lock;
	struct known_class at[CLASSES];
} classes = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint64_t ask_pool(jclass class)
{
	jvmtiEnv *ti = rt_jvm.ti;
	const jvmtiCapabilities needs = { .can_get_constant_pool = 1 };
	jint flags = 0, count = 0, n = 0;
	unsigned char *bytes = NULL;

	if ((*ti)->GetClassModifiers(ti, class, &flags) != JVMTI_ERROR_NONE ||
	    (flags & ACC_LAMBDA) != ACC_LAMBDA)
		return 0;
	if ((*ti)->AddCapabilities(ti, &needs) != JVMTI_ERROR_NONE ||
	    (*ti)->GetConstantPool(ti, class, &count, &n, &bytes) != JVMTI_ERROR_NONE)
		return 0;
	uint64_t body = rt_lambda_body(jw_span(bytes, (size_t)n), (uint16_t)count);

	(*ti)->Deallocate(ti, bytes);
	return body;
}

/* The body (jw_body_key()) that objects of CLASS call; 0: it is no class of a lambda expression, or
 * that is not known. */
static uint64_t body_of(JNIEnv *env, jclass class)
{
	uint32_t at = rt_class_number(env, class);
	uint64_t body = 0;
	bool found = false, full = true;

	pthread_mutex_lock(&classes.lock);
	for (uint32_t i = 0; i < 16 && !found; i++) {
		struct known_class *k = &classes.at[(at + i) % CLASSES];

		if (k->class && !(*env)->IsSameObject(env, k->class, class))
			continue;
		if (!k->class) {
			k->class = (*env)->NewWeakGlobalRef(env, class);
			k->body = ask_pool(class);
		}
		found = true;
		full = false;
		body = k->body;
	}
	pthread_mutex_unlock(&classes.lock);
	return full ? ask_pool(class) : body;
}

/* ---- as tasks.h sees them ---- */

static bool look(void *ctx, void *ref, uint64_t *runner)
{
	JNIEnv *env = ctx;
	jobject task = (*env)->NewLocalRef(env, (jweak)ref);
	bool lives = false;

	if (!task) /* collected */
		return false;
	jobject thread = (*env)->GetObjectField(env, task, runner_field);

	*runner = rt_jvmti_id(env, thread);
	if (thread) {
		lives = true;
		(*env)->DeleteLocalRef(env, thread);
	} else {
		jobject inner = (*env)->GetObjectField(env, task, callable_field);

		lives = inner != NULL;
		(*env)->DeleteLocalRef(env, inner);
	}
	(*env)->DeleteLocalRef(env, task);
	return lives;
}

static void drop(void *ctx, void *ref)
{
	JNIEnv *env = ctx;

	(*env)->DeleteWeakGlobalRef(env, (jweak)ref);
}

/* TASK, a FutureTask (TYPE is that) with what is of CLASS, may be run from now on. */
static void hand_over(JNIEnv *env, jobject task, jclass type, jclass class)
{
	const struct rt_task_view view = { look, drop, env };
	uint64_t body = rt_jvm.ti ? body_of(env, class) : 0;
	uint64_t number = body && field_of(env, &runner_field, type, "runner", "Ljava/lang/Thread;")
				  ? rt_object_number(env, task)
				  : 0;
	jweak ref = number ? (*env)->NewWeakGlobalRef(env, task) : NULL;

	if (ref)
		rt_task_handed(&view, body, number, ref);
	else if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env); /* no memory */
}

/* ---- natives ---- */

/* TASK is no FutureTask, but may be what the executor makes one of. */
static void expect(JNIEnv *env, jobject task)
{
	jclass class = (*env)->GetObjectClass(env, task);
	uint64_t body = rt_jvm.ti ? body_of(env, class) : 0;

	if (body)
		rt_task_expected(body);
	(*env)->DeleteLocalRef(env, class);
}

static void tell(JNIEnv *env, jobject task, jclass type, bool handed)
{
	jclass class = NULL;
	jobject inner = made_of(env, task, type, &class);

	if (handed && inner && rt_recorder_mode() != RT_MODE_SUMMARY)
		hand_over(env, task, type, class);
	rt_event(rt_recorder_clock(), JWR_OBJECT, rt_object_number(env, inner));
	(*env)->DeleteLocalRef(env, class);
	(*env)->DeleteLocalRef(env, inner);
}

static void JNICALL task_number(JNIEnv *env, jclass probe, jobject task, jclass type)
{
	(void)probe;
	tell(env, task, type, false);
}

static void JNICALL task_handed(JNIEnv *env, jclass probe, jobject task, jclass type)
{
	(void)probe;
	if (type) {
		tell(env, task, type, true);
		return;
	}
	if (task && rt_recorder_mode() != RT_MODE_SUMMARY)
		expect(env, task);
	rt_event(rt_recorder_clock(), JWR_OBJECT, 0);
}

/* What ASK says of BODY in THREAD. Most bodies are never a task's: who runs them is not asked. */
static void tell_body(JNIEnv *env, jlong body, jthread thread,
		      uint64_t (*ask)(const struct rt_task_view *view, uint64_t body,
				      uint64_t thread))
{
	const struct rt_task_view view = { look, drop, env };
	bool asked = rt_body_is_expected((uint64_t)body) && rt_recorder_mode() != RT_MODE_SUMMARY;
	uint64_t id = asked ? rt_jvmti_id(env, thread) : 0;

	rt_event(rt_recorder_clock(), JWR_OBJECT, id ? ask(&view, (uint64_t)body, id) : 0);
}

static void JNICALL body_runs(JNIEnv *env, jclass probe, jlong body, jthread thread)
{
	(void)probe;
	tell_body(env, body, thread, rt_body_begins);
}

static void JNICALL body_ran(JNIEnv *env, jclass probe, jlong body, jthread thread)
{
	(void)probe;
	tell_body(env, body, thread, rt_body_ends);
}

/* ---- binding ---- */

bool rt_tasks_bind(JNIEnv *env, jclass probe)
{
	void(JNICALL * task)(JNIEnv *, jclass, jobject, jclass) = task_number;
	void(JNICALL * handed)(JNIEnv *, jclass, jobject, jclass) = task_handed;
	void(JNICALL * runs)(JNIEnv *, jclass, jlong, jthread) = body_runs;
	void(JNICALL * ran)(JNIEnv *, jclass, jlong, jthread) = body_ran;
	const JNINativeMethod old =
		rt_native_method("task0", "(Ljava/lang/Object;Ljava/lang/Class;)V", &task);
	const JNINativeMethod natives[] = {
		rt_native_method("handed0", "(Ljava/lang/Object;Ljava/lang/Class;)V", &handed),
		rt_native_method("runs0", "(JLjava/lang/Thread;)V", &runs),
		rt_native_method("ran0", "(JLjava/lang/Thread;)V", &ran),
	};

	return rt_register(env, probe, &old, 1) &&
	       rt_register(env, probe, natives, sizeof(natives) / sizeof(natives[0]));
}
