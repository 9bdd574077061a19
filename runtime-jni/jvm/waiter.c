/*
 * waiter.c: what the current thread has found out about its waits.
 *
 * The stack takes a microsecond to look at, as long as a hand-over between two threads may take.
 * So a thread that waits for the same object, called from the same places, after the same event of
 * its own as before is where it was then: it does not look. But it does after LOOKS_EVERY times what
 * the look took: what waits long always looks, and looking takes less than 1 % of any thread's time.
 *
 * Objects of one thread that have the same identity hash are taken for the same: 31 bits of it.
 */
#include "runtime-jni/jvm/waiter.h"

#include "base/memory.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/objects.h"
#include "runtime-jni/jvm/stack_place.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

#define LOOKS_EVERY 512
#define OBJECTS     16 /* powers of two */
#define PLACES      32
/* words of the stack: those of five interpreted methods, or of more compiled ones */
#define CALLERS 128

struct waiter {
	jobject thread; /* a global reference; NULL: not asked yet */
	struct {
		uint32_t hash; /* 0: free */
		uint64_t number;
	} objects[OBJECTS];
	struct {
		uint64_t key, until; /* a tick */
		uint32_t place;
	} places[PLACES];
};

static _Thread_local struct waiter *own; /* NULL: it has not waited yet */

/* NULL: no memory. */
static struct waiter *waiter(void)
{
	if (!own)
		own = jw_mem_zalloc(1, sizeof(*own));
	return own;
}

void rt_waiter_ends(JNIEnv *env)
{
	if (own && own->thread)
		(*env)->DeleteGlobalRef(env, own->thread);
	jw_mem_free(own);
	own = NULL;
}

/* ---- objects ---- */

/* The thread that runs here, as a reference that goes when the native returns. */
static jthread current(void)
{
	jthread thread = NULL;

	return (*rt_jvm.ti)->GetCurrentThread(rt_jvm.ti, &thread) == JVMTI_ERROR_NONE ? thread
										      : NULL;
}

static jthread current_kept(JNIEnv *env, struct waiter *w)
{
	/* a virtual thread may be another one the next time; of who runs on a thread that has told
	 * nothing yet, nothing is known */
	if (rt_tls.mounted || !rt_tls.slot)
		return current();
	if (!w->thread) {
		jthread thread = current();

		w->thread = thread ? (*env)->NewGlobalRef(env, thread) : NULL;
	}
	return w->thread;
}

static uint64_t number_of(JNIEnv *env, struct waiter *w, jobject object)
{
	jint hash = 0;

	if ((*rt_jvm.ti)->GetObjectHashCode(rt_jvm.ti, object, &hash) != JVMTI_ERROR_NONE || !hash)
		return rt_object_number(env, object);
	uint32_t at = (uint32_t)hash % OBJECTS;
	if (w->objects[at].hash != (uint32_t)hash) {
		w->objects[at].number = rt_object_number(env, object);
		w->objects[at].hash = (uint32_t)hash;
	}
	return w->objects[at].number;
}

uint64_t rt_waiter_blocker(JNIEnv *env)
{
	struct waiter *w = waiter();
	jthread thread = w && rt_jvm.blocker ? current_kept(env, w) : NULL;
	jobject object = thread ? (*env)->GetObjectField(env, thread, rt_jvm.blocker) : NULL;

	return object ? number_of(env, w, object) : 0;
}

uint64_t rt_waiter_blocker_of(JNIEnv *env, jthread thread)
{
	jobject object =
		rt_jvm.blocker ? (*env)->GetObjectField(env, thread, rt_jvm.blocker) : NULL;
	uint64_t number = rt_object_number(env, object);

	(*env)->DeleteLocalRef(env, object);
	return number;
}

/* ---- places ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ (h >> 29);
}

/* WORD of a record, without how many bytes were moved, which is another number each time. */
static uint64_t without_bytes(uint64_t word)
{
	return jwr_word_kind(word) == JWR_AWAITED
		       ? jwr_word(JWR_AWAITED, jwr_await_what(jwr_word_payload(word)))
		       : word;
}

struct __attribute__((may_alias)) word {
	uint32_t low, high;
};

/* What tells where the calls came from that are around FRAME, without asking the VM: of the words of the
 * stack those that may be pointers into code, to which compiled methods return, or to bytecodes, at which
 * interpreted ones are. Both lie near the library that is called, objects of the program far away, so that
 * what changes from call to call is left out. JDK 25 has the bytecodes of a CDS archive far away, too: until
 * its methods are compiled, depth alone tells them apart. The stack has so many words even around the
 * outermost Java method: those of the VM that called it, and of the C library. */
__attribute__((no_sanitize("address"))) static uint32_t callers_of(const void *frame)
{
	static const char here;
	const uint32_t near = (uint32_t)((uintptr_t)&here >> 44);
	const struct word *words = frame;
	uint32_t sum = 0;

	/* as compilers have instructions for four at a time; interpreted methods have several words
	 * that change alike, and must not cancel out */
	for (uint32_t i = 0; i < CALLERS; i++)
		sum += words[i].high >> 12 == near ? words[i].low * (2 * i + 1) : 0;
	return sum;
}

/* 0: there is no event of its own before, or the stack does not tell. */
static uint64_t key_of(uint64_t number, const void *frame)
{
	const struct jwr_window *w = rt_tls.window;
	uint64_t at = w->cursor;

	if (at <= JWR_HEADER_SIZE || rt_jvm.stacks_apart)
		return 0;
	const struct jwr_record *before =
		(const struct jwr_record *)(const void *)((const char *)w + at) - 1;
	uint64_t depth = (uint64_t)(uintptr_t)frame;
	return mix(mix(mix(without_bytes(before->word), depth), number), callers_of(frame)) | 1;
}

uint32_t rt_waiter_place(JNIEnv *env, uint64_t number, const void *frame, uint64_t now)
{
	struct waiter *w = waiter();
	uint64_t key = key_of(number, frame);
	size_t at = key >> 8 & (PLACES - 1);

	if (w && key && w->places[at].key == key && now < w->places[at].until)
		return w->places[at].place;
	uint64_t begin = trace_tick_now(rt_recorder_clock());
	uint32_t place = rt_place(env);
	uint64_t end = trace_tick_now(rt_recorder_clock());

	if (w && place) { /* else it is worth another look */
		w->places[at].key = key;
		w->places[at].until = end + (end - begin) * LOOKS_EVERY;
		w->places[at].place = place;
	}
	return place;
}
