/*
 * sums_read.c: the tables of a summary (recording.h) become sums by thread and key.
 *
 *     data, data.1     chunks; of several with one number the latest counts
 *     windows, tables  of a process that was killed: what is no chunk yet, and its open calls
 *
 * Bytes are anybody's: a place is taken only as far as its file goes.
 */
#define _GNU_SOURCE /* SEEK_DATA; NOLINT(bugprone-reserved-identifier) */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define CHUNK_HEADER  sizeof(struct jwr_sums_chunk)
#define MAX_ROWS_LOG  16
#define MAX_DEPTH_LOG 20
#define PART_ROWS     1024

_Static_assert(sizeof(struct jwr_sums_chunk) == 128, "part of the format");
_Static_assert(JWR_SUMS_AT + sizeof(struct jwr_sums) <= JWR_HEADER_SIZE, "in the header page");

struct chunk {
	struct jwr_sums_chunk head;
	uint64_t offset; /* of its rows */
	uint16_t file;
};

struct window {
	struct jwr_window head;
	uint64_t offset;
};

struct scan {
	struct trace_recording *rec;
	struct chunk *chunks;   /* owned */
	struct window *windows; /* owned */
	size_t chunk_n, chunk_cap, window_n, window_cap;
	int tables; /* -1: no such file */
	uint64_t last;
	struct jw_err *e;
};

static uint64_t file_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

/* ---- what there is ---- */

static enum jw_status take_chunk(struct scan *s, size_t file, const struct jwr_sums_chunk *head,
				 uint64_t pos)
{
	struct chunk *grown = trace_grow(s->chunks, s->chunk_n, &s->chunk_cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(s->e);
	s->chunks = grown;
	grown[s->chunk_n++] = (struct chunk){ *head, pos + CHUNK_HEADER, (uint16_t)file };
	if (head->ended.tick > s->last)
		s->last = head->ended.tick;
	if (head->began.mono_ns)
		JW_TRY(trace_points_add(&s->rec->points, &head->began, s->e));
	if (head->ended.mono_ns)
		JW_TRY(trace_points_add(&s->rec->points, &head->ended, s->e));
	return JW_OK;
}

/* The chunk at POS, if there is one; *BYTES: how far to the next place where one may be. */
static enum jw_status look_at(struct scan *s, size_t file, uint64_t pos, uint64_t left,
			      uint64_t *bytes)
{
	struct jwr_sums_chunk head;

	*bytes = JWR_ALIGN;
	if (jw_read_at(s->rec->files[file].fd, &head, sizeof(head), pos) < sizeof(head) ||
	    head.magic != JWR_SUMS_MAGIC || !head.thread)
		return JW_OK;
	uint64_t all = CHUNK_HEADER + head.rows * (uint64_t)sizeof(struct jwr_row);

	if (head.rows > 1u << MAX_ROWS_LOG || all > left) {
		s->rec->cut_chunks++;
		return JW_OK;
	}
	*bytes = (all + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN;
	return take_chunk(s, file, &head, pos);
}

static enum jw_status scan_data(struct scan *s, size_t file)
{
	int fd = s->rec->files[file].fd;
	uint64_t size = file_size(fd), bytes;

	s->rec->data_size += size;
	for (uint64_t pos = 0; pos + CHUNK_HEADER <= size; pos += bytes) {
		off_t written = lseek(fd, (off_t)pos, SEEK_DATA);

		if (written > 0 && (uint64_t)written >= pos + JWR_ALIGN)
			pos = (uint64_t)written / JWR_ALIGN * JWR_ALIGN;
		if (pos + CHUNK_HEADER > size)
			break;
		JW_TRY(look_at(s, file, pos, size - pos, &bytes));
	}
	return JW_OK;
}

static enum jw_status scan_windows(struct scan *s)
{
	int fd = s->rec->windows_fd;
	uint64_t size = file_size(fd);

	for (uint64_t pos = 0; pos + JWR_WINDOW_SIZE <= size; pos += JWR_WINDOW_SIZE) {
		struct window *grown =
			trace_grow(s->windows, s->window_n, &s->window_cap, sizeof(*grown));

		if (!grown)
			return jw_nomem(s->e);
		s->windows = grown;
		struct window *w = &grown[s->window_n];

		if (jw_read_at(fd, &w->head, sizeof(w->head), pos) < sizeof(w->head))
			break;
		if (w->head.magic != JWR_MAGIC || !w->head.thread)
			continue;
		w->offset = pos;
		s->window_n++;
		s->rec->live_windows++;
		if (w->head.sums.last > s->last)
			s->last = w->head.sums.last;
		if (w->head.began.mono_ns)
			JW_TRY(trace_points_add(&s->rec->points, &w->head.began, s->e));
	}
	return JW_OK;
}

static int by_number(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->head.thread != y->head.thread)
		return x->head.thread < y->head.thread ? -1 : 1;
	if (x->head.seq != y->head.seq)
		return x->head.seq < y->head.seq ? -1 : 1;
	if (x->head.ended.tick != y->head.ended.tick) /* the latest first */
		return x->head.ended.tick > y->head.ended.tick ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool same_number(const struct chunk *a, const struct chunk *b)
{
	return a->head.thread == b->head.thread && a->head.seq == b->head.seq;
}

/* Chunks in order, each number once. */
static void order(struct scan *s)
{
	size_t kept = 0;

	if (s->chunk_n > 1)
		qsort(s->chunks, s->chunk_n, sizeof(*s->chunks), by_number);
	for (size_t i = 0; i < s->chunk_n; i++)
		if (!kept || !same_number(&s->chunks[kept - 1], &s->chunks[i]))
			s->chunks[kept++] = s->chunks[i];
	s->chunk_n = kept;
}

static bool has_chunk(const struct scan *s, uint32_t thread, uint32_t seq)
{
	size_t low = 0, high = s->chunk_n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct jwr_sums_chunk *h = &s->chunks[mid].head;

		if (h->thread == thread && h->seq == seq)
			return true;
		if (h->thread < thread || (h->thread == thread && h->seq < seq))
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

/* ---- adding up ---- */

static int by_uid(const void *a, const void *b)
{
	const struct trace_thread *x = a, *y = b;

	return x->uid < y->uid ? -1 : x->uid > y->uid;
}

/* The virtual threads of all carriers are one. */
static uint32_t shown_uid(const struct trace_recording *rec, uint32_t uid)
{
	const struct trace_thread key = { .uid = uid };
	const struct trace_thread *found = NULL;

	if (rec->thread_count)
		found = bsearch(&key, rec->threads, rec->thread_count, sizeof(key), by_uid);
	return found && found->is_sums ? rec->sums_uid : uid;
}

static void add_odds(struct trace_recording *rec, const struct jwr_odds *odds)
{
	rec->odds.lone += odds->lone;
	rec->odds.inferred += odds->inferred;
	rec->odds.cut += odds->cut;
	rec->odds.headless += odds->headless;
	rec->odds.deep += odds->deep;
	rec->odds.virtuals += odds->virtuals;
}

static struct trace_sum *sum_of(struct scan *s, uint32_t uid, uint64_t key)
{
	struct trace_sum *sum = trace_tally_at(&s->rec->sums, uid, key);

	if (!sum)
		(void)jw_nomem(s->e);
	return sum;
}

static bool add_row(struct scan *s, uint32_t uid, const struct jwr_row *row)
{
	struct trace_sum *sum = row->key ? sum_of(s, uid, row->key) : NULL;

	if (!sum)
		return !row->key;
	sum->count += row->calls;
	sum->exceptional += row->fails;
	sum->ns += row->total;
	sum->own_ns += row->own;
	if (row->longest > sum->longest)
		sum->longest = row->longest;
	return true;
}

static enum jw_status add_rows(struct scan *s, uint32_t uid, int fd, uint64_t offset,
			       uint64_t count)
{
	struct jwr_row *rows = jw_mem_alloc(PART_ROWS * sizeof(*rows));
	bool added = rows;

	for (uint64_t done = 0; added && done < count;) {
		size_t want = count - done < PART_ROWS ? (size_t)(count - done) : PART_ROWS;
		size_t got =
			jw_read_at(fd, rows, want * sizeof(*rows), offset + done * sizeof(*rows)) /
			sizeof(*rows);

		for (size_t i = 0; i < got && added; i++)
			added = add_row(s, uid, &rows[i]);
		s->rec->cut_chunks += got < want;
		done = got < want ? count : done + got;
	}
	jw_mem_free(rows);
	return added ? JW_OK : jw_nomem(s->e);
}

/* ---- what was open ---- */

/* Until when calls of W were open: its last instant, or the pause that cut them. */
static uint64_t end_of(const struct scan *s, const struct window *w)
{
	const struct trace_recording *rec = s->rec;
	uint64_t pauses = w->head.sums.pauses;

	return pauses < rec->gap_count ? rec->gaps[pauses].begin : s->last;
}

static uint64_t since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static void close_frames(struct scan *s, uint32_t uid, const struct jwr_frame *f, size_t depth,
			 uint64_t end)
{
	uint64_t inner = 0;

	for (size_t i = 0; i < depth; i++) {
		struct trace_sum *sum = trace_tally_find(&s->rec->sums, uid, f[i].key);

		if (sum)
			sum->open++;
	}
	for (size_t i = depth; i-- > 0;) {
		struct trace_sum *sum = trace_tally_find(&s->rec->sums, uid, f[i].key);
		uint64_t time = since(f[i].enter, end);

		inner += f[i].inner;
		if (sum) {
			sum->own_ns += since(inner, time);
			sum->ns += --sum->open ? 0 : time;
			sum->longest = time > sum->longest ? time : sum->longest;
		}
		inner = time;
	}
}

static void close_waits(struct scan *s, uint32_t uid, const struct jwr_sums *sums, uint64_t end)
{
	for (uint64_t i = 0; i < sums->wait_count && i < JWR_WAITS; i++) {
		struct trace_sum *sum = trace_tally_at(&s->rec->sums, uid, sums->waits[i].key);
		uint64_t time = since(sums->waits[i].since, end);

		if (!sum)
			return;
		sum->count++;
		sum->ns += time;
		sum->longest = time > sum->longest ? time : sum->longest;
	}
}

/* The file that PLACE of the window W is in, and where; -1: nowhere. */
static int find_place(const struct scan *s, const struct window *w, uint64_t place,
		      uint64_t *offset)
{
	uint64_t at = jwr_place_offset(place);

	if (!place)
		return -1;
	*offset = place & JWR_IN_TABLES ? at : w->offset + at;
	return place & JWR_IN_TABLES ? s->tables : s->rec->windows_fd;
}

static enum jw_status take_frames(struct scan *s, const struct window *w, uint32_t uid)
{
	const struct jwr_sums *sums = &w->head.sums;
	unsigned log = jwr_place_log(sums->frames);
	uint64_t offset = 0, end = end_of(s, w);
	int fd = find_place(s, w, sums->frames, &offset);
	size_t depth = (size_t)sums->depth;

	if (fd < 0 || log > MAX_DEPTH_LOG || sums->depth > UINT64_C(1) << log) {
		s->rec->bad_windows++;
		return JW_OK;
	}
	struct jwr_frame *frames = jw_mem_alloc((depth + 1) * sizeof(*frames));

	if (!frames)
		return jw_nomem(s->e);
	size_t got = jw_read_at(fd, frames, depth * sizeof(*frames), offset) / sizeof(*frames);

	close_frames(s, uid, frames, got, end);
	s->rec->odds.inferred += end == s->last ? got : 0;
	s->rec->odds.cut += end == s->last ? 0 : got;
	close_waits(s, uid, sums, end);
	jw_mem_free(frames);
	return JW_OK;
}

static enum jw_status take_window(struct scan *s, const struct window *w)
{
	const struct jwr_sums *sums = &w->head.sums;
	uint32_t uid = shown_uid(s->rec, w->head.thread);
	unsigned log = jwr_place_log(sums->rows);
	uint64_t offset = 0;
	int fd = find_place(s, w, sums->rows, &offset);

	s->rec->lost += w->head.lost;
	if (has_chunk(s, w->head.thread, w->head.seq))
		return JW_OK;
	if (fd < 0 || log > MAX_ROWS_LOG) {
		s->rec->bad_windows++;
		return JW_OK;
	}
	add_odds(s->rec, &sums->odds);
	JW_TRY(add_rows(s, uid, fd, offset, UINT64_C(1) << log));
	return take_frames(s, w, uid);
}

static enum jw_status take_all(struct scan *s)
{
	for (size_t i = 0; i < s->chunk_n; i++) {
		const struct chunk *c = &s->chunks[i];

		add_odds(s->rec, &c->head.odds);
		JW_TRY(add_rows(s, shown_uid(s->rec, c->head.thread), s->rec->files[c->file].fd,
				c->offset, c->head.rows));
	}
	for (size_t i = 0; i < s->window_n; i++)
		JW_TRY(take_window(s, &s->windows[i]));
	s->rec->last_tick = s->last > s->rec->alive_tick ? s->last : s->rec->alive_tick;
	return JW_OK;
}

/* ---- threads ---- */

static struct trace_thread *thread_of(struct trace_recording *rec, size_t among, uint32_t uid)
{
	const struct trace_thread key = { .uid = uid };

	return among ? bsearch(&key, rec->threads, among, sizeof(key), by_uid) : NULL;
}

/* Threads that have sums but no line. */
static enum jw_status add_summed_threads(struct trace_recording *rec, struct jw_err *e)
{
	size_t known = rec->thread_count;

	for (size_t i = 0; i < rec->sums.n; i++) {
		uint32_t uid = (uint32_t)rec->sums.sums[i].a;

		if (!thread_of(rec, known, uid))
			JW_TRY(trace_thread_add(rec, uid, e));
	}
	trace_threads_join(rec);
	return JW_OK;
}

/* Gives threads what is known of them by their sums; virtual threads stand under one uid. */
static void deal_sums(struct trace_recording *rec)
{
	size_t kept = 0;

	for (size_t i = 0; i < rec->sums.n; i++) {
		const struct trace_sum *sum = &rec->sums.sums[i];
		struct trace_thread *t = thread_of(rec, rec->thread_count, (uint32_t)sum->a);

		if (jwr_word_kind(sum->b) == JWR_ENTER)
			t->calls += sum->count;
		t->events++;
	}
	for (size_t i = 0; i < rec->thread_count; i++) {
		struct trace_thread *t = &rec->threads[i];

		t->lost = t->meta_lost;
		rec->lost += t->lost;
		t->last_tick = t->ended ? t->end_tick : rec->last_tick;
		/* else a carrier that did nothing of its own */
		if (t->events || (t->lost && !t->is_crowd))
			rec->threads[kept++] = *t;
	}
	rec->thread_count = kept;
}

enum jw_status trace_sums_scan(struct trace_recording *rec, int tables, struct jw_err *e)
{
	struct scan s = { .rec = rec, .tables = tables, .e = e };
	enum jw_status status = JW_OK;

	for (size_t i = 0; i < rec->thread_count && !rec->sums_uid; i++)
		rec->sums_uid = rec->threads[i].is_sums ? rec->threads[i].uid : 0;
	for (size_t i = 0; i < rec->file_count && status == JW_OK; i++)
		status = scan_data(&s, i);
	if (status == JW_OK && rec->windows_fd >= 0)
		status = scan_windows(&s);
	order(&s);
	if (status == JW_OK)
		status = take_all(&s);
	if (status == JW_OK)
		status = add_summed_threads(rec, e);
	if (status == JW_OK)
		deal_sums(rec);
	jw_mem_free(s.chunks);
	jw_mem_free(s.windows);
	return status;
}
