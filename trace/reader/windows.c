/*
 * windows.c: the index of `windows`, which threads go on to fill while it is read.
 *
 * It is read before `data`: a window of number N is written only once chunk N - 1 is in `data`, so what
 * a window was when it was read, and the chunks of its thread, leave no gap. What the window held is
 * in `data` soon after, and other records in its place: so whoever reads its records looks at its
 * number again after that (trace_window_has()).
 */
#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define HEADER 64 /* of a window: with the point at which it begins */
#define TRIES  8

_Static_assert(offsetof(struct jwr_window, began) + sizeof(struct jwr_clock_point) == HEADER,
	       "the window's header is part of the format");

static bool window_header(struct jw_span bytes, struct jwr_window *out)
{
	struct jw_cur c = jw_cur(bytes);

	out->cursor = jw_cur_le8(&c);
	out->limit = jw_cur_le8(&c);
	out->magic = jw_cur_le4(&c);
	out->thread = jw_cur_le4(&c);
	out->seq = jw_cur_le4(&c);
	out->waits = jw_cur_le4(&c);
	out->lost = jw_cur_le8(&c);
	out->began = trace_piece_clock(&c);
	return jw_cur_ok(&c) && out->magic == JWR_MAGIC && out->thread != 0;
}

static enum jw_status note_loss(struct trace_recording *rec, uint32_t uid, uint64_t lost,
				struct jw_err *e)
{
	struct trace_thread *grown =
		trace_grow(rec->threads, rec->thread_count, &rec->thread_cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(e);
	rec->threads = grown;
	grown[rec->thread_count++] =
		(struct trace_thread){ .uid = uid, .name = "", .window_lost = lost };
	return JW_OK;
}

/* What is owned by a thread at POS; false: nothing. */
static bool window_at(int fd, uint64_t pos, struct jwr_window *out)
{
	uint8_t buf[HEADER];

	return window_header(jw_span(buf, jw_read_at(fd, buf, sizeof(buf), pos)), out);
}

/* Is the window that was W still of the same chunk? Its thread stores nothing over the records of one
 * before the next has its number. */
static bool is_same(const struct jwr_window *w, const struct jwr_window *now)
{
	return w->thread == now->thread && w->seq == now->seq &&
	       !memcmp(&w->began, &now->began, sizeof(w->began));
}

/* How many bytes of records W says that it has. */
static size_t used_of(const struct jwr_window *w, bool *bad)
{
	uint64_t used = w->cursor - JWR_HEADER_SIZE;

	*bad = w->cursor < JWR_HEADER_SIZE || w->cursor > JWR_WINDOW_SIZE;
	if (*bad) /* the records that are there count all the same */
		used = JWR_RECORDS_SIZE;
	used -= used % sizeof(struct jwr_record);
	if (w->waits && used + sizeof(struct jwr_record) <= JWR_RECORDS_SIZE)
		used += sizeof(struct jwr_record);
	return (size_t)used;
}

/* Reads the window at POS, with its records, as it was at one moment. False: no thread has it, or none
 * for long enough: then what it held is in `data`. */
static bool read_whole(int fd, uint64_t pos, struct jwr_window *w, uint8_t *buf, size_t *got,
		       bool *bad)
{
	struct jwr_window now;

	for (int i = 0; i < TRIES && window_at(fd, pos, w); i++) {
		*got = jw_read_at(fd, buf, used_of(w, bad), pos + JWR_HEADER_SIZE);
		if (window_at(fd, pos, &now) && is_same(w, &now))
			return true;
	}
	return false;
}

static enum jw_status take_window(struct trace_recording *rec, uint64_t pos, uint8_t *buf,
				  struct jw_err *e)
{
	struct jwr_window w;
	size_t got;
	bool bad;

	if (!read_whole(rec->windows_fd, pos, &w, buf, &got, &bad))
		return JW_OK;
	struct trace_piece piece = {
		.offset = pos + JWR_HEADER_SIZE,
		.high = UINT64_MAX,
		.uid = w.thread,
		.seq = w.seq,
		.bytes = (uint32_t)(got - got % sizeof(struct jwr_record)),
		.window = true,
		.whole = true,
	};

	trace_piece_survey(&piece, buf);
	rec->bad_windows += bad;
	rec->live_windows++;
	if (w.lost)
		JW_TRY(note_loss(rec, w.thread, w.lost, e));
	JW_TRY(trace_piece_point(rec, &w.began, e));
	return piece.events ? trace_piece_add(rec, &piece, e) : JW_OK;
}

enum jw_status trace_windows_scan(struct trace_recording *rec, struct jw_err *e)
{
	uint8_t *buf = jw_mem_alloc(JWR_RECORDS_SIZE);
	enum jw_status status = JW_OK;
	uint64_t pos = 0, size = trace_file_size(rec->windows_fd);

	if (!buf)
		return jw_nomem(e);
	while (pos < size && status == JW_OK) {
		status = take_window(rec, pos, buf, e);
		pos = trace_next_written(rec->windows_fd, pos + JWR_WINDOW_SIZE, size,
					 JWR_WINDOW_SIZE);
	}
	jw_mem_free(buf);
	return status;
}

bool trace_window_has(int fd, const struct trace_piece *p)
{
	struct jwr_window now;

	return window_at(fd, p->offset - JWR_HEADER_SIZE, &now) && now.thread == p->uid &&
	       now.seq == p->seq;
}
