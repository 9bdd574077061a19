/*
 * run_learnt.c: `jweave run` within a budget: the variable that asks for it, and what the program
 * has learnt by it, from one run to the next.
 */
#include "cli/run_learnt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/settings.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/run_path.h"
#include "cli/safe_text.h"
#include "trace/follow/closed.h"
#include "trace/report/info.h"
#include "trace/source/source.h"

#include "base/banned.h"

#define BUDGET    "5%" /* of the CPU time, when no rules are given */
#define FEW_KNOWN 64   /* of so few methods the program is small, and soon woven */

/* By what the command has on its paths: names, sizes and times. */
static enum jw_status hash_paths(struct run *run, uint64_t *key, struct jw_err *e)
{
	const struct cli_java *java = &run->java;
	const char *lists[] = { java->class_path_text, java->module_path_text };
	struct jw_span main = jw_span_str(java->words[java->main]);

	*key = jw_hash64(main, 2);
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const char **parts = NULL;

		if (!lists[i])
			continue;
		JW_TRY(run_split(run, lists[i], &parts, e));
		for (; parts && *parts; parts++) {
			struct stat st;

			*key = jw_hash64(jw_span_str(*parts), *key);
			if (stat(*parts, &st) != 0 || S_ISDIR(st.st_mode))
				continue;
			const uint64_t facts[] = { (uint64_t)st.st_size,
						   (uint64_t)st.st_mtim.tv_sec };
			*key = jw_hash64(jw_span(facts, sizeof(facts)), *key);
		}
	}
	return JW_OK;
}

/* JWEAVE_BUDGET=none: what runs within a budget have learnt does not count. */
static bool records_all(void)
{
	const char *budget = getenv(jw_settings[JW_SETTING_ID_budget].variable);
	uint64_t share = 0;

	return budget && jw_setting_read(JW_SETTING_SHARE, budget, &share) && share == 0;
}

/* The recorder tells readers, and the last lines of this run, how many are missing. */
static enum jw_status tell_left_out(const struct run *run, struct jw_err *e)
{
	const char *variable = jw_settings[JW_SETTING_ID_left_out].variable;
	char count[32];

	if (!run->leave_out_learnt)
		return unsetenv(variable) == 0 ? JW_OK : jw_nomem(e);
	snprintf(count, sizeof(count), "%zu", run->learnt.count);
	return setenv(variable, count, 1) == 0 ? JW_OK : jw_nomem(e);
}

enum jw_status run_learnt_open(struct run *run, struct jw_err *e)
{
	const struct cli_java *java = &run->java;
	uint64_t key = 0;

	if (java->mode != CLI_JAVA_JAR)
		JW_TRY(hash_paths(run, &key, e));
	else if (!cli_learnt_key(java->words[java->main], &key))
		return tell_left_out(run, e);
	JW_TRY(cli_learnt_open(&run->learnt, &run->cache, key, e));
	if (cli_given(run->cli, CLI_OPT_forget))
		cli_learnt_forget(&run->learnt);
	run->leave_out_learnt =
		run->learnt.count && !records_all() && !cli_given(run->cli, CLI_OPT_rules);
	return tell_left_out(run, e);
}

/* A budget is for a stream of events: a flight recorder, or sums, would say that it does nothing. */
static bool is_stream(void)
{
	const char *mode = getenv(jw_settings[JW_SETTING_ID_mode].variable);
	uint64_t place = 0;

	return !mode || !jw_setting_read(JW_SETTING_MODE, mode, &place) || place == 0;
}

enum jw_status run_budget(struct run *run, struct jw_err *e)
{
	const char *variable = jw_settings[JW_SETTING_ID_budget].variable;
	bool rules = cli_given(run->cli, CLI_OPT_rules) && !cli_rules_matches(run->cli);

	if (rules || getenv(variable) || !is_stream())
		return JW_OK; /* whoever has written rules wants all that they choose */
	return setenv(variable, BUDGET, 1) == 0 ? JW_OK : jw_nomem(e);
}

/* "small CLASS NAME DESCRIPTOR" with TABs between, cut up in place. */
void run_learnt_take(struct run *run, char *line)
{
	struct jw_err ignored = { 0 };
	struct trace_small_method m = { 0 };
	const char **fields[] = { &m.class_name, &m.name, &m.descriptor };

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		line = strchr(line, '\t');
		if (!line)
			return;
		*line++ = '\0';
		*fields[i] = line;
	}
	if (cli_learnt_add(&run->learnt, run->arena, m, &ignored) != JW_OK)
		cli_detail(run->cli, "%s", ignored.text); /* it is learnt again */
}

/* Replays RECORDING for what is said of it when it has ended. */
static enum jw_status sum_up(struct run *run, const char *recording, struct trace_summary *out,
			     struct jw_err *e)
{
	const char *recordings[] = { recording };
	const struct trace_job job = { .recordings = recordings, .recording_count = 1 };
	struct trace_closed closed = { 0 };
	enum jw_status status =
		trace_source_recordings(&job, &trace_closed_output, &closed, run->arena, out, e);

	trace_closed_free(&closed);
	return status;
}

/* Names of recordings have the number of their process; others are not opened. */
static bool may_be_of(struct run *run, const char *recording, pid_t pid)
{
	const char *name = cli_base_name(run->arena, recording);
	const char *number = jw_arena_fmt(run->arena, "-%ld-", (long)pid);

	return name && number && strstr(name, number);
}

void run_learnt_of_job(struct run *run, const char *recording, pid_t pid)
{
	struct trace_recording_info info = { 0 };
	struct trace_summary sums = { 0 };
	struct jw_err e = { 0 };

	if (cli_given(run->cli, CLI_OPT_rules) || !may_be_of(run, recording, pid) ||
	    trace_recording_origin(recording, run->arena, &info, &e) != JW_OK ||
	    info.pid != (uint64_t)pid || !info.closings ||
	    sum_up(run, recording, &sums, &e) != JW_OK)
		return; /* a report of it says what is wrong */
	if (sums.closed)
		cli_note(run->cli, "%s", sums.closed);
	for (size_t i = 0; i < sums.small_count; i++)
		if (cli_learnt_add(&run->learnt, run->arena, sums.small[i], &e) != JW_OK)
			cli_detail(run->cli, "%s", e.text); /* it is learnt again */
}

/* All is woven anew for what is learnt, and what is closed costs next to nothing: a few more do not pay. (Which are
 * closed depends on what else the machine does, so that there are always some.) */
static bool pays(const struct cli_learnt *learnt)
{
	size_t known = learnt->count - learnt->fresh;

	return learnt->fresh && (known < FEW_KNOWN || learnt->fresh >= known / 2);
}

void run_learnt_save(struct run *run)
{
	struct jw_err e = { 0 };
	size_t fresh = run->learnt.fresh;

	if (cli_given(run->cli, CLI_OPT_rules) || !pays(&run->learnt))
		return;
	if (cli_learnt_save(&run->learnt, &e) != JW_OK)
		cli_warn(run->cli, "what was learnt is lost: %s", e.text);
	else
		cli_note(run->cli,
			 "learnt: %s small and hot; the next run leaves %s out ('jweave run "
			 "--forget' drops that, '--budget=none' records all)",
			 cli_plural(run->arena, fresh, "method is", "methods are"),
			 fresh == 1 ? "it" : "them");
}
