/*
 * f_summary.c: a fuzzed summary is reported, or refused with a message: tables of killed processes,
 * in windows and beside them, chunks, and what meta says of threads and pauses.
 *
 * The input, from its front: lengths of four parts, how far windows are filled, and whether the
 * keys of rows and frames are made those of call sites that have names, monitors and classes; meta;
 * a window's header page and, behind it, what repeats as its rows and frames; tables; data. Magic
 * numbers are put where they belong.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trace/make_operations.h"
#include "trace/info.h"
#include "trace/report.h"

#include "base/banned.h"

#define WINDOWS 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct jw_span input;
static bool known_keys;

/* The next N bytes, or what is left. */
static struct jw_span take(size_t n)
{
	struct jw_span part = jw_span_sub(input, 0, n < input.n ? n : input.n);

	input = jw_span_sub(input, part.n, input.n - part.n);
	return part;
}

static void put_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(p, 1, n, f) != n)
		abort();
	fclose(f);
}

/* N bytes at P, of what repeats. */
static void put_repeated(uint8_t *p, size_t n, struct jw_span what)
{
	for (size_t at = 0; what.n && at < n; at += what.n)
		memcpy(p + at, what.p, n - at < what.n ? n - at : what.n);
}

/* The keys in N bytes of what has SIZE bytes each and begins with its key. */
static void put_keys(uint8_t *p, size_t n, size_t size)
{
	static const enum jwr_kind kinds[] = { JWR_CONTENDED, JWR_WAIT, JWR_GC_BEGIN, JWR_ALLOC };

	for (size_t at = 0; known_keys && at + size <= n; at += size) {
		uint64_t key = p[at];

		if (key % 8 < 4)
			key = jwr_word(kinds[key % 8], key / 8);
		else
			key = jwr_word(JWR_ENTER,
				       make_site((uint32_t)(p[at + 1] + key / 128 * 256) %
						 make_site_count));
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
	put_file(make_path("fuzz.jwr/windows"), bytes, WINDOWS * JWR_WINDOW_SIZE);
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
	put_file(make_path("fuzz.jwr/data"), bytes, part.n);
	free(bytes);
}

static void report(const char *path, const char *map)
{
	struct trace_paraver_job job = { .recordings = &path,
					 .recording_count = 1,
					 .maps = &map,
					 .map_count = 1,
					 .out_base = "" };
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

	if (size < 8)
		return 0;
	struct make m = make_begin_bare("fuzz");
	size_t meta = data[0], window = (size_t)data[1] | (size_t)data[2] << 8,
	       tables = (size_t)data[3] | (size_t)data[4] << 8;

	known_keys = data[6] % 2;
	input = jw_span(data + 8, size - 8);
	struct jw_span text = take(meta);

	make_meta(&m, "jweave-recording|2\nmode|summary\nclock|monotonic");
	fwrite(text.p, 1, text.n, m.meta);
	make_finish(&m, false);
	put_windows(take(window), data[5] ? (size_t)data[5] * 16 : JWR_RECORDS_SIZE / 2);
	struct jw_span beside = take(tables);

	put_file(make_path("fuzz.jwr/tables"), beside.p, beside.n);
	put_data(input);
	report(m.path, map);
	return 0;
}
