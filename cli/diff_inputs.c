/*
 * diff_inputs.c: an operand of `jweave diff` becomes a side: see diff.h.
 *
 *     NAME.jwr, NAME.prv, NAME.prv.gz      one run
 *     NAME.json                            what --save wrote
 *     a folder of a job (JWEAVE_JOB)       one run of all its processes
 *     a folder                             of runs: recordings and traces, and folders of the
 *                                          recordings of one run of several processes
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/diff.h"
#include "cli/paths.h"
#include "cli/job_folder.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/trace_input.h"
#include "trace/report/info.h"
#include "trace/report/job_folder.h"
#include "trace/requests/requests.h"

#include "base/banned.h"

struct names {
	const char **at;
	size_t n, room;
};

/* What a run is read from. */
struct source {
	struct names paths;
};

struct sources {
	struct source *at;
	size_t n, room;
};

static const struct jw_growth runs_of = { "runs", TRACE_DIFF_MAX_RUNS, 8 };
static const struct jw_growth files_of = { "files", 65536, 16 };

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* The entries of FOLDER whose names do not begin with a dot, as paths, in their order. */
static enum jw_status list(struct cli *cli, const char *folder, struct names *out, struct jw_err *e)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, NULL, by_name);
	enum jw_status status = JW_OK;

	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (status == JW_OK && name[0] != '.')
			status = JW_GROW_IN(&cli->arena, out, &files_of, e);
		if (status == JW_OK && name[0] != '.') {
			const char *path = jw_arena_fmt(&cli->arena, "%s/%s", folder, name);

			out->at[out->n++] = path;
			status = path ? JW_OK : jw_nomem(e);
		}
		(free)(entries[i]); /* from libc, back to libc */
	}
	(free)(entries);
	return status == JW_LIMIT ? jw_err_where(e, "'%s'", folder) : status;
}

/* PATH without what says its kind. */
static struct jw_span stem_of(const char *path)
{
	static const char *const suffixes[] = { ".prv.gz", ".prv", ".jwr" };
	struct jw_span s = jw_span_str(path);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (jw_span_ends(s, jw_span_str(suffixes[i])))
			return jw_span_sub(s, 0, s.n - strlen(suffixes[i]));
	return s;
}

/* Is one of PATHS the recording, or a trace before this one, of the same run? (--keep leaves both.)
 */
static bool is_told(const struct names *paths, size_t at)
{
	for (size_t i = 0; i < paths->n; i++) {
		bool before = trace_is_recording(paths->at[i]) ||
			      (i < at && cli_is_trace_name(paths->at[i]));

		if (i != at && before && jw_span_eq(stem_of(paths->at[i]), stem_of(paths->at[at])))
			return true;
	}
	return false;
}

/* The recordings of one run in FOLDER; none: it is something else. */
static enum jw_status add_processes(struct cli *cli, const char *folder, struct source *run,
				    struct jw_err *e)
{
	struct names entries = { 0 };

	JW_TRY(list(cli, folder, &entries, e));
	for (size_t i = 0; i < entries.n; i++) {
		if (!trace_is_recording(entries.at[i]))
			continue;
		JW_TRY(JW_GROW_IN(&cli->arena, &run->paths, &files_of, e));
		run->paths.at[run->paths.n++] = entries.at[i];
	}
	return JW_OK;
}

static enum jw_status add_one(struct cli *cli, const char *path, struct source *run,
			      struct jw_err *e)
{
	JW_TRY(JW_GROW_IN(&cli->arena, &run->paths, &files_of, e));
	run->paths.at[run->paths.n++] = path;
	return JW_OK;
}

static enum jw_status find_runs(struct cli *cli, const char *path, struct sources *out,
				struct jw_err *e)
{
	struct names entries = { 0 };

	JW_TRY(list(cli, path, &entries, e));
	for (size_t i = 0; i < entries.n; i++) {
		struct source run = { 0 };
		const char *at = entries.at[i];

		if (trace_is_recording(at) || (cli_is_trace_name(at) && !is_told(&entries, i)))
			JW_TRY(add_one(cli, at, &run, e));
		else if (!cli_is_trace_name(at) && cli_is_folder(at))
			JW_TRY(add_processes(cli, at, &run, e));
		if (run.paths.n == 0)
			continue;
		if (JW_GROW_IN(&cli->arena, out, &runs_of, e) != JW_OK)
			return e->status == JW_LIMIT ? jw_err_where(e, "'%s'", path) : e->status;
		out->at[out->n++] = run;
	}
	if (out->n == 0)
		return jw_fail(e, JW_INPUT,
			       "'%s' is no recording, and holds none, nor a trace (NAME.prv)",
			       path);
	return JW_OK;
}

/* Were events lost, so that calls are fewer than were made? */
static enum jw_status look(struct cli *cli, const char *path, struct trace_diff_side *side,
			   struct jw_err *e)
{
	struct trace_recording_info info = { 0 };

	if (!trace_is_recording(path))
		return JW_OK;
	JW_TRY(trace_recording_info(path, &cli->arena, &info, e));
	if (!info.lost && !info.stopped)
		return JW_OK;
	side->incomplete = true;
	cli_warn(cli, "'%s' does not have all events: its calls are no facts", path);
	return JW_OK;
}

static enum jw_status add_told(struct trace_diff_side *side, const struct trace_report *report,
			       const struct trace_request_list *requests, struct jw_err *e)
{
	JW_TRY(trace_diff_side_add(side, report, e));
	return trace_diff_side_requests(side, requests, e);
}

static enum jw_status add_run(struct cli *cli, const struct source *run,
			      struct trace_diff_side *side, struct jw_err *e)
{
	struct trace_report report = { 0 };

	for (size_t i = 0; i < run->paths.n; i++)
		JW_TRY(look(cli, run->paths.at[i], side, e));
	struct trace_requests *requests = trace_requests_new(0, &cli->arena);
	enum jw_status status =
		requests ? cli_profile_beside(cli, run->paths.at, run->paths.n,
					      &trace_requests_output, requests, &report, e)
			 : jw_nomem(e);
	const struct trace_request_list list =
		status == JW_OK ? trace_requests_list(requests) : (struct trace_request_list){ 0 };

	trace_requests_free(requests);
	JW_TRY(status);
	return add_told(side, &report, &list, e);
}

enum jw_status cli_diff_shown(struct cli *cli, const char *const *paths, size_t count,
			      const struct trace_report *report,
			      const struct trace_request_list *requests,
			      struct trace_diff_side *out, struct jw_err *e)
{
	JW_TRY(trace_diff_side_open(out, &cli->arena, 1, e));
	for (size_t i = 0; i < count; i++)
		JW_TRY(look(cli, paths[i], out, e));
	return add_told(out, report, requests, e);
}

enum jw_status cli_diff_baseline(struct cli *cli, const char *path, struct trace_diff_side *out,
				 struct jw_err *e)
{
	struct jw_file file;

	JW_TRY(jw_file_open(path, 0, &file, e));
	enum jw_status status = cli_baseline_read(file.bytes, path, &cli->arena, out, e);

	jw_file_close(&file);
	return status;
}

/* Is PATH the folder of a job, which has these recordings (OUT)? They are one run. */
static bool is_job(struct cli *cli, const char *path, struct trace_job_listing *out)
{
	struct jw_err ignored = { 0 };

	return cli_is_folder(path) && !trace_is_recording(path) &&
	       trace_job_list(path, &cli->arena, out, &ignored) == JW_OK && out->in_job;
}

enum jw_status cli_diff_side(struct cli *cli, const char *path, struct trace_diff_side *out,
			     struct jw_err *e)
{
	struct trace_job_listing listing;
	struct sources sources = { 0 };
	struct source one = { 0 };

	if (cli_ends(path, ".json") && !cli_is_folder(path))
		return cli_diff_baseline(cli, path, out, e);
	if (is_job(cli, path, &listing)) {
		JW_TRY(cli_folder_recordings(cli, path, &listing, &one.paths.at, &one.paths.n, e));
		sources = (struct sources){ .at = &one, .n = 1 };
	} else if (cli_is_folder(path) && !trace_is_recording(path)) {
		JW_TRY(find_runs(cli, path, &sources, e));
	} else {
		JW_TRY(add_one(cli, path, &one, e));
		sources = (struct sources){ .at = &one, .n = 1 };
	}
	JW_TRY(trace_diff_side_open(out, &cli->arena, sources.n, e));
	for (size_t i = 0; i < sources.n; i++)
		JW_TRY(add_run(cli, &sources.at[i], out, e));
	return JW_OK;
}
