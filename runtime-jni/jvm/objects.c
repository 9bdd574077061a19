#include "runtime-jni/jvm/objects.h"

#include <stdatomic.h>
#include <string.h>

#include "base/text.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/threads.h"
#include "runtime-jni/jvm/vm_dying.h"
#include "runtime-jni/recorder/meta_lines.h"

#include "base/banned.h"

static uint32_t identity_hash(JNIEnv *env, jobject object)
{
	jint hash = 0;
	jvmtiError e = (*rt_jvm.ti)->GetObjectHashCode(rt_jvm.ti, object, &hash);

	if (e == JVMTI_ERROR_WRONG_PHASE)
		return rt_dying_hash(env, object);
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

	if (rt_dying_text(env, class, "getTypeName", name, sizeof(name)))
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
