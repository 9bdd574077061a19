#include "trace/report/job_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/grow.h"
#include "trace/reader/reader.h"
#include "trace/report/info.h"
#include "trace/report/job_ends.h"

#include "base/banned.h"

/* ---- which recordings ---- */

struct paths {
	const char **at;
	size_t n, room;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Was it a recording, by its name? */
static bool is_remains(const char *path)
{
	return jw_span_ends(jw_span_str(path), JW_SPAN_LIT(".jwr")) && jw_is_empty_folder(path);
}

/* The recordings in FOLDER, by name, with those of which nothing is left; or FIRST: one. */
static enum jw_status find(const char *folder, bool first, struct jw_arena *arena,
			   struct paths *out, struct jw_err *e)
{
	static const struct jw_growth growth = { "recordings", 1u << 20, 16 };
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	enum jw_status status = JW_OK;

	if (!dir)
		return jw_fail_errno(e, errno, "cannot read the folder '%s'", folder);
	while (status == JW_OK && !(first && out->n) && (entry = readdir(dir))) {
		const char *path = entry->d_name[0] == '.'
					   ? NULL
					   : jw_arena_fmt(arena, "%s/%s", folder, entry->d_name);

		if (!path || !(trace_is_recording(path) || (!first && is_remains(path))))
			continue;
		status = JW_GROW_IN(arena, out, &growth, e);
		if (status == JW_OK)
			out->at[out->n++] = path;
	}
	closedir(dir);
	if (out->n > 1)
		qsort(out->at, out->n, sizeof(*out->at), by_text);
	return status;
}

bool trace_has_recordings(const char *folder)
{
	struct jw_arena arena = { 0 };
	struct paths paths = { 0 };
	struct jw_err ignored = { 0 };
	bool has = find(folder, true, &arena, &paths, &ignored) == JW_OK && paths.n;

	jw_arena_free(&arena);
	return has;
}

/* ---- what each says of itself ---- */

static const char *keep(struct jw_arena *arena, const char *text)
{
	const char *copy = jw_arena_str(arena, jw_span_str(text));

	return copy ? copy : "";
}

/* The wall clock at the last instant that REC tells of; 0: it tells of its beginning alone. */
static uint64_t last_seen(const struct trace_recording *rec)
{
	uint64_t last = 0;

	if (rec->points.n < 2)
		return 0;
	for (size_t i = 0; i < rec->points.n; i++)
		last = rec->points.p[i].wall_ns > last ? rec->points.p[i].wall_ns : last;
	return last;
}

static enum jw_status take_facts(const struct trace_recording *rec, struct jw_arena *arena,
				 struct trace_job_process *out, struct jw_err *e)
{
	struct trace_role *role = &out->role;

	JW_TRY(trace_role_of(rec, arena, role, e));
	/* its texts may be the recording's */
	role->name = keep(arena, role->name);
	role->kind = keep(arena, role->kind);
	role->application = keep(arena, role->application);
	role->arguments = keep(arena, role->arguments);
	role->host = keep(arena, rec->host);
	out->began_ns = rec->start_point.wall_ns;
	out->ended_ns = last_seen(rec);
	out->ended = rec->clean_end;
	out->gone = trace_recording_gone(rec);
	out->data_told = rec->data_told != 0;
	out->data_missing = trace_data_missing(rec->data_told, trace_recording_size(rec->path));
	out->stopped = rec->stopped;
	out->is_summary = rec->is_summary;
	out->in_job = rec->job[0];
	out->boot = keep(arena, rec->boot.id);
	out->reason = keep(arena, rec->stopped ? rec->stop_reason : rec->end_reason);
	return trace_job_ends(rec, arena, &out->ends, &out->end_count, e);
}

static enum jw_status look(const char *path, struct jw_arena *arena, struct trace_job_process *out,
			   struct jw_err *e)
{
	struct trace_recording rec;
	struct jw_err why = { 0 };

	*out = (struct trace_job_process){ .path = path, .reason = "" };
	enum jw_status status = trace_recording_facts(path, &rec, &why);

	if (status == JW_OK)
		status = take_facts(&rec, arena, out, e);
	else if (status == JW_NOMEM)
		status = jw_nomem(e);
	else
		out->unreadable = keep(arena, why.text), status = JW_OK;
	trace_recording_close(&rec);
	return status;
}

/* ---- their order ---- */

static int by_begin(const void *a, const void *b)
{
	const struct trace_job_process *x = a, *y = b;

	if (!x->unreadable != !y->unreadable)
		return x->unreadable ? 1 : -1;
	if (x->began_ns != y->began_ns)
		return x->began_ns < y->began_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

static bool same_process(const struct trace_job_process *a, const struct trace_job_process *b)
{
	return a->began_ns && a->began_ns == b->began_ns && a->role.pid == b->role.pid &&
	       strcmp(a->role.host, b->role.host) == 0;
}

/* Of recordings of one process that which ended counts, or the one that tells of more. By begin
 * they are near each other. */
static void mark_again(struct trace_job_listing *l)
{
	for (size_t i = 0; i < l->readable; i++) {
		struct trace_job_process *a = &l->at[i];

		for (size_t k = i + 1; k < l->readable && l->at[k].began_ns == a->began_ns; k++) {
			struct trace_job_process *b = &l->at[k];
			bool more = b->ended != a->ended ? b->ended : b->ended_ns > a->ended_ns;

			if (a->again || b->again || !same_process(a, b))
				continue;
			*(more ? &a->again : &b->again) = true;
		}
	}
}

/* Puts the readable ones in the order of their roles. */
static enum jw_status order(struct trace_job_listing *l, struct jw_arena *arena, struct jw_err *e)
{
	size_t n = l->readable, used = 0;
	struct trace_role *roles = JW_NEW_ARRAY(arena, struct trace_role, n + 1);
	struct trace_job_process *sorted = JW_NEW_ARRAY(arena, struct trace_job_process, n + 1);
	size_t *places = JW_NEW_ARRAY(arena, size_t, n + 1);

	if (!roles || !sorted || !places)
		return jw_nomem(e);
	for (size_t i = 0; i < n; i++) {
		if (l->at[i].again)
			continue;
		places[used] = i;
		roles[used++] = l->at[i].role;
	}
	JW_TRY(trace_roles_settle(roles, used, arena, e));
	for (size_t i = 0; i < used; i++) {
		sorted[i] = l->at[places[roles[i].at]];
		sorted[i].role = roles[i];
		if (roles[i].application[0] && roles[i].of_jobs > l->applications)
			l->applications = roles[i].of_jobs;
	}
	for (size_t i = 0, at = used; i < n; i++)
		if (l->at[i].again)
			sorted[at++] = l->at[i];
	memcpy(l->at, sorted, n * sizeof(*sorted));
	return JW_OK;
}

static void count_hosts(struct trace_job_listing *l, const char **hosts)
{
	for (size_t i = 0; i < l->readable; i++)
		hosts[i] = l->at[i].role.host;
	if (l->readable > 1)
		qsort(hosts, l->readable, sizeof(*hosts), by_text);
	for (size_t i = 0; i < l->readable; i++)
		l->hosts += !i || strcmp(hosts[i - 1], hosts[i]) != 0;
}

enum jw_status trace_job_list(const char *folder, struct jw_arena *arena,
			      struct trace_job_listing *out, struct jw_err *e)
{
	struct paths paths = { 0 };

	*out = (struct trace_job_listing){ 0 };
	JW_TRY(find(folder, false, arena, &paths, e));
	out->at = JW_NEW_ARRAY(arena, struct trace_job_process, paths.n + 1);
	const char **hosts = JW_NEW_ARRAY(arena, const char *, paths.n + 1);
	if (!out->at || !hosts)
		return jw_nomem(e);
	out->n = paths.n;
	for (size_t i = 0; i < paths.n; i++) {
		JW_TRY(look(paths.at[i], arena, &out->at[i], e));
		out->readable += !out->at[i].unreadable;
		out->in_job |= out->at[i].in_job;
	}
	if (paths.n > 1)
		qsort(out->at, out->n, sizeof(*out->at), by_begin);
	count_hosts(out, hosts);
	mark_again(out);
	return order(out, arena, e);
}
