/*
 * sampling_jni.c: probes of rules that record less than all calls (sampling.h), and the rules that
 * an archive brings (base/baked.h).
 */
#include "runtime-jni/jvm/sampling_jni.h"

#include <string.h>

#include "base/baked.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/baked_read.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/sampling.h"
#include "runtime-jni/recorder/say.h"

#include "base/banned.h"

static void JNICALL enter(JNIEnv *env, jclass class, jlong id, jint rule, jboolean captures)
{
	(void)env;
	(void)class;
	rt_sampling_enter((uint64_t)id & JWR_PAYLOAD_MASK, (uint32_t)rule, captures);
}

static void JNICALL end(JNIEnv *env, jclass class, jlong id)
{
	(void)env;
	(void)class;
	rt_sampling_end((uint64_t)id & JWR_PAYLOAD_MASK);
}

static void JNICALL leave(JNIEnv *env, jclass class, jlong id)
{
	(void)env;
	(void)class;
	rt_sampling_exit(JWR_EXIT, (uint64_t)id & JWR_PAYLOAD_MASK);
}

static void JNICALL fail(JNIEnv *env, jclass class, jlong id)
{
	(void)env;
	(void)class;
	rt_sampling_exit(JWR_FAIL, (uint64_t)id & JWR_PAYLOAD_MASK);
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

/* What an archive's rules come to. */
struct brought {
	struct rt_sampling_rule *rules; /* in the arena */
	uint32_t count;
	jint switches, plain; /* bits of rules with a switch: those that are on, that record all */
};

static void read_rules(struct jw_span baked, const struct rt_config *config, struct jw_arena *arena,
		       struct brought *out)
{
	struct rt_baked_rule rule;
	uint32_t count = 0;

	for (struct jw_span at = baked; rt_baked_next(&at, arena, &rule);)
		count++;
	*out = (struct brought){ .rules = JW_NEW_ARRAY(arena, struct rt_sampling_rule, count + 1) };
	while (out->rules && out->count < count && rt_baked_next(&baked, arena, &rule)) {
		const struct rt_sampling_rule *s = &rule.sampling;
		uint32_t bit =
			rule.has_switch && out->count < JW_HOW_SWITCHES ? 1u << out->count : 0;

		if (rt_baked_is_on(&rule, config->enable, config->disable))
			out->switches |= (jint)bit;
		if (!s->every && !s->max_depth && !s->min_ns)
			out->plain |= (jint)bit;
		out->rules[out->count++] = *s;
	}
}

/* The user names rules that the first archive does not have, or that have no switch: said once. */
static void name_unknown(struct jw_span baked, const struct rt_config *config)
{
	static bool done;
	const struct {
		const char *list, *name;
	} lists[] = { { config->enable, "JWEAVE_ENABLE" }, { config->disable, "JWEAVE_DISABLE" } };

	for (size_t i = 0; !done && i < sizeof(lists) / sizeof(*lists); i++) {
		const char *list = lists[i].list;

		for (struct jw_span id; (id = rt_baked_unknown(&list, baked)).n;)
			rt_say("%s names '%.*s', which is no rule with \"enabled\" of its own in "
			       "what "
			       "was woven: it cannot be switched at run time",
			       lists[i].name, (int)(id.n < 100 ? id.n : 100), (const char *)id.p);
	}
	done = true;
}

static void set_int(JNIEnv *env, jclass probe, const char *name, jint value)
{
	jfieldID field = (*env)->GetStaticFieldID(env, probe, name, "I");

	if (field)
		(*env)->SetStaticIntField(env, probe, field, value);
	else
		(*env)->ExceptionClear(env); /* a class of another version */
}

void rt_sampling_bind(JNIEnv *env, jclass probe, struct jw_span baked,
		      const struct rt_config *config)
{
	struct jw_arena arena = { 0 };
	struct brought brought;
	uint32_t base = UINT32_MAX;

	name_unknown(baked, config);
	read_rules(baked, config, &arena, &brought);
	if (brought.count && bind_natives(env, probe))
		base = rt_sampling_add(brought.rules, brought.count);
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env); /* a class of another version */
	if (base != UINT32_MAX) {
		set_int(env, probe, "switches", brought.switches);
		set_int(env, probe, "plain", brought.plain);
		set_int(env, probe, "base", (jint)base);
	}
	jw_arena_free(&arena);
}
