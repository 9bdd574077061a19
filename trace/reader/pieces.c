/*
 * pieces.c: the index of `data`; windows.c has that of `windows`.
 *
 * `data` is read once, chunk by chunk. Where no chunk begins (a hole: the process died between
 * reservation and write) the search goes on in steps of JWR_ALIGN; parts of the file that were
 * never written are skipped by lseek(SEEK_DATA), so that a sparse file of a terabyte costs nothing.
 */
#define _GNU_SOURCE /* SEEK_DATA; NOLINT(bugprone-reserved-identifier) */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define CHUNK_HEADER  64
#define PROGRESS_STEP ((uint64_t)16 << 20)
#define MAX_CHUNK     (CHUNK_HEADER + JWR_RECORDS_SIZE)

_Static_assert(sizeof(struct jwr_chunk) == CHUNK_HEADER, "the chunk header is part of the format");
_Static_assert(sizeof(struct jwr_record) == 16, "the record is part of the format");

static uint64_t round_up(uint64_t n)
{
	return (n + JWR_ALIGN - 1) & ~(uint64_t)(JWR_ALIGN - 1);
}

uint64_t trace_file_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

uint64_t trace_next_written(int fd, uint64_t pos, uint64_t size, uint64_t step)
{
	off_t at = lseek(fd, (off_t)pos, SEEK_DATA);

	if (at < 0)
		return errno == ENXIO ? size : pos;
	return (uint64_t)at <= pos ? pos : (uint64_t)at / step * step;
}

/* Of a record that is no enter or exit. *RUNS is the virtual thread that runs, 0: the thread. */
static void survey_word(struct trace_piece *piece, uint64_t word, uint64_t *runs)
{
	uint64_t payload = jwr_word_payload(word);

	switch (jwr_word_kind(word)) {
	case JWR_SWITCH:
		*runs = payload;
		piece->switches++;
		break;
	case JWR_END:
		*runs = *runs == payload ? 0 : *runs;
		break;
	default:
		break;
	}
	piece->states++;
}

void trace_piece_survey(struct trace_piece *piece, const uint8_t *bytes)
{
	uint32_t n = piece->bytes / (uint32_t)sizeof(struct jwr_record);
	uint64_t last = 0, runs = 0;
	uint32_t gone = 0, events = 0, calls = 0, sites = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct jwr_record r;

		memcpy(&r, bytes + i * sizeof(r), sizeof(r));
		enum jwr_kind kind = jwr_word_kind(r.word);

		if (kind == JWR_NONE) {
			gone += r.word == JWR_TAKEN_BACK;
			continue;
		}
		if (kind <= JWR_FAIL) { /* as most are */
			calls += runs == 0;
			sites += (r.word & JWR_SITE_BIT) != 0;
		} else {
			survey_word(piece, r.word, &runs);
		}
		uint64_t tick = trace_hold(r.tick, piece->low, piece->high);

		if (events++ == 0)
			piece->first = tick;
		last = tick > last ? tick : last;
	}
	_Static_assert(JWR_RECORDS_SIZE / sizeof(struct jwr_record) <= UINT16_MAX,
		       "they are counted in 16 bits");
	piece->events = (uint16_t)events;
	piece->calls = (uint16_t)calls;
	piece->states = (uint16_t)(piece->states + sites);
	piece->last = last;
	piece->whole = piece->whole && piece->events + gone == n;
}

enum jw_status trace_piece_add(struct trace_recording *rec, const struct trace_piece *piece,
			       struct jw_err *e)
{
	struct trace_piece *grown =
		trace_grow(rec->pieces, rec->piece_count, &rec->piece_cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(e);
	rec->pieces = grown;
	grown[rec->piece_count++] = *piece;
	return JW_OK;
}

enum jw_status trace_piece_point(struct trace_recording *rec, const struct jwr_clock_point *point,
				 struct jw_err *e)
{
	return point->mono_ns == 0 ? JW_OK : trace_points_add(&rec->points, point, e);
}

struct jwr_clock_point trace_piece_clock(struct jw_cur *c)
{
	struct jwr_clock_point point;

	point.tick = jw_cur_le8(c);
	point.mono_ns = jw_cur_le8(c);
	point.wall_ns = jw_cur_le8(c);
	return point;
}

static bool chunk_header(struct jw_span bytes, struct jwr_chunk *out)
{
	struct jw_cur c = jw_cur(bytes);

	out->magic = jw_cur_le4(&c);
	out->thread = jw_cur_le4(&c);
	out->seq = jw_cur_le4(&c);
	out->bytes = jw_cur_le4(&c);
	out->began = trace_piece_clock(&c);
	out->ended = trace_piece_clock(&c);
	return jw_cur_ok(&c) && out->magic == JWR_MAGIC;
}

static bool is_chunk(const struct jwr_chunk *h)
{
	return h->thread != 0 && h->bytes % sizeof(struct jwr_record) == 0 &&
	       h->bytes <= JWR_RECORDS_SIZE;
}

/* One chunk at POS, of which GOT bytes lie in BUF. */
static enum jw_status take_chunk(struct trace_recording *rec, size_t file,
				 const struct jwr_chunk *h, uint64_t pos, const uint8_t *buf,
				 size_t got, struct jw_err *e)
{
	size_t there = (got - CHUNK_HEADER) / sizeof(struct jwr_record) * sizeof(struct jwr_record);
	bool cut = there < h->bytes;
	struct trace_piece piece = {
		.offset = pos + CHUNK_HEADER,
		.high = UINT64_MAX,
		.uid = h->thread,
		.seq = h->seq,
		.file = (uint16_t)file,
		.bytes = cut ? (uint32_t)there : h->bytes,
		.whole = !cut,
	};

	if (h->began.tick && h->began.tick <= h->ended.tick) {
		piece.low = h->began.tick;
		piece.high = h->ended.tick;
	}
	trace_piece_survey(&piece, buf + CHUNK_HEADER);
	JW_TRY(trace_piece_point(rec, &h->began, e));
	JW_TRY(trace_piece_point(rec, &h->ended, e));
	return trace_piece_add(rec, &piece, e);
}

/* Is POS to NEXT, the first place with a chunk in a file of SIZE, what a page leaves free? */
static bool is_padding(uint64_t pos, uint64_t next, uint64_t size)
{
	return next < size && next % JWR_PAGE == 0 && next - pos < JWR_PAGE;
}

/* The first place after POS where BUF (GOT bytes from POS) has a magic number, else its end. */
static uint64_t next_magic(const uint8_t *buf, size_t got, uint64_t pos)
{
	for (size_t i = JWR_ALIGN; i + CHUNK_HEADER <= got; i += JWR_ALIGN) {
		uint32_t magic;

		memcpy(&magic, buf + i, sizeof(magic));
		if (magic == JWR_MAGIC)
			return pos + i;
	}
	return pos + (got < JWR_ALIGN ? JWR_ALIGN : round_up(got - JWR_ALIGN + 1));
}

static enum jw_status scan_data(struct trace_recording *rec, size_t file, uint8_t *buf,
				const struct trace_progress *progress, struct jw_err *e)
{
	int fd = rec->files[file].fd;
	uint64_t pos = 0, size = trace_file_size(fd), told = 0;
	uint64_t *settled = &rec->files[file].settled;

	*settled = UINT64_MAX;
	rec->data_size += size;
	trace_progress_at(progress, 0);
	while (pos < size) {
		struct jwr_chunk h;

		if (pos - told >= PROGRESS_STEP) {
			told = pos;
			trace_progress_at(progress, (double)pos / (double)size);
		}
		size_t got = jw_read_at(fd, buf, MAX_CHUNK, pos);
		bool magic = chunk_header(jw_span(buf, got), &h);

		if (got == 0) {
			rec->unread_bytes += size - pos;
			break;
		}
		if (magic && is_chunk(&h)) {
			JW_TRY(take_chunk(rec, file, &h, pos, buf, got, e));
			if (!rec->pieces[rec->piece_count - 1].whole && pos < *settled)
				*settled = pos;
			pos += round_up(CHUNK_HEADER + (uint64_t)h.bytes);
			continue;
		}
		uint64_t next = next_magic(buf, got, pos);

		rec->bad_chunks += magic;
		if (next > pos + JWR_ALIGN)
			next = trace_next_written(fd, next, size, JWR_ALIGN);
		if (!is_padding(pos, next, size)) {
			rec->hole_bytes += (next < size ? next : size) - pos;
			*settled = pos < *settled ? pos : *settled;
		}
		pos = next;
	}
	*settled = pos < *settled ? pos : *settled;
	return JW_OK;
}

bool trace_chunk_find(int fd, uint64_t from, const struct trace_piece *p, uint64_t *records)
{
	uint64_t size = trace_file_size(fd);
	uint8_t buf[8 * JWR_ALIGN];

	while (from < size) {
		struct jwr_chunk h;
		size_t got = jw_read_at(fd, buf, sizeof(buf), from);

		if (got == 0)
			return false;
		if (!chunk_header(jw_span(buf, got), &h) || !is_chunk(&h)) {
			from = trace_next_written(fd, next_magic(buf, got, from), size, JWR_ALIGN);
			continue;
		}
		if (h.thread == p->uid && h.seq == p->seq && h.bytes >= p->bytes) {
			*records = from + CHUNK_HEADER;
			return true;
		}
		from += round_up(CHUNK_HEADER + (uint64_t)h.bytes);
	}
	return false;
}

enum jw_status trace_pieces_scan(struct trace_recording *rec, const struct trace_progress *progress,
				 struct jw_err *e)
{
	uint8_t *buf = jw_mem_alloc(MAX_CHUNK);
	enum jw_status status = JW_OK;

	if (!buf)
		return jw_nomem(e);
	for (size_t i = 0; i < rec->file_count && status == JW_OK; i++)
		status = scan_data(rec, i, buf, progress, e);
	jw_mem_free(buf);
	return status;
}

/* By thread and number; of several with one number the fullest first, a chunk before a window. */
static int by_thread(const void *a, const void *b)
{
	const struct trace_piece *x = a, *y = b;

	if (x->uid != y->uid)
		return x->uid < y->uid ? -1 : 1;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	if (x->events != y->events)
		return x->events > y->events ? -1 : 1;
	if (x->window != y->window)
		return x->window ? 1 : -1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Of a ring: what is before a hole is older than what was overwritten, such as a window that was
 * copied for a dump just before its chunks went round. The number of pieces that stay. */
static size_t drop_older(struct trace_recording *rec, size_t kept, const struct trace_piece *from)
{
	const struct trace_piece *p = rec->pieces;
	uint32_t last = kept && p[kept - 1].uid == from->uid ? p[kept - 1].seq + 1 : 0;

	rec->overwritten += from->seq - last;
	for (; kept && p[kept - 1].uid == from->uid; kept--)
		rec->overwritten++;
	return kept;
}

/* Of chunk FROM and what is kept before it, of one thread and with one number: which counts. */
static void take_one(struct trace_recording *rec, struct trace_piece *kept,
		     const struct trace_piece *from)
{
	if (from->window == kept->window) {
		rec->double_chunks++;
		return;
	}
	/* a spill cut short by death leaves its window the fuller one of the two; one that goes on
	 * while this is read, a window that had all there was just before */
	rec->stale_windows++;
	if (!rec->clean_end && from->window && !kept->whole)
		*kept = *from;
}

/* BEFORE is a window: is what its thread wrote after it left out? It came while this is read, and what the
 * window held in the end is not there, or not whole. */
static bool ends_at(const struct trace_recording *rec, const struct trace_piece *before)
{
	return before->window && !rec->clean_end && !rec->ring;
}

void trace_pieces_order(struct trace_recording *rec)
{
	struct trace_piece *p = rec->pieces;
	size_t kept = 0;

	if (rec->piece_count > 1)
		qsort(p, rec->piece_count, sizeof(*p), by_thread);
	for (size_t i = 0; i < rec->piece_count; i++) {
		struct trace_piece *before = kept ? &p[kept - 1] : NULL;
		bool same = before && before->uid == p[i].uid;

		if (same && before->seq == p[i].seq) {
			take_one(rec, before, &p[i]);
			continue;
		}
		if (same && ends_at(rec, before))
			continue;
		uint32_t expected = same ? before->seq + 1 : 0;

		if (rec->ring && p[i].seq != expected)
			kept = drop_older(rec, kept, &p[i]);
		else
			rec->missing_chunks += p[i].seq - expected;
		p[kept++] = p[i];
	}
	rec->piece_count = kept;
	/* those whose records no window has had either */
	for (size_t i = 0; i < kept; i++)
		rec->cut_chunks += !p[i].window && !p[i].whole;
}
