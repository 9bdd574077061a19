/*
 * t_view_index.c: an index has each span and each arrow of a run, in any window of it, sums up what is
 * too much, and is refused when it is damaged.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "tests/tap.h"
#include "tests/trace/make_index.h"
#include "tests/trace/make_recording.h"
#include "trace/view/view_index.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

static struct jw_err err;
static struct trace_index *open_index(const char *path, const char *stamp, bool *fits)
{
	struct trace_index *x = NULL;

	err = (struct jw_err){ 0 };
	return trace_index_open(open(path, O_RDONLY | O_CLOEXEC), jw_span_str(stamp), &x, fits,
				&err) == JW_OK
		       ? x
		       : NULL;
}

/* What an answer has of one line. */
struct told {
	uint64_t least, spans, calls, busy, begin, end, sums;
};

static struct told told;

/* Row 0, line LINE. */
static enum jw_status ask(const struct trace_index *x, uint64_t from, uint64_t to, unsigned line)
{
	struct trace_index_window w = { .from = from, .to = to, .rows = { 0 }, .row_n = 1 };
	struct jw_buf out = { 0 };
	enum jw_status status = trace_index_rows(x, &w, &out, &err);
	struct jw_cur c = jw_cur(jw_buf_span(&out));

	told = (struct told){ .least = trace_view_get(&c) };
	uint64_t rows = trace_view_get(&c), row = trace_view_get(&c), lines = trace_view_get(&c);

	for (unsigned i = 0; status == JW_OK && rows == 1 && row == 0 && i < lines; i++) {
		uint64_t n = trace_view_get(&c), before = 0, counted = 0;
		uint64_t *ns = calloc(n + 1, sizeof(*ns));
		struct told t = { .least = told.least, .spans = n };
		struct jw_cur lengths = c;

		for (uint64_t k = 0; k < n; k++)
			(void)trace_view_get(&lengths);
		for (uint64_t k = 0; k < n; k++) {
			uint64_t begin = before + trace_view_get(&c);

			t.begin = k ? t.begin : begin;
			before = begin + (ns[k] = trace_view_get(&lengths));
			t.busy += ns[k];
		}
		t.end = before;
		c = lengths;
		for (uint64_t k = 0; k < n; k++)
			if (trace_view_get(&c) & 1) {
				t.sums++;
				t.busy -= ns[k];
			}
		for (uint64_t k = 0; k < t.sums; k++)
			counted += trace_view_get(&c);
		for (uint64_t k = 0; k < t.sums; k++)
			t.busy += trace_view_get(&c);
		t.calls = n - t.sums + counted;
		free(ns);
		if (i == line)
			told = t;
	}
	ok(status != JW_OK || (jw_cur_ok(&c) && !jw_cur_left(&c)));
	jw_buf_free(&out);
	return status;
}

TEST(every_span_is_there)
{
	bool fits = false;
	const char *path = make_index("i", 1000, "stamp");
	struct trace_index *x = open_index(path, "stamp", &fits);

	ok(x && fits);
	is_int(ask(x, 0, UINT64_MAX / 4, 1), JW_OK);
	is_int(told.least, 0);
	is_int(told.spans, 1000);
	is_int(told.sums, 0);
	is_int(told.busy, 1000 * MAKE_INDEX_NS);
	is_int(ask(x, 0, UINT64_MAX / 4, 0), JW_OK);
	is_int(told.spans, 1);
	trace_index_close(x);
}

TEST(a_window_has_what_touches_it)
{
	bool fits;
	struct trace_index *x = open_index(make_index("i", 5000, ""), "", &fits);

	/* span I begins at I * STEP */
	is_int(ask(x, 100 * MAKE_INDEX_STEP, 110 * MAKE_INDEX_STEP, 1), JW_OK);
	is_int(told.spans, 11);
	is_int(told.begin, 100 * MAKE_INDEX_STEP);
	is_int(ask(x, 100 * MAKE_INDEX_STEP + MAKE_INDEX_NS, 110 * MAKE_INDEX_STEP - 1, 1), JW_OK);
	is_int(told.spans, 10); /* the first one ends there */
	is_int(ask(x, 100 * MAKE_INDEX_STEP + MAKE_INDEX_NS + 1, 101 * MAKE_INDEX_STEP - 1, 1),
	       JW_OK);
	is_int(told.spans, 0);
	is_int(ask(x, 4999 * MAKE_INDEX_STEP, UINT64_MAX / 4, 1), JW_OK);
	is_int(told.spans, 1);
	is_int(ask(x, 5001 * MAKE_INDEX_STEP, UINT64_MAX / 4, 1), JW_OK);
	is_int(told.spans, 0);
	trace_index_close(x);
}

TEST(too_many_are_summed_up_and_none_is_lost)
{
	enum { N = 1200000 };
	bool fits;
	struct trace_index *x = open_index(make_index("i", N, ""), "", &fits);

	is_int(ask(x, 0, UINT64_MAX / 4, 1), JW_OK);
	ok(told.least > 0);
	ok(told.spans <= TRACE_INDEX_SPANS);
	is_int(told.calls, N);
	is_int(told.busy, (uint64_t)N * MAKE_INDEX_NS);
	/* the deepest zoom is exact */
	is_int(ask(x, 600000 * (uint64_t)MAKE_INDEX_STEP, 600100 * (uint64_t)MAKE_INDEX_STEP, 1),
	       JW_OK);
	is_int(told.least, 0);
	is_int(told.spans, 101);
	trace_index_close(x);
}

TEST(arrows_of_a_window)
{
	bool fits;
	struct trace_index *x = open_index(make_index("i", 4000, ""), "", &fits);
	struct jw_buf out = { 0 };

	is_int(trace_index_arrows(x, 0, UINT64_MAX / 4, &out, &err), JW_OK);
	struct jw_cur c = jw_cur(jw_buf_span(&out));

	(void)trace_view_get(&c);
	is_int(trace_view_get(&c), 4000);
	jw_buf_clear(&out);
	/* arrow I is sent at I * STEP, and received a step later */
	is_int(trace_index_arrows(x, 2000 * MAKE_INDEX_STEP, 2001 * MAKE_INDEX_STEP, &out, &err),
	       JW_OK);
	c = jw_cur(jw_buf_span(&out));
	(void)trace_view_get(&c);
	is_int(trace_view_get(&c), 3);
	is_int(trace_view_get(&c), 1999 * MAKE_INDEX_STEP);
	jw_buf_free(&out);
	trace_index_close(x);
}

TEST(another_stamp_another_row)
{
	bool fits = true;
	struct trace_index *x = open_index(make_index("i", 3, "of A"), "of B", &fits);
	struct trace_index_window w = { .rows = { 2 }, .row_n = 1 };
	struct jw_buf out = { 0 };

	ok(x && !fits);
	is_int(trace_index_rows(x, &w, &out, &err), JW_USAGE);
	is_str(err.text, "there is no such row");
	w.row_n = 0;
	is_int(trace_index_rows(x, &w, &out, &err), JW_OK);
	is_int(out.n, 2);
	jw_buf_free(&out);
	trace_index_close(x);
}

/* Cut anywhere, or with any byte changed, it is refused or answers something; never more than that. */
TEST(damaged_files_are_refused)
{
	const char *path = make_index("i", 50, "");
	struct jw_file file;
	int opened = 0;
	bool fits;

	is_int(jw_file_open(path, 0, &file, &err), JW_OK);
	struct jw_buf all = { 0 };

	jw_put_bytes(&all, file.bytes);
	jw_file_close(&file);
	for (size_t n = 0; n < all.n; n++) {
		make_file(make_path("cut"), jw_span(all.p, n));
		struct trace_index *x = open_index(make_path("cut"), "", &fits);

		ok(!x || n == all.n);
		trace_index_close(x);
	}
	for (size_t i = 0; i < all.n; i++) {
		all.p[i] ^= 0x55;
		make_file(make_path("odd"), jw_buf_span(&all));
		struct trace_index *x = open_index(make_path("odd"), "", &fits);

		if (x) {
			opened++;
			(void)ask(x, 0, UINT64_MAX / 4, 1);
		} else {
			ok(err.text[0]);
		}
		trace_index_close(x);
		all.p[i] ^= 0x55;
	}
	ok(opened > 0);
	jw_buf_free(&all);
}

TEST(what_is_said_of_them)
{
	bool fits;

	make_file(make_path("odd"),
		  JW_SPAN_LIT("#Paraver (21/11/2025 at 10:00):1000000_ns:0:1:1(2:0),0"));
	ok(!open_index(make_path("odd"), "", &fits));
	is_str(err.text, "the index is damaged"); /* shorter than a head */
	char zeros[200] = "JWVIEW0\n";

	make_file(make_path("odd"), jw_span(zeros, sizeof(zeros)));
	ok(!open_index(make_path("odd"), "", &fits));
	is_str(err.text, "no index of this version");
	is_int(err.status, JW_INPUT);
}

static enum jw_status begin(uint64_t end)
{
	struct trace_index_writer *w = NULL;
	struct jw_out out = { 0 };

	if (!ok(jw_out_open(make_path("long"), 0600, &out, &err) == JW_OK &&
		trace_index_writer_new(&out, &w, &err) == JW_OK))
		return JW_BUG;
	bool begun = trace_index_begin(w, 1, end);
	enum jw_status status = trace_index_why(w, &err);

	ok(begun == (status == JW_OK));
	trace_index_writer_free(w);
	jw_out_abort(&out);
	return status;
}

TEST(no_run_is_longer_than_browsers_count)
{
	is_int(begin(TRACE_INDEX_TIME - 1), JW_OK);
	is_int(begin(TRACE_INDEX_TIME), JW_OK);
	is_int(begin(TRACE_INDEX_TIME + 1), JW_LIMIT);
	is_str(err.text, "a run of more than 104 days cannot be served; without --serve there is a "
			 "page as a file");
}

TEST(no_memory)
{
	bool failed = true, fits;
	const char *path = make_index("i", 3000, "");

	for (long n = 0; failed; n++) {
		jw_mem_fail_after(n);
		struct trace_index *x = open_index(path, "", &fits);
		enum jw_status status = x ? ask(x, 0, UINT64_MAX / 4, 1) : err.status;

		trace_index_close(x);
		failed = jw_mem_fail_after(-1);
		if (failed ? status != JW_NOMEM : status != JW_OK) {
			ok(false);
			tap_note("allocation %ld: status %d", n, status);
			break;
		}
	}
	for (long n = 0, failing = 1; failing; n++) {
		jw_mem_fail_after(n);
		bool made = make_index_status("j", 3000, "") == JW_OK;

		failing = jw_mem_fail_after(-1);
		ok(made == !failing);
	}
}
