/*
 * report_source.c: see report_source.h.
 */
#include "cli/report_source.h"

#include <string.h>

#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/selection.h"
#include "cli/trace_input.h"
#include "trace/batch.h"
#include "trace/follow/closed.h"
#include "trace/names/untraced.h"
#include "trace/source/source.h"
#include "trace/tee.h"

#include "base/banned.h"

struct telling {
	struct cli *cli;
	struct cli_selection selection;
	struct trace_prv_source *source;
	bool quiet;
};

/* ---- a trace ---- */

static enum jw_status begin(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct telling *t = ctx;

	(void)pcf;
	(void)e;
	trace_prv_source_row(t->source, row);
	return JW_OK;
}

static enum jw_status take(void *ctx, struct jw_span piece, struct jw_err *e)
{
	struct telling *t = ctx;

	return trace_prv_source_feed(t->source, piece, e);
}

static enum jw_status finish(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct telling *t = ctx;
	const char *const *notes = NULL;
	size_t count = 0;

	JW_TRY(trace_prv_source_finish(t->source, pcf, row, e));
	JW_TRY(trace_source_prv_notes(t->source, 0, &t->cli->arena, &notes, &count, e));
	for (size_t i = 0; !t->quiet && i < count; i++)
		cli_warn(t->cli, "%s", notes[i]);
	return JW_OK;
}

static enum jw_status tell_trace(struct telling *t, const struct trace_output *output, void *ctx,
				 struct jw_err *e)
{
	const char *path = t->cli->args.operands[0];
	const struct cli_trace_reader reader = { .doing = "reading",
						 .done = t->quiet ? NULL : "reported",
						 .begin = begin,
						 .take = take,
						 .finish = finish,
						 .ctx = t };

	if (t->cli->args.operand_count > 1)
		return jw_fail(e, JW_USAGE, "a trace is reported alone%s",
			       cli_see(&t->cli->arena, t->cli->args.command));
	JW_TRY(cli_selection_look(t->cli, &t->selection, path, e));
	t->source = trace_prv_source_new(output, ctx, t->selection.select);
	if (!t->source)
		return jw_nomem(e);
	enum jw_status status = cli_read_trace(t->cli, path, &reader, e);

	trace_prv_source_free(t->source);
	return status;
}

/* ---- recordings ---- */

static enum jw_status tell_recordings(struct telling *t, const struct trace_output *output,
				      void *ctx, struct jw_err *e)
{
	struct cli *cli = t->cli;

	JW_TRY(cli_check_maps(cli, e));
	struct cli_progress progress = cli_progress_begin(cli, "reading", true);
	struct trace_summary summary = { 0 };
	const struct trace_job job = { .recordings = cli->args.operands,
				       .recording_count = cli->args.operand_count,
				       .maps = cli->args.maps,
				       .map_count = cli->args.map_count,
				       .select = t->selection.select,
				       .threads = cli_threads(cli),
				       .progress = cli_progress_told,
				       .progress_ctx = &progress };

	enum jw_status status =
		trace_source_recordings(&job, output, ctx, &cli->arena, &summary, e);

	cli_progress_end(&progress);
	for (size_t i = 0; status == JW_OK && !t->quiet && i < summary.warning_count; i++)
		cli_warn(cli, "%s", summary.warnings[i]);
	return status;
}

/* Of --slowest, --method are the calls that it looks for, among all others. */
static enum jw_status select_part(struct telling *t, struct jw_err *e)
{
	JW_TRY(cli_selection_take(t->cli, !cli_given(t->cli, CLI_OPT_slowest), &t->selection, e));
	return cli_selection_begin(&t->selection, e);
}

static enum jw_status tell(struct telling *t, const struct trace_output *output, void *ctx,
			   struct jw_err *e)
{
	return cli_is_trace(t->cli->args.operands[0]) ? tell_trace(t, output, ctx, e)
						      : tell_recordings(t, output, ctx, e);
}

/* As a page hears it, so that both say the same. */
static enum jw_status tell_batches(struct telling *t, const struct trace_output *output, void *ctx,
				   struct jw_err *e)
{
	struct trace_batch *batch = trace_batch_new(output, ctx);
	enum jw_status status = batch ? tell(t, &trace_batch_output, batch, e) : jw_nomem(e);

	trace_batch_free(batch);
	return status;
}

/* Beside OUTPUT, what is missing is counted. */
static enum jw_status tell_calls(struct cli *cli, const struct trace_output *output, void *ctx,
				 struct jw_err *e)
{
	struct trace_closed closed = { 0 };
	struct trace_tee tee = { .first = output,
				 .second = &trace_closed_output,
				 .first_ctx = ctx,
				 .second_ctx = &closed };
	struct trace_output both = trace_tee_output;

	both.in_order = output->in_order;
	both.by_thread = output->by_thread;
	enum jw_status status = cli_report_tell(cli, &both, &tee, CLI_REPORT_LAST, e);

	if (status == JW_OK)
		cli_tell_closed(cli, closed.methods.n, "report");
	trace_closed_free(&closed);
	return status;
}

enum jw_status cli_report_tell(struct cli *cli, const struct trace_output *output, void *ctx,
			       enum cli_report_reading reading, struct jw_err *e)
{
	struct telling t = { .cli = cli, .quiet = reading != CLI_REPORT_LAST };

	if (reading == CLI_REPORT_CALLS)
		return tell_calls(cli, output, ctx, e);
	enum jw_status status = reading == CLI_REPORT_WHOLE ? JW_OK : select_part(&t, e);

	if (status == JW_OK)
		status = output->in_order ? tell(&t, output, ctx, e)
					  : tell_batches(&t, output, ctx, e);
	if (status == JW_OK && !t.quiet)
		cli_selection_tell(cli, &t.selection);
	cli_selection_free(&t.selection);
	return status;
}

/* ---- which methods ---- */

static bool chooses(void *ctx, const char *class_name, const char *name, const char *descriptor)
{
	return cli_pattern_chooses(ctx, class_name, name, descriptor);
}

enum jw_status cli_report_choose(struct cli *cli, const char *pattern, struct trace_chosen *out,
				 struct jw_err *e)
{
	struct rules *rules = NULL;

	JW_TRY(cli_load_pattern(pattern, &rules, e));
	*out = (struct trace_chosen){ .chooses = chooses, .ctx = rules, .said = pattern };
	enum jw_status status =
		cli_report_tell(cli, &trace_chosen_output, out, CLI_REPORT_WHOLE, e);

	rules_free(rules);
	if (status != JW_OK || out->methods.n > 0)
		return status;
	if (out->untraced)
		return jw_fail(e, JW_USAGE, "no method that ran matches '%s': " TRACE_UNTRACED,
			       pattern, out->untraced);
	return jw_fail(e, JW_USAGE,
		       out->named ? "no method that ran matches '%s': 'jweave report' names them"
				  : "'%s' chooses methods by their names, and none are known",
		       pattern);
}
