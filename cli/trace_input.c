/*
 * trace_input.c: see trace_input.h.
 */
#include "cli/trace_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/selection.h"

#include "base/banned.h"

/* ---- a trace ---- */

struct input {
	struct cli *cli;
	struct trace_reading *reading;
	struct trace_report *out;
};

static enum jw_status begin(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct input *in = ctx;

	(void)pcf;
	(void)e;
	trace_reading_row(in->reading, row);
	return JW_OK;
}

static enum jw_status take(void *ctx, struct jw_span piece, struct jw_err *e)
{
	struct input *in = ctx;

	return trace_reading_feed(in->reading, piece, e);
}

static enum jw_status finish(void *ctx, struct jw_span pcf, struct jw_span row, struct jw_err *e)
{
	struct input *in = ctx;

	return trace_reading_finish(in->reading, pcf, row, &in->cli->arena, in->out, e);
}

static enum jw_status profile_trace(struct cli *cli, const char *path,
				    struct cli_selection *selection,
				    const struct trace_report_options *options,
				    struct trace_report *out, struct jw_err *e)
{
	JW_TRY(cli_selection_look(cli, selection, path, e));
	struct input in = { .cli = cli,
			    .reading = trace_reading_new_beside(selection->select, options->also,
								options->ctx),
			    .out = out };
	const struct cli_trace_reader reader = {
		.doing = "reading",
		.done = "reported",
		.begin = begin,
		.take = take,
		.finish = finish,
		.ctx = &in,
	};

	if (!in.reading)
		return jw_nomem(e);
	enum jw_status status = cli_read_trace(cli, path, &reader, e);

	trace_reading_free(in.reading);
	return status;
}

/* ---- recordings ---- */

static enum jw_status profile_recordings(struct cli *cli, const char *const *paths, size_t count,
					 struct cli_selection *selection,
					 const struct trace_report_options *options,
					 struct trace_report *out, struct jw_err *e)
{
	struct cli_progress progress = cli_progress_begin(cli, "reading", true);

	jw_mem_return_large();
	struct trace_job job = { .recordings = paths,
				 .recording_count = count,
				 .maps = cli->args.maps,
				 .map_count = cli->args.map_count,
				 .select = selection->select,
				 .threads = cli_threads(cli),
				 .progress = cli_progress_told,
				 .progress_ctx = &progress };
	enum jw_status status = trace_report_recordings_by(&job, options, &cli->arena, out, e);

	cli_progress_end(&progress);
	return status;
}

void cli_tell_flaws(struct cli *cli, const struct trace_summary *s)
{
	struct jw_arena *a = &cli->arena;

	for (size_t i = 0; i < s->warning_count; i++)
		cli_warn(cli, "%s", s->warnings[i]);
	if (s->closed)
		cli_note(cli, "%s", s->closed);
	if (s->lost)
		cli_warn(cli, "%s not recorded: the recording is not complete",
			 cli_plural(a, s->lost, "event was", "events were"));
	if (s->left_out)
		cli_note(cli, "%s left out, with all that they did: less than --busy asks for",
			 cli_plural(a, s->left_out, "row is", "rows are"));
	if (s->inferred)
		cli_note(cli, "%s inferred: no record said when the method ended",
			 cli_plural(a, s->inferred, "end of a call is", "ends of calls are"));
	if (s->dropped)
		cli_note(cli, "%s left out: the beginning of the call was not recorded",
			 cli_plural(a, s->dropped, "end of a call is", "ends of calls are"));
	if (!s->clean_end)
		cli_note(cli,
			 "the program did not end normally, or is still running: the trace ends "
			 "where it was last seen");
}

void cli_tell_closed(struct cli *cli, size_t methods, const char *made)
{
	if (methods)
		cli_note(cli,
			 "%s closed while the program ran (JWEAVE_BUDGET): calls of %s after that "
			 "are not in this %s, and their time is that of who made them",
			 cli_plural(&cli->arena, methods, "method was", "methods were"),
			 methods == 1 ? "it" : "them", made);
}

static enum jw_status profile_part(struct cli *cli, const char *const *paths, size_t count,
				   struct cli_selection *selection,
				   const struct trace_report_options *options,
				   struct trace_report *out, struct jw_err *e)
{
	JW_TRY(cli_selection_take(cli, true, selection, e));
	JW_TRY(cli_selection_begin(selection, e));
	if (!cli_is_trace(paths[0]))
		return profile_recordings(cli, paths, count, selection, options, out, e);
	if (count > 1)
		return jw_fail(e, JW_USAGE, "a trace is reported alone%s",
			       cli_see(&cli->arena, cli->args.command));
	return profile_trace(cli, paths[0], selection, options, out, e);
}

static enum jw_status profile(struct cli *cli, const char *const *paths, size_t count,
			      const struct trace_report_options *options, struct trace_report *out,
			      struct jw_err *e)
{
	struct cli_selection selection = { 0 };

	JW_TRY(cli_check_maps(cli, e));
	enum jw_status status = profile_part(cli, paths, count, &selection, options, out, e);

	for (size_t i = 0; status == JW_OK && i < out->warning_count; i++)
		cli_warn(cli, "%s", out->warnings[i]);
	if (status == JW_OK)
		cli_selection_tell(cli, &selection);
	cli_selection_free(&selection);
	return status;
}

enum jw_status cli_profile_beside(struct cli *cli, const char *const *paths, size_t count,
				  const struct trace_output *also, void *ctx,
				  struct trace_report *out, struct jw_err *e)
{
	const struct trace_report_options options = { .also = also, .ctx = ctx };

	return profile(cli, paths, count, &options, out, e);
}

enum jw_status cli_profile(struct cli *cli, struct trace_report *out, struct jw_err *e)
{
	/* (a table by thread, and what is told for programs, need them) */
	const struct trace_report_options options = {
		.no_shares = !cli_given(cli, CLI_OPT_json) && !cli_given(cli, CLI_OPT_by_thread)
	};

	return profile(cli, cli->args.operands, cli->args.operand_count, &options, out, e);
}

/* ---- order ---- */

struct ranked {
	double key;
	const struct trace_report_method *method;
};

static int by_key(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return x->method < y->method ? -1 : x->method > y->method;
}

const struct trace_report_method **
cli_sort_methods(struct cli *cli, const struct trace_report *report, cli_method_key key, size_t of)
{
	size_t n = report->method_count;
	struct ranked *ranked = JW_NEW_ARRAY(&cli->arena, struct ranked, n + 1);
	const struct trace_report_method **sorted =
		JW_NEW_ARRAY(&cli->arena, const struct trace_report_method *, n + 1);

	if (!ranked || !sorted)
		return NULL;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){ key(&report->methods[i], of), &report->methods[i] };
	if (n > 1)
		qsort(ranked, n, sizeof(*ranked), by_key);
	for (size_t i = 0; i < n; i++)
		sorted[i] = ranked[i].method;
	return sorted;
}

/* ---- threads that did something ---- */

#define BUSY_PERCENT 1.0

enum jw_status cli_take_percent(struct cli *cli, enum cli_option_id id, double low, double high,
				double *percent, struct jw_err *e)
{
	const char *text = cli_value(cli, id, "");
	char *end = NULL;
	double value = strtod(text, &end);

	if (end == text || (*end && strcmp(end, "%") != 0) || !(value >= low && value <= high))
		return jw_fail(e, JW_USAGE, "--%s takes a percentage from %.6g to %.6g, not '%s'%s",
			       cli_options[id].name, low, high, text,
			       cli_see(&cli->arena, cli->args.command));
	*percent = value;
	return JW_OK;
}

enum jw_status cli_take_busy(struct cli *cli, double *percent, struct jw_err *e)
{
	const char *text = cli_value(cli, CLI_OPT_busy, "");

	*percent = BUSY_PERCENT;
	return *text ? cli_take_percent(cli, CLI_OPT_busy, 0, 100, percent, e) : JW_OK;
}

/* Without states it is not known when a thread ran inside its methods. */
static double running(const struct trace_report *r, const struct trace_report_thread *t)
{
	return (double)(r->states_known ? t->busy_ns : t->inside_ns);
}

bool cli_report_is_busy(const struct cli_report_busy *busy, const struct trace_report *r,
			const struct trace_report_thread *t)
{
	return running(r, t) >= busy->least_ns || (double)t->calls >= busy->least_calls;
}

bool cli_report_busy(struct cli *cli, const struct trace_report *r, double percent,
		     struct cli_report_busy *out)
{
	double most_ns = 0, most_calls = 0;
	size_t idle = 0;

	*out = (struct cli_report_busy){ .list = JW_NEW_ARRAY(&cli->arena,
							      const struct trace_report_thread *,
							      2 * r->thread_count + 1) };
	const struct trace_report_thread **others = out->list + r->thread_count;

	if (!out->list)
		return false;
	for (size_t i = 0; i < r->thread_count; i++) {
		const struct trace_report_thread *t = &r->threads[i];

		most_ns = running(r, t) > most_ns ? running(r, t) : most_ns;
		most_calls = (double)t->calls > most_calls ? (double)t->calls : most_calls;
	}
	out->least_ns = most_ns * percent / 100;
	out->least_calls = most_calls * percent / 100;
	for (size_t i = 0; i < r->thread_count; i++) {
		const struct trace_report_thread *t = &r->threads[i];

		if (cli_report_is_busy(out, r, t))
			out->list[out->count++] = t;
		else
			others[idle++] = t;
	}
	out->folded = idle;
	if (idle)
		memmove(out->list + out->count, others,
			idle * sizeof(const struct trace_report_thread *));
	return true;
}

/* ---- text ---- */

void cli_put_right(struct cli *cli, const char *text, size_t width)
{
	size_t have = cli_width(jw_span_str(text));

	for (; have < width; have++)
		cli_put(cli, " ");
	cli_put_span(cli, jw_span_str(text));
}

struct jw_span cli_short_label(const char *label)
{
	const char *bracket = strchr(label, '[');
	size_t n = bracket ? (size_t)(bracket - label) : strlen(label);

	while (n && label[n - 1] == ' ')
		n--;
	return jw_span(label, n ? n : strlen(label));
}

void cli_put_short(struct cli *cli, const char *label)
{
	struct jw_buf text = { 0 };

	cli_put_escaped(&text, cli_short_label(label));
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}
