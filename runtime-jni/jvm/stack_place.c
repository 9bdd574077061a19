/*
 * stack_place.c: where the thread that runs stands, as a number that meta explains: the innermost
 * method of its stack that is not the JDK's, and its line; where all are, the innermost that is not
 * one of java.lang.Object.
 *
 * Asked only where a thread is about to wait: walking a few frames takes a microsecond or two. A
 * frame that was seen before is found in a table by its method and bytecode index; threads only
 * ever fill free places of it. Where all that a frame may have are taken, the place goes untold.
 */
#include "runtime-jni/jvm/jvm.h"

#include <stdatomic.h>
#include <string.h>

#include "base/text.h"

#include "base/banned.h"

#define FRAMES    16
#define PLACES    8192
#define TRIES     16
#define OF_OBJECT UINT32_MAX          /* in place of a number: a method of java.lang.Object */
#define OF_JDK    (UINT32_C(1) << 31) /* beside a number */
#define NOT_TOLD  0

static struct {
	_Atomic uint64_t key;    /* 0: free */
	_Atomic uint32_t number; /* NOT_TOLD: not yet, or by a thread that is at it */
} places[PLACES];

static bool can_tell_lines;

bool rt_places_prepare(void)
{
	jvmtiCapabilities needs = { .can_get_line_numbers = 1, .can_get_source_file_name = 1 };

	can_tell_lines = (*rt_jvm.ti)->AddCapabilities(rt_jvm.ti, &needs) == JVMTI_ERROR_NONE;
	return true; /* else methods alone are told */
}

/* ---- what a frame is ---- */

static void put_class(struct jw_buf *out, const char *signature)
{
	struct jw_span name = jw_span_str(signature);

	if (name.n > 2 && name.p[0] == 'L')
		jw_put_dotted(out, jw_span_sub(name, 1, name.n - 2));
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

static void tell(uint32_t number, const jvmtiFrameInfo *frame, jclass class, const char *signature)
{
	jvmtiEnv *ti = rt_jvm.ti;
	char *method = NULL, *source = NULL;
	struct jw_buf name = { 0 };

	put_class(&name, signature);
	(void)(*ti)->GetMethodName(ti, frame->method, &method, NULL, NULL);
	if (can_tell_lines)
		(void)(*ti)->GetSourceFileName(ti, class, &source);
	if (method && !name.failed)
		rt_line_place(number, (const char *)name.p, method, source ? source : "",
			      source ? line_of(frame) : 0);
	jw_buf_free(&name);
	(*ti)->Deallocate(ti, (unsigned char *)method);
	(*ti)->Deallocate(ti, (unsigned char *)source);
}

static bool is_of_jdk(const char *signature)
{
	static const char *const begins[] = { "Ljava/", "Ljdk/", "Lsun/" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (strncmp(signature, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* NUMBER for FRAME, which is told with it, and maybe OF_JDK; or OF_OBJECT. */
static uint32_t name_frame(JNIEnv *env, const jvmtiFrameInfo *frame, uint32_t number)
{
	jvmtiEnv *ti = rt_jvm.ti;
	jclass class = NULL;
	char *signature = NULL;

	if ((*ti)->GetMethodDeclaringClass(ti, frame->method, &class) != JVMTI_ERROR_NONE)
		return NOT_TOLD;
	(void)(*ti)->GetClassSignature(ti, class, &signature, NULL);
	if (!signature)
		number = NOT_TOLD;
	else if (strcmp(signature, "Ljava/lang/Object;") == 0)
		number = OF_OBJECT;
	else
		tell(number, frame, class, signature);
	if (signature && number != OF_OBJECT && is_of_jdk(signature))
		number |= OF_JDK;
	(*ti)->Deallocate(ti, (unsigned char *)signature);
	(*env)->DeleteLocalRef(env, class);
	return number;
}

/* ---- the table ---- */

static uint64_t key_of(const jvmtiFrameInfo *frame)
{
	uint64_t h = (uint64_t)(uintptr_t)frame->method * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (h >> 29) ^ (uint64_t)frame->location) * UINT64_C(0xbf58476d1ce4e5b9);
	return (h ^ (h >> 32)) | 1;
}

/* The number of FRAME, of OF_OBJECT or NOT_TOLD. */
static uint32_t number_of(JNIEnv *env, const jvmtiFrameInfo *frame)
{
	uint64_t key = key_of(frame);

	for (uint64_t i = 0; i < TRIES; i++) {
		uint32_t at = (uint32_t)((key >> 8) + i) % PLACES;
		uint64_t found = atomic_load_explicit(&places[at].key, memory_order_relaxed);

		if (found == 0 && atomic_compare_exchange_strong(&places[at].key, &found, key)) {
			uint32_t number = name_frame(env, frame, at + 1);

			atomic_store_explicit(&places[at].number, number, memory_order_release);
			return number;
		}
		if (found == key)
			return atomic_load_explicit(&places[at].number, memory_order_acquire);
	}
	return NOT_TOLD;
}

uint32_t rt_place(JNIEnv *env)
{
	jvmtiFrameInfo frames[FRAMES];
	uint32_t of_jdk = NOT_TOLD;
	jint count = 0;

	if ((*rt_jvm.ti)->GetStackTrace(rt_jvm.ti, NULL, 0, FRAMES, frames, &count) !=
	    JVMTI_ERROR_NONE)
		return NOT_TOLD;
	for (jint i = 0; i < count; i++) {
		uint32_t number = number_of(env, &frames[i]);

		if (number == OF_OBJECT)
			continue;
		if (!(number & OF_JDK))
			return number;
		of_jdk = of_jdk ? of_jdk : number & ~OF_JDK;
	}
	return of_jdk;
}
