#include "cli/job_folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/paths.h"
#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/run_path.h"
#include "cli/safe_text.h"
#include "trace/report/info.h"
#include "trace/report/job_folder.h"
#include "trace/report/job_runs.h"

#include "base/banned.h"

#define NAMED     5                           /* of a list in one line */
#define ROLES_MAX 100                         /* bytes of roles in one line, about */
#define APART_NS  (UINT64_C(10) * 1000000000) /* runs that are so far apart are two */

/* ---- what there is to tell ---- */

/* "a, b, c and 4 more" of those whose PICK is true. */
static const char *list(struct cli *cli, const struct trace_job_listing *l,
			bool (*pick)(const struct trace_job_process *p), size_t *count)
{
	struct jw_buf b = { 0 };

	*count = 0;
	for (size_t i = 0; i < l->readable; i++) {
		const struct trace_job_process *p = &l->at[i];

		if (!pick(p) || ++*count > NAMED)
			continue;
		jw_put_fmt(&b, "%s%s", *count > 1 ? ", " : "",
			   *p->role.name ? p->role.name : p->path);
	}
	if (*count > NAMED)
		jw_put_fmt(&b, " and %zu more", *count - NAMED);
	const char *text = b.failed ? NULL : jw_arena_str(&cli->arena, jw_buf_span(&b));
	jw_buf_free(&b);
	return text ? text : "";
}

static bool has_no_end(const struct trace_job_process *p)
{
	return !p->again && !p->ended && !p->gone;
}

static bool is_gone(const struct trace_job_process *p)
{
	return !p->again && p->gone;
}

static bool is_again(const struct trace_job_process *p)
{
	return p->again;
}

static bool is_summary(const struct trace_job_process *p)
{
	return !p->again && p->is_summary;
}

static bool is_used(const struct trace_job_process *p)
{
	return !p->again;
}

/* Those of KIND from FROM on, up to END, which is not one of them. */
static void tell_gap(struct cli *cli, const char *kind, uint64_t from, uint64_t end)
{
	if (end == from + 1)
		cli_note(cli, "there is no recording of %s %llu", kind, (unsigned long long)from);
	else if (end > from)
		cli_note(cli, "there is no recording of %s %llu to %llu", kind,
			 (unsigned long long)from, (unsigned long long)end - 1);
}

/* Are both of one kind, in one application, and have a number? */
static bool is_alike(const struct trace_job_process *a, const struct trace_job_process *b)
{
	return !a->again && !b->again && a->role.known && b->role.known && a->role.numbered &&
	       b->role.numbered && a->role.of_jobs == b->role.of_jobs &&
	       strcmp(a->role.kind, b->role.kind) == 0;
}

/* Executors 0 and 2 are there: where is 1? Numbers of one kind are together, in order. Ranks begin at 0, and may
 * say how many they are; other numbers begin where they do. */
static void tell_gaps(struct cli *cli, const struct trace_job_listing *l)
{
	uint64_t ranks = 0;

	for (size_t i = 0; i < l->readable; i++) {
		const struct trace_job_process *p = &l->at[i];
		const struct trace_role *r = &p->role;
		bool follows = i && is_alike(p - 1, p);
		bool last = i + 1 == l->readable || !is_alike(p, p + 1);

		if (p->again || !r->known || !r->numbered)
			continue;
		if (follows)
			tell_gap(cli, r->kind, p[-1].role.number + 1, r->number);
		else if (r->is_rank)
			tell_gap(cli, r->kind, 0, r->number);
		ranks = follows && ranks > r->ranks ? ranks : r->ranks;
		if (last)
			tell_gap(cli, r->kind, r->number + 1, ranks);
	}
}

/* Two of one number in one application are of two runs, or one of them has started the other. */
static void tell_doubles(struct cli *cli, const struct trace_job_listing *l)
{
	struct jw_buf b = { 0 };
	size_t count = 0;

	for (size_t i = 1; i < l->readable; i++) {
		const struct trace_job_process *p = &l->at[i];
		uint64_t number = p->role.number;

		if (!is_alike(p - 1, p) || p[-1].role.number != number ||
		    (i > 1 && is_alike(p - 2, p) && p[-2].role.number == number) || ++count > NAMED)
			continue;
		jw_put_fmt(&b, "%s%s %llu", count > 1 ? ", " : "", p->role.kind,
			   (unsigned long long)number);
	}
	if (count > NAMED)
		jw_put_fmt(&b, " and %zu more", count - NAMED);
	jw_put_u1(&b, 0);
	if (count && !b.failed)
		cli_warn(cli,
			 "there is more than one recording of %s: of runs one after the other? "
			 "Give the recordings of one run in place of the folder to see it alone",
			 (const char *)b.p);
	jw_buf_free(&b);
}

/* Runs in one folder that do not say which job they are of. */
static bool tell_apart(struct cli *cli, const struct trace_job_listing *l,
		       const struct trace_job_runs *runs)
{
	if (l->applications > 1 || runs->runs < 2)
		return false;
	cli_warn(cli,
		 "these recordings are of %zu runs, one after the other: give the recordings of "
		 "one run in place of the folder to see it alone",
		 runs->runs);
	return true;
}

/* Runs in one folder, as one: by time, or as they have two of what there is once. */
static enum jw_status tell_runs(struct cli *cli, const struct trace_job_listing *l,
				struct trace_job_runs *runs, struct jw_err *e)
{
	JW_TRY(trace_job_count_runs(l, APART_NS, &cli->arena, runs, e));
	if (!tell_apart(cli, l, runs))
		tell_doubles(cli, l);
	return JW_OK;
}

static enum jw_status tell(struct cli *cli, const char *path, const struct trace_job_listing *l,
			   struct jw_err *e)
{
	struct trace_job_runs runs;
	size_t count;
	const char *names;

	for (size_t i = l->readable; i < l->n; i++)
		cli_warn(cli, "'%s' is left out: %s", l->at[i].path, l->at[i].unreadable);
	names = list(cli, l, is_again, &count);
	if (count)
		cli_note(cli, "%s left out, of processes that others tell more of: %s",
			 cli_plural(&cli->arena, count, "recording is", "recordings are"), names);
	if (l->applications > 1)
		cli_note(cli,
			 "'%s' has recordings of %u applications: give the recordings of one in "
			 "place of the folder to see it alone ('jweave info' says which they are)",
			 path, l->applications);
	names = list(cli, l, is_gone, &count);
	if (count)
		cli_warn(cli, "%s killed, or crashed: %s",
			 cli_plural(&cli->arena, count, "process was", "processes were"), names);
	names = list(cli, l, has_no_end, &count);
	if (count)
		cli_warn(cli, "%s not end, or %s still running: %s",
			 cli_plural(&cli->arena, count, "process did", "processes did"),
			 count == 1 ? "is" : "are", names);
	tell_gaps(cli, l);
	return tell_runs(cli, l, &runs, e);
}

/* ---- operands ---- */

enum jw_status cli_folder_recordings(struct cli *cli, const char *path,
				     const struct trace_job_listing *l, const char ***out,
				     size_t *count, struct jw_err *e)
{
	const char **paths = JW_NEW_ARRAY(&cli->arena, const char *, l->readable + 1);
	size_t used, sums;

	if (!paths)
		return jw_nomem(e);
	JW_TRY(tell(cli, path, l, e));
	if (!l->readable)
		return jw_fail(e, JW_INPUT, "none of the recordings in '%s' can be read", path);
	list(cli, l, is_used, &used);
	const char *names = list(cli, l, is_summary, &sums);
	if (sums && sums < used)
		cli_warn(cli, "%s left out, of sums without events: %s",
			 cli_plural(&cli->arena, sums, "recording is", "recordings are"), names);
	*count = 0;
	for (size_t i = 0; i < l->readable; i++)
		if (is_used(&l->at[i]) && (sums == used || !l->at[i].is_summary))
			paths[(*count)++] = l->at[i].path;
	*out = paths;
	return JW_OK;
}

static bool is_folder_of_recordings(const char *path)
{
	return cli_is_folder(path) && !trace_is_recording(path) && trace_has_recordings(path);
}

/* COUNT recordings at AT take the place of operand I. */
static enum jw_status put_operands(struct cli *cli, size_t i, const char *const *at, size_t count,
				   struct jw_err *e)
{
	size_t n = cli->args.operand_count;
	const char **all = JW_NEW_ARRAY(&cli->arena, const char *, n + count);

	if (!all)
		return jw_nomem(e);
	memcpy(all, cli->args.operands, i * sizeof(*all));
	memcpy(all + i, at, count * sizeof(*all));
	memcpy(all + i + count, cli->args.operands + i + 1, (n - i - 1) * sizeof(*all));
	cli->args.operands = all; /* NULL ends them: the arena's memory is zero */
	cli->args.operand_count = n - 1 + count;
	return JW_OK;
}

/* PATH as the name of what is made of it. */
static const char *name_of(struct cli *cli, const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	const char *name = jw_arena_str(&cli->arena, jw_span(path, n));
	const char *base = name ? cli_base_name(&cli->arena, name) : NULL;
	bool none = !base || !strcmp(base, ".") || !strcmp(base, "..") || !strcmp(name, "/");

	return none ? "job" : name;
}

/* What is given twice, by whatever paths, would count twice. */
static enum jw_status take_once(struct cli *cli, size_t first, struct jw_err *e)
{
	size_t n = cli->args.operand_count, kept = first;
	const char **all = JW_NEW_ARRAY(&cli->arena, const char *, n + 1);
	struct stat *seen = JW_NEW_ARRAY(&cli->arena, struct stat, n + 1);

	if (!all || !seen)
		return jw_nomem(e);
	for (size_t i = 0, at = 0; i < n; i++) {
		const char *path = cli->args.operands[i];
		bool known = i >= first && stat(path, &seen[kept]) == 0;

		for (at = first; known && at < kept; at++)
			if (seen[at].st_ino == seen[kept].st_ino &&
			    seen[at].st_dev == seen[kept].st_dev)
				break;
		if (known && at < kept)
			cli_warn(cli, "'%s' is given twice, and taken once", path);
		else
			all[i < first ? i : kept++] = path;
	}
	cli->args.operands = all; /* NULL ends them: the arena's memory is zero */
	cli->args.operand_count = kept;
	return JW_OK;
}

enum jw_status cli_take_folders(struct cli *cli, size_t first, struct jw_err *e)
{
	for (size_t i = first; i < cli->args.operand_count;) {
		const char *path = cli->args.operands[i], **recordings;
		size_t count = 1;

		if (is_folder_of_recordings(path)) {
			struct trace_job_listing l;

			JW_TRY(trace_job_list(path, &cli->arena, &l, e));
			JW_TRY(cli_folder_recordings(cli, path, &l, &recordings, &count, e));
			if (i == first)
				cli->folder = name_of(cli, path);
			JW_TRY(put_operands(cli, i, recordings, count, e));
		}
		i += count;
	}
	return cli->args.operand_count > first + 1 ? take_once(cli, first, e) : JW_OK;
}

const char *cli_named_operand(const struct cli *cli, size_t at)
{
	return cli->folder ? cli->folder : cli->args.operands[at];
}

/* ---- after a run ---- */

/* "driver, executor 0, executor 1", as many as a line has room for. */
static const char *roles_of(struct cli *cli, const struct trace_job_listing *l)
{
	struct jw_buf text = { 0 };
	size_t i = 0;

	for (; i < l->readable && text.n < ROLES_MAX; i++)
		jw_put_fmt(&text, "%s%s", i ? ", " : "", l->at[i].role.name);
	if (i < l->readable)
		jw_put_fmt(&text, " and %zu more", l->readable - i);
	const char *out = text.failed ? NULL : jw_arena_str(&cli->arena, jw_buf_span(&text));
	jw_buf_free(&text);
	return out ? out : "";
}

void cli_tell_job(struct cli *cli, const char *path, const struct trace_job_listing *l)
{
	const char *word = run_quoted(&cli->arena, path);
	size_t gone, open;

	cli_note(cli, "%s in '%s': %s", cli_plural(&cli->arena, l->n, "recording", "recordings"),
		 path, roles_of(cli, l));
	(void)list(cli, l, is_gone, &gone);
	(void)list(cli, l, has_no_end, &open);
	if (open)
		cli_note(cli, "not ended: %zu of them (they run yet, or were killed)", open);
	if (gone)
		cli_note(cli, "killed, or crashed: %zu of them", gone);
	cli_note(cli, "where the time went: jweave report %s; in the browser: jweave view %s", word,
		 word);
}

/* ---- jweave info FOLDER ---- */

const char *cli_end_words(const char *reason)
{
	return strcmp(reason, "vm-death") == 0 ? "ended" : reason;
}

const char *cli_how_it_ended(struct cli *cli, bool ended, bool gone, bool stopped,
			     const char *reason)
{
	const char *text =
		jw_arena_fmt(&cli->arena, "%s%s%s%s",
			     ended  ? ""
			     : gone ? "no end: killed, or it crashed"
				    : "no end: killed, or still running",
			     !ended && *reason ? "; " : "",
			     stopped ? "recording stopped early: " : "", cli_end_words(reason));

	return text ? text : "";
}

static const char *how_it_ended(struct cli *cli, const struct trace_job_process *p)
{
	if (p->unreadable)
		return p->unreadable;
	const char *text =
		jw_arena_fmt(&cli->arena, "%s%s",
			     cli_how_it_ended(cli, p->ended, p->gone, p->stopped, p->reason),
			     p->again ? " (left out: another recording tells more)" : "");
	return text ? text : "";
}

static void put_cell(struct cli *cli, const char *text, size_t width, bool right)
{
	struct jw_buf safe = { 0 };
	size_t have = cli_width(jw_span_str(text));

	cli_put_escaped(&safe, jw_span_str(text));
	for (size_t i = have; right && i < width; i++)
		cli_put(cli, " ");
	cli_put_span(cli, jw_buf_span(&safe));
	for (size_t i = have; !right && i < width; i++)
		cli_put(cli, " ");
	cli_put(cli, "  ");
	jw_buf_free(&safe);
}

static size_t wider(size_t width, const char *text)
{
	size_t n = cli_width(jw_span_str(text));

	return n > width ? n : width;
}

/* Seconds from ZERO to NS; "-" where it is not known. */
static const char *seconds(struct cli *cli, uint64_t ns, uint64_t zero)
{
	const char *text = ns < zero || !ns
				   ? "-"
				   : jw_arena_fmt(&cli->arena, "%.3f", (double)(ns - zero) / 1e9);

	return text ? text : "-";
}

static const char *number(struct cli *cli, uint64_t n)
{
	const char *text = jw_arena_fmt(&cli->arena, "%llu", (unsigned long long)n);

	return text ? text : "-";
}

static uint64_t first_begin(const struct trace_job_listing *l)
{
	uint64_t first = 0;

	for (size_t i = 0; i < l->readable; i++)
		if (l->at[i].began_ns && (!first || l->at[i].began_ns < first))
			first = l->at[i].began_ns;
	return first;
}

static void put_text(struct cli *cli, const struct trace_job_listing *l)
{
	size_t role = strlen("role"), host = strlen("host"), application = strlen("application");
	uint64_t zero = first_begin(l);

	for (size_t i = 0; i < l->readable; i++) {
		role = wider(role, l->at[i].role.name);
		application = wider(application, l->at[i].role.application);
		host = wider(host, l->at[i].role.host);
	}
	cli_put(cli, "%s on %s", cli_plural(&cli->arena, l->n, "recording", "recordings"),
		cli_plural(&cli->arena, l->hosts, "host", "hosts"));
	if (l->applications > 1)
		cli_put(cli, ", %u applications", l->applications);
	cli_put(cli, "\n\n");
	put_cell(cli, "role", role, false);
	if (l->applications > 1)
		put_cell(cli, "application", application, false);
	put_cell(cli, "host", host, false);
	put_cell(cli, "pid", 7, true);
	put_cell(cli, "begin, s", 9, true);
	put_cell(cli, "end, s", 9, true);
	cli_put(cli, "how it ended\n");
	for (size_t i = 0; i < l->n; i++) {
		const struct trace_job_process *p = &l->at[i];
		struct jw_buf end = { 0 };

		put_cell(cli, p->unreadable ? p->path : p->role.name, role, false);
		if (!p->unreadable) {
			if (l->applications > 1)
				put_cell(cli, p->role.application, application, false);
			put_cell(cli, p->role.host, host, false);
			put_cell(cli, number(cli, p->role.pid), 7, true);
			put_cell(cli, seconds(cli, p->began_ns, zero), 9, true);
			put_cell(cli, seconds(cli, p->ended_ns, zero), 9, true);
		}
		cli_put_escaped(&end, jw_span_str(how_it_ended(cli, p)));
		jw_put_u1(&end, '\n');
		cli_put_span(cli, jw_buf_span(&end));
		jw_buf_free(&end);
	}
}

static enum jw_status put_json(struct cli *cli, const struct trace_job_listing *l, struct jw_err *e)
{
	struct cli_json json;

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "kind", "job");
	cli_json_line_number(&json, "hosts", l->hosts);
	cli_json_line_number(&json, "applications", l->applications);
	cli_json_list(&json, "processes");
	for (size_t i = 0; i < l->n; i++) {
		const struct trace_job_process *p = &l->at[i];
		cJSON *o = cli_json_object(&json, NULL, NULL);

		cli_json_text(&json, o, "recording", p->path);
		if (p->unreadable) {
			cli_json_text(&json, o, "unreadable", p->unreadable);
			cli_json_element(&json, o);
			continue;
		}
		cli_json_text(&json, o, "role", p->role.name);
		cli_json_text(&json, o, "application", p->role.application);
		cli_json_text(&json, o, "host", p->role.host);
		cli_json_number(&json, o, "pid", p->role.pid);
		cli_json_number(&json, o, "beganNs", p->began_ns);
		cli_json_number(&json, o, "endedNs", p->ended_ns);
		cli_json_bool(&json, o, "cleanEnd", p->ended);
		cli_json_text(&json, o, "endedBy", p->reason);
		cli_json_bool(&json, o, "leftOut", p->again);
		cli_json_element(&json, o);
	}
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

enum jw_status cli_info_folder(struct cli *cli, const char *path, struct jw_err *e)
{
	struct trace_job_listing l;
	struct trace_job_runs runs;

	JW_TRY(trace_job_list(path, &cli->arena, &l, e));
	if (cli_given(cli, CLI_OPT_json))
		return put_json(cli, &l, e);
	put_text(cli, &l);
	tell_gaps(cli, &l);
	JW_TRY(tell_runs(cli, &l, &runs, e));
	if (runs.by_time > runs.runs)
		cli_note(cli,
			 "the clocks of these machines differ: begin and end are as each says; "
			 "'jweave report' sets them by messages");
	return JW_OK;
}
