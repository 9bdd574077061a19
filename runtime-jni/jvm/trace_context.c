/*
 * trace_context.c: what a capture of "context" records: the trace context that is current on this
 * thread (W3C Trace Context), by whoever tells it:
 *
 *     a library of the process exports otel_thread_ctx_v1    the record of this thread is read
 *     else OpenTelemetry's API is there, of an agent or       Span.current().getSpanContext()
 *     of the program
 *
 * The first is OpenTelemetry's proposal 4947: a thread-local pointer to what its profiler reads from
 * outside (struct published), NULL where nothing is current. It is the thread's own, so it does not
 * change while the thread is here.
 *
 * The second is the one capture that runs code which is not the JDK's: four getters of the API, the
 * same since 1.0. They are looked for where the woven code is, once; while they run this thread
 * records nothing, and what they throw is dropped.
 */
#define _GNU_SOURCE /* dl_iterate_phdr(); NOLINT(bugprone-reserved-identifier) */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime-jni/jvm/capture.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/recorder.h"

#include "base/banned.h"

/* ---- what a library publishes ---- */

#define SYMBOL     "otel_thread_ctx_v1"
#define LOOK_EVERY 64    /* asking whether there are more libraries takes a lock of the loader */
#define NAMES      16384 /* bytes for the paths of libraries with thread-locals */

struct published {
	uint8_t trace[16], span[8]; /* the highest byte first */
	uint8_t valid;              /* 1: it is whole; attributes follow */
};

static struct {
	_Atomic(void *)
		from; /* the library that exports it, opened by us so that it stays; NULL: none */
	_Atomic uint32_t asked;
	pthread_mutex_t lock;
	unsigned long long adds; /* so many libraries had been loaded when we looked */
} exporter = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct libraries {
	unsigned long long adds;
	size_t n;
	char names[NAMES]; /* each ends with a 0 */
};

/* The loader is locked: libraries are opened later. */
static int list_library(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct libraries *all = ctx;
	const char *name = info->dlpi_name ? info->dlpi_name : "";
	size_t length = strlen(name) + 1;

	(void)size;
	all->adds = info->dlpi_adds;
	if (all->adds == exporter.adds)
		return 1;
	if (info->dlpi_tls_modid && length <= sizeof(all->names) - all->n) {
		memcpy(all->names + all->n, name, length);
		all->n += length;
	}
	return 0;
}

/* The library NAME ("": the program itself), opened, if it exports SYMBOL; else NULL. */
static void *open_exporter(const char *name)
{
	void *library = dlopen(name[0] ? name : NULL, RTLD_LAZY | RTLD_NOLOAD);

	if (library && !dlsym(library, SYMBOL)) {
		dlclose(library);
		return NULL;
	}
	return library;
}

static void look_for_exporter(void)
{
	struct libraries *all;

	if (pthread_mutex_trylock(&exporter.lock) != 0)
		return;
	all = jw_mem_alloc(sizeof(*all));
	if (all && !exporter.from) {
		all->n = 0;
		(void)dl_iterate_phdr(list_library, all);
		exporter.adds = all->adds;
		for (size_t at = 0; at < all->n && !exporter.from;
		     at += strlen(all->names + at) + 1)
			exporter.from = open_exporter(all->names + at);
	}
	jw_mem_free(all);
	pthread_mutex_unlock(&exporter.lock);
}

static uint64_t big_endian(const uint8_t *bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++)
		v = v << 8 | bytes[i];
	return v;
}

/* Is there a library that tells? Then OUT is what it tells of this thread. */
static bool ask_library(struct jwr_context *out)
{
	const struct published *p;

	if (!exporter.from && exporter.asked++ % LOOK_EVERY == 0)
		look_for_exporter();
	if (!exporter.from)
		return false;
	if (!rt_tls.published)
		rt_tls.published = dlsym(exporter.from, SYMBOL);
	if (!rt_tls.published)
		return false;
	memcpy(&p, rt_tls.published, sizeof(struct published *));
	if (p && p->valid == 1)
		*out = (struct jwr_context){ .trace_high = big_endian(p->trace),
					     .trace_low = big_endian(p->trace + 8),
					     .span = big_endian(p->span) };
	return true;
}

/* ---- OpenTelemetry's API ---- */

#define API "io/opentelemetry/api/trace/"

/* An agent has its own, which it gives to the boot loader under another name; what the program has is then at
 * most a bridge to it. ORDER: who is asked first. */
static const char *const prefixes[] = { "io/opentelemetry/javaagent/shaded/", "" };
enum { PREFIXES = sizeof(prefixes) / sizeof(*prefixes), NAME_ROOM = 128 };

/* Of each class loader that has it. */
struct api {
	jweak span;
	jmethodID current, context, trace_id, span_id;
};

#define APIS 256
#define NONE (-1)
static struct api apis[APIS];
static _Atomic int api_count;
static pthread_mutex_t finding = PTHREAD_MUTEX_INITIALIZER;

static jclass find_class(JNIEnv *env, const char *prefix, const char *name)
{
	char path[NAME_ROOM];

	snprintf(path, sizeof(path), "%s" API "%s", prefix, name);
	jclass class = (*env)->FindClass(env, path);

	if (!class)
		(*env)->ExceptionClear(env);
	return class;
}

/* "()L", the class NAME, ";" */
static const char *getter(char out[NAME_ROOM], const char *prefix, const char *name)
{
	snprintf(out, NAME_ROOM, "()L%s" API "%s;", prefix, name);
	return out;
}

/* Looks as the woven code would, whose class loader is asked. False: it is not there, or is another
 * one. */
static bool find_api(JNIEnv *env, const char *prefix, struct api *out)
{
	static const char text[] = "()Ljava/lang/String;";
	char type[NAME_ROOM];
	jclass span = find_class(env, prefix, "Span");
	jclass context = span ? find_class(env, prefix, "SpanContext") : NULL;

	if (!context)
		return false;
	out->current =
		(*env)->GetStaticMethodID(env, span, "current", getter(type, prefix, "Span"));
	if (out->current)
		out->context = (*env)->GetMethodID(env, span, "getSpanContext",
						   getter(type, prefix, "SpanContext"));
	if (out->context)
		out->trace_id = (*env)->GetMethodID(env, context, "getTraceId", text);
	if (out->trace_id)
		out->span_id = (*env)->GetMethodID(env, context, "getSpanId", text);
	if (out->span_id)
		out->span = (*env)->NewWeakGlobalRef(env, span);
	return out->span != NULL;
}

/* The number of API among those that are known, from 1; NONE: they are too many. */
static int keep_api(JNIEnv *env, const struct api *api)
{
	int at = 0;

	pthread_mutex_lock(&finding);
	while (at < api_count && !(*env)->IsSameObject(env, apis[at].span, api->span))
		at++;
	if (at == api_count && at < APIS) {
		apis[at] = *api;
		api_count++;
	} else {
		(*env)->DeleteWeakGlobalRef(env, api->span);
	}
	pthread_mutex_unlock(&finding);
	return at < APIS ? at + 1 : NONE;
}

/* The same of any; NONE: there is none. */
static int find_any(JNIEnv *env)
{
	for (size_t i = 0; i < PREFIXES; i++) {
		struct api api = { 0 };

		if (find_api(env, prefixes[i], &api))
			return keep_api(env, &api);
		(*env)->ExceptionClear(env);
	}
	return NONE;
}

/* What OBJECT answers to METHOD, without arguments; NULL: nothing, or it throws. */
static jobject ask(JNIEnv *env, jobject object, jmethodID method)
{
	jobject answer = object ? (*env)->CallObjectMethod(env, object, method) : NULL;

	return (*env)->ExceptionCheck(env) ? NULL : answer;
}

/* The 16 digits of TEXT from AT on; 0: there are none. */
static uint64_t digits_of(JNIEnv *env, jstring text, jsize at)
{
	char digits[16 * 3 + 1] = "";
	uint64_t v = 0;

	if (!text || (*env)->GetStringLength(env, text) < at + 16)
		return 0;
	(*env)->GetStringUTFRegion(env, text, at, 16, digits);
	for (unsigned i = 0; i < 16; i++) {
		char c = digits[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
			return 0;
		v = v << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return v;
}

static void ask_api(JNIEnv *env, const struct api *api, struct jwr_context *out)
{
	jclass span = (*env)->NewLocalRef(env, api->span);
	jobject current = span ? (*env)->CallStaticObjectMethod(env, span, api->current) : NULL;

	if (!current || (*env)->ExceptionCheck(env))
		return;
	jobject context = ask(env, current, api->context);
	jstring trace = ask(env, context, api->trace_id);
	jstring id = trace ? ask(env, context, api->span_id) : NULL;

	if (id)
		*out = (struct jwr_context){ .trace_high = digits_of(env, trace, 0),
					     .trace_low = digits_of(env, trace, 16),
					     .span = digits_of(env, id, 0) };
}

/* ---- both ---- */

enum { LOCALS = 16 };

/* Asks the API that CONTEXTS is the number of; 0: it is looked for. Which one it was. */
static int ask_java(JNIEnv *env, int contexts, struct jwr_context *out)
{
	if (contexts < 0 || contexts > api_count || (*env)->PushLocalFrame(env, LOCALS) != 0) {
		(*env)->ExceptionClear(env);
		return contexts;
	}
	rt_silence(true);
	if (!contexts)
		contexts = find_any(env);
	if (contexts > 0)
		ask_api(env, &apis[contexts - 1], out);
	(*env)->ExceptionClear(env);
	rt_silence(false);
	(*env)->PopLocalFrame(env, NULL);
	return contexts;
}

static jint JNICALL context_now(JNIEnv *env, jclass class, jint contexts)
{
	struct jwr_context now = { 0 };

	(void)class;
	if (!rt_wants_context())
		return contexts;
	if (!ask_library(&now))
		contexts = ask_java(env, contexts, &now);
	rt_context(&now);
	return contexts;
}

bool rt_context_bind(JNIEnv *env, jclass probe)
{
	jint(JNICALL * context)(JNIEnv *, jclass, jint) = context_now;
	const JNINativeMethod native = rt_native_method("context0", "(I)I", &context);

	return rt_register(env, probe, &native, 1);
}
