/*
 * f_report.c: a fuzzed trace, .pcf and .row (parts after a zero byte): read or refused, the same
 * in pieces of any size, with a call for every method; summed up by `info`; drawn; its critical path
 * found, as its slowest calls and requests are; and exported.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/fuzz.h"
#include "tests/trace/check_exports.h"
#include "tests/trace/check_tables.h"
#include "tests/trace/check_view.h"
#include "tests/trace/make_recording.h"
#include "trace/draw/draw.h"
#include "trace/paraver/prv_source.h"
#include "trace/path/path.h"
#include "trace/requests/requests.h"
#include "trace/report/info.h"
#include "trace/report/report.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

static struct jw_span part(struct jw_span *rest)
{
	const uint8_t *end = rest->n ? memchr(rest->p, 0, rest->n) : NULL;
	struct jw_span s = jw_span(rest->p, end ? (size_t)(end - rest->p) : rest->n);

	*rest = jw_span_sub(*rest, s.n + 1, rest->n);
	return s;
}

static enum jw_status read_in(struct jw_span all, size_t piece, struct jw_arena *arena,
			      struct trace_report *out)
{
	struct trace_reading *r = trace_reading_new(NULL);
	struct jw_span prv = part(&all), pcf = part(&all), row = part(&all);
	struct jw_err e = { 0 };
	enum jw_status status = r ? JW_OK : JW_NOMEM;

	if (r)
		trace_reading_row(r, row);
	for (size_t i = 0; i < prv.n && status == JW_OK; i += piece)
		status = trace_reading_feed(r, jw_span_sub(prv, i, piece), &e);
	if (status == JW_OK)
		status = trace_reading_finish(r, pcf, row, arena, out, &e);
	if (r && status != JW_OK && !e.text[0])
		abort();
	trace_reading_free(r);
	return status;
}

/* Then it ends before the end that its header tells, which is what `info` says. */
static bool is_cut_short(const struct trace_report *report)
{
	for (size_t i = 0; i < report->warning_count; i++)
		if (strstr(report->warnings[i], "the file may be cut short"))
			return true;
	return false;
}

/* What a report could be made of, `info` reads, too. */
static void sum_up(struct jw_span all, bool readable, const struct trace_report *report)
{
	struct jw_arena arena = { 0 };
	struct trace_prv_info info = { 0 };
	struct jw_err e = { 0 };

	make_file(make_path("t.prv"), part(&all));
	make_file(make_path("t.pcf"), part(&all));
	make_file(make_path("t.row"), part(&all));
	enum jw_status status = trace_prv_info(make_path("t.prv"), &arena, &info, &e);
	if (status != JW_OK && (readable || !e.text[0]))
		abort();
	if (readable && info.end_ns > report->duration_ns && !is_cut_short(report))
		abort();
	jw_arena_free(&arena);
}

static enum jw_status draw_in(struct jw_span all, size_t piece, struct jw_buf *svg)
{
	const struct trace_draw_options options = { .title = "<&\"", .width = 400 };
	struct trace_drawing *d = trace_drawing_new(&options, NULL);
	struct jw_span prv = part(&all), pcf = part(&all), row = part(&all);
	struct jw_arena arena = { 0 };
	struct trace_drawn drawn;
	struct jw_err e = { 0 };
	enum jw_status status = d ? JW_OK : JW_NOMEM;

	if (d)
		trace_drawing_row(d, row);
	for (size_t i = 0; i < prv.n && status == JW_OK; i += piece)
		status = trace_drawing_feed(d, jw_span_sub(prv, i, piece), &e);
	if (status == JW_OK)
		status = trace_drawing_finish(d, pcf, row, &arena, svg, &drawn, &e);
	if (d && status != JW_OK && !e.text[0])
		abort();
	trace_drawing_free(d);
	jw_arena_free(&arena);
	return status;
}

/* What is reported is drawn, in any pieces the same, and is UTF-8. */
static void draw(struct jw_span all, enum jw_status reported)
{
	struct jw_buf whole = { 0 }, pieces = { 0 };
	uint32_t point;

	if (draw_in(all, all.n + 1, &whole) != reported || draw_in(all, 3, &pieces) != reported)
		abort();
	if (!jw_span_eq(jw_buf_span(&whole), jw_buf_span(&pieces)))
		abort();
	for (size_t i = 0, n = 1; i < whole.n && n; i += n) {
		n = jw_utf8_at(jw_span_sub(jw_buf_span(&whole), i, 4), &point);
		if (n == 0)
			abort();
	}
	jw_buf_free(&whole);
	jw_buf_free(&pieces);
}

/* A critical path covers each moment once. */
static void check_path(const struct trace_path_list *list)
{
	uint64_t by = 0, time = list->begin;

	for (size_t i = 0; i < TRACE_PATH_TIMES; i++)
		by += list->by[i];
	for (size_t i = 0; i < list->segment_count; i++) {
		if (list->segments[i].begin != time || list->segments[i].end < time)
			abort();
		time = list->segments[i].end;
	}
	if (list->segment_count && (time != list->end || by != list->end - list->begin))
		abort();
}

/* All that the trace in ALL, of three parts, tells goes to OUTPUT; *STATUS: whether it was one. What was told has names of
 * the source, which is the caller's. A trace is one here if it was one where it was REPORTED. */
static struct trace_prv_source *tell_all(const struct trace_output *output, void *ctx,
					 struct jw_span all, enum jw_status reported,
					 enum jw_status *status)
{
	struct jw_span prv = part(&all), pcf = part(&all), row = part(&all);
	struct jw_err e = { 0 };
	struct trace_prv_source *source = ctx ? trace_prv_source_new(output, ctx, NULL) : NULL;

	*status = source ? trace_prv_source_feed(source, prv, &e) : JW_NOMEM;
	if (*status == JW_OK)
		*status = trace_prv_source_finish(source, pcf, row, &e);
	if (*status == JW_OK && reported != JW_OK)
		abort();
	return source;
}

/* WHOLE: its events are in order, and all of it is records. */
static void find_path(struct jw_span all, enum jw_status reported, bool whole)
{
	struct jw_arena arena = { 0 };
	enum jw_status status;
	struct trace_path *path = trace_path_new(NULL, &arena);
	struct trace_prv_source *source =
		tell_all(&trace_path_output, path, all, reported, &status);

	if (status == JW_OK && whole) {
		struct trace_path_list list = trace_path_list(path);

		check_path(&list);
	}
	trace_prv_source_free(source);
	trace_path_free(path);
	jw_arena_free(&arena);
}

/* Each request begins before its answer does, and that before it ends. */
static void check_requests(const struct trace_request_list *list)
{
	uint64_t known = 0;

	for (size_t i = 0; i < list->sum_count; i++)
		known += list->sums[i].times.n;
	if (known < list->slowest_count)
		abort();
	for (size_t i = 0; i < list->slowest_count; i++) {
		const struct trace_request *r = &list->slowest[i];

		if (r->begin > r->answer_begin || r->answer_begin > r->end || !*r->connection)
			abort();
	}
}

static void find_requests(struct jw_span all, enum jw_status reported)
{
	struct jw_arena arena = { 0 };
	enum jw_status status;
	struct trace_requests *requests = trace_requests_new(5, &arena);
	struct trace_prv_source *source =
		tell_all(&trace_requests_output, requests, all, reported, &status);

	if (status == JW_OK) {
		struct trace_request_list list = trace_requests_list(requests);

		check_requests(&list);
	}
	trace_prv_source_free(source);
	trace_requests_free(requests);
	jw_arena_free(&arena);
}

/* No part of a call is longer than the run, nor than a call that an arrow after all else makes longer; what it did is all
 * of its time, and no more. */
static void check_slowest(const struct trace_slow_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct trace_slow_call *c = &list->calls[i];
		uint64_t ns = 0;

		for (size_t j = 0; j < TRACE_REPORT_TIMES; j++)
			ns += c->inside.ns[j];
		if (ns != c->ns || c->over_ns > c->ns)
			abort();
		for (size_t j = 0; j < c->part_count; j++)
			if (c->parts[j].wait.ns > list->duration_ns && c->parts[j].wait.ns > c->ns)
				abort();
	}
}

static void find_slowest(struct jw_span all, enum jw_status reported)
{
	struct jw_arena arena = { 0 };
	enum jw_status status;
	struct trace_slowest *slowest = trace_slowest_new(5, &arena);
	struct trace_prv_source *source =
		tell_all(&trace_slowest_output, slowest, all, reported, &status);

	if (status == JW_OK) {
		struct trace_slow_list list = trace_slowest_list(slowest);

		check_slowest(&list);
	}
	trace_prv_source_free(source);
	trace_slowest_free(slowest);
	jw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jw_span all = jw_span(data, size);
	struct jw_arena a = { 0 }, b = { 0 };
	struct trace_report whole = { 0 }, pieces = { 0 };
	enum jw_status status = read_in(all, size + 1, &a, &whole);

	if (read_in(all, 3, &b, &pieces) != status)
		abort();
	if (status == JW_OK &&
	    (whole.calls != pieces.calls || whole.duration_ns != pieces.duration_ns ||
	     whole.method_count != pieces.method_count ||
	     whole.warning_count != pieces.warning_count))
		abort();
	for (size_t i = 0; i < whole.method_count; i++)
		if (strcmp(whole.methods[i].label, pieces.methods[i].label) != 0 ||
		    whole.methods[i].calls == 0)
			abort();
	sum_up(all, status == JW_OK, &whole);
	draw(all, status);
	find_path(all, status, whole.warning_count == 0);
	find_requests(all, status);
	find_slowest(all, status);
	struct jw_span rest = all, prv = part(&rest), pcf = part(&rest), row = part(&rest);

	check_tables_of_prv(prv, pcf, row);
	check_view_of_prv(prv, pcf, row);
	check_exports_of_prv(prv, pcf, row, (unsigned)jw_hash64(all, 0));
	jw_arena_free(&a);
	jw_arena_free(&b);
	return 0;
}
