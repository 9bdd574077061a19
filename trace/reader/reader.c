/*
 * reader.c: see reader.h.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/grow.h"
#include "trace/format/fields.h"
#include "trace/reader/aliases.h"
#include "trace/reader/reader.h"
#include "trace/reader/tell_flaws.h"

#include "base/banned.h"

#define MAX_FILES  256 /* of data */
#define META_TRIES 3   /* more, where it has grown by then */
/* Clock points that span this part of a recording tell its time well enough. */
#define KNOWN_SHARE 3
/* What meta says of a small process takes no more, and jobs have thousands of them. */
#define ARENA_BLOCK ((size_t)2 << 10)

size_t trace_meta_limit = (size_t)1 << 30;

void *trace_grow(void *p, size_t n, size_t *cap, size_t size)
{
	static const struct jw_growth growth = { .what = "items" };

	if (n < *cap)
		return p;
	return jw_grow(NULL, &p, cap, size, n + 1, &growth, NULL) == JW_OK ? p : NULL;
}

/* ---- threads ---- */

static int by_uid(const void *a, const void *b)
{
	const struct trace_thread *x = a, *y = b;

	if (x->uid != y->uid)
		return x->uid < y->uid ? -1 : 1;
	/* the description first, then the end: its name is the later one */
	if (x->described != y->described)
		return x->described ? -1 : 1;
	return x->ended < y->ended ? -1 : x->ended > y->ended;
}

static void join_lines(struct trace_thread *into, const struct trace_thread *line)
{
	if (line->ended) {
		into->ended = true;
		into->end_tick = line->end_tick;
	}
	if (line->name[0])
		into->name = line->name;
	into->meta_lost += line->meta_lost;
	if (line->cpu_ns > into->cpu_ns)
		into->cpu_ns = line->cpu_ns;
	if (line->window_lost > into->window_lost)
		into->window_lost = line->window_lost;
}

void trace_threads_join(struct trace_recording *rec)
{
	struct trace_thread *t = rec->threads;
	size_t kept = 0;

	if (rec->thread_count > 1)
		qsort(t, rec->thread_count, sizeof(*t), by_uid);
	for (size_t i = 0; i < rec->thread_count; i++) {
		if (kept && t[kept - 1].uid == t[i].uid)
			join_lines(&t[kept - 1], &t[i]);
		else
			t[kept++] = t[i];
	}
	rec->thread_count = kept;
}

static int by_id(const void *a, const void *b)
{
	const struct trace_named *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* By id, the last name after others of its thread. */
static int by_virtual(const void *a, const void *b)
{
	struct trace_named x = *(const struct trace_named *)a, y = *(const struct trace_named *)b;
	bool x_last = x.id & TRACE_LAST_NAME, y_last = y.id & TRACE_LAST_NAME;

	x.id &= ~TRACE_LAST_NAME;
	y.id &= ~TRACE_LAST_NAME;
	return x.id != y.id ? by_id(&x, &y) : x_last - y_last;
}

static void join_virtuals(struct trace_recording *rec)
{
	struct trace_named *v = rec->virtuals;
	size_t kept = 0;

	if (rec->virtual_count > 1)
		qsort(v, rec->virtual_count, sizeof(*v), by_virtual);
	for (size_t i = 0; i < rec->virtual_count; i++) {
		v[i].id &= ~TRACE_LAST_NAME;
		kept -= kept && v[kept - 1].id == v[i].id;
		v[kept++] = v[i];
	}
	rec->virtual_count = kept;
}

const struct trace_named *trace_virtual_named(const struct trace_recording *rec, uint64_t id)
{
	struct trace_named key = { .id = id };

	return rec->virtual_count
		       ? bsearch(&key, rec->virtuals, rec->virtual_count, sizeof(key), by_id)
		       : NULL;
}

const char *trace_class_name(const struct trace_recording *rec, uint64_t number)
{
	const char *found = NULL;

	for (size_t i = 0; i < rec->class_count; i++) {
		const struct trace_named *c = &rec->classes[i];

		if ((c->id & 0x3fffff) != number)
			continue;
		if (found && strcmp(found, c->name) != 0)
			return NULL;
		found = c->name;
	}
	return found;
}

const char *trace_label_of(const struct trace_recording *rec, uint32_t type, uint64_t value)
{
	for (size_t i = 0; i < rec->label_count; i++)
		if (rec->labels[i].type == type && rec->labels[i].value == value)
			return rec->labels[i].text;
	return NULL;
}

enum jw_status trace_thread_add(struct trace_recording *rec, uint32_t uid, struct jw_err *e)
{
	struct trace_thread *grown =
		trace_grow(rec->threads, rec->thread_count, &rec->thread_cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(e);
	rec->threads = grown;
	grown[rec->thread_count++] = (struct trace_thread){ .uid = uid, .name = "" };
	return JW_OK;
}

/* Threads that have pieces but no line. */
static enum jw_status add_unknown_threads(struct trace_recording *rec, struct jw_err *e)
{
	size_t known = rec->thread_count, at = 0;

	for (size_t i = 0; i < rec->piece_count; i++) {
		uint32_t uid = rec->pieces[i].uid;

		if (i && rec->pieces[i - 1].uid == uid)
			continue;
		while (at < known && rec->threads[at].uid < uid)
			at++;
		if (at < known && rec->threads[at].uid == uid)
			continue;
		JW_TRY(trace_thread_add(rec, uid, e));
	}
	if (rec->thread_count > known)
		qsort(rec->threads, rec->thread_count, sizeof(*rec->threads), by_uid);
	return JW_OK;
}

/* Of a ring: threads of which nothing is left. */
static void drop_overwritten(struct trace_recording *rec)
{
	size_t kept = 0;

	for (size_t i = 0; i < rec->thread_count; i++)
		if (rec->threads[i].events || rec->threads[i].lost)
			rec->threads[kept++] = rec->threads[i];
	rec->overwritten_threads = rec->thread_count - kept + rec->threads_gone;
	rec->thread_count = kept;
}

/* What a crowd has lost is of the recording alone: nobody knows when it lived, nor how many it was. */
static void drop_crowd(struct trace_recording *rec)
{
	size_t kept = 0;

	for (size_t i = 0; i < rec->thread_count; i++)
		if (rec->threads[i].events || !rec->threads[i].is_crowd)
			rec->threads[kept++] = rec->threads[i];
	rec->thread_count = kept;
}

/* Gives each thread its pieces, and what they add up to. */
static void deal_pieces(struct trace_recording *rec)
{
	size_t at = 0;

	for (size_t i = 0; i < rec->thread_count; i++) {
		struct trace_thread *t = &rec->threads[i];

		t->piece = at;
		for (; at < rec->piece_count && rec->pieces[at].uid == t->uid; at++) {
			const struct trace_piece *p = &rec->pieces[at];

			if (p->events && t->events == 0)
				t->first_tick = p->first;
			if (p->last > t->last_tick)
				t->last_tick = p->last;
			t->events += p->events;
			t->calls += p->calls;
			t->states += p->states;
			t->switches += p->switches;
		}
		t->piece_count = at - t->piece;
		t->lost = t->meta_lost > t->window_lost ? t->meta_lost : t->window_lost;
		rec->events += t->events;
		rec->switches += t->switches;
		t->is_vm &= !rec->has_vm; /* there is one */
		rec->has_vm |= t->is_vm;
		rec->lost += t->lost;
	}
}

/* ---- files ---- */

static int by_number(const void *a, const void *b)
{
	const struct trace_data_file *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* "data" is 0, "data.7" is 7; false: it is none of them. */
static bool data_number(const char *name, uint64_t *out)
{
	static const char front[] = JWR_DATA ".";

	*out = 0;
	return !strcmp(name, JWR_DATA) ||
	       (!strncmp(name, front, sizeof(front) - 1) &&
		trace_dec(jw_span_str(name + sizeof(front) - 1), UINT64_MAX, out) && *out);
}

static enum jw_status open_data(struct trace_recording *rec, struct jw_err *e)
{
	DIR *folder = opendir(rec->path);
	enum jw_status status = JW_OK;

	if (!folder)
		return jw_fail_errno(e, errno, "cannot read the folder");
	for (const struct dirent *d; folder && status == JW_OK && (d = readdir(folder));) {
		struct trace_data_file *grown =
			trace_grow(rec->files, rec->file_count, &rec->file_cap, sizeof(*grown));
		uint64_t number;

		if (!grown)
			status = jw_nomem(e);
		else
			rec->files = grown;
		if (!grown || !data_number(d->d_name, &number) || rec->file_count == MAX_FILES)
			continue;
		int fd;
		status = trace_file_in(rec->path, d->d_name, &fd, e);
		if (fd >= 0)
			grown[rec->file_count++] =
				(struct trace_data_file){ .number = number, .fd = fd };
		else if (status == JW_OK &&
			 errno != ENOENT) /* the oldest of a ring may be gone by now */
			status = jw_fail_errno(e, errno, "cannot open '%s'", d->d_name);
	}
	closedir(folder);
	if (rec->files && rec->file_count > 1)
		qsort(rec->files, rec->file_count, sizeof(*rec->files), by_number);
	return status;
}

/* The lines of TEXT that are read, for memory's sake. */
static struct jw_span within_limit(struct jw_span text, bool *cut)
{
	*cut = text.n > trace_meta_limit;
	if (!*cut)
		return text;
	text.n = trace_meta_limit;
	while (text.n && text.p[text.n - 1] != '\n')
		text.n--;
	return text;
}

static enum jw_status read_meta(struct trace_recording *rec, struct jw_err *e)
{
	char path[4096];
	struct jw_file file = { 0 };
	struct jw_err missing = { 0 };
	int n = snprintf(path, sizeof(path), "%s/meta", rec->path);

	if (n < 0 || (size_t)n >= sizeof(path))
		return jw_fail(e, JW_INPUT, "\"%s\": path too long", rec->path);
	enum jw_status status = jw_file_open(path, 0, &file, &missing);

	if (status == JW_NOMEM)
		return jw_nomem(e);
	/* one that is missing is said in the notes; one that may not be read is no missing one */
	if ((status == JW_INPUT || status == JW_IO) && access(path, F_OK) == 0) {
		if (e)
			*e = missing;
		return status;
	}
	if (status != JW_OK)
		return JW_OK;
	rec->meta_size = file.bytes.n;
	if (file.bytes.n > 0) {
		status = trace_meta_read(within_limit(file.bytes, &rec->cut_meta), rec, e);
		rec->has_meta = status == JW_OK;
	}
	jw_file_close(&file);
	return status;
}

uint64_t trace_recording_size(const char *path)
{
	char data[4096];
	struct stat st;
	int n = snprintf(data, sizeof(data), "%s/data", path);

	return n > 0 && (size_t)n < sizeof(data) && stat(data, &st) == 0 && st.st_size > 0
		       ? (uint64_t)st.st_size
		       : 0;
}

/* ---- open and close ---- */

/*
 * Beyond the last clock point time is the rate of those before it, prolonged: that is fine where they
 * span a good part of the recording, as they do once a process has lived for long enough to say that
 * it does. It is not after the first milliseconds, which are all that a process leaves that was killed
 * before. Where the machine still runs, its clocks are asked now; what they say is rounded, so that
 * each reading finds the same times.
 */
static enum jw_status add_late_point(struct trace_recording *rec, struct jw_err *e)
{
	const struct jwr_clock_point *start = &rec->start_point;
	struct jwr_clock_point late;
	uint64_t last = 0, seen = 0;

	for (size_t i = 0; i < rec->thread_count; i++)
		last = rec->threads[i].last_tick > last ? rec->threads[i].last_tick : last;
	for (size_t i = 0; i < rec->points.n; i++)
		if (rec->points.p[i].tick <= last && rec->points.p[i].tick > seen)
			seen = rec->points.p[i].tick;
	if (rec->ns_ticks || rec->clean_end || !start->mono_ns || last <= start->tick ||
	    seen < start->tick || seen - start->tick >= (last - start->tick) / KNOWN_SHARE ||
	    !trace_tick_late(rec->clock_name, &rec->boot, start, &late) || late.tick <= last)
		return JW_OK;
	late = trace_clock_steady(start, &late, last);
	return trace_points_add(&rec->points, &late, e);
}

/* What is known before anything is read. */
static struct trace_recording recording_at(const char *path)
{
	return (struct trace_recording){
		.path = path,
		.arena = { .block = ARENA_BLOCK },
		.host = "",
		.command = "",
		.java = "",
		.vm = "",
		.cwd = "",
		.windows_path = "",
		.main = "",
		.job = "",
		.application = "",
		.role = "",
		.end_reason = "",
		.stop_reason = "",
		.clock_name = "",
		.windows_fd = -1,
	};
}

static enum jw_status no_recording(const char *path, const char *why, struct jw_err *e)
{
	return jw_fail(e, JW_INPUT, "no recording: %s",
		       jw_is_empty_folder(path) ? "the folder is empty" : why);
}

enum jw_status trace_recording_facts(const char *path, struct trace_recording *out,
				     struct jw_err *e)
{
	*out = recording_at(path);
	JW_TRY(read_meta(out, e));
	if (!out->has_meta)
		return no_recording(path, "it has no 'meta' that could be read", e);
	if (!out->pid)
		return jw_fail(e, JW_INPUT, TRACE_TOLD_NO_PROCESS);
	trace_threads_join(out);
	return JW_OK;
}

bool trace_is_summary(const char *path)
{
	struct trace_recording rec = recording_at(path);
	struct jw_err e = { 0 };
	bool is = read_meta(&rec, &e) == JW_OK && rec.is_summary;

	trace_recording_close(&rec);
	return is;
}

/* Of a job with thousands of processes what is not used adds up. */
static void give_back(struct trace_recording *rec)
{
#define GIVE_BACK(list, n, cap) jw_grown(&rec->list, &rec->cap, sizeof(*rec->list), rec->n)
	GIVE_BACK(points.p, points.n, points.cap);
	GIVE_BACK(threads, thread_count, thread_cap);
	GIVE_BACK(pieces, piece_count, piece_cap);
	GIVE_BACK(virtuals, virtual_count, virtual_cap);
	GIVE_BACK(aliases, alias_count, alias_cap);
	GIVE_BACK(classes, class_count, class_cap);
	GIVE_BACK(places, place_count, place_cap);
	GIVE_BACK(channels, channel_count, channel_cap);
	GIVE_BACK(holders, holder_count, holder_cap);
#undef GIVE_BACK
}

static enum jw_status index_sums(struct trace_recording *rec, struct jw_err *e)
{
	int tables;

	JW_TRY(trace_file_tables(rec, &tables, e));
	trace_threads_join(rec);
	enum jw_status status =
		trace_aliases_settle(rec) ? trace_sums_scan(rec, tables, e) : jw_nomem(e);

	if (tables >= 0)
		close(tables);
	JW_TRY(status);
	JW_TRY(add_late_point(rec, e));
	give_back(rec);
	return trace_clock_fit(&rec->points, rec->ns_ticks, &rec->clock, e);
}

/* Is `meta` no longer what was read of it? */
static bool meta_moved(const struct trace_recording *rec)
{
	char path[4096];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/meta", rec->path);

	return n > 0 && (size_t)n < sizeof(path) && stat(path, &st) == 0 &&
	       (uint64_t)st.st_size != rec->meta_size;
}

/* What changes while it is read: `meta`, which names threads and says that the process has ended, and what
 * threads have in windows, which are gone after that. */
static enum jw_status read_living(struct trace_recording *rec, struct jw_err *e)
{
	for (int tries = 0;; tries++) {
		JW_TRY(read_meta(rec, e));
		JW_TRY(trace_file_windows(rec, &rec->windows_fd, e));
		if (rec->windows_fd >= 0 && !rec->is_summary)
			JW_TRY(trace_windows_scan(rec, e));
		if (rec->clean_end || tries == META_TRIES || !meta_moved(rec))
			return JW_OK;
		const char *path = rec->path;

		trace_recording_close(rec);
		*rec = recording_at(path);
	}
}

static enum jw_status index_all(struct trace_recording *rec, const struct trace_progress *progress,
				struct jw_err *e)
{
	JW_TRY(read_living(rec, e));
	JW_TRY(open_data(rec, e));
	if (!rec->has_meta && !rec->file_count && rec->windows_fd < 0)
		return no_recording(rec->path, "it has no 'meta' and no 'data'", e);
	if (rec->is_summary)
		return index_sums(rec, e);
	JW_TRY(trace_pieces_scan(rec, progress, e));
	trace_pieces_order(rec);
	trace_threads_join(rec);
	join_virtuals(rec);
	if (!trace_aliases_settle(rec))
		return jw_nomem(e);
	JW_TRY(add_unknown_threads(rec, e));
	deal_pieces(rec);
	drop_crowd(rec);
	if (rec->ring)
		drop_overwritten(rec);
	JW_TRY(add_late_point(rec, e));
	give_back(rec);
	return trace_clock_fit(&rec->points, rec->ns_ticks, &rec->clock, e);
}

/* There are two a chunk. */
static void forget_points(struct trace_recording *rec)
{
	struct trace_points *points = &rec->points;

	rec->seen_tick = points->n ? points->p[0].tick : 0;
	trace_wall_ends(points->p, points->n, &rec->start_point, rec->wall);
	jw_mem_free(points->p);
	*points = (struct trace_points){ 0 };
}

enum jw_status trace_recording_open(const char *path, const struct trace_progress *progress,
				    struct trace_recording *out, struct trace_notes *notes,
				    struct jw_err *e)
{
	struct stat st;

	*out = recording_at(path);
	if (stat(path, &st) != 0)
		return jw_fail(e, JW_INPUT, "\"%s\": %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return jw_fail(e, JW_INPUT,
			       "\"%s\": no recording: it is not a folder (a recording is a folder "
			       "NAME.jwr, a trace a file NAME.prv)",
			       path);
	if (index_all(out, progress, e) != JW_OK)
		return jw_err_where(e, "\"%s\"", path);
	trace_recording_tell(out, notes);
	forget_points(out);
	return notes->failed ? jw_nomem(e) : JW_OK;
}

void trace_recording_close(struct trace_recording *rec)
{
	for (size_t i = 0; i < rec->file_count; i++)
		if (rec->files[i].fd >= 0)
			close(rec->files[i].fd);
	jw_mem_free(rec->files);
	if (rec->windows_fd >= 0)
		close(rec->windows_fd);
	jw_mem_free(rec->maps);
	jw_mem_free(rec->remarks);
	jw_mem_free(rec->taps);
	jw_mem_free(rec->threads);
	jw_mem_free(rec->pieces);
	jw_mem_free(rec->virtuals);
	jw_mem_free(rec->aliases);
	jw_mem_free(rec->classes);
	jw_mem_free(rec->places);
	jw_mem_free(rec->channels);
	jw_mem_free(rec->holders);
	jw_mem_free(rec->gaps);
	trace_closings_free(&rec->closings);
	jw_mem_free(rec->labels);
	trace_tally_free(&rec->sums);
	jw_mem_free(rec->points.p);
	trace_clock_free(&rec->clock);
	jw_arena_free(&rec->arena);
	*rec = (struct trace_recording){ .windows_fd = -1 };
}
