/*
 * taps.c: which natives are bound anew, and how.
 *
 *   1  From JNI_OnLoad, whose caller is a class of the boot loader, RegisterNatives() on classes of
 *      java.base says nothing; the VM warns only of callers of other loaders.
 *   2  What the VM registers itself: a class's own registerNatives() is called once more, with a
 *      RegisterNatives() in the table of JNI's functions that only looks at what would be bound.
 *      Natives that other threads register meanwhile are passed on.
 *   3  What JNI finds by its name in a library of the JDK: there it is looked up. The JDK loads most of
 *      these classes when a program needs them, if ever: to load them takes longer than all the rest of
 *      the start. So those that are not loaded yet are left alone until the VM says that it binds
 *      one of their natives.
 *   4  What libraries of the program register (netty's): the VM says that, too. What they registered
 *      before the recording began stays as it is.
 *
 * HotSpot drops the compiled wrapper of a native that is bound anew, so nothing calls the original
 * any longer. What it does not let be bound stays as it was.
 */
#include "runtime-jni/jvm/taps.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

enum from { FROM_VM, FROM_JDK, FROM_COPY };

/* Groups of taps.def that are not a word of JWEAVE_EVENTS each. */
enum {
	RT_EVENTS_IO_NET = RT_EVENTS_IO | RT_EVENTS_NET,
	RT_EVENTS_IO_FILE = RT_EVENTS_IO | RT_EVENTS_FILE,
	RT_EVENTS_IO_PROCESS = RT_EVENTS_IO | RT_EVENTS_PROCESS,
	RT_EVENTS_NET_FILE = RT_EVENTS_NET | RT_EVENTS_FILE,
	RT_EVENTS_IO_NET_FILE = RT_EVENTS_IO | RT_EVENTS_NET | RT_EVENTS_FILE,
	RT_EVENTS_OF_IO = RT_EVENTS_IO | RT_EVENTS_NET | RT_EVENTS_FILE | RT_EVENTS_PROCESS,
};

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
	[RT_TAP_START] = (rt_native_fn)rt_tap_start,
	[RT_TAP_INTERRUPT] = (rt_native_fn)rt_tap_interrupt,
	[RT_TAP_SLEEP] = (rt_native_fn)rt_tap_sleep,
	[RT_TAP_REFERENCES] = (rt_native_fn)rt_tap_references,
	[RT_TAP_UNBLOCK] = (rt_native_fn)rt_tap_unblock,
};

static const rt_native_fn *function_of(const struct tap *tap)
{
	const rt_native_fn *lists[] = { functions, rt_io_taps, rt_ready_taps };
	size_t i = 0;

	while (i < sizeof(lists) / sizeof(*lists) - 1 && !lists[i][tap->function])
		i++;
	return &lists[i][tap->function];
}

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
		rt_native_method(tap->name, tap->signature, function_of(tap));

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

/* ---- what is in the JDK's libraries ---- */

/* libnio knows the others: what is looked for in it is found in them, too. NULL: this JDK has none. */
static void *open_libraries(void)
{
	static const char *const folders[] = { "lib", "lib/amd64", "lib/aarch64" };
	struct jw_arena arena = { 0 };
	const char *home = rt_jvmti_property(NULL, "java.home", &arena);
	void *found = NULL;

	for (size_t i = 0; home && !found && i < sizeof(folders) / sizeof(*folders); i++) {
		const char *path = jw_arena_fmt(&arena, "%s/%s/libnio.so", home, folders[i]);

		found = path ? dlopen(path, RTLD_LAZY) : NULL;
	}
	jw_arena_free(&arena);
	return found;
}

/* The function that JNI binds to TAP by itself; NULL: there is none. (No name that is tapped needs
 * an escape.) */
static rt_native_fn find_function(const struct tap *tap)
{
	static void *libraries;
	struct jw_buf name = { 0 };
	rt_native_fn found = NULL;

	libraries = libraries ? libraries : open_libraries();
	jw_put_fmt(&name, "Java_%s_%s", tap->class, tap->name);
	jw_put_u1(&name, 0);
	for (size_t i = 0; !name.failed && i < name.n; i++)
		if (name.p[i] == '/')
			name.p[i] = '_';
	void *symbol = libraries && !name.failed ? dlsym(libraries, (const char *)name.p) : NULL;

	memcpy(&found, &symbol, sizeof(found));
	jw_buf_free(&name);
	return found;
}

/* The class NAME, which is not initialized by that: when it is may be seen by the program. NULL:
 * there is none. */
static jclass load_class(JNIEnv *env, const char *name)
{
	struct jw_buf dotted = { 0 };
	jclass class = (*env)->FindClass(env, "java/lang/Class"), found = NULL;
	jmethodID for_name =
		class ? (*env)->GetStaticMethodID(env, class, "forName",
						  "(Ljava/lang/String;ZLjava/lang/ClassLoader;)"
						  "Ljava/lang/Class;")
		      : NULL;

	jw_put_dotted(&dotted, jw_span_str(name));
	jw_put_u1(&dotted, 0);
	jstring text = for_name && !dotted.failed
			       ? (*env)->NewStringUTF(env, (const char *)dotted.p)
			       : NULL;

	if (text)
		found = (*env)->CallStaticObjectMethod(env, class, for_name, text, JNI_FALSE,
						       (jobject)NULL);
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
	if (text)
		(*env)->DeleteLocalRef(env, text);
	if (class)
		(*env)->DeleteLocalRef(env, class);
	jw_buf_free(&dotted);
	return found;
}

/* ---- binding, as soon as the JDK needs it ---- */

/* what rt_taps_bind() will bind; from JNI_OnLoad alone */
static bool now[TAPS];

static struct {
	atomic_bool wanted[TAPS], said[TAPS];
	atomic_bool said_too_many;
} later;

/* "name;" */
static bool is_end(const char *signature, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(signature, name, n) && !strcmp(signature + n, ";");
}

/* "Lname;" */
static bool is_signature(const char *signature, const char *name)
{
	return signature[0] == 'L' && is_end(signature + 1, name);
}

/* Is it PATTERN, in which L*; is a class of any name? */
static bool is_like(const char *signature, const char *pattern)
{
	for (; *pattern; pattern++)
		if (*pattern == '*')
			signature += strcspn(signature, ";");
		else if (*signature++ != *pattern)
			return false;
	return !*signature;
}

/* "Lname;", or "Lpackage/name;" */
static bool is_signature_of_copy(const char *signature, const char *name)
{
	size_t n = strlen(signature), of_name = strlen(name);

	return n >= of_name + 2 && (signature[n - of_name - 2] == '/' || n == of_name + 2) &&
	       is_end(signature + n - of_name - 1, name);
}

static bool is_of_class(jvmtiEnv *ti, JNIEnv *env, jmethodID method, const struct tap *tap)
{
	jclass class = NULL;
	char *signature = NULL;
	bool is = false;

	if ((*ti)->GetMethodDeclaringClass(ti, method, &class) != JVMTI_ERROR_NONE)
		return false;
	if ((*ti)->GetClassSignature(ti, class, &signature, NULL) == JVMTI_ERROR_NONE)
		is = tap->from == FROM_COPY ? is_signature_of_copy(signature, tap->class)
					    : is_signature(signature, tap->class) &&
						      rt_loader_of(env, class) == RT_LOADER_BOOT;
	(*ti)->Deallocate(ti, (unsigned char *)signature);
	(*env)->DeleteLocalRef(env, class);
	return is;
}

/* The tap that METHOD is, of those that are bound later; NULL: none. */
static const struct tap *later_tap(jvmtiEnv *ti, JNIEnv *env, jmethodID method)
{
	const struct tap *found = NULL;
	char *name = NULL, *signature = NULL;

	if ((*ti)->GetMethodName(ti, method, &name, &signature, NULL) != JVMTI_ERROR_NONE)
		return NULL;
	for (size_t i = 0; !found && i < TAPS; i++)
		if (later.wanted[i] && !strcmp(name, taps[i].name) &&
		    is_like(signature, taps[i].signature) && is_of_class(ti, env, method, &taps[i]))
			found = &taps[i];
	(*ti)->Deallocate(ti, (unsigned char *)name);
	(*ti)->Deallocate(ti, (unsigned char *)signature);
	return found;
}

/* What to call in place of what is at ADDRESS; NULL: that. */
static rt_native_fn take_place(const struct tap *tap, void *address)
{
	rt_native_fn original;

	memcpy(&original, &address, sizeof(original));
	if (tap->from == FROM_COPY)
		return rt_netty_tap(tap->function, original);
	rt_tap_original[tap->function] = original;
	return *function_of(tap);
}

/* Two threads may bind a native at once: each is told the same. */
static void JNICALL on_bind(jvmtiEnv *ti, JNIEnv *env, jthread thread, jmethodID method,
			    void *address, void **bound)
{
	const struct tap *tap = env ? later_tap(ti, env, method) : NULL;

	(void)thread;
	if (!tap)
		return;
	rt_native_fn instead = take_place(tap, address);

	if (!instead) { /* of the copy one native is named */
		if (!atomic_exchange(&later.said_too_many, true))
			say(tap, "it is one of more than four copies");
		return;
	}
	memcpy(bound, &instead, sizeof(*bound));
	if (!atomic_exchange(&later.said[tap - taps], true))
		say(tap, NULL);
}

/* With an environment of its own: it stays. */
static bool listen_to_binds(void)
{
	static const jvmtiCapabilities needs = { .can_generate_native_method_bind_events = 1 };
	static const jvmtiEventCallbacks calls = { .NativeMethodBind = on_bind };
	void *own = NULL;

	if ((*rt_jvm.vm)->GetEnv(rt_jvm.vm, &own, JVMTI_VERSION_1_2) != JNI_OK)
		return false;
	jvmtiEnv *ti = own;
	if ((*ti)->AddCapabilities(ti, &needs) == JVMTI_ERROR_NONE &&
	    (*ti)->SetEventCallbacks(ti, &calls, sizeof(calls)) == JVMTI_ERROR_NONE &&
	    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND,
					    NULL) == JVMTI_ERROR_NONE)
		return true;
	(*ti)->DisposeEnvironment(ti);
	return false;
}

/* Leaves those that the VM does not register until they are needed, where it tells of that. */
static void leave_for_later(void)
{
	bool any = false, told;

	for (size_t i = 0; i < TAPS; i++)
		any |= now[i] && taps[i].from != FROM_VM;
	told = any && listen_to_binds();
	for (size_t i = 0; i < TAPS; i++) {
		later.wanted[i] = told && now[i] && taps[i].from != FROM_VM;
		now[i] &= !later.wanted[i] && taps[i].from != FROM_COPY;
	}
}

/* Of a class that is not initialized no native is bound so far. */
static bool is_initialized(jclass class)
{
	jint status = 0;

	return (*rt_jvm.ti)->GetClassStatus(rt_jvm.ti, class, &status) != JVMTI_ERROR_NONE ||
	       status & JVMTI_CLASS_STATUS_INITIALIZED;
}

void rt_taps_meet(JNIEnv *env, jclass class, const char *signature)
{
	for (size_t i = 0; i < TAPS; i++)
		if (later.wanted[i] && taps[i].from == FROM_JDK &&
		    is_signature(signature, taps[i].class) &&
		    rt_loader_of(env, class) == RT_LOADER_BOOT && is_initialized(class)) {
			later.wanted[i] = false;
			now[i] = true;
		}
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

/* Binds those of now[] that are natives of CLASS_NAME, and takes them out. */
static void bind_class(JNIEnv *env, const char *class_name)
{
	rt_native_fn found[TAPS] = { 0 };
	jclass class = load_class(env, class_name);

	for (size_t i = 0, looked = 0; class && i < TAPS; i++) {
		if (!now[i] || strcmp(taps[i].class, class_name) != 0)
			continue;
		if (taps[i].from == FROM_JDK)
			found[i] = find_function(&taps[i]);
		else if (!looked++)
			look_into(env, class, found);
	}
	for (size_t i = 0; i < TAPS; i++) {
		if (!now[i] || strcmp(taps[i].class, class_name) != 0)
			continue;
		now[i] = false;
		rt_tap_original[taps[i].function] = found[i];
		say(&taps[i], !found[i]                     ? "the VM does not show the original"
			      : !bind(env, class, &taps[i]) ? "the VM refuses to bind it"
							    : NULL);
	}
	if (class)
		(*env)->DeleteLocalRef(env, class);
}

void rt_taps_choose(JNIEnv *env, unsigned events)
{
	bool any = false;
	int version = jdk();

	for (size_t i = 0; i < TAPS; i++)
		any |= is_wanted(&taps[i], events, version);
	if (!any)
		return;
	if (!rt_taps_prepare(events)) {
		rt_note("the VM grants too little to tell of waits inside the JDK");
		return;
	}
	if (!(events & RT_EVENTS_OF_IO) || !rt_io_taps_prepare(env, events, version))
		events &= ~(unsigned)RT_EVENTS_OF_IO;
	for (size_t i = 0; i < TAPS; i++)
		now[i] = is_wanted(&taps[i], events, version);
	leave_for_later();
}

void rt_taps_bind(JNIEnv *env)
{
	for (size_t i = 0; i < TAPS; i++)
		if (now[i])
			bind_class(env, taps[i].class);
}
