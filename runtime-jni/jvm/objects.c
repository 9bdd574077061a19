#include "runtime-jni/jvm/objects.h"

#include <pthread.h>
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

/* Tables of classes: threads only ever fill free places, of those that a class may have. */
#define CLASSES      4096
#define CLASS_PLACES 16

static uint32_t place_of(uint32_t key, uint32_t i)
{
	return (key * 2654435761u + i) % CLASSES;
}

/* ---- names ---- */

/* The classes that meta names already, by number + 1. Where all places are taken, one goes
 * unnamed. */
static _Atomic uint32_t named_classes[CLASSES];

static bool is_new_class(uint32_t number)
{
	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		_Atomic uint32_t *at = &named_classes[place_of(number, i)];
		uint32_t found = atomic_load_explicit(at, memory_order_relaxed);

		if (found == 0 && atomic_compare_exchange_strong(at, &found, number + 1))
			return true;
		if (found == number + 1)
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

static void name_class_late(JNIEnv *env, jclass class, uint32_t number)
{
	char name[512];

	if (rt_dying_text(env, class, "getTypeName", name, sizeof(name)))
		rt_line_class(number, name);
}

static void name_class(JNIEnv *env, jclass class, uint32_t number)
{
	struct jw_buf name = { 0 };
	char *signature = NULL;
	jvmtiError e = (*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL);

	if (e == JVMTI_ERROR_WRONG_PHASE)
		name_class_late(env, class, number);
	if (e != JVMTI_ERROR_NONE)
		return;
	put_type(&name, signature);
	if (!name.failed)
		rt_line_class(number, (const char *)name.p);
	jw_buf_free(&name);
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
}

void rt_name_class(JNIEnv *env, jclass class, uint32_t number)
{
	if (rt_jvm.ti && is_new_class(number))
		name_class(env, class, number);
}

/* ---- numbers ---- */

/* What hashCode() says of a name in modified UTF-8 (JVMS 4.4.7), which the VM has checked. */
static uint32_t hash_of(struct jw_span name)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < name.n;) {
		size_t more = name.p[i] < 0x80 ? 0 : name.p[i] < 0xe0 ? 1 : 2;
		uint32_t unit = more ? name.p[i] & (0x3fu >> more) : name.p[i];

		for (i++; more && i < name.n; more--)
			unit = unit << 6 | (name.p[i++] & 0x3fu);
		hash = hash * 31 + unit;
	}
	return hash;
}

/* The signature of a class becomes what getName() says. A hidden class, "Lcom/acme/Lock.0x1f;", is
 * "com.acme.Lock/0x1f" there. */
static struct jw_span make_name(char *signature)
{
	struct jw_span name = jw_span_str(signature);

	for (char *c = signature; *c; c++)
		*c = *c == '/' ? '.' : *c == '.' ? '/' : *c;
	return signature[0] == 'L' && name.n > 2 ? jw_span(name.p + 1, name.n - 2) : name;
}

static uint32_t number_by_name(JNIEnv *env, jclass class)
{
	char *signature = NULL, late[512];
	jvmtiError e = (*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL);

	if (e == JVMTI_ERROR_WRONG_PHASE &&
	    rt_dying_text(env, class, "getName", late, sizeof(late)))
		return jwr_class(hash_of(jw_span_str(late)));
	if (e != JVMTI_ERROR_NONE)
		return 0;
	uint32_t number = jwr_class(hash_of(make_name(signature)));

	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
	return number;
}

/* The classes whose number is known, by identity hash + 1, which several may have: HotSpot gives
 * hashes out anew that classes in the JDK's archive brought with them. A place is filled, its KEY
 * last, by who holds the lock. Where all are taken, a number is made each time. */
static struct {
	pthread_mutex_t lock;
	struct numbered_class {
		_Atomic uint32_t key;
		uint32_t number;
		jweak class;
	} at[CLASSES];
} numbered = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The place of CLASS, or the first one that is free; NULL: there is none. */
static struct numbered_class *find_class(JNIEnv *env, jclass class, uint32_t key)
{
	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		struct numbered_class *at = &numbered.at[place_of(key, i)];
		uint32_t found = atomic_load_explicit(&at->key, memory_order_acquire);

		if (!found || (found == key && (*env)->IsSameObject(env, at->class, class)))
			return at;
	}
	return NULL;
}

/* The number of CLASS, which is not known; its name goes to meta. */
static uint32_t note_class(JNIEnv *env, jclass class, uint32_t key)
{
	uint32_t number = number_by_name(env, class);
	jweak kept = (*env)->NewWeakGlobalRef(env, class);

	pthread_mutex_lock(&numbered.lock);
	struct numbered_class *at = find_class(env, class, key);

	if (at && !at->key && kept) {
		at->number = number;
		at->class = kept;
		atomic_store_explicit(&at->key, key, memory_order_release);
		kept = NULL;
	}
	pthread_mutex_unlock(&numbered.lock);
	if (kept)
		(*env)->DeleteWeakGlobalRef(env, kept);
	rt_name_class(env, class, number);
	return number;
}

uint32_t rt_class_number(JNIEnv *env, jclass class)
{
	uint32_t key = identity_hash(env, class) + 1;
	const struct numbered_class *known = find_class(env, class, key);

	return known && known->key ? known->number : note_class(env, class, key);
}

uint64_t rt_object_number(JNIEnv *env, jobject object)
{
	if (!object || !rt_jvm.ti)
		return 0;
	if (rt_jvm.thread && (*env)->IsInstanceOf(env, object, rt_jvm.thread))
		return jwr_thread_object(rt_jvmti_id(env, object));
	jclass class = (*env)->GetObjectClass(env, object);
	uint64_t number = jwr_object(identity_hash(env, object), rt_class_number(env, class));

	(*env)->DeleteLocalRef(env, class);
	return number;
}
