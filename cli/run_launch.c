/*
 * run_launch.c: a command that is not java: a script, or a tool, that starts one.
 *
 * What it starts cannot be seen before. So all of it has a library loaded by which each java becomes, when it
 * begins, a run of its own (run_overlay.c):
 *
 *     CACHE/KEY/launch       #!/bin/sh: exec jweave run OPTIONS -- "$@"
 *
 * Where that cannot be, the command finds another java, first on its PATH and (where JAVA_HOME is set) in a
 * JAVA_HOME that is the JDK's except for that one file; one that it names by a path of its own is not reached:
 *
 *     PLACE/bin/java         #!/bin/sh: exec jweave run OPTIONS -- /the/java/on/PATH "$@"
 *     PLACE/jdk/bin/java     the same with the java of JAVA_HOME; all else there are links
 *
 * Where no java was started so, it is said at the end.
 */
#include "cli/run_launch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/overlay.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/folder.h"
#include "cli/java_launcher.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/run_background.h"
#include "cli/run_gradle.h"
#include "cli/run_output.h"
#include "cli/run_overlay.h"
#include "cli/run_path.h"
#include "cli/run_settings.h"
#include "cli/run_weave.h"
#include "cli/safe_text.h"

#include "base/banned.h"

/* Tools that have to be told where java is, and those that are not reached at all: what to type. */
static const struct {
	const char *name, *instead;
	const char *variable, *option; /* in which it takes the path of java */
	const char *testless;          /* what to type where it has run no tests */
	bool gradle;
} tools[] = {
	{ .name = "mvn",
	  .variable = "MAVEN_OPTS",
	  .option = "-Djvm=", /* of the tests */
	  .testless = "a program that Maven runs in its own JVM, as exec:java and jetty:run do, "
		      "once it is compiled: jweave run --also target/classes -- mvn ..; Maven "
		      "itself: jweave run -r 'match:org.apache.maven.**' --also "
		      "MAVEN/lib:PLUGINS -- mvn ..: its home, and folders of plugins in the local "
		      "repository" },
	{ .name = "gradle",
	  .testless = "to trace the program: gradle installDist, then jweave run -- "
		      "build/install/NAME/bin/NAME",
	  .gradle = true },
	{ .name = "spark-submit",
	  .instead = "Spark runs a job in several JVMs: jweave submit spark-submit ..." },
	{ .name = "sbt",
	  .instead = "sbt works in a JVM of its own: sbt stage, then jweave run -- "
		     "target/universal/stage/bin/NAME" },
};
enum { TOOLS = sizeof(tools) / sizeof(tools[0]) };

/* NAME of the tool, or its wrapper in a project ("./mvnw"). */
static bool is_tool(const char *name, const char *tool)
{
	size_t n = strlen(tool);

	return strncmp(name, tool, n) == 0 && (!name[n] || strcmp(name + n, "w") == 0);
}

/* The tool that the command starts, after "env" and the like, too, as its word AT; TOOLS: none. */
static size_t find_tool(const struct run *run, size_t *at)
{
	for (size_t i = 0; i < run->java.count && run->java.words[i][0] != '-'; i++) {
		const char *name = cli_base_name(run->arena, run->java.words[i]);

		for (size_t t = 0; name && t < TOOLS; t++)
			if (is_tool(name, tools[t].name)) {
				*at = i;
				return t;
			}
	}
	return TOOLS;
}

/* ---- the script in the place of java ---- */

static void put_option(struct run *run, struct jw_buf *out, enum cli_option_id id,
		       const char *value)
{
	char real[PATH_MAX];

	jw_put_fmt(out, " --%s", cli_options[id].name);
	if (cli_options[id].kind == CLI_FLAG)
		return;
	if (cli_options[id].kind == CLI_FILE && realpath(value, real)) /* it may go elsewhere */
		value = real;
	jw_put_fmt(out, "=%s", run_quoted(run->arena, value));
}

/* The options of this run that are not variables already. */
static void put_options(struct run *run, struct jw_buf *out)
{
	const struct cli_args *args = &run->cli->args;

	for (unsigned i = 0; i < CLI_OPT_COUNT; i++) {
		enum cli_option_id id = (enum cli_option_id)i;

		if (!args->values[id] || id == CLI_OPT_clean || id == CLI_OPT_preset ||
		    run_is_setting(id))
			continue;
		put_option(run, out, id, args->values[id]);
	}
	for (size_t i = 0; i < args->preset_count; i++)
		put_option(run, out, CLI_OPT_preset, args->presets[i]);
}

/* (Without JAVA it takes all of the command.) */
static enum jw_status put_script(struct run *run, const char *java, struct jw_buf *out,
				 struct jw_err *e)
{
	char self[PATH_MAX];
	const char *jweave = realpath("/proc/self/exe", self) ? self : "jweave";

	jw_put_fmt(out, "#!/bin/sh\nexec %s run", run_quoted(run->arena, jweave));
	put_options(run, out);
	jw_put_fmt(out, " -- %s \"$@\"\n", java ? run_quoted(run->arena, java) : "");
	return jw_buf_finish(out, "the script", e);
}

static enum jw_status write_script(struct run *run, const char *path, const char *java,
				   struct jw_err *e)
{
	struct jw_buf text = { 0 };
	enum jw_status status = put_script(run, java, &text, e);

	if (status == JW_OK)
		status = cli_write_file(path, 0700, jw_buf_span(&text), e);
	jw_buf_free(&text);
	if (status == JW_OK && access(path, X_OK) != 0)
		return jw_fail_errno(e, errno, "'%s' cannot be executed", path);
	return status;
}

/* FOLDER, new, with links to all that FROM has, except what is called WITHOUT. */
static enum jw_status link_all(struct run *run, const char *from, const char *folder,
			       const char *without, struct jw_err *e)
{
	const char *const except[] = { without, NULL };

	JW_TRY(cli_new_folder(folder, e));
	return cli_link_all(run->arena, from, folder, except, e);
}

/* ---- each java, wherever it is ---- */

/* The value of JW_LAUNCH_VARIABLE by which, from WHICH on, each java becomes a run like this; NULL: it cannot be, and
 * -v says why it is not TRACED. */
static const char *by_library(struct run *run, const char *which, const char *traced)
{
	const char *script = NULL, *value = NULL;
	struct jw_buf text = { 0 };
	struct jw_err e = { 0 };
	enum jw_status status = put_script(run, NULL, &text, &e);

	if (status == JW_OK)
		status = run_open_cache(run, &e);
	if (status == JW_OK)
		status = run_overlay_launch(run, jw_buf_span(&text), &script, &e);
	jw_buf_free(&text);
	if (status == JW_OK)
		value = jw_arena_fmt(run->arena, "%s%s", which, script);
	if (status == JW_OK && !value)
		status = jw_nomem(&e);
	if (status != JW_OK)
		cli_detail(run->cli, "%s is not traced, since %s", traced, e.text);
	return value;
}

void run_launch_take(struct run *run)
{
	const char *outer = getenv(JW_LAUNCH_VARIABLE);

	run->launch =
		outer && strlen(outer) > JW_LAUNCH_DIGITS
			? jw_arena_fmt(run->arena, JW_LAUNCH_NEXT "%s", outer + JW_LAUNCH_DIGITS)
			: NULL;
	(void)unsetenv(JW_LAUNCH_VARIABLE);
}

void run_launch_children(struct run *run)
{
	if (!run->launch)
		run->launch = by_library(run, run->embedded ? JW_LAUNCH_EACH : JW_LAUNCH_NEXT,
					 "a java that the program starts");
}

void run_launch_hand_on(const struct run *run)
{
	if (run->launch && !run->java.none)
		(void)setenv(JW_LAUNCH_VARIABLE, run->launch, 1); /* else they are not traced */
}

/* ---- where java is looked for ---- */

static enum jw_status replace(const char *variable, const char *value, struct jw_err *e)
{
	if (!value)
		return jw_nomem(e);
	if (setenv(variable, value, 1) != 0)
		return jw_fail_errno(e, errno, "cannot set %s", variable);
	return JW_OK;
}

static enum jw_status on_path(struct run *run, const char *java, struct jw_err *e)
{
	const char *path = getenv("PATH");
	const char *folder = jw_arena_fmt(run->arena, "%s/bin", run->place);
	const char *script = jw_arena_fmt(run->arena, "%s/bin/java", run->place);

	if (!java)
		return JW_OK;
	if (!script)
		return jw_nomem(e);
	JW_TRY(cli_new_folder(folder, e));
	JW_TRY(write_script(run, script, java, e));
	return replace("PATH", jw_arena_fmt(run->arena, "%s:%s", folder, path), e);
}

/* The JDK of JAVA_HOME, else (for a TOOL that must be told) that of JAVA, which PATH has, into HOME. */
static bool find_home(struct run *run, size_t tool, const char *java, char home[PATH_MAX])
{
	const char *variable = getenv("JAVA_HOME");

	if (variable && *variable)
		return realpath(variable, home) != NULL;
	if (tool == TOOLS)
		return false;
	const char *bin = java ? strrchr(java, '/') : NULL; /* JDK/bin/java */
	const char *up = bin ? jw_arena_fmt(run->arena, "%.*s/..", (int)(bin - java), java) : NULL;
	return up && realpath(up, home);
}

static enum jw_status in_home(struct run *run, size_t tool, const char *found, struct jw_err *e)
{
	const char *variable = getenv("JAVA_HOME");
	char home[PATH_MAX];

	if (!find_home(run, tool, found, home))
		return JW_OK;
	const char *java = jw_arena_fmt(run->arena, "%s/bin/java", home);
	const char *bin = jw_arena_fmt(run->arena, "%s/bin", home);
	const char *jdk = jw_arena_fmt(run->arena, "%s/jdk", run->place);
	const char *jdk_bin = jw_arena_fmt(run->arena, "%s/jdk/bin", run->place);
	const char *script = jw_arena_fmt(run->arena, "%s/jdk/bin/java", run->place);

	if (!java || !bin || !jdk || !jdk_bin || !script)
		return jw_nomem(e);
	if (access(java, X_OK) != 0)
		return JW_OK;
	JW_TRY(link_all(run, home, jdk, "bin", e));
	JW_TRY(link_all(run, bin, jdk_bin, "java", e));
	JW_TRY(write_script(run, script, java, e));
	if (variable && *variable)
		JW_TRY(replace("JAVA_HOME", jdk, e));
	if (tool == TOOLS)
		return JW_OK;
	const char *before = getenv(tools[tool].variable);
	return replace(tools[tool].variable,
		       jw_arena_fmt(run->arena, "%s%s%s%s", before ? before : "", before ? " " : "",
				    tools[tool].option, script),
		       e);
}

/* Gradle has a java of its own, and a script of ours. */
static enum jw_status by_gradle(struct run *run, size_t at, const char *const **words,
				struct jw_err *e)
{
	const char *weave = jw_arena_fmt(run->arena, "%s/weave", run->place);

	if (!weave)
		return jw_nomem(e);
	JW_TRY(write_script(run, weave, NULL, e));
	return run_gradle(run, at, words, e);
}

static enum jw_status by_java(struct run *run, size_t tool, struct jw_err *e)
{
	const char *java = cli_java_find("java", run->arena); /* before ours is first on PATH */
	const char *launch = by_library(run, JW_LAUNCH_EACH, "a java that has a path of its own");

	run->launches_all = launch && setenv(JW_LAUNCH_VARIABLE, launch, 1) == 0;
	if (run->launches_all)
		return JW_OK;
	JW_TRY(on_path(run, java, e));
	return in_home(run, tool, java, e);
}

void run_launch(struct run *run, const char *const **words)
{
	const char *command = run->java.words[0];
	size_t at = 0, tool = find_tool(run, &at);
	bool gradle = tool < TOOLS && tools[tool].gradle;
	struct jw_err why = { 0 };
	enum jw_status status = JW_OK;

	if (cli_java_is_away(run->java.count, run->java.words, run->arena)) {
		cli_warn(run->cli,
			 "what '%s' starts sees other files than are here: run jweave there, in "
			 "front of java",
			 command);
		return;
	}
	if (tool < TOOLS && tools[tool].instead) {
		cli_warn(run->cli, "%s", tools[tool].instead);
		return;
	}
	if (!run->place)
		status = jw_fail(&why, JW_IO, "there is no room for temporary files");
	else
		status = gradle ? by_gradle(run, at, words, &why) : by_java(run, tool, &why);
	if (status == JW_OK)
		status = run_output_from_here(run, &why);
	run->launched = status == JW_OK;
	if (status != JW_OK)
		cli_warn(run->cli,
			 "'%s' is not java, and runs without tracing (%s): give the java command "
			 "that it starts",
			 command, why.text);
	else
		cli_detail(run->cli,
			   gradle ? "'%s' is Gradle: the tests that it runs are traced"
			   : run->launches_all
				   ? "'%s' is not java: each java that it starts is traced"
				   : "'%s' is not java: the java that it finds by PATH or "
				     "JAVA_HOME is traced",
			   command);
}

/* Where programs that go on leave their traces: their own words may go to no file. */
static const char *where_left(struct run *run)
{
	const char *job = getenv("JWEAVE_JOB"), *output = getenv("JWEAVE_OUTPUT");
	const char *text = "where it runs";

	if (job && *job)
		text = jw_arena_fmt(run->arena, "in '%s'", job);
	else if (output && *output && cli_ends(output, "/"))
		text = jw_arena_fmt(run->arena, "in '%s'", output);
	else if (output && *output)
		text = jw_arena_fmt(run->arena, "as '%s.prv'", output);
	return text ? text : "";
}

void run_tell_left(struct run *run)
{
	cli_note(run->cli,
		 "'%s' has ended, and what it has started goes on: each java of it is traced, and "
		 "leaves its trace when it ends, %s",
		 run->java.words[0], where_left(run));
}

void run_launched(struct run *run)
{
	size_t at = 0, tool = find_tool(run, &at);

	if (!run->launched)
		return;
	bool left = run->launches_all && (run->told.left || run_background(run, !run->told.java));
	if (left)
		run_tell_left(run);
	if (left || run->told.said || run->told.traces)
		return;
	if (run->told.java)
		cli_warn(
			run->cli,
			"there is no trace: '%s' has started java, but nothing that counts as an "
			"application (choose methods with -r RULES; name jars that it reads itself "
			"with --also)",
			run->java.words[0]);
	else if (tool < TOOLS && tools[tool].testless)
		cli_warn(run->cli, "'%s' has run no tests: there is no trace (%s)",
			 run->java.words[0], tools[tool].testless);
	else
		cli_warn(run->cli,
			 "'%s' has started no program with %s: there is no trace (give the java "
			 "command that it starts)",
			 run->java.words[0],
			 run->launches_all ? "a java that is seen from here"
					   : "the java of PATH or JAVA_HOME");
}
