/*
 * view_report.c: sections of what the report knows beside sums: durations, and who calls whom.
 */
#include "trace/calls/sketch.h"
#include "trace/report/report.h"
#include "trace/view/view.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

static const unsigned milles[] = { 500, 900, 990, 999 };

/* Where bar I of a histogram begins: 0, 1, 2, 3, 4, 6, 8, 12, 16 .. */
static uint64_t edge(unsigned i)
{
	if (i < 2)
		return i;
	return i % 2 ? UINT64_C(3) << (i / 2 - 1) : UINT64_C(1) << i / 2;
}

enum { EDGES = 2 * 63 };

static void put_histogram(struct jw_buf *out, const struct trace_sketch *s)
{
	unsigned first = 0, last;
	uint64_t before;

	while (first + 1 < EDGES && edge(first + 1) <= s->least)
		first++;
	for (last = first; last + 1 < EDGES && edge(last) <= s->most;)
		last++;
	trace_view_put(out, first);
	trace_view_put(out, last - first);
	before = 0;
	for (unsigned i = first + 1; i <= last; i++) {
		uint64_t below = i == last ? s->n : trace_sketch_below(s, edge(i));

		below = below > before ? below : before;
		trace_view_put(out, below - before);
		before = below;
	}
}

static void put_durations(struct jw_buf *out, const struct trace_report *r)
{
	trace_view_put(out, r->method_count);
	for (size_t i = 0; i < r->method_count; i++) {
		const struct trace_sketch *s = &r->methods[i].durations;

		trace_view_put(out, s->n);
		if (!s->n)
			continue;
		trace_view_put(out, s->least);
		for (size_t k = 0; k < sizeof(milles) / sizeof(*milles); k++)
			trace_view_put(out, trace_sketch_at(s, milles[k]));
		put_histogram(out, s);
	}
}

static uint64_t sum(const uint64_t *ns)
{
	uint64_t all = 0;

	for (size_t i = 0; i < TRACE_TREE_TIMES; i++)
		all += ns[i];
	return all;
}

static void put_tree(struct jw_buf *out, const struct trace_tree *t)
{
	trace_view_put(out, t->n);
	for (size_t i = 0; i < t->n; i++)
		trace_view_put(out, t->at[i].parent == TRACE_TREE_NONE ? 0 : i - t->at[i].parent);
	for (size_t i = 0; i < t->n; i++)
		trace_view_put(out, t->at[i].method >= TRACE_TREE_FOLDED
					    ? 0
					    : (uint64_t)t->at[i].method + 1);
	for (size_t i = 0; i < t->n; i++)
		trace_view_put(out, t->at[i].calls);
	for (size_t i = 0; i < t->n; i++)
		trace_view_put(out, sum(t->at[i].self));
}

static enum jw_status send(const struct trace_view_sink *sink, const char *name,
			   struct jw_buf *bytes, struct jw_err *e)
{
	JW_TRY(jw_buf_finish(bytes, "part of the page", e));
	JW_TRY(sink->section(sink->to, name, jw_buf_span(bytes), e));
	jw_buf_clear(bytes);
	return JW_OK;
}

enum jw_status trace_view_put_report(const struct trace_view_sink *sink,
				     const struct trace_report *report, struct jw_err *e)
{
	struct trace_tree tree = { 0 };
	struct jw_buf bytes = { 0 };
	enum jw_status status;

	put_durations(&bytes, report);
	status = send(sink, "durations", &bytes, e);
	if (status == JW_OK)
		status = trace_report_tree_all(&report->tree, &tree) ? JW_OK : jw_nomem(e);
	if (status == JW_OK) {
		put_tree(&bytes, &tree);
		status = send(sink, "tree", &bytes, e);
	}
	trace_tree_free(&tree);
	jw_buf_free(&bytes);
	return status;
}
