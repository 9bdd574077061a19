/*
 * Recordings of processes that go on while they are read: their windows become chunks in between.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include <fcntl.h>

#include "base/file.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define METHOD 77
#define ROOM   (JWR_RECORDS_SIZE / sizeof(struct jwr_record))

static struct jw_arena arena;
static struct trace_notes notes;
static struct trace_recording rec;

static int open_file(const struct make *m, const char *name)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", m->path, name);
	int fd = open(path, O_RDWR);

	ok(fd >= 0);
	return fd;
}

/* N enters of METHOD by thread UID, one a tick from FROM on. */
static void enters(struct make *m, uint32_t uid, uint64_t from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		make_event(m, uid, MAKE_START + from + i, JWR_ENTER, METHOD);
}

/* Its window N, as a thread does: the records become a chunk of `data` at AT (UINT64_MAX: its end), of
 * which WRITTEN bytes are there; then there are other records in the window. */
static void spill(const struct make *m, uint64_t n, uint64_t at, size_t written)
{
	static union {
		struct jwr_window w;
		uint8_t bytes[JWR_WINDOW_SIZE];
	} u;
	int windows = open_file(m, "windows"), data = open_file(m, "data");
	uint64_t pos = n * JWR_WINDOW_SIZE;

	is_int(jw_read_at(windows, u.bytes, sizeof(u), pos), sizeof(u));
	struct jwr_chunk h = {
		.magic = JWR_MAGIC,
		.thread = u.w.thread,
		.seq = u.w.seq,
		.bytes = (uint32_t)(u.w.cursor - JWR_HEADER_SIZE),
		.began = u.w.began,
		.ended = make_point(m, MAKE_START + 100000),
	};
	uint8_t *chunk = u.bytes + JWR_HEADER_SIZE - sizeof(h);

	memcpy(chunk, &h, sizeof(h));
	if (at == UINT64_MAX)
		at = (trace_file_size(data) + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN;
	if (written > sizeof(h) + h.bytes)
		written = sizeof(h) + h.bytes;
	ok(jw_write_all_at(data, chunk, written, at));
	memset(u.bytes + JWR_HEADER_SIZE, 0, JWR_RECORDS_SIZE);
	for (size_t i = 0; i < 3; i++) {
		struct jwr_record r = { MAKE_START + 200000 + i, jwr_word(JWR_ENTER, METHOD + 1) };

		memcpy(u.bytes + JWR_HEADER_SIZE + i * sizeof(r), &r, sizeof(r));
	}
	u.w.cursor = JWR_HEADER_SIZE + 3 * sizeof(struct jwr_record);
	u.w.began = h.ended;
	u.w.seq++;
	ok(jw_write_all_at(windows, u.bytes, sizeof(u), pos));
	close(windows);
	close(data);
}

static void open_it(const struct make *m, const struct trace_progress *progress)
{
	struct jw_err e = { 0 };

	notes = (struct trace_notes){ .arena = &arena };
	is_int(trace_recording_open(m->path, progress, &rec, &notes, &e), JW_OK);
	is_str(e.text, "");
}

static void close_it(void)
{
	trace_recording_close(&rec);
	trace_notes_free(&notes);
	jw_arena_free(&arena);
}

/* All records of thread I are enters of METHOD, one a tick from FROM on: as many as it says. */
static void has_enters(size_t i, uint64_t from)
{
	const struct trace_thread *t = &rec.threads[i];
	static struct jwr_record r[ROOM];
	uint64_t n = 0, wrong = 0;

	for (size_t k = 0; k < t->piece_count; k++) {
		const struct trace_piece *p = &rec.pieces[t->piece + k];
		size_t got = trace_piece_read(&rec, p, r, 160, p->offset);

		got += trace_piece_read(&rec, p, r + 10, p->bytes - got, p->offset + got);
		is_int(got, p->bytes);
		for (size_t at = 0; at < got / sizeof(*r); at++, n++)
			wrong += r[at].tick != MAKE_START + from + n ||
				 r[at].word != jwr_word(JWR_ENTER, METHOD);
	}
	is_int(n, t->events);
	is_int(wrong, 0);
}

TEST(window_that_became_a_chunk_since_it_was_indexed)
{
	for (int resting = 0; resting < 2; resting++) {
		struct make m = make_begin(resting ? "since-rest" : "since");

		enters(&m, 1, 10, ROOM + 100);
		enters(&m, 2, 20, 50);
		make_finish(&m, false);
		open_it(&m, NULL);
		if (resting)
			trace_recording_rest(&rec);
		spill(&m, 0, UINT64_MAX, SIZE_MAX);
		spill(&m, 0, UINT64_MAX, SIZE_MAX);
		is_int(rec.threads[0].events, ROOM + 100);
		has_enters(0, 10);
		has_enters(1, 20);
		close_it();
	}
}

/* Between the time at which the windows are read and that at which `data` is. */
struct between {
	const struct make *m;
	void (*move)(const struct make *m);
};

static void tell(void *ctx, double done, double all)
{
	struct between *b = ctx;

	(void)done, (void)all;
	if (b->move)
		b->move(b->m);
	b->move = NULL;
}

static void open_moved(const struct make *m, void (*move)(const struct make *m))
{
	struct between b = { m, move };
	struct trace_progress p = { tell, &b, 1, 0, 1 };

	open_it(m, &p);
	ok(!b.move);
}

static void spill_first(const struct make *m)
{
	spill(m, 0, UINT64_MAX, SIZE_MAX);
}

TEST(window_that_becomes_a_chunk_between_the_two_files)
{
	struct make m = make_begin("between");

	enters(&m, 1, 10, ROOM + 100);
	enters(&m, 2, 20, 50);
	make_finish(&m, false);
	open_moved(&m, spill_first);
	is_int(notes.n, 0);
	is_int(rec.missing_chunks, 0);
	is_int(rec.threads[0].events, ROOM + 100);
	has_enters(0, 10);
	has_enters(1, 20);
	close_it();
	open_it(&m, NULL);
	is_int(rec.threads[0].events, ROOM + 100 + 3);
	close_it();
}

/* Two threads spill: the second is faster. The first has then spilled another, which is there, too. */
TEST(place_in_data_that_is_not_written_yet)
{
	struct make m = make_begin("unwritten");
	uint64_t chunk = 2 * JWR_ALIGN;

	enters(&m, 1, 10, 50);
	enters(&m, 2, 20, 50);
	make_finish(&m, false);
	for (size_t cut = 0; cut < 3; cut++) { /* nothing, half, or all of it is there */
		size_t written[] = { 0, sizeof(struct jwr_chunk) + 160, SIZE_MAX };
		char bytes[2 * JWR_WINDOW_SIZE];
		int windows = open_file(&m, "windows");

		is_int(jw_read_at(windows, bytes, sizeof(bytes), 0), sizeof(bytes));
		spill(&m, 1, chunk, SIZE_MAX);
		spill(&m, 0, 0, written[cut]);
		spill(&m, 0, 2 * chunk, SIZE_MAX);
		ok(jw_write_all_at(windows, bytes, sizeof(bytes), 0));
		close(windows);
		open_it(&m, NULL);
		is_int(notes.n, 0);
		is_int(rec.threads[0].events, cut == 2 ? 53 : 50);
		is_int(rec.threads[1].events, 50);
		spill(&m, 1, chunk, SIZE_MAX);
		spill(&m, 0, 0, SIZE_MAX); /* it comes late */
		if (cut < 2)
			has_enters(0, 10);
		has_enters(1, 20);
		close_it();
		int windows_again = open_file(&m, "windows"), data = open_file(&m, "data");

		ok(jw_write_all_at(windows_again, bytes, sizeof(bytes), 0));
		ok(ftruncate(data, 0) == 0);
		close(windows_again);
		close(data);
	}
}

/* What is gone from its window and nowhere else does not become other records. */
TEST(window_that_is_gone)
{
	struct make m = make_begin("gone");

	enters(&m, 1, 10, 50);
	make_finish(&m, false);
	open_it(&m, NULL);
	spill(&m, 0, 0, 0);
	struct jwr_record r;

	is_int(rec.piece_count, 1);
	is_int(trace_piece_read(&rec, rec.pieces, &r, sizeof(r), rec.pieces->offset), 0);
	close_it();
}

static void say_end(const struct make *m)
{
	int meta = open_file(m, "meta");
	static const char end[] = "thread\t1\t0\t0\t0\t0\t\tlate\nend\t1100000\texit\n";

	spill(m, 0, UINT64_MAX, SIZE_MAX);
	ok(jw_write_all_at(meta, end, sizeof(end) - 1, trace_file_size(meta)));
	close(meta);
}

/* Its windows are gone once meta says that it has ended. */
TEST(end_between)
{
	struct make m = make_begin("end");

	enters(&m, 1, 10, 50);
	make_finish(&m, false);
	open_moved(&m, say_end);
	ok(!rec.clean_end);
	is_int(rec.threads[0].events, 50);
	has_enters(0, 10);
	close_it();
	open_it(&m, NULL);
	ok(rec.clean_end);
	is_str(rec.threads[0].name, "late");
	close_it();
}
