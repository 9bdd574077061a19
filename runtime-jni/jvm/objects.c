#include "runtime-jni/jvm/objects.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

#include "base/bytes.h"
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

/* The classes that have a number, which meta names: it is the low bits, above it are bits of a hash
 * of the name. Where all places of a number are taken, one goes unnamed. */
#define TAKEN (UINT64_C(1) << 63)
static _Atomic uint64_t named_classes[CLASSES];

enum answer { NEW, KNOWN, OF_ANOTHER };

static enum answer ask_number(uint32_t number, uint64_t hash)
{
	uint64_t want = TAKEN | (hash & ~(uint64_t)JWR_CLASS_NUMBER_MASK) | number;

	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		_Atomic uint64_t *at = &named_classes[place_of(number, i)];
		uint64_t found = atomic_load_explicit(at, memory_order_relaxed);

		if (found == 0 && atomic_compare_exchange_strong(at, &found, want))
			return NEW;
		if (found == want)
			return KNOWN;
		if ((found & JWR_CLASS_NUMBER_MASK) == number)
			return OF_ANOTHER;
	}
	return KNOWN;
}

/* The number of the class that is called NAME. Of names that would have the same one, which for
 * those with the same hashCode() is sure, all but the first get one of the next. IS_NEW: meta has
 * not named it. */
static uint32_t number_of(struct jw_span name, uint32_t hash_code, bool *is_new)
{
	uint32_t first = jwr_class(hash_code);
	uint64_t hash = jw_hash64(name, 0);
	enum answer answer = OF_ANOTHER;

	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		uint32_t number = (first + i) & JWR_CLASS_NUMBER_MASK;

		answer = ask_number(number, hash);
		*is_new = answer == NEW;
		if (answer != OF_ANOTHER)
			return number;
	}
	return first;
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

/* The number of int[] + 1, once it has one. */
static _Atomic uint32_t int_arrays;

/* While HotSpot initializes a class it locks an int[] that has no elements; hardly any program locks such a
 * one. So these have a name of their own, JWR_INIT_LOCK. */
static bool is_init_lock(JNIEnv *env, jobject object, uint32_t class)
{
	return class + 1 == atomic_load_explicit(&int_arrays, memory_order_relaxed) &&
	       (*env)->GetArrayLength(env, object) == 0;
}

/* The number of their class + 1, once it has one. */
static _Atomic uint32_t init_locks;

static uint32_t init_lock_number(void)
{
	const struct jw_span name = JW_SPAN_LIT(JWR_INIT_LOCK);
	bool is_new;
	uint32_t number = number_of(name, hash_of(name), &is_new);

	if (is_new)
		rt_line_class(number, JWR_INIT_LOCK);
	atomic_store_explicit(&init_locks, number + 1, memory_order_relaxed);
	return number;
}

bool rt_is_init_lock(uint64_t number)
{
	uint32_t class = atomic_load_explicit(&init_locks, memory_order_relaxed);

	return class && number >> JWR_HASH_BITS == class - 1;
}

static uint32_t number_by_name(JNIEnv *env, jclass class, bool *is_new)
{
	char *signature = NULL, late[512];
	jvmtiError e = (*rt_jvm.ti)->GetClassSignature(rt_jvm.ti, class, &signature, NULL);
	struct jw_span name;

	*is_new = false;
	if (e == JVMTI_ERROR_NONE)
		name = make_name(signature);
	else if (e == JVMTI_ERROR_WRONG_PHASE &&
		 rt_dying_text(env, class, "getName", late, sizeof(late)))
		name = jw_span_str(late);
	else
		return 0;
	uint32_t number = number_of(name, hash_of(name), is_new);

	if (jw_span_eq_str(name, "[I"))
		atomic_store_explicit(&int_arrays, number + 1, memory_order_relaxed);
	if (signature)
		(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)signature);
	return number;
}

/* The classes whose number is known, by identity hash + 1, which several may have: HotSpot gives
 * hashes out anew that classes in the JDK's archive brought with them. A place is filled, its KEY
 * last, by who holds the lock; also one whose class is unloaded. Where all are taken, a number is made
 * each time. What stood for a class that is gone is deleted once nobody looks. */
#define LOOKERS 16 /* counts of those who look, by their threads */
#define GONE    64 /* in case that somebody looks each time; more are never deleted */
static struct {
	pthread_mutex_t lock;
	jweak gone[GONE]; /* by who holds the lock */
	size_t gone_count;
	struct {
		alignas(64) _Atomic uint32_t n;
	} looking[LOOKERS];
	struct numbered_class {
		_Atomic uint32_t key, number;
		_Atomic(jweak) class;
	} at[CLASSES];
} numbered = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool is_at(JNIEnv *env, struct numbered_class *at, jclass class)
{
	return (*env)->IsSameObject(env, atomic_load(&at->class), class);
}

/* The place of CLASS; else, if there is a free one before that would be, this (*IS_FREE: it was, somebody may fill it);
 * NULL: neither. */
static struct numbered_class *find_class(JNIEnv *env, jclass class, uint32_t key, bool *is_free)
{
	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		struct numbered_class *at = &numbered.at[place_of(key, i)];
		uint32_t found = atomic_load_explicit(&at->key, memory_order_acquire);

		*is_free = !found;
		if (!found || (found == key && is_at(env, at, class)))
			return at;
	}
	return NULL;
}

static bool is_any_looking(void)
{
	for (size_t i = 0; i < LOOKERS; i++)
		if (atomic_load(&numbered.looking[i].n))
			return true;
	return false;
}

/* GONE is in no place any more: who looks now may have it, who looks later has not. */
static void let_go(JNIEnv *env, jweak gone)
{
	if (gone && numbered.gone_count < GONE)
		numbered.gone[numbered.gone_count++] = gone;
	if (is_any_looking())
		return;
	while (numbered.gone_count)
		(*env)->DeleteWeakGlobalRef(env, numbered.gone[--numbered.gone_count]);
}

/* A place for KEY whose class is unloaded; NULL: none. */
static struct numbered_class *find_unloaded(JNIEnv *env, uint32_t key)
{
	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		struct numbered_class *at = &numbered.at[place_of(key, i)];

		if (is_at(env, at, NULL))
			return at;
	}
	return NULL;
}

/* CLASS gets a place, if there is one. */
static void keep_number(JNIEnv *env, jclass class, uint32_t key, uint32_t number)
{
	bool is_free = false;
	struct numbered_class *at = find_class(env, class, key, &is_free);

	if (at && !is_free)
		return;
	if (!at)
		at = find_unloaded(env, key);
	jweak kept = at ? (*env)->NewWeakGlobalRef(env, class) : NULL;

	if (!kept)
		return;
	atomic_store_explicit(&at->number, number, memory_order_relaxed);
	jweak gone = atomic_exchange(&at->class, kept);
	atomic_store_explicit(&at->key, key, memory_order_release);
	let_go(env, gone);
}

/* The number of CLASS, which is not known; its name goes to meta. */
static uint32_t note_class(JNIEnv *env, jclass class, uint32_t key)
{
	bool is_new;
	uint32_t number = number_by_name(env, class, &is_new);

	pthread_mutex_lock(&numbered.lock);
	keep_number(env, class, key, number);
	pthread_mutex_unlock(&numbered.lock);
	if (is_new)
		name_class(env, class, number);
	return number;
}

uint32_t rt_class_number(JNIEnv *env, jclass class)
{
	uint32_t key = identity_hash(env, class) + 1;
	_Atomic uint32_t *looking = &numbered.looking[((uintptr_t)env >> 10) % LOOKERS].n;
	bool is_free = false;

	atomic_fetch_add(looking, 1);
	const struct numbered_class *known = find_class(env, class, key, &is_free);
	uint32_t number = known ? known->number : 0;
	atomic_fetch_sub(looking, 1);
	return known && !is_free ? number : note_class(env, class, key);
}

uint64_t rt_object_number(JNIEnv *env, jobject object)
{
	if (!object || !rt_jvm.ti)
		return 0;
	if (rt_jvm.thread && (*env)->IsInstanceOf(env, object, rt_jvm.thread))
		return jwr_thread_object(rt_jvmti_id(env, object));
	jclass class = (*env)->GetObjectClass(env, object);
	uint32_t of_class = rt_class_number(env, class);

	if (is_init_lock(env, object, of_class))
		of_class = init_lock_number();
	(*env)->DeleteLocalRef(env, class);
	return jwr_object(identity_hash(env, object), of_class);
}

/* ---- classes of numbers that Probe.java has made ---- */

_Atomic uint32_t rt_seen_classes[RT_SEEN_CLASSES];

void rt_class_is_seen_first(uint32_t number)
{
	for (uint32_t i = 0; i < CLASS_PLACES; i++) {
		_Atomic uint32_t *at = &rt_seen_classes[(number + i) % RT_SEEN_CLASSES];
		uint32_t found = 0;

		if (atomic_compare_exchange_strong(at, &found, number + 1) || found == number + 1)
			return;
	}
}

static bool was_seen(uint32_t number)
{
	for (uint32_t i = 0; i < CLASS_PLACES; i++)
		if (rt_seen_classes[(number + i) % RT_SEEN_CLASSES] == number + 1)
			return true;
	return false;
}

static void name_if_seen(void *ctx, JNIEnv *env, jclass class, const char *signature)
{
	char text[512];
	size_t n = strlen(signature) + 1;
	bool is_new = false;

	(void)ctx;
	if (n > sizeof(text))
		return;
	memcpy(text, signature, n);
	struct jw_span name = make_name(text);
	uint32_t hash = hash_of(name), number = jwr_class(hash);

	if (was_seen(number))
		number = number_of(name, hash, &is_new);
	if (is_new)
		name_class(env, class, number);
}

void rt_name_seen_classes(JNIEnv *env)
{
	bool any = false;

	for (size_t i = 0; i < RT_SEEN_CLASSES && !any; i++)
		any = rt_seen_classes[i] != 0;
	if (any && rt_jvm.ti)
		rt_jvmti_each_class(env, name_if_seen, NULL);
}

uint64_t rt_exception_number(JNIEnv *env, jclass class, uint64_t number)
{
	return rt_jvm.ti ? jwr_object((uint32_t)number & JWR_HASH_MASK, rt_class_number(env, class))
			 : number;
}
