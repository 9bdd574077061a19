/*
 * cmd_draw.c: jweave draw RECORDING... | TRACE: a picture of a trace, one file.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/out_file.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/selection.h"
#include "cli/trace_input.h"
#include "trace/draw/draw.h"
#include "trace/report/info.h"

#include "base/banned.h"

struct job {
	struct cli *cli;
	struct cli_selection selection;
	struct trace_draw_options options;
	struct trace_drawing *drawing; /* of a trace */
	struct jw_buf svg;
	struct trace_drawn drawn;
};

/* ---- what is asked for ---- */

/* Of several traces the newest: "trace-*.prv" are all that a folder has. */
static enum jw_status choose_trace(struct cli *cli, const char **out, struct jw_err *e)
{
	const char *const *paths = cli->args.operands;
	struct timespec newest = { 0 };

	*out = paths[0];
	for (size_t i = 0; i < cli->args.operand_count; i++) {
		struct stat st = { 0 };

		if (!cli_is_trace(paths[i]))
			return jw_fail(e, JW_USAGE,
				       "'%s' is a trace and '%s' is not: draw them one by one",
				       paths[0], paths[i]);
		if (stat(paths[i], &st) != 0 || st.st_mtim.tv_sec < newest.tv_sec ||
		    (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec <= newest.tv_nsec))
			continue;
		newest = st.st_mtim;
		*out = paths[i];
	}
	if (cli->args.operand_count > 1)
		cli_note(cli, "of %zu traces the newest, '%s'", cli->args.operand_count, *out);
	return JW_OK;
}

/* ---- drawing ---- */

static enum jw_status begin(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct job *job = ctx;

	(void)pcf;
	(void)e;
	trace_drawing_row(job->drawing, row);
	return JW_OK;
}

static enum jw_status take(void *ctx, struct jw_span piece, struct jw_err *e)
{
	struct job *job = ctx;

	return trace_drawing_feed(job->drawing, piece, e);
}

static enum jw_status finish(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct job *job = ctx;

	return trace_drawing_finish(job->drawing, pcf, row, &job->cli->arena, &job->svg,
				    &job->drawn, e);
}

static enum jw_status draw_trace(struct job *job, const char *path, struct jw_err *e)
{
	const struct cli_trace_reader reader = {
		.doing = "drawing",
		.done = "drawn",
		.begin = begin,
		.take = take,
		.finish = finish,
		.ctx = job,
	};

	JW_TRY(cli_selection_look(job->cli, &job->selection, path, e));
	job->drawing = trace_drawing_new(&job->options, job->selection.select);
	return job->drawing ? cli_read_trace(job->cli, path, &reader, e) : jw_nomem(e);
}

static enum jw_status draw_recordings(struct job *job, const char *out, struct jw_err *e)
{
	struct cli *cli = job->cli;

	JW_TRY(cli_check_maps(cli, e));
	struct cli_progress progress = cli_progress_begin(cli, "drawing", true);
	const struct trace_job replay = { .recordings = cli->args.operands,
					  .recording_count = cli->args.operand_count,
					  .maps = cli->args.maps,
					  .map_count = cli->args.map_count,
					  .select = job->selection.select,
					  .threads = cli_threads(cli),
					  .spill = strcmp(out, "-") == 0 ? "" : out,
					  .progress = cli_progress_told,
					  .progress_ctx = &progress };

	enum jw_status status = trace_draw_recordings(&replay, &job->options, &cli->arena,
						      &job->svg, &job->drawn, e);

	cli_progress_end(&progress);
	return status;
}

/* ---- the picture ---- */

static enum jw_status write_out(const char *path, struct jw_span svg, struct jw_err *e)
{
	struct jw_out out = { 0 };
	enum jw_status status = jw_out_open(path, 0644, &out, e);

	if (status == JW_OK)
		status = jw_out_write(&out, svg, e);
	if (status == JW_OK)
		status = jw_out_commit(&out, e);
	jw_out_abort(&out);
	return status;
}

static void tell(struct cli *cli, const struct trace_drawn *d, const char *path)
{
	struct jw_buf text = { 0 };

	for (size_t i = 0; i < d->warning_count; i++)
		cli_warn(cli, "%s", d->warnings[i]);
	if (cli_quiet(cli) || strcmp(path, "-") == 0)
		return;
	jw_put_fmt(&text, "%u of %s, %s in ", d->rows,
		   cli_plural(&cli->arena, d->threads, "thread", "threads"),
		   cli_plural(&cli->arena, d->calls, "call", "calls"));
	trace_put_time(&text, d->span_ns);
	jw_put_str(&text, " -> ");
	cli_put_escaped(&text, jw_span_str(path));
	jw_put_str(&text, "\n");
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

/* The file that is drawn, or the first; where the picture goes; its title. */
static enum jw_status choose_names(struct cli *cli, const char **in, const char **out,
				   const char **title, struct jw_err *e)
{
	*in = cli->args.operands[0];
	if (cli_is_trace(*in))
		JW_TRY(choose_trace(cli, in, e));
	const char *name = cli_bare_name(&cli->arena, cli->folder ? cli->folder : *in);

	if (!name)
		return jw_nomem(e);
	*title = cli_value(cli, CLI_OPT_title, cli_base_name(&cli->arena, name));
	*out = cli_value(cli, CLI_OPT_output, jw_arena_fmt(&cli->arena, "%s.svg", name));
	return *out && *title ? JW_OK : jw_nomem(e);
}

/* Time, threads and levels the picture knows how to leave out by itself: with arrows that come from
 * outside of it, and without the row of the JVM. */
static enum jw_status select_calls(struct job *job, struct jw_err *e)
{
	struct trace_selection *wanted = &job->selection.wanted;

	JW_TRY(cli_selection_take(job->cli, true, &job->selection, e));
	job->options.range = wanted->range;
	job->options.threads = wanted->thread;
	job->options.max_depth = wanted->max_depth;
	wanted->range = (struct trace_range){ 0 };
	wanted->max_depth = 0;
	if (!wanted->around)
		wanted->thread = NULL;
	return cli_selection_begin(&job->selection, e);
}

enum jw_status cli_run_draw(struct cli *cli, struct jw_err *e)
{
	const long *numbers = cli->args.numbers;
	struct job job = {
		.cli = cli,
		.options = {
			.width = cli_given(cli, CLI_OPT_width) ? (uint32_t)numbers[CLI_OPT_width]
							       : TRACE_DRAW_WIDTH,
		},
	};

	if (cli_given(cli, CLI_OPT_busy))
		JW_TRY(cli_take_busy(cli, &job.options.busy, e));
	const char *in, *out = NULL;

	JW_TRY(choose_names(cli, &in, &out, &job.options.title, e));
	JW_TRY(cli_check_place(out, JW_SPAN_LIT("<svg "), 1, "draw", e));
	enum jw_status status = select_calls(&job, e);

	if (status == JW_OK)
		status = cli_is_trace(in) ? draw_trace(&job, in, e) : draw_recordings(&job, out, e);
	if (status == JW_OK)
		status = write_out(out, jw_buf_span(&job.svg), e);
	if (status == JW_OK)
		tell(cli, &job.drawn, out);
	trace_drawing_free(job.drawing);
	cli_selection_free(&job.selection);
	jw_buf_free(&job.svg);
	return status;
}
