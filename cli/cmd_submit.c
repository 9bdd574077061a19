/*
 * cmd_submit.c: jweave submit spark-submit ...: the jobs of engines, driver and workers, into one
 * folder. submit.h has the parts.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "base/settings.h"
#include "cli/args.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/java_launcher.h"
#include "cli/job_folder.h"
#include "cli/out.h"
#include "cli/presets.h"
#include "cli/run_path.h"
#include "cli/run_settings.h"
#include "cli/run_weave.h"
#include "cli/safe_text.h"
#include "cli/submit.h"
#include "cli/submit_words.h"
#include "rules/hints.h"
#include "trace/report/job_folder.h"

#include "base/banned.h"

#define JOB_VARIABLE "JWEAVE_JOB"

static const struct submit_engine *const engines[] = { &submit_spark, &submit_hadoop,
						       &submit_flink };

enum { ENGINES = sizeof(engines) / sizeof(engines[0]) };

/* ---- for the engines ---- */

enum jw_status submit_weave(struct submit *s, const char *const *jars, struct cli_words *woven,
			    struct jw_err *e)
{
	struct cli_progress progress = cli_progress_begin(s->cli, "weaving", false);
	enum jw_status status = JW_OK;
	size_t count = 0;

	while (jars[count])
		count++;
	for (size_t i = 0; i < count && status == JW_OK; i++) {
		const char *out = NULL;

		cli_progress_step(&progress, (double)i, (double)count);
		status = run_jar(&s->run, jars[i], &out, e);
		if (status == JW_OK && out)
			status = cli_words_add(woven, out, e);
	}
	cli_progress_end(&progress);
	return status;
}

enum jw_status submit_application(struct submit *s, const char *path, const char **out,
				  struct jw_err *e)
{
	const char *woven = NULL;

	*out = path;
	if (!cli_given(s->cli, CLI_OPT_rules) || !cli_exists(path))
		return JW_OK; /* presets choose none of it; a URL is the engine's to read */
	JW_TRY(run_jar(&s->run, path, &woven, e));
	*out = woven ? woven : path;
	return JW_OK;
}

enum jw_status submit_set(struct submit *s, const char *name, const char *value, struct jw_err *e)
{
	if (!value)
		return jw_nomem(e);
	if (setenv(name, value, 1) != 0)
		return jw_fail_errno(e, errno, "cannot set %s", name);
	return cli_words_add(&s->env, jw_arena_fmt(s->arena, "%s=%s", name, value), e);
}

enum jw_status submit_variables(submit_variable *each, void *ctx, struct jw_err *e)
{
	for (unsigned i = 0; i < JW_SETTINGS; i++) {
		const char *name = jw_settings[i].variable, *value = getenv(name);

		if (value && *value && i != JW_SETTING_ID_role &&
		    i != JW_SETTING_ID_left_out) /* these are of one process */
			JW_TRY(each(ctx, name, value, e));
	}
	return JW_OK;
}

const char *submit_home(struct submit *s)
{
	const char *tool = cli_java_find(s->words[s->launcher], s->arena);

	for (int up = 0; tool && up < 2; up++) {
		const char *slash = strrchr(tool, '/');

		tool = slash ? jw_arena_str(s->arena, jw_span(tool, (size_t)(slash - tool))) : NULL;
	}
	return tool;
}

/* ---- before ---- */

/* The first word that is a tool of an engine's: "nice spark-submit ..." has one, too. */
static enum jw_status find_engine(struct submit *s, struct jw_err *e)
{
	for (size_t i = 0; s->words[i] && s->words[i][0] != '-'; i++) {
		const char *name = cli_base_name(s->arena, s->words[i]);

		if (!name)
			return jw_nomem(e);
		for (size_t k = 0; k < ENGINES; k++)
			if (cli_among(engines[k]->tools, name)) {
				s->engine = engines[k];
				s->tool = name;
				s->launcher = i;
				return JW_OK;
			}
	}
	return jw_fail(
		e, JW_USAGE,
		"'%s' is no command of Spark, Hadoop or Flink (spark-submit, hadoop, flink); "
		"what starts java itself: jweave run -- %s%s",
		s->words[0], s->words[0], cli_see(s->arena, CLI_CMD_submit));
}

/* "spark-20261125-171500" */
static const char *new_name(struct submit *s)
{
	char stamp[32];
	time_t now = time(NULL);
	struct tm tm;

	if (!localtime_r(&now, &tm) || !strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm))
		stamp[0] = '\0';
	return jw_arena_fmt(s->arena, "%s-%s", s->engine->preset, stamp);
}

static enum jw_status find_job(struct submit *s, struct jw_err *e)
{
	const char *name = cli_value(s->cli, CLI_OPT_job, getenv(JOB_VARIABLE));
	char real[PATH_MAX];

	if (!name || !*name)
		name = new_name(s);
	if (!name)
		return jw_nomem(e);
	if (!jw_make_folders(name, 0700, &s->made)) /* as the recorder does */
		return jw_fail_errno(e, errno, "cannot make the folder '%s'", name);
	if (!realpath(name, real))
		return jw_fail_errno(e, errno, "cannot find '%s'", name);
	s->job = jw_arena_str(s->arena, jw_span_str(real));
	if (cli_given(s->cli, CLI_OPT_job)) /* a setting, which has to be absolute */
		s->cli->args.values[CLI_OPT_job] = s->job;
	return submit_set(s, JOB_VARIABLE, s->job, e);
}

/* The rules of the engine's preset, of others, of a file. */
static enum jw_status load_rules(struct submit *s, struct jw_err *e)
{
	static const char nothing[] = "{\"jweave\":1,\"rules\":[]}";
	struct cli_args *args = &s->cli->args;
	const char *file = cli_value(s->cli, CLI_OPT_rules, NULL);
	const char **presets = JW_NEW_ARRAY(s->arena, const char *, args->preset_count + 2);

	if (!presets)
		return jw_nomem(e);
	presets[0] = s->engine->preset;
	memcpy(presets + 1, args->presets, args->preset_count * sizeof(*presets));
	for (size_t i = 0; presets[i]; i++)
		JW_TRY(cli_check_preset(presets[i], e));
	args->presets = presets;
	args->preset_count++;
	if (file)
		return cli_load_rules(s->cli, file, &s->run.rules, e);
	struct rules_options options = { .presets = presets };
	return rules_parse(jw_span_str(nothing), "(default rules)", &options, &s->run.rules, e);
}

static enum jw_status prepare(struct submit *s, struct jw_err *e)
{
	JW_TRY(find_engine(s, e));
	JW_TRY(find_job(s, e));
	JW_TRY(run_settings(&s->run, e));
	JW_TRY(load_rules(s, e));
	JW_TRY(run_check_switches(&s->run, e));
	JW_TRY(run_open_cache(&s->run, e));
	JW_TRY(run_hash_rules(&s->run, e));
	JW_TRY(s->engine->prepare(s, e));
	run_trim_cache(&s->run);
	run_tell_woven(&s->run, true);
	if (!s->run.sums.places) {
		cli_warn(s->cli, "the rules choose no method of %s: nothing is traced",
			 s->engine->name);
		rules_hints(s->run.rules, cli_hint, s->cli);
	}
	return JW_OK;
}

/* ---- --print ---- */

static const char *quoted_setting(struct submit *s, const char *setting)
{
	size_t n = strcspn(setting, "=");

	return jw_arena_fmt(s->arena, "%.*s=%s", (int)n, setting,
			    run_quoted(s->arena, setting + n + 1));
}

/* A word a line, but what belongs to an option is beside it. */
static enum jw_status print(struct submit *s, struct jw_err *e)
{
	for (size_t i = 0; i < s->env.count; i++) {
		const char *text = quoted_setting(s, s->env.items[i]);

		if (!text)
			return jw_nomem(e);
		cli_put(s->cli, "%s \\\n", text);
	}
	for (size_t i = 0; s->words[i]; i++) {
		const char *next = s->words[i + 1];
		bool beside = s->words[i][0] == '-' && next && next[0] != '-';

		cli_put(s->cli, "%s%s", run_quoted(s->arena, s->words[i]),
			beside ? " "
			: next ? " \\\n    "
			       : "\n");
	}
	return JW_OK;
}

/* ---- after ---- */

static void tell_none(struct submit *s)
{
	cli_warn(s->cli,
		 "there is no recording in '%s': nothing that is woven has run here, or "
		 "tracing was off",
		 s->job);
	if (s->made)
		(void)rmdir(s->job);
}

/* A cluster that was started, which may have told nothing yet. */
static void tell_goes_on(struct submit *s)
{
	cli_note(s->cli,
		 "what was started goes on; it records into '%s'; where the time went, now or "
		 "later: jweave report %s",
		 s->job, run_quoted(s->arena, s->job));
}

static void tell(struct submit *s)
{
	struct trace_job_listing list = { 0 };
	struct jw_err ignored = { 0 };
	size_t open = 0;

	if (trace_job_list(s->job, s->arena, &list, &ignored) != JW_OK)
		list.n = list.readable = 0;
	for (size_t i = 0; i < list.readable; i++)
		open += !list.at[i].ended && !list.at[i].gone;
	if (s->goes_on && s->cli->exit_status == 0 && (open || !list.n))
		tell_goes_on(s);
	else if (list.n)
		cli_tell_job(s->cli, s->job, &list);
	else
		tell_none(s);
}

/* ---- the command ---- */

static enum jw_status start(struct submit *s, struct jw_err *e)
{
	struct cli_child_end end = { 0 };

	JW_TRY(cli_flush(s->cli, e));
	enum jw_status status = cli_child_run(s->words, NULL, &end, e);
	s->cli->exit_status = end.status;
	if (status == JW_OK && !cli_quiet(s->cli))
		tell(s);
	return status;
}

enum jw_status cli_run_submit(struct cli *cli, struct jw_err *e)
{
	struct submit s = { .cli = cli, .arena = &cli->arena, .words = cli->args.operands };

	s.env.arena = &cli->arena;
	s.run = (struct run){ .cli = cli, .arena = &cli->arena, .anywhere = true };
	enum jw_status status = prepare(&s, e);
	bool printed = cli_given(cli, CLI_OPT_print);
	if (status == JW_OK)
		status = printed ? print(&s, e) : start(&s, e);
	if (status != JW_OK && s.made)
		(void)rmdir(s.job);
	if (s.temporary && (status != JW_OK || !printed))
		jw_remove_all(s.temporary);
	cli_cache_close(&s.run.cache);
	rules_free(s.run.rules);
	return status;
}
