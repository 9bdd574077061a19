/*
 * jni.c: the library in a JVM: JNI_OnLoad, the binding of Probe classes, the probes themselves.
 *
 * Whoever is loaded first defines the class Anchor in the boot loader and owns the recording; a
 * second instance of the library (two first probes at once, each with a file of its own) finds the
 * name taken and does nothing. Probes find the owner through Anchor (see Probe.java); the one whose
 * initialiser loads the library is bound at once, without reflection, which costs 15 ms on recent
 * JDKs.
 */
#include <jni.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/settings.h"
#include "runtime-jni/jvm/anchor.h"
#include "runtime-jni/jvm/capture.h"
#include "runtime-jni/jvm/events.h"
#include "runtime-jni/jvm/gates.h"
#include "runtime-jni/jvm/jvm.h"
#include "runtime-jni/jvm/numbered.h"
#include "runtime-jni/jvm/probe_paths.h"
#include "runtime-jni/jvm/probes.h"
#include "runtime-jni/jvm/sampling_jni.h"
#include "runtime-jni/jvm/taps.h"
#include "runtime-jni/jvm/threads.h"
#include "runtime-jni/jvm/trace_api.h"
#include "runtime-jni/recorder/archives.h"
#include "runtime-jni/recorder/baked_read.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/control.h"
#include "runtime-jni/recorder/finish.h"
#include "runtime-jni/recorder/job.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/run_message.h"
#include "runtime-jni/recorder/say.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/sums.h"
#include "trace/format/fields.h"

#include "base/banned.h"

#define ANCHOR "jweave/rt/boot1/Anchor"
#define API    "Ljweave/api/Trace;"

/* Values of Probe.bound. */
enum bound { BOUND_ON = 1, BOUND_OFF = 2 };

static struct {
	bool on;
	struct rt_config config;
	struct jw_arena arena;
	struct jw_span baked; /* what the archive that began says, or empty */
} lib;

static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;

static void clear_exception(JNIEnv *env)
{
	if ((*env)->ExceptionCheck(env))
		(*env)->ExceptionClear(env);
}

/* Called once at the end of the class initialiser: what a probe becomes has to wait until then, as
 * nothing may be logged of the JDK's methods that are loading us (where they are woven, too). */
static void JNICALL settle(JNIEnv *env, jclass probe)
{
	rt_paths_settle(env, probe);
}

/* A probe of another version may not have it. */
static void bind_settle(JNIEnv *env, jclass probe)
{
	void(JNICALL * function)(JNIEnv *, jclass) = settle;
	const JNINativeMethod native = rt_native_method("settle0", "()V", &function);

	(void)rt_register(env, probe, &native, 1);
}

/* ---- binding ---- */

/* The text of the static field NAME of PROBE, in ARENA; NULL: none. */
static char *text_field(JNIEnv *env, jclass probe, const char *name, struct jw_arena *arena)
{
	jfieldID field = (*env)->GetStaticFieldID(env, probe, name, "Ljava/lang/String;");
	jstring value = field ? (*env)->GetStaticObjectField(env, probe, field) : NULL;
	const char *text = value ? (*env)->GetStringUTFChars(env, value, NULL) : NULL;
	char *copy = NULL;

	clear_exception(env); /* a probe of another version may not have it */
	if (text) {
		copy = jw_arena_str(arena, jw_span_str(text));
		(*env)->ReleaseStringUTFChars(env, value, text);
	}
	if (value)
		(*env)->DeleteLocalRef(env, value);
	return copy;
}

static struct jw_span baked_into(JNIEnv *env, jclass probe, struct jw_arena *arena)
{
	const char *text = probe ? text_field(env, probe, "BAKED", arena) : NULL;

	return text ? jw_span_str(text) : (struct jw_span){ 0 };
}

/* Where the method map of this probe's archive is, what its rules say, and whether it wanted
 * something else. */
static void meet_archive(JNIEnv *env, jclass probe)
{
	struct jw_arena arena = { 0 };
	const char *place = text_field(env, probe, "place", &arena);
	char opened[4096];
	struct jw_span baked = baked_into(env, probe, &arena);

	if (place) {
		place = rt_archive_opened(place, opened, sizeof(opened));
		rt_meta_item("map", place);
		rt_archive_keep(place);
	}
	rt_sampling_bind(env, probe, baked, &lib.config);
	rt_gates_bind(env, probe);
	if (!rt_baked_same(baked, lib.baked))
		rt_note("archives with different defaults ('runtime' of their rules) run together: "
			"those of the one that began count");
	jw_arena_free(&arena);
}

static void bind_class(JNIEnv *env, jclass probe)
{
	jfieldID bound = (*env)->GetStaticFieldID(env, probe, "bound", "I");

	if (!bound)
		return; /* the exception goes to the caller */
	bool on = lib.on && rt_bind_probes(env, probe, false);
	if ((*env)->ExceptionCheck(env))
		return;
	if (on) {
		meet_archive(env, probe);
		bind_settle(env, probe);
	}
	(*env)->SetStaticIntField(env, probe, bound, on ? BOUND_ON : BOUND_OFF);
}

static void bind_quietly(JNIEnv *env, jclass probe)
{
	bind_class(env, probe);
	clear_exception(env);
}

/* Of jweave.api may be there those that asked for a recording before there was one. */
static void meet_class(void *ctx, JNIEnv *env, jclass class, const char *signature)
{
	(void)ctx;
	rt_taps_meet(env, class, signature);
	if (!strcmp(signature, API))
		bind_quietly(env, class);
}

/* Anchor.register(). Waits for JNI_OnLoad, should that still be beginning the recording. */
static void JNICALL anchor_register(JNIEnv *env, jclass anchor, jclass probe)
{
	(void)anchor;
	pthread_mutex_lock(&beginning);
	pthread_mutex_unlock(&beginning);
	bind_class(env, probe);
}

/* Defines Anchor; NULL: somebody else has. */
static jclass define_anchor(JNIEnv *env)
{
	jclass anchor = (*env)->DefineClass(env, ANCHOR, NULL, (const jbyte *)rt_anchor_class,
					    (jsize)(rt_anchor_class_end - rt_anchor_class));

	if (!anchor)
		clear_exception(env);
	return anchor;
}

static bool open_anchor(JNIEnv *env, jclass anchor)
{
	void(JNICALL * function)(JNIEnv *, jclass, jclass) = anchor_register;
	const JNINativeMethod native =
		rt_native_method("register", "(Ljava/lang/Class;)V", &function);

	return rt_register(env, anchor, &native, 1);
}

/* ---- what is known about the process ---- */

/* The places of a path list, one "map" each. */
static void record_path(const char *property)
{
	char *list = rt_jvmti_property(NULL, property, &lib.arena);

	while (list && *list) {
		size_t n = strcspn(list, ":");
		char *rest = list[n] ? list + n + 1 : list + n;

		list[n] = '\0';
		if (n)
			rt_meta_item("map", list);
		list = rest;
	}
}

#define COMMAND_MAX (256u << 10)

/* All of it: class paths of engines are long, and what a process is comes after them. */
static void record_command(void)
{
	FILE *f = fopen("/proc/self/cmdline", "re");
	struct jw_buf text = { 0 };
	char part[4096];
	size_t n;

	while (f && text.n < COMMAND_MAX && (n = fread(part, 1, sizeof(part), f)) > 0)
		jw_put_bytes(&text, jw_span(part, n));
	if (f)
		fclose(f);
	while (text.n && !text.p[text.n - 1])
		text.n--;
	for (size_t i = 0; i < text.n; i++)
		if (!text.p[i])
			text.p[i] = ' ';
	jw_put_u1(&text, '\0');
	rt_meta_item("command", text.failed ? "" : (const char *)text.p);
	jw_buf_free(&text);
}

static void record_process(void)
{
	static const struct {
		const char *item, *property;
	} known[] = { { "java", "java.version" },
		      { "vm", "java.vm.name" },
		      { "cwd", "user.dir" },
		      { "main", "sun.java.command" } };

	record_command();
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *value = rt_jvmti_property(NULL, known[i].property, &lib.arena);

		if (value)
			rt_meta_item(known[i].item, value);
	}
	record_path("java.class.path");
	record_path("jdk.module.path");
}

static void at_exit(void)
{
	rt_finish("exit");
}

__attribute__((destructor)) static void at_unload(void)
{
	rt_finish("unload");
}

/* Does TEXT, the value of NAME, say whether tracing is ON? A word that says neither is named. */
static bool says(const char *name, const char *text, bool *on)
{
	if (!text || !*text)
		return false;
	if (jw_setting_tracing(text, on))
		return true;
	rt_say("%s is '%.64s', which is not on or off: ignored", name, text);
	return false;
}

/* Is tracing off? Probe has seen what the process began with, not what its launcher has set since.
 * A property of the command line goes before both. */
static bool is_off(void)
{
	bool on = true;

	if (!says("jweave", rt_jvmti_property(NULL, "jweave", &lib.arena), &on))
		(void)says("JWEAVE", getenv("JWEAVE"), &on);
	return !on;
}

/* Where only the latest events, or sums, are kept, there is no share to keep to. */
static void open_gates(JNIEnv *env)
{
	if (!lib.config.budget)
		return;
	if (lib.config.mode != RT_MODE_STREAM)
		rt_note("JWEAVE_BUDGET is for a stream of events: it does nothing here");
	else if (!rt_gates_open(env, lib.config.budget / 1e6))
		rt_note("the VM has no memory for the gates of JWEAVE_BUDGET: all is recorded");
}

static void say_off(const char *why)
{
	rt_say("tracing is off: %s", why);
	rt_tell_starter_said();
}

/* PROBE (may be NULL): the one whose archive begins. */
static void begin(JNIEnv *env, jclass probe)
{
	struct rt_config_source source = { .property = rt_jvmti_property,
					   .each_property = rt_jvmti_properties,
					   .say = rt_say_line };
	struct jw_err e = { 0 };

	if (is_off())
		return;
	rt_starter_listens_at(rt_jvmti_property(NULL, JW_TELL_PROPERTY, &lib.arena));
	source.baked = lib.baked = baked_into(env, probe, &lib.arena);
	if (!rt_config_read(&source, &lib.arena, &lib.config)) {
		say_off("out of memory");
		return;
	}
	if (rt_job_settle(&lib.config, &lib.arena, &e) != JW_OK ||
	    rt_recorder_start(&lib.config, rt_jvmti_describe, &e) != JW_OK) {
		say_off(e.text);
		return;
	}
	lib.on = true;
	rt_watch_names(rt_jvmti_own_name);
	rt_finish_prepare(&lib.config);
	atexit(at_exit);
	record_process();
	rt_jvmti_listen(env, &lib.config);
	rt_taps_choose(env, lib.config.events);
	if (lib.config.control)
		rt_control_open();
	open_gates(env);
	rt_paths_prepare(env, lib.config.ffm);
}

/* The rest of JNI_OnLoad for the owner of ANCHOR. Natives first: other probes may call at any
 * moment. */
static void own(JavaVM *vm, JNIEnv *env, jclass anchor)
{
	bool opened = open_anchor(env, anchor);

	rt_jvmti_open(vm, env);
	jclass probe = rt_jvmti_caller(env);
	begin(env, probe);
	if (!opened)
		rt_note("the VM refuses to bind the anchor: further archives are not traced");
	if (probe) {
		/* the VM warns when a class of the platform loader is bound from another loader's
		 * code: it hands itself over through Anchor */
		if (rt_loader_of(env, probe) != RT_LOADER_PLATFORM)
			bind_quietly(env, probe);
		/* of java.base, carriers log before the first virtual thread does */
		if ((*env)->GetVersion(env) >= RT_JNI_VERSION_21 &&
		    rt_loader_of(env, probe) == RT_LOADER_BOOT)
			rt_jvmti_meet_virtual(env, NULL);
		(*env)->DeleteLocalRef(env, probe);
	}
	/* one walk for all: it takes longer than anything else here */
	rt_jvmti_each_class(env, meet_class, NULL);
	rt_taps_bind(env);
	(*env)->DeleteLocalRef(env, anchor);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
	JNIEnv *env = NULL;

	(void)reserved;
	if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK)
		return JNI_ERR;
	pthread_mutex_lock(&beginning);
	jclass anchor = define_anchor(env);
	if (anchor) /* else another one was first */
		own(vm, env, anchor);
	pthread_mutex_unlock(&beginning);
	return JNI_VERSION_1_6;
}
