/*
 * cmd_run.c: jweave run [-r RULES] -- java ...: weave what the command starts, start it, be it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/settings.h"
#include "cli/application.h"
#include "cli/args.h"
#include "cli/folder.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/java_launcher.h"
#include "cli/out.h"
#include "cli/run_after.h"
#include "cli/run_agent.h"
#include "cli/run_application.h"
#include "cli/run_archives.h"
#include "cli/run_choose.h"
#include "cli/run_classes.h"
#include "cli/run_embedded.h"
#include "cli/run_fit.h"
#include "cli/run_inputs.h"
#include "cli/run_launch.h"
#include "cli/run_learnt.h"
#include "cli/run_output.h"
#include "cli/run_overlay.h"
#include "cli/run_patch.h"
#include "cli/run_path.h"
#include "cli/run_settings.h"
#include "cli/run_signed.h"
#include "cli/run_told.h"
#include "cli/run_weave.h"
#include "cli/run_web.h"
#include "cli/run_written.h"
#include "cli/safe_text.h"
#include "rules/hints.h"
#include "weaver/archive/jar_class_path.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

#define BOOT_PATH "-Xbootclasspath/a"

enum {
	NATIVE_ACCESS_RELEASE = 24
}; /* from it on the JDK warns of native code that is not allowed */

/* ---- default rules ---- */

/* The module that is to run. */
static struct jw_span main_module(const struct cli_java *java)
{
	const char *module = java->words[java->main] + java->main_skip;

	return jw_span(module, strcspn(module, "/"));
}

/* Is what is to run a module of the Java image itself, as jlink puts it there? Those of the JDK are tools. A module of that name on the module
 * path does not count then. */
static bool is_in_image(const struct run *run)
{
	const struct cli_java *java = &run->java;
	const char *module = java->words[java->main] + java->main_skip;

	return java->mode == CLI_JAVA_MODULE && !cli_after(module, "java.") &&
	       !cli_after(module, "jdk.") &&
	       (!java->module_path_text ||
		cli_java_has_module(java->words[java->launcher], main_module(java), run->arena));
}

static void tell_in_image(struct run *run)
{
	struct jw_span module = main_module(&run->java);

	cli_warn(run->cli,
		 "the module '%.*s' is in the Java image itself, and runs without tracing: weave "
		 "its "
		 "jar, and let jlink make the image of that",
		 (int)module.n, (const char *)module.p);
}

static void tell_no_classes(struct run *run)
{
	if (is_in_image(run)) {
		tell_in_image(run);
		run_tell_outer(run, RUN_SAID);
	} else if (run->outer) { /* a tool that starts another java is none */
		cli_detail(run->cli, "no application classes found to trace");
	} else {
		cli_warn(run->cli, "no application classes found to trace: choose methods with -r "
				   "RULES, or name jars that the program reads itself with --also");
	}
}

static enum jw_status default_rules(struct run *run, struct jw_err *e)
{
	struct rules_options options = { .no_guard = cli_given(run->cli, CLI_OPT_no_guard),
					 .presets = run->cli->args.presets };
	struct jw_err why = { 0 };
	struct jw_buf text = { 0 };
	enum jw_status status = run_choose(run, &text, &why);

	if (status == JW_OK)
		status = rules_parse(jw_buf_span(&text), "(default rules)", &options, &run->rules,
				     &why);
	if (status == JW_OK)
		run_tell_rules(run->cli, jw_buf_span(&text));
	jw_buf_free(&text);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK)
		tell_no_classes(run);
	return JW_OK;
}

/* ---- weaving ---- */

/* Rules that ask for supertypes find them in all that the command has on its paths. */
static enum jw_status find_types(struct run *run, struct jw_err *e)
{
	const struct cli_java *java = &run->java;
	const char *class_path =
		java->mode == CLI_JAVA_JAR ? java->words[java->main] : java->class_path_text;
	const char *modules = java->module_path_text, **parts = NULL;

	struct cli_words patches = { .arena = run->arena };

	if (!rules_needs_supertypes(run->rules))
		return JW_OK;
	JW_TRY(run_patch_places(run, &patches, e));
	run->types = jw_arena_fmt(run->arena, "%s%s%s", class_path ? class_path : "",
				  class_path && modules ? ":" : "", modules ? modules : "");
	for (size_t i = 0; i < patches.count && run->types; i++)
		run->types = jw_arena_fmt(run->arena, "%s%s%s", run->types, *run->types ? ":" : "",
					  patches.items[i]);
	if (!run->types)
		return jw_nomem(e);
	JW_TRY(run_split(run, run->types, &parts, e));
	return run_hash_types(run, parts, e);
}

/* Does the manifest of JAR grant native access (NULL: it is not started by -jar, or stays as it is), before
 * anything woven runs? Then no option has to: beside an archive of CDS that was made without it, as the JDK's
 * own, the JVM would say that values do not match, and leave half of it aside. */
static bool is_granted(const struct run *run, const char *jar)
{
	struct weave_jar_facts facts = { 0 };
	struct jw_err ignored = { 0 };

	return jar && !run->java.early &&
	       weave_jar_facts(jar, run->arena, &facts, &ignored) == JW_OK && facts.native_access &&
	       !facts.starts_agent;
}

/* Has the command a jar on its class path, or starts it one? */
static enum jw_status has_jars(struct run *run, bool *has, struct jw_err *e)
{
	const struct cli_java *java = &run->java;
	const char **parts = NULL;

	*has = java->mode == CLI_JAVA_JAR;
	if (*has || !java->class_path_text)
		return JW_OK;
	JW_TRY(run_split(run, java->class_path_text, &parts, e));
	for (; *parts && !*has; parts++)
		*has = cli_exists(*parts) && !cli_is_folder(*parts);
	return JW_OK;
}

/* What is opened by class loaders of the program's own; appends to OPTIONS one that they need. */
static enum jw_status weave_files(struct run *run, struct cli_words *options, struct jw_err *e)
{
	const struct run_application *a = &run->application;
	const char **file = a->files, **web = a->unpacked, *made, *why;
	const char *first = *file ? *file : *web, *boot = NULL;
	bool jars = false;

	if (a->whole)
		return JW_OK;
	JW_TRY(has_jars(run, &jars, e));
	if (!first && !jars)
		return JW_OK;
	JW_TRY(run_overlay_open(run, &why, e));
	if (why && first)
		cli_warn(run->cli,
			 "'%s' is on no path of the command, and runs without tracing, since %s",
			 first, why);
	else if (why)
		cli_detail(run->cli, "the program sees copies of its jars, since %s", why);
	for (; !why && *file; file++) {
		struct stat st;
		bool there = stat(*file, &st) == 0;

		JW_TRY(run_weave_jar(run, *file, &made, e));
		JW_TRY(run_signed_take(run, *file, made, e));
		if (made)
			JW_TRY(run_overlay_add(run, *file, there ? &st : NULL, made, e));
	}
	for (; !why && *web && !run->embedded; web++) {
		JW_TRY(run_weave_web(run, *web, &made, e));
		if (!made)
			continue;
		boot = jw_arena_fmt(run->arena, "%s:%s", boot ? boot : BOOT_PATH, made);
		if (!boot)
			return jw_nomem(e);
	}
	return boot ? cli_words_add(options, boot, e) : JW_OK;
}

/* What Quarkus has built: all of it is a copy, which the command starts as JAR, or by CLASS_PATH. */
static enum jw_status weave_whole(struct run *run, const char **jar, const char **class_path,
				  struct jw_err *e)
{
	const char *made, *start, **parts;

	JW_TRY(run_weave_jar(run, run->application.whole, &made, e));
	if (!made)
		return JW_OK;
	start = jw_arena_fmt(run->arena, "%s/" WEAVE_QUARKUS_START, made);
	if (!start)
		return jw_nomem(e);
	if (run->java.mode == CLI_JAVA_JAR) {
		*jar = start;
		return JW_OK;
	}
	JW_TRY(run_split(run, run->java.class_path_text, &parts, e));
	for (; *parts; parts++) {
		bool starts = strcmp(*parts, run->application.start) == 0;

		*class_path = jw_arena_fmt(run->arena, "%s%s%s", *class_path ? *class_path : "",
					   *class_path ? ":" : "", starts ? start : *parts);
		if (!*class_path)
			return jw_nomem(e);
	}
	return JW_OK;
}

/* Appends to OPTIONS the one by which the program may load libraries, where nothing else lets it. JAR, MODULE_PATH:
 * woven ones, or NULL; PATCHED: as run_patch() says. */
static enum jw_status add_access(struct run *run, const char *jar, const char *module_path,
				 const char *patched, struct cli_words *options, struct jw_err *e)
{
	const struct cli_java *java = &run->java;
	const char *main = java->words[java->main] + java->main_skip;
	const char *granting = java->mode != CLI_JAVA_JAR ? NULL
			       : jar                      ? jar
				     : run_overlay_copy(run, java->words[java->main]);

	if (cli_java_release(java->words[java->launcher], run->arena) < NATIVE_ACCESS_RELEASE)
		return JW_OK;
	/* (no module is smaller than that: the recorder's class is in the one that it traces) */
	if (java->texts[CLI_JAVA_NATIVE] && strcmp(java->texts[CLI_JAVA_NATIVE], "deny") == 0)
		cli_note(
			run->cli,
			"--illegal-native-access=deny does not hold in this run for the class path "
			"and the main module: what loads the recorder is there, and may do so");
	if (!*patched && is_granted(run, granting))
		return JW_OK;
	const char *option = "--enable-native-access=ALL-UNNAMED";
	if (java->mode == CLI_JAVA_MODULE && module_path)
		option = jw_arena_fmt(run->arena, "%s,%.*s", option, (int)strcspn(main, "/"), main);
	return cli_words_add(options,
			     option ? jw_arena_fmt(run->arena, "%s%s", option, patched) : NULL, e);
}

static void tell_woven(struct run *run)
{
	bool first = run_is_first(run); /* of several, which are mostly alike */

	run_tell_woven(run, first);
	run_signed_tell(run, first);
}

/* *WORDS: the rewritten command MADE, unless that is too long. */
static enum jw_status take(struct run *run, const char **made, const char *const **words,
			   struct jw_err *e)
{
	const char *why;

	JW_TRY(run_fit(run, &made, &why, e));
	if (!why)
		*words = made;
	else
		run->woven = run_overlay_any(run);
	if (run->woven)
		tell_woven(run);
	if (!why)
		return JW_OK;
	cli_warn(run->cli,
		 "with woven copies on its paths the command is too long (%s): %s without tracing",
		 why, run->woven ? "what is in no jar runs" : "it runs");
	return JW_OK;
}

static bool is_woven(struct run *run, const char *path)
{
	struct jw_span mark = { 0 };

	return weave_info(path, run->arena, &mark, NULL) == JW_OK && mark.n;
}

/* The program stays as it is: why? */
static enum jw_status tell_unchanged(struct run *run, struct jw_err *e)
{
	const struct cli_java *java = &run->java;
	const char *jar[] = { java->words[java->main], NULL }, **parts = jar;

	if (java->mode != CLI_JAVA_JAR)
		JW_TRY(run_split(run, java->class_path_text ? java->class_path_text : "", &parts,
				 e));
	for (; *parts; parts++) {
		if (**parts && is_woven(run, *parts)) {
			cli_note(run->cli,
				 "'%s' is woven already: it traces by the rules that it was woven "
				 "with",
				 *parts);
			return JW_OK;
		}
	}
	if (is_in_image(run)) {
		tell_in_image(run);
		return JW_OK;
	}
	if (run->failed)
		return JW_OK; /* that may be why */
	cli_note(run->cli, "the rules choose no method of this program: it runs as it is");
	rules_hints(run->rules, cli_hint, run->cli);
	return JW_OK;
}

/* The jar and the class path of the command, woven; they stay where nothing in them is. */
static enum jw_status weave_main_paths(struct run *run, const char **jar, const char **class_path,
				       struct jw_err *e)
{
	const struct cli_java *java = &run->java;

	if (run->application.whole)
		return weave_whole(run, jar, class_path, e);
	if (java->mode == CLI_JAVA_JAR)
		return run_jar(run, java->words[java->main], jar, e);
	return java->class_path_text ? run_class_path(run, java->class_path_text, class_path, e)
				     : JW_OK;
}

/* Likewise, with signatures removed from other jars where that must be. */
static enum jw_status weave_signed(struct run *run, const char **jar, const char **class_path,
				   struct jw_err *e)
{
	bool again;

	JW_TRY(weave_main_paths(run, jar, class_path, e));
	JW_TRY(run_signed_settle(run, &again, e));
	if (!again)
		return JW_OK;
	struct run_sums sums = run->sums;
	run->seen = NULL;
	JW_TRY(weave_main_paths(run, jar, class_path, e));
	run->sums = sums;
	return JW_OK;
}

/* The command with woven paths; *WORDS stays when nothing is woven. */
static enum jw_status weave_paths(struct run *run, const char *const **words, struct jw_err *e)
{
	const char *class_path = NULL, *module_path = NULL, *jar = NULL, *patched;
	struct cli_words extra = { .arena = run->arena };
	struct cli_java *java = &run->java;

	JW_TRY(weave_files(run, &extra, e));
	JW_TRY(weave_signed(run, &jar, &class_path, e));
	if (java->module_path_text)
		JW_TRY(run_module_path(run, java->module_path_text, &module_path, e));
	JW_TRY(run_patch(run, &patched, e));
	JW_TRY(run_overlay_set(run, e));
	bool left = run_inputs_tell(run, run_may_choose);
	if (!class_path && !module_path && !jar && !*patched && !run_overlay_any(run))
		return left ? JW_OK : tell_unchanged(run, e);
	run->woven = true;
	if (is_in_image(run))
		tell_in_image(run);
	if (run->embedded) {
		tell_woven(run);
		if (class_path || module_path || jar || *patched || *run->application.unpacked)
			run_embedded_tell(run);
		return run_output_from_here(run, e);
	}
	JW_TRY(add_access(run, jar, module_path, patched, &extra, e));
	JW_TRY(run_archives(run, &extra, e));
	if (!cli_java_hands_on(java->launcher, java->words, run->arena))
		JW_TRY(run_hand_on(run, &extra, e));
	const char **made = cli_java_rewrite(java, class_path, module_path, jar,
					     cli_words_all(&extra), run->arena);
	if (!made)
		return jw_nomem(e);
	return take(run, made, words, e);
}

/* The rules, from -r or for the application; none in RUN when there is nothing to trace. */
static enum jw_status find_rules(struct run *run, struct jw_err *e)
{
	struct cli *cli = run->cli;

	if (cli_given(cli, CLI_OPT_rules))
		return cli_load_rules(cli, cli_value(cli, CLI_OPT_rules, NULL), &run->rules, e);
	return run->java.mode == CLI_JAVA_OTHER ? JW_OK : default_rules(run, e);
}

/* Does JAVA only build the application anew, of its own jars, as a Quarkus that may be changed does, and Keycloak? What
 * it made of woven ones would be woven, and could not run without their runtime. */
static bool builds_itself(const struct cli_java *java)
{
	static const char *const words[] = { "-Dkc.config.build-and-exit=true",
					     "-Dquarkus.launch.rebuild=true", NULL };

	return cli_java_option(java, words);
}

/*
 * The JVM of a build that a script of the outer run has started is not what somebody wants to see, unless
 * they name what it loads: the tests that it starts are, and those are told of to the outer run.
 */
static enum jw_status leave_builder(struct run *run, struct jw_err *e)
{
	struct cli_java *java = &run->java;
	bool asker = java->mode == CLI_JAVA_CLASS && cli_is_asker(java->words[java->main]);
	bool builder = run->outer && java->mode == CLI_JAVA_CLASS &&
		       cli_is_builder(java->words[java->main]) &&
		       !cli_given(run->cli, CLI_OPT_also);

	if (java->mode == CLI_JAVA_OTHER || (!asker && !builder && !builds_itself(java)))
		return JW_OK;
	java->mode = CLI_JAVA_OTHER;
	if (!run->outer)
		return JW_OK;
	run->told_file = NULL;
	if (setenv(JW_TELL_VARIABLE, run->outer, 1) != 0)
		return jw_fail_errno(e, errno, "cannot set %s", JW_TELL_VARIABLE);
	return JW_OK;
}

/* What runs as it is, though a user may expect more. */
static void tell_untraced(struct run *run, const char *const **words)
{
	const struct cli_java *java = &run->java;

	if (java->none)
		run_launch(run, words);
	else if (java->mode == CLI_JAVA_OTHER && java->main &&
		 cli_ends(java->words[java->main], ".java"))
		cli_warn(run->cli,
			 "'%s' is compiled in memory, and runs without tracing; to trace it: "
			 "javac -d classes %s && jweave run -- java -cp classes CLASS ..",
			 java->words[java->main], run_quoted(run->arena, java->words[java->main]));
}

/* What is kept of earlier runs: woven copies, and rules that were learnt. */
static enum jw_status open_kept(struct run *run, struct jw_err *e)
{
	if (run->java.mode == CLI_JAVA_OTHER)
		return JW_OK;
	JW_TRY(run_open_cache(run, e));
	JW_TRY(run_learnt_open(run, e));
	return run_budget(run, e);
}

/* WORDS: the command, with woven copies where rules have been found. */
static enum jw_status weave_by_rules(struct run *run, const char *const **words, struct jw_err *e)
{
	JW_TRY(open_kept(run, e));
	JW_TRY(run_application(run, e));
	JW_TRY(find_rules(run, e));
	if (run->java.mode != CLI_JAVA_OTHER)
		run_launch_children(run);
	if (run->rules)
		JW_TRY(run_check_switches(run, e));
	if (!run->rules || run->java.mode == CLI_JAVA_OTHER)
		return JW_OK;
	JW_TRY(run_hash_rules(run, e));
	JW_TRY(find_types(run, e));
	JW_TRY(run_wake(run, e));
	JW_TRY(weave_paths(run, words, e));
	run_trim_cache(run);
	return JW_OK;
}

static enum jw_status weave_command(struct run *run, const char *const **words, struct jw_err *e)
{
	struct cli_java *java = &run->java;
	const struct cli_args *args = &run->cli->args;

	JW_TRY(cli_java_parse(args->operand_count, args->operands, run->arena, java, e));
	if (java->mode == CLI_JAVA_CLASS && !java->class_path_text)
		java->class_path_text = ".";
	JW_TRY(run_embedded(run, e));
	JW_TRY(leave_builder(run, e));
	JW_TRY(run_agent(run, e));
	tell_untraced(run, words);
	if (java->mode == CLI_JAVA_JAR && !run_jar_starts(run, java->words[java->main]))
		return JW_OK; /* java says so, too, and ends */
	return weave_by_rules(run, words, e);
}

/* ---- the command ---- */

static enum jw_status clean(struct run *run, struct jw_err *e)
{
	size_t kept = 0;

	JW_TRY(run_open_cache(run, e));
	uint64_t bytes = cli_cache_trim(&run->cache, 0, &kept);
	cli_learnt_forget_all(&run->cache);
	run_written_forget_all(&run->cache);
	run_told_remove_left(run->arena);
	bytes += cli_cache_clean(&run->cache);
	if (!cli_quiet(run->cli))
		cli_note(run->cli, "removed %.1f MB of woven copies from '%s'%s",
			 (double)bytes / 1e6, run->cache.root,
			 kept ? " (some are in use and stay)" : "");
	return JW_OK;
}

/* A program that another one starts runs whatever there is to say of our files: who started the run is not asked. */
static enum jw_status weave_or_not(struct run *run, const char *const **words, struct jw_err *e)
{
	struct jw_err why = { 0 };
	enum jw_status status = weave_command(run, words, &why);

	if (status == JW_IO)
		run_tell_room(&why);
	if (status != JW_IO || !run->outer) {
		*e = why;
		return status;
	}
	cli_warn(run->cli, "%s: '%s' runs without tracing", why.text, **words);
	run_tell_outer(run, RUN_SAID);
	run->java.mode = CLI_JAVA_OTHER;
	return JW_OK;
}

static enum jw_status start(struct run *run, struct jw_err *e)
{
	struct cli *cli = run->cli;
	const char *const *words = cli->args.operands;
	struct cli_child_end end = { 0 };

	run_launch_take(run);
	JW_TRY(run_settings(run, e));
	JW_TRY(run_hush(run, e));
	run_told_open(run);
	JW_TRY(weave_or_not(run, &words, e));
	JW_TRY(run_check_output(run, e));
	JW_TRY(cli_flush(cli, e));
	run_tell_outer(run, RUN_REACHED);
	run_launch_hand_on(run);
	int64_t began = (int64_t)time(NULL);
	const struct cli_child_watch watch = { run_told_look, run };
	enum jw_status status =
		cli_child_run(words, run->java.mode != CLI_JAVA_OTHER ? &watch : NULL, &end, e);
	cli->exit_status = end.status;
	if (status == JW_OK)
		run_after(run, &end, began);
	return status;
}

/* A jar that the system cannot start by itself was meant for java. */
static enum jw_status check_command(struct cli *cli, struct jw_err *e)
{
	const char *command = cli->args.operands[0];

	if (!command)
		return jw_fail(e, JW_USAGE,
			       "no command: jweave run [-r RULES] -- java -jar app.jar%s",
			       cli_see(&cli->arena, CLI_CMD_run));
	if (cli_is_jar(command) && access(command, X_OK) != 0)
		return jw_fail(e, JW_USAGE, "'%s' is no command: jweave run -- java -jar %s",
			       command, run_quoted(&cli->arena, command));
	return JW_OK;
}

enum jw_status cli_run_run(struct cli *cli, struct jw_err *e)
{
	struct run run = { .cli = cli, .arena = &cli->arena };
	enum jw_status status = JW_OK;

	if (cli_given(cli, CLI_OPT_clean))
		status = clean(&run, e);
	else
		status = check_command(cli, e);
	if (status == JW_OK && cli->args.operand_count)
		status = start(&run, e);
	run_told_close(&run);
	cli_cache_close(&run.cache);
	rules_free(run.rules);
	return status;
}
