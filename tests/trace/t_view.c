/*
 * t_view.c: what a page is made of: tracks that keep what is long and sum up what is short, however
 * little room there is; rows, levels, pauses, arrows and the longest calls as the report has them;
 * no memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "tests/trace/check_view.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

/* ---- tracks ---- */

static struct trace_view_track track;

static void add(uint64_t least, uint64_t begin, uint64_t ns, uint32_t what)
{
	const struct trace_view_span s = {
		.begin = begin, .ns = ns, .what = what, .count = 1, .busy = ns
	};

	ok(trace_view_track_add(&track, least, &s));
}

/* "BEGIN+NS=WHAT ", of a sum "BEGIN+NS=WHATxCOUNT/BUSY ". */
static const char *spans(void)
{
	static struct jw_buf text;
	struct trace_view_span s;

	jw_buf_clear(&text);
	for (struct trace_view_reader r = trace_view_track_open(&track);
	     trace_view_track_next(&r, &s);) {
		jw_put_fmt(&text, "%llu+%llu=%u%s", (unsigned long long)s.begin,
			   (unsigned long long)s.ns, s.what, s.failed ? "!" : "");
		if (s.is_sum)
			jw_put_fmt(&text, "x%llu/%llu", (unsigned long long)s.count,
				   (unsigned long long)s.busy);
		jw_put_str(&text, " ");
	}
	jw_put_u1(&text, 0);
	return (const char *)text.p;
}

TEST(spans_are_kept_as_they_were)
{
	add(0, 0, 5, 1);
	add(0, 5, 0, 2); /* nothing long is a call, too */
	add(0, 100, 1000000007, 3);
	ok(trace_view_track_close(&track));
	is_str(spans(), "0+5=1 5+0=2 100+1000000007=3 ");
	is_int(track.n, 3);
	trace_view_track_free(&track);
}

TEST(short_ones_of_a_cell_become_one)
{
	add(100, 10, 5, 1);
	add(100, 20, 30, 2);
	add(100, 60, 10, 1);  /* 15 of 1, 30 of 2 */
	add(100, 130, 99, 4); /* alone in its cell */
	add(100, 300, 100, 5);
	add(100, 410, 3, 6);
	add(100, 499, 30, 7); /* it began in the cell */
	ok(trace_view_track_close(&track));
	is_str(spans(), "10+60=2x3/45 130+99=4 300+100=5 410+119=7x2/33 ");
	trace_view_track_free(&track);
}

TEST(a_coarser_track_sums_up_sums)
{
	add(100, 10, 5, 1);
	add(100, 20, 30, 2);
	add(100, 130, 99, 4);
	add(100, 300, 400, 5);
	ok(trace_view_track_coarsen(&track, 400));
	add(400, 800, 1, 1);
	ok(trace_view_track_close(&track));
	is_str(spans(), "10+219=4x3/134 300+400=5 800+1=1 ");
	trace_view_track_free(&track);
}

TEST(what_overlaps_is_cut_off)
{
	add(0, 100, 100, 1);
	add(0, 150, 100, 2); /* begins before the other has ended */
	add(0, 160, 50, 3);  /* is over before it could begin */
	ok(trace_view_track_close(&track));
	is_str(spans(), "100+100=1 200+50=2 ");
	trace_view_track_free(&track);
}

TEST(of_many_in_a_cell_the_longest_is_shown)
{
	for (uint32_t i = 0; i < 50; i++)
		add(1000000, i * 100, i == 40 ? 99 : 10, i);
	ok(trace_view_track_close(&track));
	is_str(spans(), "0+4910=40x50/589 ");
	trace_view_track_free(&track);
}

/* ---- runs ---- */

static struct jw_arena arena;
static struct check_view view;
static struct trace_report report;
static struct jw_err err;

static enum jw_status read_prv(const char *prv, const char *pcf, const char *row, size_t bytes)
{
	jw_arena_free(&arena);
	check_view_free(&view);
	check_view_begin(&view, bytes);
	err = (struct jw_err){ 0 };
	struct trace_view *v = trace_view_new(&view.sink);
	struct trace_reading *r = trace_reading_new_beside(NULL, &trace_view_output, v);
	enum jw_status status = v && r ? trace_reading_feed(r, jw_span_str(prv), &err) : JW_NOMEM;

	if (status == JW_OK)
		status = trace_reading_finish(r, jw_span_str(pcf), jw_span_str(row), &arena,
					      &report, &err);
	trace_reading_free(r);
	trace_view_free(v);
	return status;
}

#define HEAD "#Paraver (21/11/2025 at 10:00):1000000_ns:0:1:1(2:0),0\n"

static const char two[] = HEAD "1:0:1:1:1:0:1000000:1\n"
			       "2:0:1:1:1:0:60000019:1\n"
			       "1:0:1:1:2:100000:500000:5\n"
			       "2:0:1:1:2:100000:60000019:2\n"
			       "2:0:1:1:2:200000:60000019:1\n"
			       "2:0:1:1:2:250000:60000019:0\n"
			       "3:0:1:1:1:500000:500000:0:1:1:2:500000:510000:0:302\n"
			       "1:0:1:1:2:500000:600000:1\n"
			       "2:0:1:1:2:600000:60000019:0\n"
			       "2:0:1:1:1:1000000:60000019:0\n";
static const char names[] = "EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n"
			    "1 Main.run [a.Main.run():void Main.java:1]\n"
			    "2 Queue.take [a.Queue.take():int Queue.java:7]\n";
static const char rows[] = "LEVEL THREAD SIZE 2\nmain\nworker\n";

TEST(a_trace_becomes_rows_of_tracks)
{
	is_int(read_prv(two, names, rows, 0), JW_OK);
	is_str(check_view_end(&view, &report), NULL);
	is_int(view.calls, 3);
	is_int(view.spans, 3);
	is_int(view.sums, 0);
	is_int(view.least, 0);
	is_int(view.states_ns, 1000000 + 400000 + 100000);
	is_int(view.arrows, 1);
	is_int(view.longest, 1000000);
	/* the second row: one state after 100000, one after that; Queue.take, and Main.run inside of it */
	struct jw_span bytes = check_view_bytes(&view, "rows.0");

	ok(bytes.n > 20 && bytes.n < 60);
}

TEST(without_calls_there_are_rows_all_the_same)
{
	is_int(read_prv(HEAD, "", "", 0), JW_OK);
	is_str(check_view_end(&view, &report), NULL);
	is_int(view.calls, 0);
	is_int(view.arrows, 0);
}

/* N calls of 10 ns, 90 ns apart, and a long one. */
static char *many(size_t n)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, "#Paraver (21/11/2025 at 10:00):90000000_ns:0:1:1(1:0),0\n");
	for (size_t i = 0; i < n; i++)
		jw_put_fmt(&prv, "2:0:1:1:1:%zu:60000019:%zu\n2:0:1:1:1:%zu:60000019:0\n", i * 100,
			   1 + i % 3, i * 100 + 10);
	jw_put_fmt(&prv, "2:0:1:1:1:%zu:60000019:4\n2:0:1:1:1:%zu:60000019:0\n", n * 100,
		   (size_t)80000000);
	jw_put_u1(&prv, 0);
	return (char *)prv.p;
}

TEST(however_little_room_no_call_is_lost)
{
	char *prv = many(20000);
	static const size_t room[] = { 0, 30000, 5000, 500, 1 };

	for (size_t i = 0; i < sizeof(room) / sizeof(*room); i++) {
		is_int(read_prv(prv, "", "", room[i]), JW_OK);
		is_str(check_view_end(&view, &report), NULL);
		is_int(view.calls, 20001);
		is_int(view.longest, 78000000);
		ok((room[i] == 0) == (view.sums == 0));
		ok(room[i] < 500 || check_view_bytes(&view, "rows.0").n <= room[i] || room[i] == 0);
	}
	ok(view.spans < 10);
	free(prv);
}

TEST(arrows_are_thinned_out_when_there_are_too_many)
{
	struct jw_buf prv = { 0 };
	const size_t n = TRACE_VIEW_ARROWS + 5;

	jw_put_str(&prv, "#Paraver (21/11/2025 at 10:00):90000000_ns:0:1:1(2:0),0\n");
	for (size_t i = 0; i < n; i++)
		jw_put_fmt(&prv, "3:0:1:1:1:%zu:%zu:0:1:1:2:%zu:%zu:0:302\n", i, i, i + 5, i + 5);
	jw_put_u1(&prv, 0);
	is_int(read_prv((const char *)prv.p, "", "", 0), JW_OK);
	is_str(check_view_end(&view, &report), NULL);
	is_int(view.arrows, TRACE_VIEW_ARROWS / 2 + 3);
	jw_buf_free(&prv);
}

/* Times that run back, states that overlap, ends without a beginning, an arrow into the past. */
TEST(what_somebody_wrote_is_well_formed)
{
	is_int(read_prv(HEAD "1:0:1:1:1:500000:900000:1\n"
			     "1:0:1:1:1:400000:600000:5\n"
			     "2:0:1:1:1:300000:60000019:0\n"
			     "2:0:1:1:1:900000:60000019:1\n"
			     "2:0:1:1:1:100000:60000019:0\n"
			     "2:0:1:1:1:200000:60000019:2\n"
			     "3:0:1:1:1:500000:500000:0:1:1:2:400000:300000:0:302\n"
			     "3:0:1:1:2:100000:100000:0:1:1:2:400000:300000:0:302\n",
			names, rows, 0),
	       JW_OK);
	is_str(check_view_end(&view, &report), NULL);
}

static enum jw_status refuse(void *to, const char *name, struct jw_span bytes, struct jw_err *e)
{
	(void)to;
	(void)name;
	(void)bytes;
	return jw_fail(e, JW_IO, "no room");
}

TEST(who_takes_the_sections_may_refuse)
{
	const struct trace_view_sink sink = { .section = refuse };
	struct trace_view *v = trace_view_new(&sink);
	struct trace_reading *r = trace_reading_new_beside(NULL, &trace_view_output, v);

	ok(v && r);
	is_int(trace_reading_feed(r, jw_span_str(two), &err), JW_OK);
	is_int(trace_reading_finish(r, jw_span_str(""), jw_span_str(""), &arena, &report, &err),
	       JW_IO);
	is_str(err.text, "no room");
	trace_reading_free(r);
	trace_view_free(v);
}

TEST(no_memory)
{
	char *prv = many(300);
	bool failed = true;

	for (long n = 0; failed; n++) {
		jw_mem_fail_after(n);
		enum jw_status status = read_prv(prv, names, rows, 200);

		failed = jw_mem_fail_after(-1);
		if (failed ? status != JW_NOMEM : status != JW_OK) {
			ok(false);
			tap_note("allocation %ld: status %d", n, status);
			break;
		}
	}
	is_str(check_view_end(&view, &report), NULL);
	is_int(view.calls, 301);
	check_view_free(&view);
	jw_arena_free(&arena);
	free(prv);
}
