/*
 * make_index.c: see make_index.h.
 */
#include "tests/trace/make_index.h"

#include <stdlib.h>

#include "tests/trace/make_recording.h"
#include "trace/view/view_index.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

static bool put_all(struct trace_index_writer *w, size_t n)
{
	uint64_t end = (n + 1) * (uint64_t)MAKE_INDEX_STEP;
	const struct trace_view_span all = { .ns = end, .what = 1, .count = 1, .busy = end };
	bool done = trace_index_begin(w, 2, end) && trace_index_span(w, 0, 0, &all);

	for (size_t i = 0; i < n && done; i++) {
		const struct trace_view_span s = { .begin = i * (uint64_t)MAKE_INDEX_STEP,
						   .ns = MAKE_INDEX_NS,
						   .what = (uint32_t)(i % 7),
						   .count = 1,
						   .busy = MAKE_INDEX_NS };

		done = trace_index_span(w, 0, 1, &s) &&
		       trace_index_arrow(w, s.begin, s.begin + MAKE_INDEX_STEP, 0, 1, i);
	}
	return done && trace_index_over(w);
}

static enum jw_status make(const char *path, size_t n, const char *stamp, struct jw_err *e)
{
	struct trace_index_writer *w = NULL;
	struct jw_out out = { 0 };
	enum jw_status status = jw_out_open(path, 0600, &out, e);

	if (status == JW_OK)
		status = trace_index_writer_new(&out, &w, e);
	if (status == JW_OK && !put_all(w, n))
		status = trace_index_why(w, e);
	uint64_t page_at = out.n;

	if (status == JW_OK)
		status = jw_out_write(&out, JW_SPAN_LIT("<html>"), e);
	if (status == JW_OK)
		status = trace_index_finish(w, page_at, jw_span_str(stamp), e);
	if (status == JW_OK)
		status = jw_out_commit(&out, e);
	trace_index_writer_free(w);
	jw_out_abort(&out);
	return status;
}

enum jw_status make_index_status(const char *name, size_t n, const char *stamp)
{
	struct jw_err e = { 0 };

	return make(make_path("%s", name), n, stamp, &e);
}

const char *make_index(const char *name, size_t n, const char *stamp)
{
	if (make_index_status(name, n, stamp) != JW_OK)
		abort();
	return make_path("%s", name);
}
