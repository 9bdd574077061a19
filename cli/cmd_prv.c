/*
 * cmd_prv.c: jweave prv RECORDING... [-o NAME]: recordings to one Paraver trace.
 */
#include <string.h>
#include <unistd.h>

#include "cli/gzip.h"
#include "cli/inputs.h"
#include "cli/job_folder.h"
#include "cli/json_out.h"
#include "cli/report_json.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/trace_input.h"

#include "base/banned.h"

#define TOP_SHOWN 10

static const char *const parts[] = { ".prv", ".prv.gz", ".pcf", ".row" };
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* What the trace is called: BASE.prv or BASE.prv.gz, and beside it BASE.pcf and BASE.row. */
struct names {
	const char *base, *prv;
	const char *other; /* the .prv in the form that is not written */
	bool gzip;
};

/* NAME without trailing slashes and without SUFFIX. */
static const char *without(struct jw_arena *arena, const char *name, const char *suffix)
{
	struct jw_span s = jw_span_str(name);

	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	if (jw_span_ends(s, jw_span_str(suffix)) && s.n > strlen(suffix))
		s.n -= strlen(suffix);
	return jw_arena_str(arena, s);
}

/* In FOLDER, which ends in a slash, what the recording is called. */
static const char *in_folder(struct jw_arena *arena, const char *folder, const char *recording)
{
	const char *base = without(arena, recording, ".jwr");
	const char *slash = base ? strrchr(base, '/') : NULL;

	return base ? jw_arena_fmt(arena, "%s%s", folder, slash ? slash + 1 : base) : NULL;
}

static enum jw_status choose_names(struct cli *cli, struct names *names, struct jw_err *e)
{
	struct jw_arena *arena = &cli->arena;
	const char *given = cli_value(cli, CLI_OPT_output, NULL);
	const char *recording = cli_named_operand(cli, 0);

	if (given && strcmp(given, "-") == 0)
		return jw_fail(e, JW_USAGE, "a trace is three files: -o needs a name, not '-'");
	names->gzip = cli_given(cli, CLI_OPT_gzip) || (given && cli_ends(given, ".prv.gz"));
	if (given && cli_ends(given, "/"))
		names->base = in_folder(arena, given, recording);
	else if (given && cli_ends(given, ".prv.gz"))
		names->base = without(arena, given, ".prv.gz");
	else
		names->base =
			given ? without(arena, given, ".prv") : without(arena, recording, ".jwr");
	if (!names->base)
		return jw_nomem(e);
	names->prv = jw_arena_fmt(arena, "%s.prv%s", names->base, names->gzip ? ".gz" : "");
	names->other = jw_arena_fmt(arena, "%s.prv%s", names->base, names->gzip ? "" : ".gz");
	return names->prv && names->other ? JW_OK : jw_nomem(e);
}

static enum jw_status overwrite_nothing(struct cli *cli, const struct names *names,
					struct jw_err *e)
{
	for (size_t i = 0; i < PARTS && !cli_given(cli, CLI_OPT_force); i++) {
		const char *path = jw_arena_fmt(&cli->arena, "%s%s", names->base, parts[i]);

		if (!path)
			return jw_nomem(e);
		if (cli_is_taken(path))
			return jw_fail(e, JW_USAGE,
				       "'%s' exists: choose another name with -o, or overwrite it "
				       "with --force",
				       path);
	}
	return JW_OK;
}

static void put_top(struct cli *cli, const struct trace_summary *s)
{
	struct jw_buf label = { 0 };
	size_t n = s->top_count < TOP_SHOWN ? s->top_count : TOP_SHOWN;

	if (n)
		cli_put(cli, "%14s %12s %12s  method\n", "calls", "self ms", "total ms");
	for (size_t i = 0; i < n; i++) {
		const struct trace_top_method *top = &s->top[i];

		jw_buf_clear(&label);
		cli_put_escaped(&label, jw_span_str(top->label));
		cli_put(cli, "%14llu %12.3f %12.3f  ", (unsigned long long)top->calls,
			(double)top->exclusive_ns / 1e6, (double)top->inclusive_ns / 1e6);
		cli_put_span(cli, jw_buf_span(&label));
		cli_put(cli, "\n");
	}
	jw_buf_free(&label);
}

static void put_text(struct cli *cli, const struct trace_summary *s, const char *prv)
{
	struct jw_arena *a = &cli->arena;
	struct jw_buf name = { 0 };

	if (cli_quiet(cli))
		return;
	cli_put_escaped(&name, jw_span_str(prv));
	cli_put(cli, "%s, %s, %s in %.3f s -> %.*s\n",
		cli_plural(a, s->threads, "thread", "threads"),
		cli_plural(a, s->methods, "method", "methods"),
		cli_plural(a, s->calls, "call", "calls"), (double)s->duration_ns / 1e9, (int)name.n,
		(const char *)name.p);
	jw_buf_free(&name);
	if (cli_verbose(cli))
		put_top(cli, s);
}

static void put_top_method(struct cli_json *json, const struct trace_top_method *top)
{
	cJSON *method = cli_json_object(json, NULL, NULL);

	cli_json_text(json, method, "method", top->label);
	cli_json_number(json, method, "calls", top->calls);
	cli_json_number(json, method, "exceptional", top->exceptional);
	cli_json_number(json, method, "inclusiveNs", top->inclusive_ns);
	cli_json_number(json, method, "exclusiveNs", top->exclusive_ns);
	cli_json_element(json, method);
}

static enum jw_status put_json(struct cli *cli, const struct trace_summary *s,
			       const struct names *names, struct jw_err *e)
{
	struct cli_json json;

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "trace", names->base);
	cli_json_line_text(&json, "file", names->prv);
	cli_json_line_number(&json, "threads", s->threads);
	cli_json_line_number(&json, "leftOut", s->left_out);
	cli_json_line_number(&json, "methods", s->methods);
	cli_json_line_number(&json, "events", s->events);
	cli_json_line_number(&json, "calls", s->calls);
	cli_json_line_number(&json, "inferred", s->inferred);
	cli_json_line_number(&json, "dropped", s->dropped);
	cli_json_line_number(&json, "lost", s->lost);
	cli_json_line_number(&json, "unnamed", s->unnamed);
	cli_json_line_number(&json, "durationNs", s->duration_ns);
	cli_json_line_bool(&json, "cleanEnd", s->clean_end);
	cli_report_json_sockets(&json, &s->sockets, &s->messages);
	cli_json_list(&json, "top");
	for (size_t i = 0; i < s->top_count; i++)
		put_top_method(&json, &s->top[i]);
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

/* Which rows --busy leaves out of what JOB makes: their report says so first. */
static enum jw_status leave_out(struct cli *cli, struct trace_job *job, struct jw_err *e)
{
	struct trace_report report = { 0 };
	struct cli_report_busy busy;
	double percent = 0;

	JW_TRY(cli_take_busy(cli, &percent, e));
	JW_TRY(trace_report_recordings(job, &cli->arena, &report, e));
	bool *out = JW_NEW_ARRAY(&cli->arena, bool, report.thread_count + 1);

	if (!out || !cli_report_busy(cli, &report, percent, &busy))
		return jw_nomem(e);
	for (size_t i = 0; i < busy.folded; i++)
		out[busy.list[busy.count + i] - report.threads] = true;
	job->leave_out = out;
	job->leave_out_n = report.thread_count;
	return JW_OK;
}

static enum jw_status convert(struct cli *cli, const struct names *names,
			      struct trace_summary *summary, struct jw_err *e)
{
	struct cli_progress progress = cli_progress_begin(cli, "converting", true);
	struct trace_job job = { .recordings = cli->args.operands,
				 .recording_count = cli->args.operand_count,
				 .maps = cli->args.maps,
				 .map_count = cli->args.map_count,
				 .lanes = (uint32_t)cli->args.numbers[CLI_OPT_lanes],
				 .progress = cli_progress_told,
				 .progress_ctx = &progress };
	const struct trace_paraver_files files = { .base = names->base,
						   .pack = names->gzip ? &cli_gzip_pack : NULL,
						   .threads = cli_threads(cli) };
	enum jw_status status = cli_given(cli, CLI_OPT_busy) ? leave_out(cli, &job, e) : JW_OK;

	if (status == JW_OK)
		status = trace_to_paraver(&job, &files, &cli->arena, summary, e);
	cli_progress_end(&progress);
	return status;
}

enum jw_status cli_run_prv(struct cli *cli, struct jw_err *e)
{
	struct trace_summary summary = { 0 };
	struct names names = { .base = "", .prv = "", .other = "" };

	JW_TRY(choose_names(cli, &names, e));
	JW_TRY(overwrite_nothing(cli, &names, e));
	JW_TRY(cli_check_maps(cli, e));
	JW_TRY(convert(cli, &names, &summary, e));
	/* with --force: its labels and names were overwritten, it would show wrong ones */
	if (cli_exists(names.other) && unlink(names.other) == 0)
		cli_note(cli, "removed '%s', whose .pcf and .row now belong to the new trace",
			 names.other);
	cli_tell_flaws(cli, &summary);
	if (cli_given(cli, CLI_OPT_json))
		return put_json(cli, &summary, &names, e);
	put_text(cli, &summary, names.prv);
	return JW_OK;
}
