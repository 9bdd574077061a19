/*
 * t_aside.c: what was put aside comes after what came before it, whether it went to the file at once
 * or not, and however much came before.
 */
#include "base/file.h"
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/replay/aside.h"

#include "base/banned.h"

#define PIECE ((size_t)1000)

static struct jw_err e;

static enum jw_status append(void *to, struct jw_span bytes, struct jw_err *why)
{
	return jw_out_write(to, bytes, why);
}

/* A letter, then the length of what it fills. */
static void fill(struct jw_buf *out, uint64_t n)
{
	jw_put_u1(out, 'F');
	jw_put_le8(out, n);
}

/* Bytes that differ from those a block, a piece or a gap away. */
static uint8_t byte_of(uint64_t at, uint8_t salt)
{
	return (uint8_t)(at * 7 + at / 253 + at / 65521 * 3 + salt);
}

static void put_aside(struct trace_aside *aside, const struct trace_destination *to, uint64_t total)
{
	bool well = true;

	for (uint64_t at = 0; at < total && well; at += PIECE) {
		well = trace_aside_room(aside, PIECE, to, &e) == JW_OK;
		for (uint64_t i = 0; i < PIECE && well; i++)
			aside->block.p[aside->block.n++] = byte_of(at + i, 1);
	}
	ok(well);
}

static void put_before(struct trace_aside *aside, const struct trace_destination *to,
		       uint64_t total, size_t step)
{
	uint8_t *bytes = malloc(step);
	bool well = bytes != NULL;

	for (uint64_t at = 0; at < total && well; at += step) {
		for (size_t i = 0; i < step; i++)
			bytes[i] = byte_of(at + i, 2);
		well = trace_aside_before(aside, to, jw_span(bytes, step), &e) == JW_OK;
	}
	ok(well);
	free(bytes);
}

static bool has(struct jw_span s, uint64_t total, uint8_t salt)
{
	for (uint64_t i = 0; i < total; i++)
		if (i >= s.n || s.p[i] != byte_of(i, salt))
			return false;
	return true;
}

/* How many bytes S begins with that say nothing. */
static uint64_t filler(struct jw_span s)
{
	struct jw_cur c = jw_cur(s);

	if (jw_cur_u1(&c) != 'F')
		return 0;
	uint64_t n = jw_cur_le8(&c);

	for (uint64_t i = 9; i < n; i++)
		if (i >= s.n || s.p[i])
			return 0;
	return jw_cur_ok(&c) && n <= s.n ? n : 0;
}

/* ASIDE bytes after BEFORE ones in steps of STEP, in a file or in a STREAM: what there is of it that
 * says nothing. */
static uint64_t written(uint64_t aside_bytes, uint64_t before, size_t step, bool stream)
{
	struct jw_out out;
	struct jw_file file;
	const char *path = make_path("aside");
	uint64_t nothing = 0;

	make_folder();
	is_int(jw_out_open(path, 0600, &out, &e), JW_OK);
	const struct trace_destination to = {
		.write = append, .to = &out, .file = stream ? NULL : &out, .spill = path
	};
	struct trace_aside aside = { .fill = fill };

	put_aside(&aside, &to, aside_bytes);
	put_before(&aside, &to, before, step);
	is_int(trace_aside_end(&aside, &to, &e), JW_OK);
	trace_aside_free(&aside);
	is_int(jw_out_commit(&out, &e), JW_OK);
	is_int(jw_file_open(path, 0, &file, &e), JW_OK);
	ok(has(file.bytes, before, 2));
	struct jw_span rest = jw_span_sub(file.bytes, before, file.bytes.n);

	if (rest.n > aside_bytes)
		nothing = filler(rest);
	rest = jw_span_sub(rest, nothing, rest.n);
	is_int(rest.n, aside_bytes);
	ok(has(rest, aside_bytes, 1));
	jw_file_close(&file);
	return nothing;
}

#define MANY ((TRACE_ASIDE_MANY + 3 * TRACE_ASIDE_BLOCK) / PIECE * PIECE)

TEST(few_bytes_leave_no_gap)
{
	is_int(written(5 * PIECE, 100, 50, false), 0);
	is_int(written(TRACE_ASIDE_BLOCK / PIECE * PIECE * 3, 100, 50, false), 0);
}

TEST(a_stream_has_no_gap)
{
	is_int(written(MANY, 5 * PIECE, PIECE, true), 0);
}

TEST(what_stays_of_the_gap_says_nothing)
{
	is_int(written(MANY, 5 * PIECE, PIECE, false), TRACE_ASIDE_GAP - 5 * PIECE);
	is_int(written(MANY, 0, PIECE, false), TRACE_ASIDE_GAP);
}

TEST(a_gap_that_is_too_narrow_is_widened)
{
	uint64_t left = written(MANY, TRACE_ASIDE_GAP, TRACE_ASIDE_GAP / 2, false);

	ok(left >= TRACE_ASIDE_FILLER && left <= TRACE_ASIDE_GAP);
	left = written(MANY, 4 * TRACE_ASIDE_GAP, TRACE_ASIDE_GAP / 64, false);
	ok(left >= TRACE_ASIDE_FILLER && left <= 5 * TRACE_ASIDE_GAP);
}
