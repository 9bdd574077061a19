/*
 * f_summary.c: a fuzzed summary is reported, or refused with a message: tables of killed processes,
 * in windows and beside them, chunks, and what meta says of threads and pauses.
 *
 * The input, from its front: lengths of parts, how far windows are filled, and whether the keys of
 * rows and frames are made those of call sites that have names, monitors and classes (and parks and
 * I/O); meta; a window's header page and, after it, what repeats as its rows and frames; tables;
 * data. Magic numbers are put where they belong.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz.h"
#include "tests/trace/make_operations.h"
#include "tests/trace/mutate_recording.h"
#include "trace/report/info.h"
#include "trace/report/report.h"

#include "base/banned.h"

#define WINDOWS 2

static bool known_keys, known_waits;

/* An input in its parts. */
enum { META, WINDOW, TABLES, DATA, PARTS };
enum { HEAD = 8 };

/* Where in the head the low and the high byte of a part's length are. */
static const uint8_t lengths[DATA][2] = {
	[META] = { 0, 7 }, [WINDOW] = { 1, 2 }, [TABLES] = { 3, 4 }
};

static void cut(const uint8_t *data, size_t size, struct jw_span *part)
{
	struct jw_span left = jw_span(data + HEAD, size - HEAD);

	for (size_t i = 0; i < PARTS; i++) {
		size_t n = i < DATA ? (size_t)(data[lengths[i][0]] | data[lengths[i][1]] << 8)
				    : left.n;

		part[i] = jw_span_sub(left, 0, n);
		left = jw_span_sub(left, part[i].n, left.n);
	}
}

static void mutate(struct jw_buf *part, uint32_t *state)
{
	switch (draw(state, 8)) {
	case 0:
	case 1:
		mutate_meta(&part[META], state);
		break;
	case 2:
		mutate_pieces(&part[WINDOW + draw(state, 2)], sizeof(struct jwr_row), state);
		break;
	case 3:
		mutate_pieces(&part[DATA], JWR_ALIGN, state);
		break;
	case 4:
		mutate_chunks(&part[DATA], state);
		break;
	default:
		mutate_number(&part[WINDOW + draw(state, 3)], state);
	}
}

static void change(struct jw_span in, struct jw_buf *out, uint32_t *state)
{
	static const struct mutate_shape shape = { HEAD, PARTS, lengths, cut, mutate };

	mutate_parts(&shape, in, out, state);
}

JW_MUTATES_BY(change)

/* N bytes at P, of what repeats. */
static void put_repeated(uint8_t *p, size_t n, struct jw_span what)
{
	for (size_t at = 0; what.n && at < n; at += what.n)
		memcpy(p + at, what.p, n - at < what.n ? n - at : what.n);
}

/* The key for the low bits of KEY: a kind and what it is of. */
static uint64_t key_of(uint64_t key, uint8_t next)
{
	static const enum jwr_kind kinds[] = { JWR_CONTENDED, JWR_WAIT,   JWR_GC_BEGIN, JWR_ALLOC,
					       JWR_PARK,      JWR_PARKED, JWR_AWAIT };

	if (key % 8 < (known_waits ? 7 : 4))
		return jwr_word(kinds[key % 8], key / 8);
	return jwr_word(JWR_ENTER, make_site((uint32_t)(next + key / 128 * 256) % make_site_count));
}

/* The keys in N bytes of what has SIZE bytes each and begins with its key. */
static void put_keys(uint8_t *p, size_t n, size_t size)
{
	for (size_t at = 0; known_keys && at + size <= n; at += size) {
		uint64_t key = key_of(p[at], p[at + 1]);

		if (p[at])
			memcpy(p + at, &key, sizeof(key));
	}
}

/* Windows of PART: N bytes of rows, and N of frames. */
static void put_windows(struct jw_span part, size_t n)
{
	static const uint32_t magic = JWR_MAGIC;
	size_t head = part.n < sizeof(struct jwr_window) ? part.n : sizeof(struct jwr_window);
	struct jw_span rows = jw_span_sub(part, head, part.n - head);
	uint8_t *bytes = calloc(WINDOWS, JWR_WINDOW_SIZE);

	if (!bytes)
		abort();
	for (size_t i = 0; i < WINDOWS; i++) {
		uint8_t *w = bytes + i * JWR_WINDOW_SIZE;

		memcpy(w, part.p, head);
		memcpy(w + 16, &magic, sizeof(magic));
		put_repeated(w + JWR_HEADER_SIZE, n, rows);
		put_repeated(w + JWR_FRAMES_AT, n, rows);
		put_keys(w + JWR_HEADER_SIZE, n, sizeof(struct jwr_row));
		put_keys(w + JWR_FRAMES_AT, n, sizeof(struct jwr_frame));
		w[20] = (uint8_t)(w[20] + i); /* another thread */
	}
	make_file(make_path("fuzz.jwr/windows"), jw_span(bytes, WINDOWS * JWR_WINDOW_SIZE));
	free(bytes);
}

static void put_data(struct jw_span part)
{
	static const uint32_t magic = JWR_SUMS_MAGIC;
	uint8_t *bytes = malloc(part.n + 1);

	if (!bytes)
		abort();
	memcpy(bytes, part.p, part.n);
	if (part.n > sizeof(struct jwr_sums_chunk))
		put_keys(bytes + sizeof(struct jwr_sums_chunk),
			 part.n - sizeof(struct jwr_sums_chunk), sizeof(struct jwr_row));
	for (size_t at = 0; at + sizeof(magic) <= part.n; at += JWR_ALIGN)
		memcpy(bytes + at, &magic, sizeof(magic));
	make_file(make_path("fuzz.jwr/data"), jw_span(bytes, part.n));
	free(bytes);
}

static void report(const char *path, const char *map)
{
	struct trace_job job = {
		.recordings = &path, .recording_count = 1, .maps = &map, .map_count = 1
	};
	struct trace_recording_info info;
	struct trace_summary summary;
	struct trace_report r;
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	if (trace_report_recordings(&job, &arena, &r, &e) != JW_OK && !e.text[0])
		abort();
	if (trace_summarize(&job, &arena, &summary, &e) != JW_OK && !e.text[0])
		abort();
	if (trace_recording_info(path, &arena, &info, &e) != JW_OK && !e.text[0])
		abort();
	jw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *map = make_operations();

	if (size < HEAD)
		return 0;
	struct make m = make_begin_bare("fuzz");
	struct jw_span part[PARTS];

	known_keys = data[6] % 2;
	known_waits = data[6] >= 128;
	cut(data, size, part);
	make_meta(&m, "jweave-recording|2\nmode|summary\nclock|monotonic");
	fwrite(part[META].p, 1, part[META].n, m.meta);
	make_finish(&m, false);
	put_windows(part[WINDOW], data[5] ? (size_t)data[5] * 16 : JWR_RECORDS_SIZE / 2);
	make_file(make_path("fuzz.jwr/tables"), part[TABLES]);
	put_data(part[DATA]);
	report(m.path, map);
	return 0;
}
