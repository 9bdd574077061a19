/*
 * run.c: one run of the program: parse, do, report, clean up.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/signals.h"
#include "weaver/archive/scan.h"

#include "base/banned.h"

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER }; /* ORDER: the words of --color */

bool cli_given(const struct cli *cli, enum cli_option_id id)
{
	return cli->args.values[id] != NULL;
}

const char *cli_value(const struct cli *cli, enum cli_option_id id, const char *fallback)
{
	return cli->args.values[id] ? cli->args.values[id] : fallback;
}

bool cli_quiet(const struct cli *cli)
{
	return cli_given(cli, CLI_OPT_quiet);
}

size_t cli_threads(const struct cli *cli)
{
	return cli_given(cli, CLI_OPT_jobs) ? (size_t)cli->args.numbers[CLI_OPT_jobs]
					    : jw_processors();
}

bool cli_verbose(const struct cli *cli)
{
	return cli_given(cli, CLI_OPT_verbose) && !cli_quiet(cli);
}

bool cli_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

bool cli_is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

enum jw_status cli_check_maps(const struct cli *cli, struct jw_err *e)
{
	for (size_t i = 0; i < cli->args.map_count; i++) {
		struct jw_file file = { 0 };

		if (cli_is_folder(cli->args.maps[i]))
			continue;
		JW_TRY(jw_file_open(cli->args.maps[i], 0, &file, e));
		jw_file_close(&file);
	}
	return JW_OK;
}

enum jw_status cli_load_rules(struct cli *cli, const char *path, struct rules **out,
			      struct jw_err *e)
{
	static const char prefix[] = "preset:", nothing[] = "{\"jweave\":1,\"rules\":[]}";
	struct rules_options options = { .jdk = cli_given(cli, CLI_OPT_jdk),
					 .no_guard = cli_given(cli, CLI_OPT_no_guard),
					 .presets = cli->args.presets };
	size_t count = cli->args.preset_count;

	if (strncmp(path, prefix, strlen(prefix)) != 0 || cli_exists(path))
		return rules_load(path, &options, out, e);
	JW_TRY(cli_check_preset(path + strlen(prefix), e));
	const char **presets = JW_NEW_ARRAY(&cli->arena, const char *, count + 2);
	if (!presets)
		return jw_nomem(e);
	memcpy(presets, cli->args.presets, count * sizeof(*presets));
	presets[count] = path + strlen(prefix);
	options.presets = presets;
	return rules_parse(jw_span_str(nothing), path, &options, out, e);
}

void cli_hint(void *ctx, const char *place, const char *said, const char *meant)
{
	cli_note(ctx, "%s: \"%s\" names a class; did you mean \"%s\"?", place, said, meant);
}

static enum jw_status scan_note(void *ctx, const char *note, struct jw_err *e)
{
	(void)e;
	cli_note(ctx, "%s", note);
	return JW_OK;
}

enum jw_status cli_scan(struct cli *cli, const char *in, const struct rules *rules,
			weave_each_method *each, void *ctx, struct jw_err *e)
{
	return cli_scan_calls(cli, in, rules, each, NULL, ctx, e);
}

enum jw_status cli_scan_calls(struct cli *cli, const char *in, const struct rules *rules,
			      weave_each_method *each, weave_each_call *each_call, void *ctx,
			      struct jw_err *e)
{
	const struct weave_scan_job job = { .in = in,
					    .rules = rules,
					    .nested = cli_value(cli, CLI_OPT_nested, "all"),
					    .class_path = cli_value(cli, CLI_OPT_classpath, NULL),
					    .no_limits = cli_given(cli, CLI_OPT_no_limits),
					    .each = each,
					    .each_call = each_call,
					    .ctx = ctx,
					    .note = scan_note,
					    .note_ctx = cli };

	return weave_scan(&job, e);
}

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
