/*
 * taps.c: which natives are bound anew, and how.
 *
 *   1  From JNI_OnLoad, whose caller is a class of the boot loader, RegisterNatives() on classes of
 *      java.base says nothing; the VM warns only of callers of other loaders.
 *   2  What the VM registers itself: a class's own registerNatives() is called once more, with a
 *      RegisterNatives() in the table of JNI's functions that only looks at what would be bound.
 *      Natives that other threads register meanwhile are passed on.
 *
 * HotSpot drops the compiled wrapper of a native that is bound anew, so nothing calls the original
 * any longer. What it does not let be bound stays as it was.
 */
#include "runtime-jni/jvm/taps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

enum from { FROM_VM, FROM_JDK };

static const struct tap {
	unsigned group; /* of enum rt_events */
	const char *class, *name, *signature;
	int since, until;
	enum from from;
	enum rt_tap_function function;
} taps[] = {
#define TAP(group, class, name, signature, since, until, from, function) \
	{ RT_EVENTS_##group, class, name, signature, since, until, FROM_##from, RT_TAP_##function },
#include "runtime-jni/jvm/taps.def"
};

enum { TAPS = sizeof(taps) / sizeof(*taps) };

static const rt_native_fn functions[RT_TAP_FUNCTIONS] = {
	[RT_TAP_PARK] = (rt_native_fn)rt_tap_park,
	[RT_TAP_UNPARK] = (rt_native_fn)rt_tap_unpark,
	[RT_TAP_SLEEP] = (rt_native_fn)rt_tap_sleep,
};

/* ---- what is in place ---- */

/* "tap Class.name", or "tap-refused Class.name why". */
static void say(const struct tap *tap, const char *refused)
{
	struct jw_buf name = { 0 }, line = { 0 };

	jw_put_dotted(&name, jw_span_str(tap->class));
	jw_put_fmt(&name, ".%s", tap->name);
	jw_put_u1(&name, 0);
	rt_meta_begin(&line, refused ? "tap-refused" : "tap");
	rt_meta_text(&line, name.failed ? "" : (const char *)name.p);
	if (refused)
		rt_meta_text(&line, refused);
	rt_meta_end(&line);
	jw_buf_free(&name);
}

static bool bind(JNIEnv *env, jclass class, const struct tap *tap)
{
	const JNINativeMethod native =
		rt_native_method(tap->name, tap->signature, &functions[tap->function]);

	return rt_register(env, class, &native, 1);
}

/* ---- what the VM registers ---- */

typedef jint(JNICALL *register_fn)(JNIEnv *env, jclass class, const JNINativeMethod *natives,
				   jint count);

static register_fn registers; /* JNI's own */

/* What this thread's class would register; NULL: natives are registered as ever. */
static _Thread_local rt_native_fn *looks;

static void look_at(const JNINativeMethod *native)
{
	for (size_t i = 0; i < TAPS; i++)
		if (taps[i].from == FROM_VM && !strcmp(native->name, taps[i].name) &&
		    !strcmp(native->signature, taps[i].signature))
			memcpy(&looks[i], &native->fnPtr, sizeof(looks[i]));
}

static jint JNICALL look_only(JNIEnv *env, jclass class, const JNINativeMethod *natives, jint count)
{
	if (!looks)
		return registers(env, class, natives, count);
	for (jint i = 0; i < count; i++)
		look_at(&natives[i]);
	return JNI_OK;
}

/* Calls registerNatives() of CLASS, which binds nothing: what it would have bound is in FOUND. */
static void look_into(JNIEnv *env, jclass class, rt_native_fn *found)
{
	jvmtiEnv *ti = rt_jvm.ti;
	jniNativeInterface *own = NULL, *ours = NULL;
	jmethodID method = (*env)->GetStaticMethodID(env, class, "registerNatives", "()V");

	if (method && (*ti)->GetJNIFunctionTable(ti, &own) == JVMTI_ERROR_NONE &&
	    (*ti)->GetJNIFunctionTable(ti, &ours) == JVMTI_ERROR_NONE) {
		registers = own->RegisterNatives;
		ours->RegisterNatives = look_only;
		if ((*ti)->SetJNIFunctionTable(ti, ours) == JVMTI_ERROR_NONE) {
			looks = found;
			(*env)->CallStaticVoidMethod(env, class, method);
			looks = NULL;
			(void)(*ti)->SetJNIFunctionTable(ti, own);
		}
	}
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	(*ti)->Deallocate(ti, (unsigned char *)own);
	(*ti)->Deallocate(ti, (unsigned char *)ours);
}

/* ---- binding ---- */

/* The JDK that runs: 8, 17, ...; 0: it does not say. */
static int jdk(void)
{
	struct jw_arena arena = { 0 };
	const char *text = rt_jvmti_property(NULL, "java.vm.specification.version", &arena);
	int number =
		text ? (int)strtol(strncmp(text, "1.", 2) == 0 ? text + 2 : text, NULL, 10) : 0;

	jw_arena_free(&arena);
	return number;
}

static bool is_wanted(const struct tap *tap, unsigned events, int jdk)
{
	return (tap->group & events) && tap->since <= jdk && (!tap->until || jdk <= tap->until);
}

/* Binds those of WANTED that are natives of CLASS_NAME, and takes them out. */
static void bind_class(JNIEnv *env, const char *class_name, bool *wanted)
{
	rt_native_fn found[TAPS] = { 0 };
	jclass class = (*env)->FindClass(env, class_name);

	if (class)
		look_into(env, class, found);
	else
		(*env)->ExceptionClear(env);
	for (size_t i = 0; i < TAPS; i++) {
		if (!wanted[i] || strcmp(taps[i].class, class_name) != 0)
			continue;
		wanted[i] = false;
		rt_tap_original[taps[i].function] = found[i];
		say(&taps[i], !found[i]                     ? "the VM does not show the original"
			      : !bind(env, class, &taps[i]) ? "the VM refuses to bind it"
							    : NULL);
	}
	if (class)
		(*env)->DeleteLocalRef(env, class);
}

void rt_taps_bind(JNIEnv *env, unsigned events)
{
	bool wanted[TAPS], any = false;
	int version = jdk();

	for (size_t i = 0; i < TAPS; i++)
		any |= wanted[i] = is_wanted(&taps[i], events, version);
	if (!any)
		return;
	if (!rt_taps_prepare(env, events)) {
		rt_note("the VM grants too little to tell of waits inside the JDK");
		return;
	}
	for (size_t i = 0; i < TAPS; i++)
		if (wanted[i])
			bind_class(env, taps[i].class, wanted);
}
