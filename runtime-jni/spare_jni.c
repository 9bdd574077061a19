/*
 * spare_jni.c: probes of rules that record less than all calls (spare.h), and the rules that an
 * archive brings (base/baked.h).
 */
#include "runtime-jni/jvm.h"

#include <string.h>

#include "base/baked.h"
#include "runtime-jni/baked.h"
#include "runtime-jni/spare.h"

#include "base/banned.h"

static void JNICALL enter(JNIEnv *env, jclass class, jlong id, jint rule, jboolean captures)
{
	(void)env;
	(void)class;
	rt_spare_enter((uint64_t)id & JWR_PAYLOAD_MASK, (uint32_t)rule, captures);
}

static void JNICALL end(JNIEnv *env, jclass class, jlong id)
{
	(void)env;
	(void)class;
	rt_spare_end((uint64_t)id & JWR_PAYLOAD_MASK);
}

static void JNICALL leave(JNIEnv *env, jclass class, jlong id)
{
	(void)env;
	(void)class;
	rt_spare_exit(JWR_EXIT, (uint64_t)id & JWR_PAYLOAD_MASK);
}

static void JNICALL fail(JNIEnv *env, jclass class, jlong id)
{
	(void)env;
	(void)class;
	rt_spare_exit(JWR_FAIL, (uint64_t)id & JWR_PAYLOAD_MASK);
}

static bool bind_natives(JNIEnv *env, jclass probe)
{
	void(JNICALL * enter_p)(JNIEnv *, jclass, jlong, jint, jboolean) = enter;
	void(JNICALL * end_p)(JNIEnv *, jclass, jlong) = end;
	void(JNICALL * leave_p)(JNIEnv *, jclass, jlong) = leave;
	void(JNICALL * fail_p)(JNIEnv *, jclass, jlong) = fail;
	const JNINativeMethod natives[] = {
		rt_native_method("enter1", "(JIZ)V", &enter_p),
		rt_native_method("end1", "(J)V", &end_p),
		rt_native_method("exit1", "(J)V", &leave_p),
		rt_native_method("fail1", "(J)V", &fail_p),
	};

	return (*env)->RegisterNatives(env, probe, natives, sizeof(natives) / sizeof(*natives)) ==
	       JNI_OK;
}

/* The rules in BAKED, in ARENA; how many. */
static uint32_t read_rules(struct jw_span baked, struct jw_arena *arena, struct rt_spare_rule **out)
{
	struct rt_baked_rule rule;
	uint32_t count = 0;

	for (struct jw_span at = baked; rt_baked_next(&at, arena, &rule);)
		count++;
	*out = JW_NEW_ARRAY(arena, struct rt_spare_rule, count + 1);
	for (uint32_t i = 0; *out && rt_baked_next(&baked, arena, &rule); i++)
		(*out)[i] = rule.spare;
	return *out ? count : 0;
}

void rt_spare_bind(JNIEnv *env, jclass probe, struct jw_span baked)
{
	struct jw_arena arena = { 0 };
	struct rt_spare_rule *rules;
	uint32_t count = read_rules(baked, &arena, &rules), base = UINT32_MAX;
	jfieldID field = NULL;

	if (count && bind_natives(env, probe))
		field = (*env)->GetStaticFieldID(env, probe, "base", "I");
	if (field)
		base = rt_spare_add(rules, count);
	if (base != UINT32_MAX)
		(*env)->SetStaticIntField(env, probe, field, (jint)base);
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env); /* a class of another version */
	jw_arena_free(&arena);
}
