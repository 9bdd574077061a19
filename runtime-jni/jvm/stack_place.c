/*
 * stack_place.c: where the current thread is, as a number that meta explains: the innermost
 * method of its stack that is not the JDK's, and its line, or that in which a worker of the JDK's
 * pools fetches its next task, also from a queue of the program's own; where there is neither, the
 * innermost that is no part of waiting itself (of Object, of Unsafe, of LockSupport and the locks
 * beside it). A virtual thread parks to sleep, and a method may wait since the JDK loads a class for
 * it, or to put something into a queue: where they do is told as another place.
 *
 * Asked only where a thread is about to wait: walking a few frames takes a microsecond or two. A
 * frame that was seen before is found in a table by its method and bytecode index; threads only
 * ever fill free places of it. Where all that a frame may have are taken, the place goes untold.
 */
#include "runtime-jni/jvm/stack_place.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/text.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/early.h"
#include "runtime-jni/recorder/meta_lines.h"

#include "base/banned.h"

#define FRAMES   8 /* at a time: each takes 0.1 us, and mostly they do */
#define DEEPEST  40
#define QUEUES   4 /* methods of queues, one around the other */
#define PLACES   8192
#define TRIES    16
#define OF_WAIT  UINT32_MAX       /* in place of a number: a method that is part of waiting */
#define OF_SLEEP (UINT32_MAX - 1) /* likewise: by which a virtual thread sleeps, which then parks */
/* Beside a number: a method of the JDK; by which a worker fetches its task; that may be a queue's, from
 * which it does; of the JDK, by which a class is loaded, something put into a queue, or a thread joined */
#define OF_JDK   (UINT32_C(1) << 31)
#define OF_FETCH (UINT32_C(1) << 30)
#define OF_QUEUE (UINT32_C(1) << 29)
#define OF_LOAD  (UINT32_C(1) << 28)
#define OF_PUT   (UINT32_C(1) << 27)
#define OF_JOIN  (UINT32_C(1) << 26)
#define NUMBER   (OF_JOIN - 1)
#define NOT_TOLD 0
#define PATIENCE 4096 /* turns, of 100 ns at least */

static struct {
	_Atomic uint64_t key;    /* 0: free */
	_Atomic uint32_t number; /* NOT_TOLD: not yet, or by a thread that is at it */
} places[PLACES];

/* What a thread does at a place, and the word for it in meta. */
enum activity { WAITS, SLEEPS, LOADS, PUTS, JOINS };
static const char *const words[] = {
	[WAITS] = NULL, [SLEEPS] = "sleep", [LOADS] = "load", [PUTS] = "put", [JOINS] = "join"
};

static bool can_tell_lines;

bool rt_places_prepare(void)
{
	jvmtiCapabilities needs = { .can_get_line_numbers = 1, .can_get_source_file_name = 1 };

	can_tell_lines = (*rt_jvm.ti)->AddCapabilities(rt_jvm.ti, &needs) == JVMTI_ERROR_NONE;
	return true; /* else methods alone are told */
}

/* ---- what a frame is ---- */

/* Of a hidden class, "Lcom/acme/Shop$$Lambda.0x01;", without the number, which each run makes anew. */
static void put_class(struct jw_buf *out, const char *signature)
{
	if (signature[0] == 'L')
		jw_put_dotted(out, jw_span(signature + 1, strcspn(signature + 1, ".;")));
	jw_put_u1(out, 0);
}

static uint32_t line_of(const jvmtiFrameInfo *frame)
{
	jvmtiLineNumberEntry *table = NULL;
	jint count = 0;
	uint32_t line = 0;

	if (!can_tell_lines ||
	    (*rt_jvm.ti)->GetLineNumberTable(rt_jvm.ti, frame->method, &count, &table) !=
		    JVMTI_ERROR_NONE)
		return 0;
	/* the entry that begins last, at or before it; the entry of a method is -1, or 0 */
	for (jlong best = -1, i = 0; i < count; i++) {
		jlong at = table[i].start_location;

		if (at > best && (at <= frame->location || at == 0)) {
			best = at;
			line = (uint32_t)table[i].line_number;
		}
	}
	(*rt_jvm.ti)->Deallocate(rt_jvm.ti, (unsigned char *)table);
	return line;
}

static void tell(uint32_t number, const jvmtiFrameInfo *frame, jclass class, const char *signature,
		 const char *method, enum activity does)
{
	jvmtiEnv *ti = rt_jvm.ti;
	char *source = NULL;
	struct jw_buf name = { 0 };

	put_class(&name, signature);
	if (can_tell_lines)
		(void)(*ti)->GetSourceFileName(ti, class, &source);
	if (!name.failed)
		rt_line_place(number, (const char *)name.p, method, source ? source : "",
			      source ? line_of(frame) : 0, words[does]);
	jw_buf_free(&name);
	(*ti)->Deallocate(ti, (unsigned char *)source);
}

/* LIST ends with NULL. */
static bool begins_with_one(const char *name, const char *const *list)
{
	while (*list && strncmp(name, *list, strlen(*list)) != 0)
		list++;
	return *list;
}

static bool is_of_jdk(const char *signature)
{
	/* of others that begin so libraries have some: JAXB, Jersey, servlets */
	static const char *const packages[] = {
		"Ljava/",
		"Ljdk/",
		"Lsun/",
		"Lcom/sun/crypto/",
		"Lcom/sun/imageio/",
		"Lcom/sun/java/",
		"Lcom/sun/jndi/",
		"Lcom/sun/net/",
		"Lcom/sun/nio/",
		"Lcom/sun/org/",
		"Lcom/sun/rowset/",
		"Lcom/sun/security/",
		"Ljavax/crypto/",
		"Ljavax/imageio/",
		"Ljavax/management/",
		"Ljavax/naming/",
		"Ljavax/net/",
		"Ljavax/print/",
		"Ljavax/sound/",
		"Ljavax/sql/",
		"Ljavax/swing/",
		NULL,
	};

	return begins_with_one(signature, packages);
}

static bool is_part_of_waiting(const char *signature, const char *method)
{
	static const char *const classes[] = { "Ljava/lang/Object;", "Ljdk/internal/misc/Unsafe;",
					       "Lsun/misc/Unsafe;" };
	static const char locks[] = "Ljava/util/concurrent/locks/";

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strcmp(signature, classes[i]) == 0)
			return true;
	/* a condition blocks by it, so that a worker of such a pool makes room for another one */
	if (strcmp(signature, "Ljava/util/concurrent/ForkJoinPool;") == 0)
		return strcmp(method, "managedBlock") == 0 || strcmp(method, "unmanagedBlock") == 0;
	return strncmp(signature, locks, sizeof(locks) - 1) == 0;
}

static bool is_of_sleep(const char *signature, const char *method)
{
	return strcmp(signature, "Ljava/lang/VirtualThread;") == 0 &&
	       strcmp(method, "sleepNanos") == 0;
}

/* Does a worker of a pool fetch its next task here? Then this is where it waits, whatever of the
 * program has started it. ORDER trace/replay/parks.c */
static bool is_for_work(const char *signature, const char *method)
{
	static const struct {
		const char *class, *method;
	} fetches[] = { { "Ljava/util/concurrent/ThreadPoolExecutor;", "getTask" },
			{ "Ljava/util/concurrent/ForkJoinPool;", "awaitWork" },
			{ "Ljava/awt/EventQueue;", "getNextEvent" } };

	for (size_t i = 0; i < sizeof(fetches) / sizeof(*fetches); i++)
		if (strcmp(signature, fetches[i].class) == 0 &&
		    strcmp(method, fetches[i].method) == 0)
			return true;
	return false;
}

static bool is_of_load(const char *signature, const char *method)
{
	return strcmp(signature, "Ljava/lang/ClassLoader;") == 0 &&
	       strcmp(method, "loadClass") == 0;
}

/* Of a BlockingQueue or TransferQueue: they wait for room, or for a taker; some for no longer than is said.
 * (Classes inside of queues serve those that take, too.) */
static bool is_of_put(const char *signature, const char *method)
{
	static const char *const puts[] = { "put", "offer", "transfer", "tryTransfer", NULL };
	struct jw_span class = jw_span_str(signature);

	return jw_span_starts(class, JW_SPAN_LIT("Ljava/util/concurrent/")) &&
	       !strchr(signature, '$') &&
	       (jw_span_ends(class, JW_SPAN_LIT("Queue;")) ||
		jw_span_ends(class, JW_SPAN_LIT("Deque;"))) &&
	       begins_with_one(method, puts);
}

static bool is_of_join(const char *signature, const char *method)
{
	return strcmp(signature, "Ljava/lang/Thread;") == 0 && strcmp(method, "join") == 0;
}

/* What is said beside the number of such a method. */
static uint32_t flags_of(const char *signature, const char *method)
{
	if (is_for_work(signature, method))
		return OF_FETCH;
	if (is_of_load(signature, method))
		return OF_JDK | OF_LOAD;
	if (is_of_put(signature, method))
		return OF_JDK | OF_PUT;
	if (is_of_join(signature, method))
		return OF_JDK | OF_JOIN;
	if (is_of_jdk(signature))
		return OF_JDK;
	return strcmp(method, "poll") == 0 || strcmp(method, "take") == 0 ? OF_QUEUE : 0;
}

/* NUMBER for FRAME, which is told with it, and its flags; or OF_WAIT, or OF_SLEEP. */
static uint32_t name_frame(JNIEnv *env, const jvmtiFrameInfo *frame, enum activity does,
			   uint32_t number)
{
	jvmtiEnv *ti = rt_jvm.ti;
	jclass class = NULL;
	char *signature = NULL, *method = NULL;

	if ((*ti)->GetMethodDeclaringClass(ti, frame->method, &class) != JVMTI_ERROR_NONE)
		return NOT_TOLD;
	(void)(*ti)->GetClassSignature(ti, class, &signature, NULL);
	(void)(*ti)->GetMethodName(ti, frame->method, &method, NULL, NULL);
	if (!signature || !method)
		number = NOT_TOLD;
	else if (is_part_of_waiting(signature, method))
		number = OF_WAIT;
	else if (is_of_sleep(signature, method))
		number = OF_SLEEP;
	else
		tell(number, frame, class, signature, method, does);
	if (number != NOT_TOLD && number < OF_SLEEP)
		number |= flags_of(signature, method);
	(*ti)->Deallocate(ti, (unsigned char *)method);
	(*ti)->Deallocate(ti, (unsigned char *)signature);
	(*env)->DeleteLocalRef(env, class);
	return number;
}

/* ---- the table ---- */

/* Where a thread sleeps is another place than the same where it waits for somebody. */
static uint64_t key_of(const jvmtiFrameInfo *frame, enum activity does)
{
	uint64_t h = (uint64_t)(uintptr_t)frame->method * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (h >> 29) ^ ((uint64_t)frame->location << 3 | does)) *
	    UINT64_C(0xbf58476d1ce4e5b9);
	return (h ^ (h >> 32)) | 1;
}

/* The number of the place AT, which another thread may be naming: threads that meet come to the same
 * place at once. To name it takes some us, unless the VM stops that thread: so patience has an end. */
static uint32_t number_at(uint32_t at, uint64_t key)
{
	uint32_t number = NOT_TOLD;

	for (int i = 0; i < PATIENCE && number == NOT_TOLD; i++) {
		number = atomic_load_explicit(&places[at].number, memory_order_acquire);
		if (number == NOT_TOLD &&
		    atomic_load_explicit(&places[at].key, memory_order_relaxed) != key)
			break; /* it could not be named */
		if (number == NOT_TOLD)
			sched_yield();
	}
	return number;
}

/* The number of FRAME, of OF_WAIT, OF_SLEEP or NOT_TOLD. */
static uint32_t number_of(JNIEnv *env, const jvmtiFrameInfo *frame, enum activity does)
{
	uint64_t key = key_of(frame, does);

	for (uint64_t i = 0; i < TRIES; i++) {
		uint32_t at = (uint32_t)((key >> 8) + i) % PLACES;
		uint64_t found = atomic_load_explicit(&places[at].key, memory_order_relaxed);

		if (found == 0 && atomic_compare_exchange_strong(&places[at].key, &found, key)) {
			uint32_t number = name_frame(env, frame, does, at + 1);

			atomic_store_explicit(&places[at].number, number, memory_order_release);
			if (number == NOT_TOLD)
				atomic_store(&places[at].key, 0);
			return number;
		}
		if (found == key)
			return number_at(at, key);
	}
	return NOT_TOLD;
}

/* The place of the frame at DEPTH, of NUMBER: that of a worker that fetches its next task from a queue of the
 * program's own is where it does so. A queue's method may have a bridge (JLS 15.12.4.5), or call another's. */
static uint32_t fetch_of(JNIEnv *env, jthread thread, uint32_t number, jint depth)
{
	uint32_t outer = number;

	for (jint i = 1; i <= QUEUES && outer < OF_SLEEP && outer & OF_QUEUE; i++) {
		jvmtiFrameInfo caller;
		jint count = 0;

		if ((*rt_jvm.ti)->GetStackTrace(rt_jvm.ti, thread, depth + i, 1, &caller, &count) !=
			    JVMTI_ERROR_NONE ||
		    count == 0)
			break;
		outer = number_of(env, &caller, WAITS);
	}
	return (outer < OF_SLEEP && outer & OF_FETCH ? outer : number) & NUMBER;
}

/* Looks through COUNT frames, from DEPTH on: *PLACE and what it *DOES are what is known by then. True:
 * that is the place. */
static bool look_through(JNIEnv *env, jthread thread, const jvmtiFrameInfo *frames, jint count,
			 jint depth, uint32_t *place, enum activity *does)
{
	for (jint i = 0; i < count; i++) {
		uint32_t number = number_of(env, &frames[i], *does);

		if (number == OF_SLEEP)
			*does = SLEEPS;
		if (number >= OF_SLEEP)
			continue;
		if (number & (OF_LOAD | OF_PUT | OF_JOIN) && *does == WAITS)
			*does = number & OF_LOAD ? LOADS : number & OF_PUT ? PUTS : JOINS;
		if (!(number & OF_JDK)) {
			*place = fetch_of(env, thread, number, depth + i);
			return true;
		}
		if (!*place)
			*place = number & NUMBER;
	}
	return false;
}

uint32_t rt_place_of(JNIEnv *env, jthread thread)
{
	jvmtiFrameInfo frames[FRAMES];
	uint32_t place = NOT_TOLD;
	enum activity does = WAITS;
	jint count = FRAMES;

	for (jint from = 0; count == FRAMES && from < DEEPEST; from += FRAMES)
		if ((*rt_jvm.ti)->GetStackTrace(rt_jvm.ti, thread, from, FRAMES, frames, &count) !=
			    JVMTI_ERROR_NONE || /* there are not so many */
		    look_through(env, thread, frames, count, from, &place, &does))
			break;
	return place;
}

uint32_t rt_place(JNIEnv *env)
{
	return rt_place_of(env, NULL);
}

uint32_t rt_early_place(JNIEnv *env)
{
	return rt_early_is_long() ? rt_place(env) : 0;
}
