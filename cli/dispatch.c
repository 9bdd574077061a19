/*
 * dispatch.c: one run of the program: parse, do, report, clean up.
 */
#include "cli/dispatch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/help.h"
#include "cli/job_folder.h"
#include "cli/out.h"
#include "cli/signals.h"

#include "base/banned.h"

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER }; /* ORDER: the words of --color */

/* The terminal of stderr decides: messages and progress go there. */
static void look_at_terminal(struct cli *cli)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
	long when = cli->args.numbers[CLI_OPT_color];

	cli->color = when == COLOR_ALWAYS ||
		     (when == COLOR_AUTO && terminal && !(no_color && *no_color));
	cli->progress_allowed = terminal && !cli_quiet(cli) && !cli_given(cli, CLI_OPT_no_progress);
}

/* Commands whose operands are recordings (of export from the second one on): the folder of a job is
 * all that are in it. */
static const enum cli_command_id readers[] = { CLI_CMD_prv,    CLI_CMD_report, CLI_CMD_view,
					       CLI_CMD_export, CLI_CMD_score,  CLI_CMD_draw };

static enum jw_status dispatch(struct cli *cli, struct jw_err *e)
{
	enum cli_command_id id = cli->args.command;

	if (id == CLI_CMD_COUNT) {
		cli_help_all(cli, false);
		return JW_OK;
	}
	if (cli_given(cli, CLI_OPT_help)) {
		cli_help_command(cli, id, false);
		return JW_OK;
	}
	if (cli_given(cli, CLI_OPT_version))
		id = CLI_CMD_version;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (readers[i] == id)
			JW_TRY(cli_take_folders(cli, id == CLI_CMD_export, e));
	return cli_commands[id].run(cli, e);
}

/* Sends what waits, and says what failed: the command, or only standard output. */
static enum jw_status tell(struct cli *cli, enum jw_status status, const struct jw_err *e)
{
	struct jw_err late = { 0 };
	enum jw_status sent = cli_flush(cli, &late);

	if (status == JW_OK ? late.no_reader : e->no_reader)
		cli_signals_no_reader();
	if (sent != JW_OK)
		cli_error(cli, late.text);
	if (status != JW_OK && e->text[0])
		cli_error(cli, e->text);
	return status != JW_OK ? status : sent;
}

int cli_main(size_t count, const char *const *words)
{
	struct cli cli = { 0 };
	struct jw_err e = { 0 };
	enum jw_status status = cli_parse(count, words, &cli.arena, &cli.args, &e);

	look_at_terminal(&cli);
	if (status == JW_OK)
		status = dispatch(&cli, &e);
	status = tell(&cli, status, &e);
	jw_buf_free(&cli.out);
	jw_arena_free(&cli.arena);
	return cli.exit_status ? cli.exit_status : jw_status_exit(status);
}
