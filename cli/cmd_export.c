/*
 * cmd_export.c: jweave export FORMAT RECORDING... | TRACE: for the tools of others.
 */
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/out_file.h"
#include "cli/gzip.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/made.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/selection.h"
#include "cli/trace_input.h"
#include "trace/export/export.h"
#include "trace/tables/tables.h"

#include "base/banned.h"

enum { FORMATS_MAX = 32 };

struct job {
	struct cli *cli;
	const struct trace_export_format *format;
	const char *out_name;
	const char *const *in;
	size_t in_count;
	struct cli_selection selection;
	struct trace_export *export; /* of a trace */
	struct trace_destination to;
	struct jw_out out;
	struct cli_gzip gzip;
	struct cli_made made; /* what is no stream */
	enum trace_stacks_by by;
	bool reverse;
};

/* ---- what is asked for ---- */

/* The table that is a stream; NULL: the format knows none, or all are wanted. */
static const char *table_of(const struct job *job)
{
	const char *table = cli_value(job->cli, CLI_OPT_table, "call");

	return job->format->tables && strcmp(table, "all") != 0 ? table : NULL;
}

static enum trace_export_form form_of(const struct job *job)
{
	return job->format->tables && !table_of(job) ? TRACE_EXPORT_FOLDER : job->format->form;
}

static void put_formats(struct cli *cli)
{
	for (const struct trace_export_format *f = trace_export_formats; f->name; f++) {
		cli_put(cli, "%-12s NAME%-16s %s", f->name, f->suffix, f->summary);
		if (f->needs)
			cli_put(cli, " (not built in: needs %s)", f->needs);
		cli_put(cli, "\n");
	}
}

static enum jw_status check_table(const struct job *job, struct jw_err *e)
{
	const char *wanted = cli_value(job->cli, CLI_OPT_table, NULL), *names[TRACE_TABLES + 1];

	if (!wanted)
		return JW_OK;
	if (!job->format->tables)
		return jw_fail(e, JW_USAGE, "--table is for tsv, not for %s", job->format->name);
	for (size_t i = 0; i < TRACE_TABLES; i++)
		names[i] = trace_tables[i].name;
	names[TRACE_TABLES] = "all";
	for (size_t i = 0; i <= TRACE_TABLES; i++)
		if (strcmp(names[i], wanted) == 0)
			return JW_OK;
	const char *near = jw_nearest(wanted, names, TRACE_TABLES + 1);

	if (near)
		return jw_fail(e, JW_USAGE, "no table '%s'; did you mean '%s'?", wanted, near);
	return jw_fail(e, JW_USAGE, "no table '%s'; 'man jweave-export' names them", wanted);
}

static enum jw_status choose_format(struct job *job, struct jw_err *e)
{
	const char *wanted = job->cli->args.operands[0], *names[FORMATS_MAX];
	size_t n = 0;

	job->format = trace_export_format(wanted);
	if (job->format && job->format->needs)
		return jw_fail(
			e, JW_UNSUPPORTED,
			"this jweave was built without %s, which '%s' needs: install it (Debian: "
			"%s), and build jweave again",
			job->format->needs, wanted, job->format->package);
	if (job->format)
		return JW_OK;
	for (; n < FORMATS_MAX && trace_export_formats[n].name; n++)
		names[n] = trace_export_formats[n].name;
	const char *near = jw_nearest(wanted, names, n);

	if (near)
		return jw_fail(e, JW_USAGE, "no format '%s'; did you mean '%s'?", wanted, near);
	return jw_fail(e, JW_USAGE, "no format '%s'; 'jweave export --list' names them", wanted);
}

static enum jw_status choose_names(struct job *job, struct jw_err *e)
{
	struct cli *cli = job->cli;
	const char *given = cli_value(cli, CLI_OPT_output, NULL);

	if (cli_is_trace(job->in[0]) && job->in_count > 1)
		return jw_fail(e, JW_USAGE, "a trace is exported alone%s",
			       cli_see(&cli->arena, cli->args.command));
	job->out_name = given;
	if (!given) {
		const char *name =
			cli_bare_name(&cli->arena, cli->folder ? cli->folder : job->in[0]);

		job->out_name =
			name ? jw_arena_fmt(&cli->arena, "%s%s%s", name, job->format->suffix,
					    cli_given(cli, CLI_OPT_gzip) ? ".gz" : "")
			     : NULL;
	}
	if (!job->out_name)
		return jw_nomem(e);
	if (strcmp(job->out_name, "-") != 0 && cli_is_taken(job->out_name) &&
	    !cli_given(cli, CLI_OPT_force))
		return jw_fail(e, JW_USAGE,
			       "'%s' exists: choose another name with -o, or overwrite it with "
			       "--force",
			       job->out_name);
	return JW_OK;
}

/* --by and --reverse. */
static enum jw_status choose_counts(struct job *job, struct jw_err *e)
{
	/* ORDER: the words of --by (options_of.def) */
	static const enum trace_stacks_by words[] = { TRACE_STACKS_SELF,    TRACE_STACKS_TOTAL,
						      TRACE_STACKS_CALLS,   TRACE_STACKS_EXCEPTIONS,
						      TRACE_STACKS_RUNNING, TRACE_STACKS_BLOCKED,
						      TRACE_STACKS_WAITING, TRACE_STACKS_IO };

	job->reverse = cli_given(job->cli, CLI_OPT_reverse);
	if ((cli_given(job->cli, CLI_OPT_by) || job->reverse) && !job->format->counts)
		return jw_fail(e, JW_USAGE,
			       "--by and --reverse are of stacks that are counted: the format "
			       "'collapsed'");
	job->by = words[job->cli->args.numbers[CLI_OPT_by]];
	return JW_OK;
}

/* ---- reading ---- */

static enum jw_status begin(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct job *job = ctx;

	return trace_export_begin(job->export, pcf, row, e);
}

static enum jw_status take(void *ctx, struct jw_span piece, struct jw_err *e)
{
	struct job *job = ctx;

	return trace_export_feed(job->export, piece, e);
}

static enum jw_status finish(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct job *job = ctx;
	struct trace_exported done = { 0 };

	JW_TRY(trace_export_finish(job->export, pcf, row, &job->cli->arena, &done, e));
	for (size_t i = 0; i < done.warning_count; i++)
		cli_warn(job->cli, "%s", done.warnings[i]);
	cli_tell_closed(job->cli, done.closed_methods, "export");
	return JW_OK;
}

static enum jw_status export_trace(struct job *job, struct jw_err *e)
{
	const struct cli_trace_reader reader = {
		.doing = "exporting",
		.done = "exported",
		.begin = begin,
		.take = take,
		.finish = finish,
		.ctx = job,
	};

	JW_TRY(cli_selection_look(job->cli, &job->selection, job->in[0], e));
	job->export = trace_export_new(job->format, &job->to, job->selection.select);
	if (!job->export)
		return jw_nomem(e);
	enum jw_status status = cli_read_trace(job->cli, job->in[0], &reader, e);

	trace_export_free(job->export);
	return status;
}

static enum jw_status export_recordings(struct job *job, struct jw_err *e)
{
	struct cli *cli = job->cli;

	JW_TRY(cli_check_maps(cli, e));
	struct cli_progress progress = cli_progress_begin(cli, "exporting", true);
	struct trace_summary summary = { 0 };
	const struct trace_job replay = { .recordings = job->in,
					  .recording_count = job->in_count,
					  .maps = cli->args.maps,
					  .map_count = cli->args.map_count,
					  .select = job->selection.select,
					  .threads = cli_threads(cli),
					  .spill = strcmp(job->out_name, "-") == 0 ? ""
										   : job->out_name,
					  .progress = cli_progress_told,
					  .progress_ctx = &progress };

	enum jw_status status =
		trace_export_recordings(job->format, &replay, &job->to, &cli->arena, &summary, e);

	cli_progress_end(&progress);
	if (status == JW_OK)
		cli_tell_flaws(cli, &summary);
	return status;
}

/* ---- writing ---- */

static enum jw_status write_plain(void *to, struct jw_span bytes, struct jw_err *e)
{
	struct job *job = to;

	return jw_out_write(&job->out, bytes, e);
}

static enum jw_status write_gzip(void *to, struct jw_span bytes, struct jw_err *e)
{
	struct job *job = to;

	return cli_gzip_write(&job->gzip, bytes, e);
}

static enum jw_status export_to(struct job *job, struct jw_err *e)
{
	return cli_is_trace(job->in[0]) ? export_trace(job, e) : export_recordings(job, e);
}

/* A format that makes its files itself. */
static enum jw_status make_all(struct job *job, bool gzip, struct jw_err *e)
{
	bool folder = form_of(job) == TRACE_EXPORT_FOLDER;

	if (gzip)
		return jw_fail(e, JW_USAGE, "%s cannot be compressed: it is no stream of bytes",
			       job->format->name);
	JW_TRY(cli_made_open(&job->cli->arena, job->out_name, folder, &job->made, e));
	job->to = (struct trace_destination){ .spill = job->made.out, .path = job->made.path };
	JW_TRY(export_to(job, e));
	return cli_made_commit(&job->made, e);
}

static enum jw_status write_all(struct job *job, bool gzip, struct jw_err *e)
{
	if (form_of(job) != TRACE_EXPORT_STREAM)
		return make_all(job, gzip, e);
	JW_TRY(jw_out_open(job->out_name, 0644, &job->out, e));
	if (gzip)
		JW_TRY(cli_gzip_open(&job->gzip, &job->out, e));
	job->to = (struct trace_destination){ .write = gzip ? write_gzip : write_plain,
					      .to = job,
					      .file = gzip ? NULL : &job->out,
					      .spill = job->out_name,
					      .table = table_of(job),
					      .by = job->by,
					      .reverse = job->reverse,
					      .unlimited = cli_given(job->cli, CLI_OPT_force) };
	JW_TRY(export_to(job, e));
	if (gzip)
		JW_TRY(cli_gzip_finish(&job->gzip, e));
	return jw_out_commit(&job->out, e);
}

static void tell(struct job *job)
{
	struct jw_buf text = { 0 };

	cli_selection_tell(job->cli, &job->selection);
	if (cli_quiet(job->cli) || strcmp(job->out_name, "-") == 0)
		return;
	cli_put_escaped(&text, jw_span_str(job->out_name));
	if (job->format->main)
		jw_put_fmt(&text, "/%s", job->format->main);
	jw_put_str(&text, "\n");
	cli_put_span(job->cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

enum jw_status cli_run_export(struct cli *cli, struct jw_err *e)
{
	struct job job = { .cli = cli };

	if (cli_given(cli, CLI_OPT_list)) {
		put_formats(cli);
		return JW_OK;
	}
	if (cli->args.operand_count < 2)
		return jw_fail(e, JW_USAGE, "export needs a format and a recording or trace%s",
			       cli_see(&cli->arena, CLI_CMD_export));
	job.in = cli->args.operands + 1;
	job.in_count = cli->args.operand_count - 1;
	JW_TRY(cli_check_output(cli, CLI_OPT_output, 1, e));
	JW_TRY(choose_format(&job, e));
	JW_TRY(check_table(&job, e));
	JW_TRY(choose_counts(&job, e));
	JW_TRY(choose_names(&job, e));
	bool gzip = cli_given(cli, CLI_OPT_gzip) || cli_ends(job.out_name, ".gz");
	enum jw_status status = cli_selection_take(cli, true, &job.selection, e);

	if (status == JW_OK)
		status = cli_selection_begin(&job.selection, e);
	if (status == JW_OK)
		status = write_all(&job, gzip, e);
	cli_gzip_free(&job.gzip);
	jw_out_abort(&job.out);
	cli_made_abort(&job.made);
	if (status == JW_OK)
		tell(&job);
	cli_selection_free(&job.selection);
	return status;
}
