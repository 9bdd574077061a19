/*
 * check_view.c: see check_view.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trace/check_view.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

static enum jw_status take(void *to, const char *name, struct jw_span bytes, struct jw_err *e)
{
	struct check_view *v = to;
	struct check_view_section *grown = realloc(v->sections, (v->n + 1) * sizeof(*grown));

	if (!grown || strlen(name) >= sizeof(grown->name))
		return jw_nomem(e);
	v->sections = grown;
	grown[v->n] = (struct check_view_section){ 0 };
	(void)snprintf(grown[v->n].name, sizeof(grown->name), "%s", name);
	jw_put_bytes(&grown[v->n].bytes, bytes);
	return grown[v->n++].bytes.failed == JW_OK ? JW_OK : jw_nomem(e);
}

void check_view_begin(struct check_view *v, size_t bytes)
{
	*v = (struct check_view){ .sink = { .section = take, .to = v, .bytes = bytes } };
}

void check_view_free(struct check_view *v)
{
	for (size_t i = 0; i < v->n; i++)
		jw_buf_free(&v->sections[i].bytes);
	free(v->sections);
	*v = (struct check_view){ 0 };
}

struct jw_span check_view_bytes(const struct check_view *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->sections[i].name, name) == 0)
			return jw_buf_span(&v->sections[i].bytes);
	return jw_span(NULL, 0);
}

/* ---- tracks ---- */

struct track {
	uint64_t n, calls, busy, sums;
};

/* NULL: it is well formed, ends at END at the latest, and what it shows is below LIMIT. */
static const char *read_track(struct jw_cur *c, uint64_t end, uint64_t limit, uint64_t least,
			      struct track *out)
{
	uint64_t n = trace_view_get(c), *length, time = 0;
	const char *wrong = NULL;
	struct track t = { .n = n };

	if (n > jw_cur_left(c) / 3)
		return "a track has more spans than bytes";
	length = calloc(n + 1, sizeof(*length));
	if (!length)
		return "no memory";
	struct jw_cur begins = *c;

	for (uint64_t i = 0; i < n; i++)
		(void)trace_view_get(c);
	for (uint64_t i = 0; i < n; i++) {
		length[i] = trace_view_get(c);
		time += trace_view_get(&begins) + length[i];
		if (time > end)
			wrong = "a span ends after the run";
		t.busy += length[i];
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t what = trace_view_get(c);

		if (what >> 2 > limit)
			wrong = "a span shows what there is not";
		if (what & 1) {
			t.sums++;
			t.busy -= length[i];
			if (length[i] >= 2 * least)
				wrong = "a sum is longer than two cells";
		}
	}
	t.calls = n - t.sums;
	for (uint64_t i = 0; i < t.sums; i++) {
		uint64_t count = trace_view_get(c);

		if (count < 2)
			wrong = "a sum of less than two";
		t.calls += count;
	}
	for (uint64_t i = 0; i < t.sums; i++)
		t.busy += trace_view_get(c);
	free(length);
	*out = t;
	return jw_cur_ok(c) ? wrong : "a track is cut short";
}

/* ---- sections ---- */

static const char *read_row(struct check_view *v, struct jw_cur *c, uint64_t lines, uint64_t spans,
			    uint64_t end, uint64_t methods)
{
	for (uint64_t line = 0; line < lines; line++) {
		struct track t;
		const char *wrong = read_track(c, end, line ? methods : UINT32_MAX, v->least, &t);

		if (wrong)
			return wrong;
		if (line == 0) {
			v->states_ns += t.busy;
		} else {
			v->calls += t.calls;
			v->spans += t.n;
			v->sums += t.sums;
		}
		spans -= t.n;
	}
	return spans ? "a row has other spans than the index says" : NULL;
}

static const char *read_rows(struct check_view *v, struct jw_cur *index, uint64_t end,
			     const struct trace_report *report)
{
	struct jw_cur rows = { 0 };
	uint64_t open = UINT64_MAX, n = trace_view_get(index), last = 0;

	if (n != report->thread_count)
		return "rows are not the threads of the report";
	for (uint64_t i = 0; i < n; i++) {
		uint64_t process = trace_view_get(index), kind = trace_view_get(index),
			 section = trace_view_get(index), at = trace_view_get(index),
			 lines = trace_view_get(index), spans = trace_view_get(index);
		char name[32];

		/* by process, of which each has a thread */
		if (process < last || process > last + 1 || kind > 3 || !lines)
			return "a row is not that of the report's thread";
		last = process;
		(void)snprintf(name, sizeof(name), "rows.%llu", (unsigned long long)section);
		if (section != open && open != UINT64_MAX && jw_cur_left(&rows))
			return "a section has bytes that no row has";
		if (section != open)
			rows = jw_cur(check_view_bytes(v, name));
		open = section;
		if (rows.pos != at)
			return "a row begins elsewhere than the index says";
		const char *wrong = read_row(v, &rows, lines, spans, end, report->method_count);

		if (wrong)
			return wrong;
	}
	return jw_cur_left(&rows) ? "the last section has bytes that no row has" : NULL;
}

static const char *read_index(struct check_view *v, const struct trace_report *report)
{
	struct jw_cur c = jw_cur(check_view_bytes(v, "index"));
	struct track t;

	if (trace_view_get(&c) != TRACE_VIEW_VERSION)
		return "another version";
	uint64_t end = trace_view_get(&c);

	v->least = trace_view_get(&c);
	(void)trace_view_get(&c);
	v->calls = trace_view_get(&c);
	const char *wrong = read_rows(v, &c, end, report);

	if (end != report->duration_ns)
		return "it ends elsewhere than the report";
	for (uint64_t n = trace_view_get(&c); !wrong && n; n--) {
		(void)trace_view_get(&c);
		(void)trace_view_get(&c);
		for (int texts = 3; texts; texts--)
			jw_cur_skip(&c, trace_view_get(&c));
		uint64_t begin = trace_view_get(&c), last = trace_view_get(&c);

		(void)trace_view_get(&c);
		if (begin > last || last > end)
			return "a process lives at other times than the run";
		wrong = read_track(&c, end, 0, v->least, &t);
		v->pauses_ns += wrong ? 0 : t.busy;
	}
	(void)trace_view_get(&c);
	if (!wrong && (!jw_cur_ok(&c) || jw_cur_left(&c)))
		return "the index is cut short, or goes on";
	return wrong;
}

static const char *read_arrows(struct check_view *v, const struct trace_report *report)
{
	struct jw_cur c = jw_cur(check_view_bytes(v, "arrows"));
	uint64_t all = trace_view_get(&c), n = trace_view_get(&c);

	if (n > all || n > jw_cur_left(&c))
		return "more arrows than there are";
	for (uint64_t i = 0; i < 2 * n; i++)
		(void)trace_view_get(&c);
	for (uint64_t i = 0; i < 2 * n; i++)
		if (trace_view_get(&c) >= report->thread_count)
			return "an arrow of no row";
	for (uint64_t i = 0; i < n; i++)
		(void)trace_view_get(&c);
	v->arrows = n;
	return jw_cur_ok(&c) && !jw_cur_left(&c) ? NULL : "arrows are cut short, or go on";
}

static const char *read_longest(struct check_view *v, const struct trace_report *report)
{
	struct jw_cur c = jw_cur(check_view_bytes(v, "longest"));

	if (trace_view_get(&c) != report->method_count)
		return "methods are not those of the report";
	for (size_t i = 0; i < report->method_count; i++) {
		uint64_t n = trace_view_get(&c), before = report->methods[i].longest_ns;
		uint64_t calls = report->methods[i].calls;

		if (n != (calls < TRACE_VIEW_LONGEST ? calls : TRACE_VIEW_LONGEST))
			return "a method has other calls than the report says";
		for (uint64_t k = 0; k < n; k++) {
			uint64_t row = trace_view_get(&c);

			(void)trace_view_get(&c);
			uint64_t begin = trace_view_get(&c), ns = trace_view_get(&c);

			if (row >= report->thread_count || begin + ns > report->duration_ns)
				return "a longest call is nowhere";
			if (k ? ns > before : ns != before)
				return "the longest call is not the report's, or not the first";
			before = ns;
			v->longest = ns > v->longest ? ns : v->longest;
		}
	}
	return jw_cur_ok(&c) && !jw_cur_left(&c) ? NULL : "the longest are cut short, or go on";
}

const char *check_view_end(struct check_view *v, const struct trace_report *report)
{
	const char *wrong = read_index(v, report);

	if (!wrong)
		wrong = read_arrows(v, report);
	return wrong ? wrong : read_longest(v, report);
}

/* ---- for fuzz targets ---- */

static const size_t rooms[] = { 0, 300 };

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void judge(struct check_view *v, enum jw_status status, const struct trace_report *report,
		  const struct jw_err *e)
{
	const char *wrong = NULL;

	if (status != JW_OK)
		must(e->text[0] != 0, "a failure without a word");
	else if (v->n) /* a summary has no timeline */
		wrong = check_view_end(v, report);
	must(!wrong, wrong);
	check_view_free(v);
}

void check_view_of_recording(const char *path)
{
	const struct trace_job job = { .recordings = &path, .recording_count = 1 };

	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++) {
		struct check_view v;
		struct jw_arena arena = { 0 };
		struct trace_report report = { 0 };
		struct jw_err e = { 0 };

		check_view_begin(&v, rooms[i]);
		struct trace_view *view = trace_view_new(&v.sink);

		must(view != NULL, "no memory");
		const struct trace_report_options options = { .also = &trace_view_output,
							      .ctx = view };
		enum jw_status status =
			trace_report_recordings_by(&job, &options, &arena, &report, &e);

		trace_view_free(view);
		judge(&v, status, &report, &e);
		jw_arena_free(&arena);
	}
}

void check_view_of_prv(struct jw_span prv, struct jw_span pcf, struct jw_span row)
{
	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++) {
		struct check_view v;
		struct jw_arena arena = { 0 };
		struct trace_report report = { 0 };
		struct jw_err e = { 0 };

		check_view_begin(&v, rooms[i]);
		struct trace_view *view = trace_view_new(&v.sink);
		struct trace_reading *r = trace_reading_new_beside(NULL, &trace_view_output, view);

		must(view && r, "no memory");
		enum jw_status status = trace_reading_feed(r, prv, &e);

		if (status == JW_OK)
			status = trace_reading_finish(r, pcf, row, &arena, &report, &e);
		trace_reading_free(r);
		trace_view_free(view);
		judge(&v, status, &report, &e);
		jw_arena_free(&arena);
	}
}
