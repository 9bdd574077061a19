/*
 * run_settings.c: what the options of `jweave run` tell the program: variables of its environment,
 * checked before it starts.
 */
#include "cli/run_settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/presets.h"
#include "cli/run_output.h"
#include "cli/safe_text.h"

#include "base/banned.h"

static const struct {
	enum cli_option_id option;
	enum jw_setting_id setting;
	const char *value; /* of a flag */
} asked[] = {
	{ CLI_OPT_output, JW_SETTING_ID_output, NULL },
	{ CLI_OPT_job, JW_SETTING_ID_job, NULL },
	{ CLI_OPT_keep, JW_SETTING_ID_keep, NULL },
	{ CLI_OPT_summary, JW_SETTING_ID_mode, "summary" },
	{ CLI_OPT_events, JW_SETTING_ID_events, NULL },
	{ CLI_OPT_all_threads, JW_SETTING_ID_all_threads, "1" },
	{ CLI_OPT_max_size, JW_SETTING_ID_max_size, NULL },
	{ CLI_OPT_enable, JW_SETTING_ID_enable, NULL },
	{ CLI_OPT_disable, JW_SETTING_ID_disable, NULL },
	{ CLI_OPT_budget, JW_SETTING_ID_budget, NULL },
};

enum { ASKED = sizeof(asked) / sizeof(asked[0]) };

bool run_is_setting(enum cli_option_id option)
{
	for (size_t i = 0; i < ASKED; i++)
		if (asked[i].option == option)
			return true;
	return false;
}

/* A trace called NAME would be NAME.prv: is NAME what another command makes of it? */
static enum jw_status check_kind(const char *name, struct jw_err *e)
{
	static const struct {
		const char *ending, *instead;
	} others[] = {
		{ ".html", "for a page add --view, or 'jweave view' makes it of the trace" },
		{ ".svg", "'jweave draw' makes a picture of the trace" },
		{ ".pftrace", "'jweave export perfetto' makes it of the trace" },
		{ ".json", "'jweave export' makes it of the trace" },
		{ ".sqlite", "'jweave export sqlite' makes it of the trace" },
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (cli_ends(name, others[i].ending))
			return jw_fail(e, JW_USAGE,
				       "option '--output' names the trace, not '%s': %s", name,
				       others[i].instead);
	return JW_OK;
}

/* The folder of a trace called NAME is there, as far as its name is fixed. */
static enum jw_status check_folder(struct run *run, const char *name, struct jw_err *e)
{
	const char *slash = strrchr(name, '/');
	const char *folder =
		slash ? jw_arena_str(run->arena, jw_span(name, (size_t)(slash - name + 1))) : ".";

	if (!folder)
		return jw_nomem(e);
	if (strchr(folder, '%') || cli_is_folder(folder))
		return JW_OK;
	return jw_fail(e, JW_USAGE, "option '--output': there is no folder '%s'", folder);
}

/* *FOLDER, as the processes of a job have to be told it: they may run anywhere. */
static enum jw_status make_absolute(struct run *run, const char **folder, struct jw_err *e)
{
	char here[PATH_MAX];

	if (**folder == '/')
		return JW_OK;
	if (!getcwd(here, sizeof(here)))
		return jw_fail_errno(e, errno, "cannot find the current folder");
	*folder = jw_arena_fmt(run->arena, "%s/%s", here, *folder);
	return *folder ? JW_OK : jw_nomem(e);
}

static enum jw_status set(struct run *run, enum cli_option_id option, enum jw_setting_id id,
			  const char *value, struct jw_err *e)
{
	const struct jw_setting *s = &jw_settings[id];
	uint64_t ignored;

	if (!jw_setting_read(s->kind, value, &ignored))
		return jw_fail(e, JW_USAGE, "option '--%s' takes %s, not '%s'",
			       cli_options[option].name, s->form, value);
	if (id == JW_SETTING_ID_output) {
		JW_TRY(check_kind(value, e));
		JW_TRY(check_folder(run, value, e));
	}
	if (id == JW_SETTING_ID_job)
		JW_TRY(make_absolute(run, &value, e));
	if (setenv(s->variable, value, 1) != 0)
		return jw_fail_errno(e, errno, "cannot set %s", s->variable);
	return JW_OK;
}

static void tell_unknown(void *ctx, const char *name, const char *near)
{
	struct run *run = ctx;

	if (near)
		cli_warn(run->cli, "%s is unknown: did you mean %s?", name, near);
	else
		cli_warn(run->cli, "%s is unknown: 'jweave help runtime' has those that there are",
			 name);
}

enum jw_status run_settings(struct run *run, struct jw_err *e)
{
	const struct cli *cli = run->cli;

	for (size_t i = 0; i < cli->args.preset_count; i++)
		JW_TRY(cli_check_preset(cli->args.presets[i], e));
	for (size_t i = 0; i < ASKED; i++) {
		const char *value = cli_value(cli, asked[i].option, NULL);

		if (value)
			JW_TRY(set(run, asked[i].option, asked[i].setting,
				   asked[i].value ? asked[i].value : value, e));
	}
	if (!getenv(JW_TELL_VARIABLE)) /* started by another run, which has told */
		jw_settings_unknown(tell_unknown, run);
	return JW_OK;
}

enum jw_status run_hush(const struct run *run, struct jw_err *e)
{
	const char *variable = jw_settings[JW_SETTING_ID_summary].variable;

	if (cli_quiet(run->cli) && run_job(run) && setenv(variable, "0", 0) != 0)
		return jw_fail_errno(e, errno, "cannot set %s", variable);
	return JW_OK;
}

enum jw_status run_wake(const struct run *run, struct jw_err *e)
{
	static const char variable[] = "JWEAVE";
	const char *text = getenv(variable);
	bool on;

	if (jw_setting_tracing(text, &on))
		return JW_OK;
	if (text && *text)
		cli_warn(run->cli, "%s is '%s', which is not on or off: ignored", variable, text);
	if (rules_off(run->rules)) {
		unsetenv(variable);
		return JW_OK;
	}
	return setenv(variable, "on", 1) == 0 ? JW_OK
					      : jw_fail_errno(e, errno, "cannot set %s", variable);
}

/* Is VARIABLE a word of the command before java, set or unset? */
static bool is_named(const struct run *run, const char *variable)
{
	size_t n = strlen(variable);

	for (size_t i = 1; i < run->java.launcher; i++)
		if (strncmp(run->java.words[i], variable, n) == 0 &&
		    (!run->java.words[i][n] || run->java.words[i][n] == '='))
			return true;
	return false;
}

static enum jw_status put_option(const struct run *run, const char *variable, const char *property,
				 struct cli_words *options, struct jw_err *e)
{
	const char *value = getenv(variable);

	if (!value || !*value || is_named(run, variable))
		return JW_OK;
	return cli_words_add(options, jw_arena_fmt(run->arena, "-D%s=%s", property, value), e);
}

enum jw_status run_hand_on(const struct run *run, struct cli_words *options, struct jw_err *e)
{
	JW_TRY(put_option(run, "JWEAVE", "jweave", options, e));
	JW_TRY(put_option(run, "JWEAVE_LIB", "jweave.lib", options, e));
	JW_TRY(put_option(run, JW_TELL_VARIABLE, JW_TELL_PROPERTY, options, e));
	for (size_t i = 0; i < JW_SETTINGS; i++)
		JW_TRY(put_option(run, jw_settings[i].variable, jw_settings[i].property, options,
				  e));
	return JW_OK;
}

/* ---- ids of rules ---- */

static bool has_switch(const struct rules *rules, struct jw_span id)
{
	for (size_t i = 0; i < rules_count(rules); i++) {
		const struct rules_rule *rule = rules_rule(rules, i);

		if (rule->switchable && jw_span_eq_str(id, rule->id))
			return true;
	}
	return false;
}

enum jw_status run_check_switches(struct run *run, struct jw_err *e)
{
	static const enum cli_option_id options[] = { CLI_OPT_enable, CLI_OPT_disable };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *list = cli_value(run->cli, options[i], "");

		for (size_t n; *list; list += n) {
			list += strspn(list, ", ");
			n = strcspn(list, ", ");
			if (n && !has_switch(run->rules, jw_span(list, n)))
				return jw_fail(e, JW_USAGE,
					       "option '--%s': no rule '%.*s' says \"enabled\", "
					       "which lets it be switched",
					       cli_options[options[i]].name, (int)n, list);
		}
	}
	return JW_OK;
}
