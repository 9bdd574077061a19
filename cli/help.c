/*
 * help.c: help texts, made from the tables of commands and options.
 *
 * `jweave help COMMAND` has every option. `COMMAND --help` is the same where that fits a screen of
 * 24 by 80; else as many options as fit, in the order of options.def, and the rest by name.
 */
#include "cli/help.h"

#include <string.h>

#include "base/settings.h"
#include "cli/commands.h"
#include "cli/out.h"

#include "base/banned.h"

#define ARG_COLUMN   26 /* where the help of an option begins */
#define SCREEN_LINES 23 /* and one for the prompt after it */
#define SCREEN_WIDTH 78
/* Of the commands, which have a line of the overview: with 7 other lines they fill a screen. */
#define SCREEN_COMMANDS (SCREEN_LINES - 7)

static const char common[] = "Common options (-q -v -h --color=WHEN --no-progress): jweave help\n";

static size_t lines_of(struct jw_span s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

/* ARG of an option whose line begins at START: words of a choice that a line does not hold are on the
 * next one. */
static void put_argument(struct jw_buf *out, size_t start, const char *arg)
{
	size_t indent = out->n - start;

	while (out->n - start + strlen(arg) > SCREEN_WIDTH) {
		size_t room = SCREEN_WIDTH - (out->n - start), n = room;

		while (n > 0 && arg[n - 1] != '|')
			n--;
		if (n == 0)
			break;
		jw_put_fmt(out, "%.*s\n", (int)n, arg);
		start = out->n;
		jw_put_fmt(out, "%*s", (int)indent, "");
		arg += n;
	}
	jw_put_str(out, arg);
}

static void put_option(struct jw_buf *out, const struct cli_option *o)
{
	size_t start = out->n;

	if (o->letter)
		jw_put_fmt(out, "  -%c, --%s", o->letter, o->name);
	else
		jw_put_fmt(out, "      --%s", o->name);
	if (o->arg && (o->kind == CLI_SWITCH || cli_value_is_optional(o->kind))) {
		jw_put_fmt(out, "[=%s]", o->arg);
	} else if (o->arg) {
		jw_put_str(out, "=");
		put_argument(out, start, o->arg);
	}
	size_t used = out->n - start;
	if (used + 2 > ARG_COLUMN)
		jw_put_fmt(out, "\n%*s%s\n", ARG_COLUMN, "", o->help);
	else
		jw_put_fmt(out, "%*s%s\n", (int)(ARG_COLUMN - used), "", o->help);
}

static void put_usage(struct jw_buf *out, const struct cli_command *command)
{
	/* Alternatives are separated by " | " in the table; each gets a line. */
	const char *rest = command->operands, *lead = "usage:";
	bool weave = strcmp(command->name, "weave") == 0;

	for (;;) {
		const char *bar = strstr(rest, " | ");
		size_t n = bar ? (size_t)(bar - rest) : strlen(rest);

		jw_put_fmt(out, "%-6s jweave %s%s[OPTIONS]%s%.*s\n", lead,
			   weave ? "" : command->name, weave ? "" : " ", n ? " " : "", (int)n,
			   rest);
		if (!bar)
			return;
		rest = bar + 3;
		lead = "";
	}
}

/* WORD after what is on the last line, or on the next one. */
static void put_wrapped(struct jw_buf *out, size_t *column, const char *word)
{
	size_t n = strlen(word);

	if (*column + 1 + n > SCREEN_WIDTH) {
		jw_put_str(out, "\n     ");
		*column = 5;
	}
	jw_put_fmt(out, " %s", word);
	*column += 1 + n;
}

/* The options of ID: the first SHOWN of them in full, the others by name. Returns how many there
 * are. */
static size_t put_options(struct jw_buf *out, enum cli_command_id id, size_t shown,
			  struct jw_arena *arena)
{
	size_t n = 0, column = 0;

	for (size_t i = 0; i < CLI_OPT_COUNT; i++) {
		const struct cli_option o = cli_option_of((enum cli_option_id)i, id);

		if (o.commands == CLI_EVERY || !cli_option_takes(&o, id))
			continue;
		n++;
		if (n == 1)
			jw_put_str(out, "\noptions:\n");
		if (n <= shown) {
			put_option(out, &o);
			continue;
		}
		if (n == shown + 1) {
			jw_put_str(out, "\nAlso:");
			column = 5;
		}
		const char *word = jw_arena_fmt(arena, "--%s", o.name);
		put_wrapped(out, &column, word ? word : o.name);
	}
	if (n > shown) {
		const char *see = jw_arena_fmt(arena, "help %s", cli_commands[id].name);

		put_wrapped(out, &column, "-q -v --color --no-progress: jweave");
		put_wrapped(out, &column, see ? see : "help");
		jw_put_str(out, "\n");
	} else {
		jw_put_fmt(out, "\n%s", common);
	}
	return n;
}

void cli_help_command(struct cli *cli, enum cli_command_id id, bool whole)
{
	const struct cli_command *command = &cli_commands[id];
	struct jw_buf text = { 0 };
	size_t shown = CLI_OPT_COUNT, count;

	do {
		jw_buf_clear(&text);
		put_usage(&text, command);
		jw_put_fmt(&text, "\n%s", command->help);
		count = put_options(&text, id, shown, &cli->arena);
		jw_put_fmt(&text, "\nexample:\n  %s\n", command->example);
		shown = shown < count ? shown - 1 : count - (count > 0);
	} while (!whole && lines_of(jw_buf_span(&text)) > SCREEN_LINES && shown > 0);
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

static void put_overview(struct jw_buf *out)
{
	jw_put_str(out, "\noptions of every command:\n");
	for (size_t i = 0; i < CLI_OPT_COUNT; i++)
		if (cli_options[i].commands == CLI_EVERY)
			put_option(out, &cli_options[i]);
	jw_put_str(
		out,
		"      --                  what follows are operands\n"
		"      @FILE               arguments from FILE\n\n"
		"A first operand with a '.' or '/' in it, or -, is a file; else it is a command.\n"
		"Exit status: 0 done, 1 failure, 2 wrong usage, 3 wrong rules, 4 unusable\n"
		"input, 5 refused by an option or a rule. Unless it is 0, OUT is as it was.\n\n"
		"example:\n  jweave app.jar rules.json app-traced.jar && java -jar "
		"app-traced.jar\n");
}

#define DEFAULT_WIDTH 12

/* A row of `help runtime`: what to set, what it is unless set, and what for; a long default has a
 * line of its own. */
static void put_variable(struct jw_buf *out, const char *name, const char *fallback,
			 const char *help)
{
	if (strlen(fallback) > DEFAULT_WIDTH) {
		jw_put_fmt(out, "  %-18s %s\n", name, fallback);
		name = fallback = "";
	}
	jw_put_fmt(out, "  %-18s %-*s %s\n", name, DEFAULT_WIDTH, fallback, help);
}

void cli_help_runtime(struct cli *cli)
{
	struct jw_buf text = { 0 };

	jw_put_str(&text,
		   "What a woven program reads in its environment. -Djweave.max_size=1G says the\n"
		   "same as JWEAVE_MAX_SIZE=1G, and goes before it; \"runtime\" in a rules file "
		   "gives\n"
		   "other defaults to what is woven by it.\n\n");
	jw_put_str(&text, "  variable           default\n");
	put_variable(&text, "JWEAVE", "on", "off: run without tracing");
	for (size_t i = 0; i < JW_SETTINGS; i++)
		put_variable(&text, jw_settings[i].variable, jw_settings[i].fallback,
			     jw_settings[i].help);
	put_variable(&text, "JWEAVE_LIB", "", "the library to load instead of the one inside");
	put_variable(&text, "JWEAVE_CACHE_SIZE", "1G", "bytes of what jweave run has woven");
	jw_put_str(
		&text,
		"\n'jweave run' has options for the most usual of them. More: man jweave,\n"
		"jweave help run.\n"
		"\nexample:\n  JWEAVE_OUTPUT=run1 JWEAVE_MAX_SIZE=500M java -jar app-traced.jar\n");
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

/* The first SHOWN commands, of which there are more than a screen holds; the others by name. */
static void put_commands(struct jw_buf *out, size_t shown)
{
	for (size_t i = 0; i < CLI_CMD_COUNT; i++) {
		if (i < shown)
			jw_put_fmt(out, "  %-10s  %s\n", cli_commands[i].name,
				   cli_commands[i].summary);
		else
			jw_put_fmt(out, "%s%s", i > shown ? ", " : "  and ", cli_commands[i].name);
	}
	jw_put_str(out, shown < CLI_CMD_COUNT ? "\n" : "");
}

void cli_help_all(struct cli *cli, bool whole)
{
	struct jw_buf text = { 0 };

	jw_put_str(&text, "usage: jweave [OPTIONS] IN RULES OUT\n");
	if (whole)
		jw_put_str(&text, "       jweave [OPTIONS] -r RULES -o OUTDIR IN...\n");
	jw_put_str(&text, "       jweave COMMAND [OPTIONS] [OPERANDS]\n\n");
	if (whole)
		jw_put_str(
			&text,
			"Weaves tracing into compiled Java: the woven program runs as before and\n"
			"leaves a Paraver trace of the methods that the rules choose.\n\n"
			"commands:\n");
	put_commands(&text, whole ? CLI_CMD_COUNT : SCREEN_COMMANDS);
	if (whole)
		put_overview(&text);
	else
		jw_put_str(&text,
			   "\nMore: jweave COMMAND --help, jweave help, man jweave. Example:\n"
			   "  jweave app.jar rules.json app-traced.jar && java -jar "
			   "app-traced.jar\n");
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}
