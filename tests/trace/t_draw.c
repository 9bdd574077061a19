/*
 * t_draw.c: what a picture shows of a trace: calls by column, waits, ranges in which threads are
 * idle, names of any letters and length, more threads and arrows than have room; hostile figures,
 * and no memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/draw/draw.h"
#include "trace/draw/draw_band.h"
#include "trace/draw/draw_layout.h"
#include "trace/draw/draw_text.h"
#include "trace/draw/drawing.h"
#include "trace/reader/time_range.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_err err;
static struct trace_drawn drawn;
static struct jw_buf svg; /* ends in a zero byte */

static enum jw_status draw(const struct trace_draw_options *options, const char *prv,
			   const char *pcf, const char *row, size_t piece)
{
	struct trace_drawing *d = trace_drawing_new(options, NULL);
	struct jw_span text = jw_span_str(prv);
	enum jw_status status = d ? JW_OK : JW_NOMEM;

	jw_arena_free(&arena);
	jw_buf_free(&svg);
	drawn = (struct trace_drawn){ 0 };
	err = (struct jw_err){ 0 };
	for (size_t i = 0; i < text.n && status == JW_OK; i += piece)
		status = trace_drawing_feed(d, jw_span_sub(text, i, piece), &err);
	if (status == JW_OK)
		status = trace_drawing_finish(d, jw_span_str(pcf), jw_span_str(row), &arena, &svg,
					      &drawn, &err);
	jw_put_u1(&svg, 0);
	trace_drawing_free(d);
	return status;
}

static const struct trace_draw_options usual = { .title = "t", .width = 1200 };

static bool has(const char *text)
{
	bool found = svg.p && strstr((const char *)svg.p, text);

	if (!found)
		tap_note("not there: %s", text);
	return found;
}

/* How many times TEXT is in the picture. */
static size_t count(const char *text)
{
	size_t n = 0;

	for (const char *p = (const char *)svg.p; (p = strstr(p, text)); p++)
		n++;
	return n;
}

#define HEAD "#Paraver (21/11/2025 at 10:00):1000000_ns:0:1:1(2:0),0\n"

static const char two[] = HEAD "1:0:1:1:1:0:1000000:1\n"
			       "2:0:1:1:1:0:60000019:1\n"
			       "1:0:1:1:2:100000:500000:5\n"
			       "2:0:1:1:2:100000:60000019:2\n"
			       "3:0:1:1:1:500000:500000:0:1:1:2:500000:500000:0:302\n"
			       "1:0:1:1:2:500000:600000:1\n"
			       "2:0:1:1:2:600000:60000019:0\n"
			       "2:0:1:1:1:1000000:60000019:0\n";
static const char names[] = "EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n"
			    "1 Main.run [a.Main.run():void Main.java:1]\n"
			    "2 Queue.take [a.Queue.take():int Queue.java:7]\n";
static const char rows[] = "LEVEL THREAD SIZE 2\nmain\nworker\n";

TEST(states_methods_waits_and_arrows)
{
	is_int(draw(&usual, two, names, rows, 1 << 20), JW_OK);
	is_int(drawn.threads, 2);
	is_int(drawn.rows, 2);
	is_int(drawn.calls, 2);
	is_int(drawn.warning_count, 0);
	ok(has(">main</text>") && has(">worker</text>"));
	ok(has("1 ms \xc2\xb7 2 threads \xc2\xb7 2 calls"));
	/* names in the bands, whole ones as tooltips, and both in the legend */
	ok(has(">Main.run</text>") && has(">Queue.take</text>"));
	ok(has("<title>Main.run [a.Main.run():void Main.java:1]</title>"));
	ok(has(">running</text>") && has(">waiting</text>") &&
	   !strstr((char *)svg.p, "blocked at"));
	/* the wait is in the row's states and hatched over the method, whose last fifth ran */
	is_int(count("<path class=\"s2\" d=\"M"), 1);
	is_int(count("<path class=\"w w2\" d=\"M"), 1);
	is_int(count("<path class=\"a\" d=\"M"), 2); /* in the legend, too */
	ok(has("lets another thread go on"));
	ok(has("prefers-color-scheme:dark"));
}

/* A worker of a pool that has nothing to do is idle, and no pause of the collector. */
TEST(waiting_for_work_is_idle)
{
	static const char prv[] = HEAD "1:0:1:1:1:0:1000000:1\n"
				       "2:0:1:1:1:0:60000019:1\n"
				       "1:0:1:1:2:0:900000:34\n"
				       "2:0:1:1:2:0:60000019:2\n"
				       "1:0:1:1:2:900000:1000000:15\n"
				       "2:0:1:1:2:1000000:60000019:0\n"
				       "2:0:1:1:1:1000000:60000019:0\n";
	const struct trace_draw_options busy = { .title = "t", .width = 1200, .busy = 50 };

	is_int(draw(&usual, prv, names, rows, 1 << 20), JW_OK);
	ok(has(">waiting for work</text>") && has(">other (garbage collection, start)</text>"));
	is_int(count("<path class=\"s4\" d=\"M"), 1);
	is_int(count("<path class=\"w w4\" d=\"M"), 1);
	is_int(count("<path class=\"s5\" d=\"M"), 1);
	is_int(draw(&busy, prv, names, rows, 1 << 20), JW_OK);
	is_int(drawn.rows, 1);
}

TEST(pieces_of_any_size_give_the_same)
{
	struct jw_buf whole = { 0 };

	is_int(draw(&usual, two, names, rows, 1 << 20), JW_OK);
	jw_put_bytes(&whole, jw_buf_span(&svg));
	for (size_t piece = 1; piece < 50; piece += 7) {
		is_int(draw(&usual, two, names, rows, piece), JW_OK);
		is_span(jw_buf_span(&svg), jw_buf_span(&whole));
	}
	jw_buf_free(&whole);
}

/* ---- columns ---- */

static const struct trace_draw_scale hundred = { .from = 1000, .to = 2000, .columns = 100 };

TEST(a_column_is_what_took_most_of_it)
{
	struct trace_draw_band b = { 0 };

	/* columns are 10 ns: of the first 2 ns of method 1, 5 of 2, 3 of 1; then 1 alone */
	ok(trace_draw_band_add(&b, &hundred, 1, 1000, 1002));
	ok(trace_draw_band_add(&b, &hundred, 2, 1002, 1006));
	ok(trace_draw_band_add(&b, &hundred, 1, 1006, 1010));
	ok(trace_draw_band_add(&b, &hundred, 1, 1010, 1052));
	/* one alone, of which little is covered; what ends before it began; what was filled already
	 */
	ok(trace_draw_band_add(&b, &hundred, 3, 1081, 1083));
	ok(trace_draw_band_add(&b, &hundred, 4, 1090, 1089));
	ok(trace_draw_band_add(&b, &hundred, 4, 1020, 1080));
	ok(trace_draw_band_finish(&b, &hundred));
	is_int(b.n, 3);
	is_int(b.runs[0].what, 1);
	is_int(b.runs[0].first, 0);
	is_int(b.runs[0].last, 4);
	is_int(b.runs[1].what, 1 | TRACE_DRAW_FAINT); /* 2 ns of the sixth */
	is_int(b.runs[1].first, 5);
	is_int(b.runs[2].what, 3 | TRACE_DRAW_FAINT);
	is_int(b.runs[2].first, 8);
	is_int(b.runs[2].last, 8);
	jw_mem_free(b.runs);
}

TEST(what_is_outside_is_cut_off)
{
	struct trace_draw_band b = { 0 };

	ok(trace_draw_band_add(&b, &hundred, 1, 0, 900));
	ok(trace_draw_band_add(&b, &hundred, 1, 500, 5000));
	ok(trace_draw_band_add(&b, &hundred, 2, 5000, 6000));
	ok(trace_draw_band_finish(&b, &hundred));
	is_int(b.n, 1);
	is_int(b.runs[0].what, 1);
	is_int(b.runs[0].first, 0);
	is_int(b.runs[0].last, 99);
	jw_mem_free(b.runs);
}

/* Runs never go back, and never leave the columns, whatever the figures. */
TEST(columns_of_any_times)
{
	for (int round = 0; round < 2000; round++) {
		struct trace_draw_scale s = { .columns = 1 + tap_below(2000) };
		struct trace_draw_band b = { 0 };
		uint64_t time = 0;
		bool fine = true;

		s.from = tap_random() >> tap_below(63);
		s.to = s.from + 1 + (tap_random() >> tap_below(63));
		s.to = s.to > s.from ? s.to : UINT64_MAX;
		for (int i = 0; i < 50; i++) {
			uint64_t end = time + ((s.to - s.from) >> tap_below(60));

			fine = fine && trace_draw_band_add(&b, &s, tap_below(20), time, end);
			time = end > time ? end : time;
			time += i ? 0 : s.from;
		}
		fine = fine && trace_draw_band_finish(&b, &s);
		for (size_t i = 0; i < b.n; i++)
			fine = fine && b.runs[i].first <= b.runs[i].last &&
			       b.runs[i].last < s.columns &&
			       (i == 0 || b.runs[i].first > b.runs[i - 1].last);
		ok(fine);
		jw_mem_free(b.runs);
		if (!fine)
			break;
	}
}

/* Millions of calls are no more than the columns. */
TEST(memory_by_columns_not_by_calls)
{
	struct trace_draw_scale s = { .to = 3000000, .columns = 1000 };
	struct trace_draw_band b = { 0 };

	for (uint64_t t = 0; t < s.to; t += 3)
		if (!trace_draw_band_add(&b, &s, (uint32_t)(t / 3 % 7), t, t + 2))
			break;
	is_int(b.time, 2999999);
	ok(b.n < 1000 && b.cap <= 2048);
	jw_mem_free(b.runs);
}

/* ---- ranges ---- */

static struct trace_draw_options between(const char *from, const char *to)
{
	struct trace_draw_options o = usual;

	ok(!from || trace_moment_parse(from, &o.range.from));
	ok(!to || trace_moment_parse(to, &o.range.to));
	return o;
}

/* The inner call ends first, and the outer one has not begun in the range. */
TEST(a_range_inside_of_nested_calls)
{
	static const char deep[] =
		HEAD "2:0:1:1:1:1000:60000019:1:60000019:2:60000019:1:60000019:2\n"
		     "2:0:1:1:1:500000:60000019:0:60000019:0\n"
		     "2:0:1:1:1:999000:60000019:0:60000019:0\n";
	struct trace_draw_options o = between("0.4ms", "60%");

	is_int(draw(&o, deep, names, rows, 1 << 20), JW_OK);
	is_int(drawn.span_ns, 200000);
	is_int(drawn.calls, 4); /* none began in it: all go on there */
	ok(has("400 us to 600 us of 1 ms"));
	is_int(count(">Main.run</text>"), 3); /* levels 0 and 2, and the legend */
	is_int(count(">Queue.take</text>"), 3);
}

TEST(a_range_in_which_threads_are_idle)
{
	struct trace_draw_options o = between("0.7ms", "0.8ms");

	is_int(draw(&o, two, names, rows, 1 << 20), JW_OK);
	is_int(drawn.rows, 2);
	ok(has(">worker</text>") && !strstr((char *)svg.p, "Queue.take"));
	o.busy = true;
	is_int(draw(&o, two, names, rows, 1 << 20), JW_OK);
	is_int(drawn.rows, 1);
	ok(has("1 of 2 threads") && has("1 thread that did less than 1 % left out"));
	o = between("0.2ms", "0.3ms"); /* the worker waits: that is doing nothing */
	o.busy = true;
	is_int(draw(&o, two, names, rows, 1 << 20), JW_OK);
	is_int(drawn.rows, 1);
	o = between("0.45ms", "0.55ms");
	o.busy = true;
	is_int(draw(&o, two, names, rows, 1 << 20), JW_OK);
	is_int(drawn.rows, 2);
}

TEST(nobody_was_busy)
{
	static const char idle[] = HEAD "1:0:1:1:1:0:1000000:5\n";
	struct trace_draw_options o = usual;

	o.busy = true;
	is_int(draw(&o, idle, names, rows, 1 << 20), JW_OK);
	is_int(drawn.rows, 0);
	ok(has("\">no thread did that much</text>"));
}

TEST(a_range_with_nothing_in_it)
{
	struct trace_draw_options o = between("2ms", NULL);

	is_int(draw(&o, two, names, rows, 1 << 20), JW_USAGE);
	is_str(err.text, "the range begins at 2 ms: the trace ends at 1 ms");
	o = between("60%", "0.5ms");
	is_int(draw(&o, two, names, rows, 1 << 20), JW_USAGE);
	is_str(err.text, "the range is empty: from 600 us to 500 us");
}

/* ---- figures of any size ---- */

TEST(traces_that_last_nothing_or_for_ever)
{
	static const char *const cases[] = {
		"#Paraver (1/1/2025 at 0:00):0_ns:0:1:1(1:0),0\n",
		"#Paraver (1/1/2025 at 0:00):1_ns:0:1:1(1:0),0\n2:0:1:1:1:0:60000019:1\n",
		"#Paraver (1/1/2025 at 0:00):18446744073709551615_ns:0:1:1(1:0),0\n"
		"1:0:1:1:1:0:18446744073709551615:1\n2:0:1:1:1:1:60000019:1\n"
		"3:0:1:1:1:0:0:0:1:1:1:9:9:0:1\n",
		"#Paraver (1/1/2025 at 0:00):99999999999999999999_ms:0:1:1(1:0),0\n"
		"2:0:1:1:1:18446744073709551615:60000019:1\n",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		tap_note("case %zu", i);
		is_int(draw(&usual, cases[i], names, "", 1 << 20), JW_OK);
		ok(has("</svg>") && has(">unnamed 1</text>"));
		ok(svg.n < 20000);
	}
}

TEST(what_is_no_trace)
{
	is_int(draw(&usual, "hello\n", "", "", 1 << 20), JW_INPUT);
	is_int(draw(&usual, "", "", "", 1 << 20), JW_INPUT);
	is_str(err.text, "no Paraver trace: it does not begin with \"#Paraver (\"");
}

TEST(what_is_wrong_is_told)
{
	is_int(draw(&usual,
		    HEAD "x\n2:0:1:1:1:7:60000019:0\n2:0:1:1:1:6:60000019:1\n"
			 "2:0:1:1:1:2000000:60000019:0\n",
		    names, rows, 1 << 20),
	       JW_OK);
	is_int(drawn.warning_count, 4);
	is_str(drawn.warnings[0], "1 line is no record of this trace, and was left out");
	is_str(drawn.warnings[1], "1 event is earlier than the one before of its thread");
	is_str(drawn.warnings[2],
	       "1 record comes after the end that the header tells, and was left out");
	is_str(drawn.warnings[3], "1 exit has no enter, and was left out");
}

TEST(what_is_late_is_told)
{
	is_int(draw(&usual, HEAD "1:0:1:1:1:1000001:1000002:1\n1:0:1:1:1:1000002:1000003:1\n",
		    names, rows, 1 << 20),
	       JW_OK);
	is_int(drawn.warning_count, 1);
	is_str(drawn.warnings[0],
	       "2 records come after the end that the header tells, and were left out");
}

/* States that fill the rows until somewhere: the last lines are missing. */
TEST(what_is_cut_short_is_told)
{
	static const char cut[] = HEAD "1:0:1:1:1:0:1000000:1\n1:0:1:1:2:0:400000:1\n";

	is_int(draw(&usual, cut, names, rows, 1 << 20), JW_OK);
	is_int(drawn.warning_count, 1);
	is_str(drawn.warnings[0],
	       "1 row ends before the end that the header tells: the file may be cut short");
	is_int(draw(&usual, HEAD "1:0:1:1:1:0:300000:1\n1:0:1:1:2:0:400000:1\n", names, rows, 9),
	       JW_OK);
	is_str(drawn.warnings[0],
	       "2 rows end before the end that the header tells: the file may be cut short");
	is_int(draw(&usual, HEAD "1:0:1:1:1:0:300000:1\n1:0:1:1:2:200000:400000:1\n", names, rows,
		    9),
	       JW_OK);
	is_int(drawn.warning_count, 0);
}

/* ---- names ---- */

TEST(letters_that_xml_cannot_hold)
{
	struct trace_draw_options o = usual;

	o.title = "a<b>&\"c\"\x01\xff";
	is_int(draw(&o, two,
		    "EVENT_TYPE\n0 60000019 User function\nVALUES\n"
		    "1 Map<K, V>.get & \xe2\x80\xae"
		    "put \xed\xa0\x80.\x0b\n",
		    "LEVEL THREAD SIZE 2\n<main> \"1\"\n\x1b[31m\n", 1 << 20),
	       JW_OK);
	ok(has("a&lt;b&gt;&amp;&quot;c&quot;\xef\xbf\xbd\xef\xbf\xbd<"));
	ok(has("&lt;main&gt; &quot;1&quot;") && has("\xef\xbf\xbd[31m"));
	ok(has("Map&lt;K, V&gt;.get &amp; \xef\xbf\xbdput"));
	for (size_t i = 0; i + 1 < svg.n; i++)
		if (svg.p[i] < ' ' && svg.p[i] != '\n')
			ok(!"a control character");
}

/* The middle goes, and a quarter of the width is the most. */
TEST(long_names)
{
	struct jw_buf name = { 0 }, text = { 0 };
	struct trace_draw_options o = usual;

	jw_put_str(&name, "http-nio-8080-");
	for (int i = 0; i < 500; i++)
		jw_put_str(&name, "\xc3\xa4");
	jw_put_str(&name, "-exec-17");
	jw_put_str(&text, "LEVEL THREAD SIZE 2\nmain\n");
	jw_put_bytes(&text, jw_buf_span(&name));
	jw_put_u1(&text, 0);
	for (o.width = 300; o.width <= 1500; o.width += 400) {
		is_int(draw(&o, two, names, (const char *)text.p, 1 << 20), JW_OK);
		const char *label = strstr((const char *)svg.p, ">http");

		ok(label && strcspn(label + 1, "<") < 90 && strstr(label, "17<"));
		ok(label && strstr(label, "\xe2\x80\xa6"));
		/* columns begin where the names end */
		const char *row = strstr((const char *)svg.p, "class=\"c\" transform=\"translate(");
		unsigned left = row ? (unsigned)strtoul(strchr(row, '(') + 1, NULL, 10) : 0;

		ok(left > 60 && left <= o.width / 4 + 2 * TRACE_DRAW_MARGIN);
	}
	jw_buf_free(&name);
	jw_buf_free(&text);
}

TEST(a_method_has_one_colour)
{
	struct jw_buf a = { 0 }, b = { 0 }, c = { 0 };

	trace_draw_put_colour(&a, JW_SPAN_LIT("Main.run"));
	trace_draw_put_colour(&b, JW_SPAN_LIT("Main.run"));
	trace_draw_put_colour(&c, JW_SPAN_LIT("Main.stop"));
	is_span(jw_buf_span(&a), jw_buf_span(&b));
	ok(!jw_span_eq(jw_buf_span(&a), jw_buf_span(&c)));
	is_int(a.n, 7);
	jw_buf_free(&a);
	jw_buf_free(&b);
	jw_buf_free(&c);
}

TEST(threads_by_name)
{
	struct trace_draw_options o = usual;

	o.threads = "w*k[e]r";
	is_int(draw(&o, two, names, rows, 1 << 20), JW_OK);
	is_int(drawn.rows, 1);
	ok(has("1 of 2 threads") && !strstr((char *)svg.p, ">main<"));
	ok(has("threads whose names match w*k[e]r<"));
	is_int(count("class=\"a"), 0); /* the arrow's other end is not there */
	o.threads = "x*";
	is_int(draw(&o, two, names, rows, 1 << 20), JW_USAGE);
	is_str(err.text,
	       "no thread's name matches 'x*': the first is \"main\", the last \"worker\"");
}

/* Each process has threads of the same names. */
TEST(threads_of_several_processes)
{
	struct trace_draw_options o = usual;

	o.threads = "main";
	is_int(draw(&o,
		    "#Paraver (1/1/2025 at 0:00):1000_ns:0:1:2(1:0,2:0),0\n"
		    "2:0:1:2:1:100:60000019:1\n",
		    names, "LEVEL THREAD SIZE 3\nmain\nmain\nworker\n", 1 << 20),
	       JW_OK);
	is_int(drawn.rows, 2);
	ok(has(">main (process 1)</text>") && has(">main (process 2)</text>"));
}

/* ---- many ---- */

/* N threads, of which thread I has I calls, and an arrow to the next for each; FREE gives it back.
 */
static char *many(unsigned n, unsigned calls)
{
	struct jw_buf b = { 0 };

	jw_put_fmt(&b, "#Paraver (1/1/2025 at 0:00):1000000_ns:0:1:1(%u:0),0\n", n);
	for (unsigned k = 0; k < calls; k++) {
		for (unsigned t = 1; t <= n; t++) {
			unsigned at = k * (1000000 / calls);
			/* the first do most */
			unsigned end = at + 1 + (n - t) * (900000 / calls / n);

			jw_put_fmt(&b, "2:0:1:1:%u:%u:60000019:%u\n2:0:1:1:%u:%u:60000019:0\n", t,
				   at, t % 5 + 1, t, end);
			if (t < n)
				jw_put_fmt(&b, "3:0:1:1:%u:%u:%u:0:1:1:%u:%u:%u:0:302\n", t, at, at,
					   t + 1, at, at);
		}
	}
	jw_put_u1(&b, 0);
	return (char *)b.p;
}

static unsigned height(void)
{
	const char *at = strstr((const char *)svg.p, "height=\"");

	return at ? (unsigned)strtoul(at + 8, NULL, 10) : 0;
}

TEST(rows_get_flatter_then_fewer)
{
	static const struct {
		unsigned threads, rows;
	} cases[] = { { 1, 1 },       { 12, 12 },     { 100, 100 },  { 999, 999 },
		      { 1000, 1000 }, { 1001, 1000 }, { 3000, 1000 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *prv = many(cases[i].threads, 2);

		tap_note("%u threads", cases[i].threads);
		is_int(draw(&usual, prv, names, "", 1 << 20), JW_OK);
		is_int(drawn.rows, cases[i].rows);
		ok(height() < 3200);
		if (cases[i].rows < cases[i].threads)
			ok(has("the 1,000 threads that did most") && has(">unnamed 1</") &&
			   !strstr((char *)svg.p, ">unnamed 1001<"));
		jw_mem_free(prv);
	}
}

TEST(arrows_are_thinned_out_and_it_is_said)
{
	char *prv = many(9, 2000);
	const char *line;

	is_int(draw(&usual, prv, names, "", 1 << 20), JW_OK);
	/* 16,000 of them, each column's once */
	ok(has(" arrows drawn, of 16,000"));
	line = strstr((const char *)svg.p, "<path class=\"h");
	line = line ? strstr(line + 1, "<path class=\"h") : NULL; /* after that of the legend */
	size_t n = 0;

	for (const char *p = line; p && *p != '>'; p++)
		n += *p == 'M';
	ok(n > 500 && n <= 3000);
	jw_mem_free(prv);
}

TEST(levels_that_have_no_room_are_told)
{
	struct jw_buf text = { 0 };
	struct trace_draw_options o = usual;

	jw_put_str(&text, HEAD);
	for (unsigned i = 0; i < 100; i++)
		jw_put_fmt(&text, "2:0:1:1:1:%u:60000019:1\n", i);
	jw_put_u1(&text, 0);
	is_int(draw(&o, (const char *)text.p, names, rows, 1 << 20), JW_OK);
	ok(has("the first 24 of 100 levels of calls"));
	o.max_depth = 3;
	is_int(draw(&o, (const char *)text.p, names, rows, 1 << 20), JW_OK);
	ok(has("the first 3 of 100 levels of calls"));
	is_int(count(">Main.run</text>"), 3 + 1);
	o.max_depth = 100;
	is_int(draw(&o, (const char *)text.p, names, rows, 1 << 20), JW_OK);
	ok(!strstr((char *)svg.p, "levels of calls"));
	jw_buf_free(&text);
}

TEST(memory_fails_at_every_place)
{
	long n = 0;

	for (; n < 3000; n++) {
		jw_mem_fail_after(n);
		enum jw_status status = draw(&usual, two, names, rows, 100);

		if (!jw_mem_fail_after(-1)) {
			is_int(status, JW_OK);
			break;
		}
		if (status != JW_NOMEM)
			is_int(n, -1);
	}
	ok(n > 20 && n < 3000);
	jw_buf_free(&svg);
	jw_arena_free(&arena);
}
