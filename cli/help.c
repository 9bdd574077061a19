/*
 * help.c: help texts, made from the tables of commands and options.
 */
#include <string.h>

#include "cli/cli.h"

#include "base/banned.h"

#define ARG_COLUMN 26 /* where the help of an option begins */

const char *cli_see(struct jw_arena *arena, enum cli_command_id id)
{
	const char *text = id == CLI_CMD_COUNT ? " (see 'jweave help')"
					       : jw_arena_fmt(arena, " (see 'jweave help %s')",
							      cli_commands[id].name);

	return text ? text : "";
}

static void put_option(struct cli *cli, const struct cli_option *o)
{
	struct jw_buf left = { 0 };

	if (o->letter)
		jw_put_fmt(&left, "  -%c, --%s", o->letter, o->name);
	else
		jw_put_fmt(&left, "      --%s", o->name);
	if (o->arg)
		jw_put_fmt(&left, "=%s", o->arg);
	cli_put_span(cli, jw_buf_span(&left));
	if (left.n + 2 > ARG_COLUMN)
		cli_put(cli, "\n%*s%s\n", ARG_COLUMN, "", o->help);
	else
		cli_put(cli, "%*s%s\n", (int)(ARG_COLUMN - left.n), "", o->help);
	jw_buf_free(&left);
}

static void put_usage(struct cli *cli, const struct cli_command *command)
{
	/* Alternatives are separated by " | " in the table; each gets a line. */
	const char *rest = command->operands, *lead = "usage:";
	bool weave = strcmp(command->name, "weave") == 0;

	for (;;) {
		const char *bar = strstr(rest, " | ");
		size_t n = bar ? (size_t)(bar - rest) : strlen(rest);

		cli_put(cli, "%-6s jweave %s%s[OPTIONS]%s%.*s\n", lead, weave ? "" : command->name,
			weave ? "" : " ", n ? " " : "", (int)n, rest);
		if (!bar)
			return;
		rest = bar + 3;
		lead = "";
	}
}

void cli_help_command(struct cli *cli, enum cli_command_id id)
{
	const struct cli_command *command = &cli_commands[id];
	const char *title = "\noptions:\n";

	put_usage(cli, command);
	cli_put(cli, "\n%s", command->help);
	for (size_t i = 0; i < CLI_OPT_COUNT; i++) {
		if (cli_options[i].commands == CLI_EVERY || !cli_option_takes(&cli_options[i], id))
			continue;
		cli_put(cli, "%s", title);
		put_option(cli, &cli_options[i]);
		title = "";
	}
	cli_put(cli, "\nCommon options (-q -v -h --color=WHEN --no-progress): jweave help\n");
	cli_put(cli, "\nexample:\n  %s\n", command->example);
}

void cli_help_all(struct cli *cli)
{
	cli_put(cli, "usage: jweave [OPTIONS] IN RULES OUT\n"
		     "       jweave [OPTIONS] -r RULES -o OUTDIR IN...\n"
		     "       jweave COMMAND [OPTIONS] [OPERANDS]\n\n"
		     "Weaves tracing into compiled Java: the woven program runs as before and\n"
		     "leaves a Paraver trace of the methods that the rules choose.\n\ncommands:\n");
	for (size_t i = 0; i < CLI_CMD_COUNT; i++)
		cli_put(cli, "  %-10s  %s\n", cli_commands[i].name, cli_commands[i].summary);
	cli_put(cli, "\noptions of every command:\n");
	for (size_t i = 0; i < CLI_OPT_COUNT; i++)
		if (cli_options[i].commands == CLI_EVERY)
			put_option(cli, &cli_options[i]);
	cli_put(cli,
		"      --                  what follows are operands\n"
		"      @FILE               arguments from FILE\n\n"
		"A first operand with a '.' or '/' in it, or -, is a file; else it is a command.\n"
		"Exit status: 0 done, 1 failure, 2 wrong usage, 3 wrong rules, 4 unusable\n"
		"input, 5 refused by an option or a rule. Unless it is 0, OUT is as it was.\n\n"
		"example:\n  jweave app.jar rules.json app-traced.jar && java -jar "
		"app-traced.jar\n");
}
