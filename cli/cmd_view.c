/*
 * cmd_view.c: jweave view RECORDING... | TRACE: a page that shows it.
 */
#include <string.h>

#include "base/out_file.h"
#include "cli/browser.h"
#include "cli/diff.h"
#include "cli/job_folder.h"
#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/page.h"
#include "cli/paths.h"
#include "cli/report_path.h"
#include "cli/report_requests.h"
#include "cli/report_shared.h"
#include "cli/report_slowest.h"
#include "cli/report_sql.h"
#include "cli/report_tasks.h"
#include "cli/safe_text.h"
#include "cli/trace_input.h"
#include "cli/view.h"
#include "trace/engine/engine.h"
#include "trace/output.h"
#include "trace/path/path.h"
#include "trace/report/info.h"
#include "trace/slowest/slowest.h"
#include "trace/tee.h"
#include "trace/view/view.h"
#include "trace/view/view_index.h"

#include "base/banned.h"

#define BUSY_PERCENT  1
#define SLOWEST_CALLS 50
#define SINGLE_WAITS  20000
#define TASKS_MOST    10000

struct job {
	struct cli *cli;
	const char *const *paths;
	size_t count;
	const char *title;
	struct trace_index_writer *index; /* NULL: none is made */
	uint64_t page_at;                 /* where the page begins in `out` */
	struct jw_out out;
	struct cli_page page;
	const char *section; /* of text, that is being printed */
	struct jw_buf text;  /* of it, what waits */
	struct trace_path *path;
	struct trace_slowest *slowest;
	struct trace_engine *engine;
	struct trace_requests *requests;
	struct trace_statements *statements;
	struct trace_report report;
};

/* ---- sections of text ---- */

/* The page begins with its first section, so after what an index has. */
static enum jw_status take_section(void *to, const char *name, struct jw_span bytes,
				   struct jw_err *e)
{
	struct job *job = to;

	if (!job->page.out) {
		job->page_at = job->out.n;
		JW_TRY(cli_page_begin(&job->page, &job->out, job->index != NULL, e));
	}
	return cli_page_section(&job->page, name, bytes, e);
}

/* What is printed goes into the section as it comes. */
static enum jw_status take_text(void *to, struct jw_span piece, struct jw_err *e)
{
	struct job *job = to;

	enum { ENOUGH = 1 << 20 };

	jw_put_bytes(&job->text, piece);
	if (job->text.n < ENOUGH && piece.n)
		return JW_OK;
	JW_TRY(jw_buf_finish(&job->text, job->section, e));
	enum jw_status status = take_section(job, job->section, jw_buf_span(&job->text), e);

	jw_buf_clear(&job->text);
	return status;
}

/* What PRINT prints becomes the section NAME. */
static enum jw_status put_text(struct job *job, const char *name,
			       enum jw_status (*print)(struct job *job, struct jw_err *e),
			       struct jw_err *e)
{
	struct cli_divert divert = { take_text, job, JW_OK, e };

	job->section = name;
	cli_divert(job->cli, &divert);
	enum jw_status status = print(job, e);

	cli_divert(job->cli, NULL);
	JW_TRY(status);
	JW_TRY(divert.status);
	return job->text.n ? take_text(job, jw_span(NULL, 0), e) : JW_OK;
}

/* The report, its methods in the order of their numbers. */
static enum jw_status print_report(struct job *job, struct jw_err *e)
{
	struct cli *cli = job->cli;
	const struct trace_report *r = &job->report;
	const struct trace_report_method **methods =
		JW_NEW_ARRAY(&cli->arena, const struct trace_report_method *, r->method_count + 1);
	struct cli_report_busy busy;

	if (!methods || !cli_report_busy(cli, r, BUSY_PERCENT, &busy))
		return jw_nomem(e);
	for (size_t i = 0; i < r->method_count; i++)
		methods[i] = &r->methods[i];
	return cli_report_json(cli, r, methods, &busy, e);
}

static enum jw_status print_path(struct job *job, struct jw_err *e)
{
	const struct trace_path_list list = trace_path_list(job->path);

	return cli_report_path_json(job->cli, &list, NULL, e);
}

static enum jw_status print_slowest(struct job *job, struct jw_err *e)
{
	const struct trace_slow_list list = trace_slowest_list(job->slowest);
	const struct trace_slow_wait_list waits = trace_slowest_waits(job->slowest);

	return cli_report_slowest_json(job->cli, &list, &waits, e);
}

static enum jw_status print_tasks(struct job *job, struct jw_err *e)
{
	const struct trace_engine_list list = trace_engine_list(job->engine);

	return cli_report_tasks_json(job->cli, &list, TASKS_MOST, e);
}

static enum jw_status print_requests(struct job *job, struct jw_err *e)
{
	const struct trace_request_list list = trace_requests_list(job->requests);

	return cli_report_requests_json(job->cli, &list, e);
}

static enum jw_status print_sql(struct job *job, struct jw_err *e)
{
	const struct trace_statement_list list = trace_statements_list(job->statements);

	return cli_report_sql_json(job->cli, &list, e);
}

/* --against A: what `jweave diff A B` says, B being the run that is shown. */
static enum jw_status compare(struct job *job, struct trace_diff_side sides[2], struct jw_err *e)
{
	struct cli *cli = job->cli;
	struct cli_diff d = { .a_name = cli_value(cli, CLI_OPT_against, ""),
			      .b_name = cli_named_operand(cli, 0) };
	const struct trace_request_list requests = trace_requests_list(job->requests);

	JW_TRY(cli_diff_side(cli, d.a_name, &sides[0], e));
	JW_TRY(cli_diff_shown(cli, job->paths, job->count, &job->report, &requests, &sides[1], e));
	JW_TRY(trace_diff_compare(&sides[0], &sides[1], &cli->arena, &d.diff, e));
	JW_TRY(trace_diff_sort(&d.diff, TRACE_DIFF_SELF, e));
	return cli_diff_json(cli, &d, e);
}

static enum jw_status print_diff(struct job *job, struct jw_err *e)
{
	struct trace_diff_side sides[2] = { 0 };
	enum jw_status status = compare(job, sides, e);

	trace_diff_side_close(&sides[0]);
	trace_diff_side_close(&sides[1]);
	return status;
}

/* What the recordings say of the process; of a trace nothing. */
static void add_origin(struct job *job, struct cli_json *json, cJSON *line)
{
	struct trace_recording_info info = { 0 };
	struct jw_err ignored = { 0 };

	if (cli_is_trace(job->paths[0]) ||
	    trace_recording_origin(job->paths[0], &job->cli->arena, &info, &ignored) != JW_OK)
		return;
	cli_json_text(json, line, "host", info.host);
	cli_json_text(json, line, "command", info.command);
	cli_json_text(json, line, "java", info.java);
	cli_json_text(json, line, "vm", info.vm);
	cli_json_number(json, line, "pid", info.pid);
	cli_json_number(json, line, "wallNs", info.began_wall_ns);
	cli_json_bool(json, line, "summary", info.is_summary);
}

/* Options that choose a part of the run (selection.h): the page says that it shows no more. */
static void add_part(const struct job *job, struct cli_json *json, cJSON *line)
{
	static const enum cli_option_id options[] = { CLI_OPT_from,         CLI_OPT_to,
						      CLI_OPT_around,       CLI_OPT_thread,
						      CLI_OPT_process,      CLI_OPT_method,
						      CLI_OPT_min_duration, CLI_OPT_max_depth };
	cJSON *part = cli_json_array(json, line, "part");

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (cli_given(job->cli, options[i]))
			cli_json_text(json, part, NULL,
				      jw_arena_fmt(&job->cli->arena, "--%s=%s",
						   cli_options[options[i]].name,
						   cli_value(job->cli, options[i], "")));
}

/* How many recordings have no end: of programs that were killed, or still run. A trace has a warning. */
static uint64_t without_end(const struct job *job)
{
	uint64_t n = 0;

	for (size_t i = 0; i < job->count && !cli_is_trace(job->paths[i]); i++) {
		struct trace_recording_info info = { 0 };
		struct jw_err ignored = { 0 };

		n += trace_recording_origin(job->paths[i], &job->cli->arena, &info, &ignored) ==
			     JW_OK &&
		     !info.clean_end;
	}
	return n;
}

static enum jw_status print_about(struct job *job, struct jw_err *e)
{
	struct cli_json json;
	const struct trace_report *r = &job->report;

	cli_json_open(&json, job->cli, '{');
	cJSON *line = cli_json_object(&json, NULL, NULL);

	cli_json_text(&json, line, "title", job->title);
	cli_json_text(&json, line, "version", JW_VERSION);
	if (job->index)
		cli_json_bool(&json, line, "served", true);
	add_origin(job, &json, line);
	add_part(job, &json, line);
	cli_json_number(&json, line, "withoutEnd", without_end(job));
	cJSON *paths = cli_json_array(&json, line, "inputs");

	for (size_t i = 0; i < job->count; i++)
		cli_json_text(&json, paths, NULL, cli_base_name(&job->cli->arena, job->paths[i]));
	cJSON *warnings = cli_json_array(&json, line, "warnings");

	for (size_t i = 0; i < r->warning_count; i++)
		cli_json_text(&json, warnings, NULL, r->warnings[i]);
	cli_json_line(&json, line);
	return cli_json_close(&json, e);
}

/* ---- the page ---- */

/* Tells VIEW, and what is shown below it, all that the recordings hold. */
static enum jw_status tell_all(struct job *job, struct trace_view *view, struct jw_err *e)
{
	struct trace_tee talks = { .first = &trace_requests_output,
				   .second = &trace_statements_output,
				   .first_ctx = job->requests,
				   .second_ctx = job->statements };
	struct trace_tee threads = { .first = &trace_engine_output,
				     .second = &trace_tee_output,
				     .first_ctx = job->engine,
				     .second_ctx = &talks };
	struct trace_tee tasks = { .first = &trace_slowest_along_output,
				   .second = &trace_tee_output,
				   .first_ctx = job->slowest,
				   .second_ctx = &threads };
	struct trace_tee calls = { .first = &trace_path_output,
				   .second = &trace_tee_output,
				   .first_ctx = job->path,
				   .second_ctx = &tasks };
	struct trace_tee both = { .first = &trace_view_output,
				  .second = &trace_tee_output,
				  .first_ctx = view,
				  .second_ctx = &calls };

	if (!view || !job->path || !job->slowest || !job->engine || !job->requests ||
	    !job->statements)
		return jw_nomem(e);
	trace_slowest_want_waits(job->slowest, SINGLE_WAITS);
	/* both ask what each thread is in */
	trace_slowest_along(job->slowest, trace_path_follow(job->path));
	return cli_profile_beside(job->cli, job->paths, job->count, &trace_tee_output, &both,
				  &job->report, e);
}

static enum jw_status put_texts(struct job *job, struct jw_err *e)
{
	JW_TRY(put_text(job, "report", print_report, e));
	if (trace_path_list(job->path).thread) /* of a summary there is none */
		JW_TRY(put_text(job, "path", print_path, e));
	if (trace_slowest_list(job->slowest).duration_ns)
		JW_TRY(put_text(job, "slowest", print_slowest, e));
	if (trace_engine_list(job->engine).n)
		JW_TRY(put_text(job, "tasks", print_tasks, e));
	if (trace_requests_list(job->requests).sum_count)
		JW_TRY(put_text(job, "requests", print_requests, e));
	if (trace_statements_list(job->statements).n)
		JW_TRY(put_text(job, "sql", print_sql, e));
	if (cli_given(job->cli, CLI_OPT_against))
		JW_TRY(put_text(job, "diff", print_diff, e));
	return put_text(job, "about", print_about, e);
}

/* BYTES: the room of the view in the page (0: as much as it may have). */
static enum jw_status write_sections(struct job *job, size_t bytes, struct jw_err *e)
{
	const struct trace_view_sink sink = {
		.section = take_section, .to = job, .bytes = bytes, .index = job->index
	};
	struct trace_view *view = trace_view_new(&sink);

	job->path = trace_path_new(NULL, &job->cli->arena);
	job->slowest = trace_slowest_new(SLOWEST_CALLS, &job->cli->arena);
	job->engine = trace_engine_new(&job->cli->arena);
	job->requests = trace_requests_new(CLI_SLOWEST_REQUESTS, &job->cli->arena);
	job->statements = trace_statements_new(&job->cli->arena);
	enum jw_status status = tell_all(job, view, e);

	trace_view_free(view);
	JW_TRY(status);
	JW_TRY(trace_view_put_report(&sink, &job->report, e));
	JW_TRY(put_texts(job, e));
	return cli_page_end(&job->page, e);
}

/* A page that view has made it may make again: share/view/page.html begins with its generator. */
static enum jw_status write_page(struct job *job, const char *out, struct jw_err *e)
{
	enum { HEAD = 1024 };

	JW_TRY(cli_check_place(out, JW_SPAN_LIT("content=\"jweave\""), HEAD, "view", e));
	JW_TRY(jw_out_open(out, 0644, &job->out, e));
	JW_TRY(write_sections(job, 0, e));
	return jw_out_commit(&job->out, e);
}

/* Only the user may read it: it is for this machine, and not to be sent. */
static enum jw_status write_index(struct job *job, const char *out, struct jw_span stamp,
				  struct jw_err *e)
{
	enum { PAGE_BYTES = 6 << 20 }; /* what the index has is not needed twice */

	JW_TRY(cli_check_place(out, JW_SPAN_LIT(TRACE_INDEX_MAGIC), 1, "view --serve", e));
	JW_TRY(jw_out_open(out, 0600, &job->out, e));
	JW_TRY(trace_index_writer_new(&job->out, &job->index, e));
	JW_TRY(write_sections(job, PAGE_BYTES, e));
	JW_TRY(trace_index_finish(job->index, job->page_at, stamp, e));
	return jw_out_commit(&job->out, e);
}

static void free_job(struct job *job)
{
	cli_page_free(&job->page);
	jw_buf_free(&job->text);
	trace_path_free(job->path);
	trace_slowest_free(job->slowest);
	trace_engine_free(job->engine);
	trace_requests_free(job->requests);
	trace_statements_free(job->statements);
	trace_index_writer_free(job->index);
	jw_out_abort(&job->out);
}

enum jw_status cli_view_make(struct cli *cli, const char *const *paths, size_t count,
			     const char *out, const char *title, struct jw_err *e)
{
	struct job job = { .cli = cli, .paths = paths, .count = count, .title = title };
	enum jw_status status = write_page(&job, out, e);

	free_job(&job);
	return status;
}

enum jw_status cli_view_make_index(struct cli *cli, const char *const *paths, size_t count,
				   const char *out, const char *title, struct jw_span stamp,
				   struct jw_err *e)
{
	struct job job = { .cli = cli, .paths = paths, .count = count, .title = title };
	enum jw_status status = write_index(&job, out, stamp, e);

	free_job(&job);
	return status;
}

static void tell(struct cli *cli, const char *path)
{
	struct jw_buf text = { 0 };

	if (cli_quiet(cli) || strcmp(path, "-") == 0)
		return;
	cli_put_escaped(&text, jw_span_str(path));
	jw_put_str(&text, "\n");
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

/* "before/1" of a run that is called "1", as those are that are compared: by its folder. NULL: no memory. */
static const char *numbered_name(struct cli *cli, const char *name)
{
	const char *path = cli_named_operand(cli, 0), *end = strrchr(path, '/');

	if (!name || !*name || strspn(name, "0123456789") != strlen(name) || !end || end == path)
		return name;
	const char *in = jw_arena_str(&cli->arena, jw_span(path, (size_t)(end - path)));
	const char *folder = in ? cli_base_name(&cli->arena, in) : NULL;

	return folder ? jw_arena_fmt(&cli->arena, "%s/%s", folder, name) : NULL;
}

/* The names of one or two inputs, or that of the first and how many there are; all in one folder have its
 * name. NULL: no memory. */
static const char *names_of_inputs(struct cli *cli)
{
	const char *first = NULL, *last = NULL;
	size_t n = 0;

	for (size_t i = 0; i < cli->args.operand_count; i++) {
		const char *bare = cli_bare_name(&cli->arena, cli_named_operand(cli, i));
		const char *name = bare ? cli_base_name(&cli->arena, bare) : NULL;

		if (!name)
			return NULL;
		if (n && strcmp(name, last) == 0)
			continue;
		first = n++ ? first : name;
		last = name;
	}
	return n < 2    ? numbered_name(cli, first)
	       : n == 2 ? jw_arena_fmt(&cli->arena, "%s, %s", first, last)
			: jw_arena_fmt(&cli->arena, "%s and %zu more", first, n - 1);
}

enum jw_status cli_run_view(struct cli *cli, struct jw_err *e)
{
	const char *name = cli_bare_name(&cli->arena, cli_named_operand(cli, 0));
	const char *given = cli_value(cli, CLI_OPT_output, NULL);

	if (!name)
		return jw_nomem(e);
	const char *title = cli_value(cli, CLI_OPT_title, names_of_inputs(cli));
	bool serve = cli_given(cli, CLI_OPT_serve);
	const char *out =
		given ? given : jw_arena_fmt(&cli->arena, serve ? "%s.view" : "%s.html", name);

	if (!title || !out)
		return jw_nomem(e);
	if (cli_given(cli, CLI_OPT_port) && !serve)
		return jw_fail(e, JW_USAGE, "--port goes with --serve");
	if (serve)
		return cli_view_serve(cli, out, title, e);
	JW_TRY(cli_view_make(cli, cli->args.operands, cli->args.operand_count, out, title, e));
	tell(cli, out);
	if (!given && !cli_given(cli, CLI_OPT_no_open))
		(void)cli_browse(out);
	return JW_OK;
}
