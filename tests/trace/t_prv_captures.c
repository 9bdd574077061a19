/*
 * t_prv_captures.c: captures, names and processes of a .prv, in formats that are told of them as of
 * recordings.
 */
#include <stdio.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/trace/check_exports.h"
#include "trace/collapsed/collapsed.h"
#include "trace/export/export.h"
#include "trace/names/label.h"

#include "base/banned.h"

#define HEAD "#Paraver (01/01/26 at 00:00):5000_ns:1(1):1:1(1:1)\n"
#define AT   "2:1:1:1:1:"

/* "-" for what a table has not. */
static void show_nulls(struct jw_buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->n; i++) {
		bool null = i + 1 < out->n && out->p[i] == '\\' && out->p[i + 1] == 'N';

		out->p[n++] = null ? '-' : out->p[i];
		i += null;
	}
	out->n = n;
}

/* What FORMAT (of "tsv": TABLE) writes has TEXT in it. */
static bool says(const char *format, const char *table, const char *prv, const char *pcf,
		 const char *text)
{
	struct jw_buf out = { 0 };

	export_prv(format, table, prv, pcf, &out);
	jw_put_u1(&out, 0);
	if (table)
		show_nulls(&out);
	bool found = out.failed == JW_OK && strstr((const char *)out.p, text);

	if (!found)
		tap_note("no '%s' in: %.*s", text, (int)out.n, (const char *)out.p);
	jw_buf_free(&out);
	return ok(found);
}

/* Two calls: of texts, null, numbers and objects that are instants. */
static const char instants[] = HEAD AT
	"100:60000019:1\n" AT "110:48110001:2:48110002:0:48110003:2147483777\n" AT
	"120:60000019:2\n" AT "130:48110001:0\n" AT "140:60000019:0\n" AT "150:60000019:0\n";
#define OBJECTS "EVENT_TYPE\n0 48110003 it, object (48110003)\n\n"
#define NUMBERS "EVENT_TYPE\n0 48110002 ms (48110002)\n\n"
#define TEXTS   "\n1 one\n2 two (2)\n\n"
static const char instant_names[] =
	NUMBERS OBJECTS "EVENT_TYPE\n0 48110001 id (48110001)\nVALUES\n0 null" TEXTS;

TEST(captures_are_of_their_calls)
{
	says("chrome", NULL, instants, instant_names,
	     "\"captured\":{\"id\":\"two (2)\",\"ms\":0,\"it\":2147483777}");
	says("chrome", NULL, instants, instant_names, "\"captured\":{\"id\":0}");
	says("tsv", "name", instants, instant_names, "capture\tid\t-\n");
	says("tsv", "name", instants, instant_names, "text\ttwo (2)\t-\n");
	says("tsv", "event", instants, instant_names, "1\t1\t110\t-\t1\t-\t-\t-\t-\t2\n");
	says("tsv", "event", instants, instant_names, "1\t1\t110\t-\t3\t-\t-\t-\t0\t-\n");
	says("tsv", "event", instants, instant_names, "1\t1\t110\t-\t4\t2147483777\t-\t-\t-\t-\n");
}

TEST(a_call_that_the_trace_does_not_end_is_open)
{
	says("tsv", "call", HEAD AT "100:60000019:1\n" AT "200:60000019:2\n" AT "300:60000019:0\n",
	     "", "1\t-\t1\t1\t100\t4900\t4800\t0\t0\t-\t1\t1\n");
	says("tsv", "call", HEAD AT "100:60000019:1\n" AT "200:60000019:2\n" AT "300:60000019:0\n",
	     "", "2\t1\t1\t2\t200\t100\t100\t1\t0\t-\t1\t0\n");
}

/* An empty text is not one of which nothing can be shown. */
TEST(empty_texts)
{
	static const char names[] = "EVENT_TYPE\n0 48110001 id (48110001)\nVALUES\n0 null\n"
				    "1 ?\n2 \"\"\n";
	struct jw_buf label = { 0 };

	trace_put_text(&label, jw_span_str(""), false);
	jw_put_u1(&label, ' ');
	trace_put_text(&label, jw_span_str("\xe2\x80\xa8"), false);
	jw_put_u1(&label, 0);
	is_str((const char *)label.p, "\"\" ?");
	says("chrome", NULL, instants, names, "\"captured\":{\"id\":\"\"}");
	jw_buf_free(&label);
}

/* Without the names they are numbers of events. */
TEST(without_names_they_are_events)
{
	says("chrome", NULL, instants, "", "\"name\":\"event 48110001\"");
	says("tsv", "name", instants, "", "user\tuser 48110001\t-\n");
}

/* Before 0 was called null: the end of a text that holds looks the same, and is left out. */
TEST(in_older_traces_null_is_left_out)
{
	static const char names[] = "EVENT_TYPE\n0 48110001 id (48110001)\nVALUES\n0 End" TEXTS;
	struct jw_buf out = { 0 };

	export_prv("tsv", "event", instants, names, &out);
	jw_put_u1(&out, 0);
	show_nulls(&out);
	ok(strstr((const char *)out.p, "1\t1\t110\t-\t1\t-\t-\t-\t-\t2\n"));
	ok(!strstr((const char *)out.p, "\t130\t"));
	jw_buf_free(&out);
}

#define HOLDS "\nVALUES\n0 No longer held\n"
/* One call in another, of the same method; then one that captures what the outer one did. */
static const char held[] = HEAD AT
	"100:60000019:1\n" AT "110:48110001:1:48110002:1:48110003:9\n" AT "200:60000019:1\n" AT
	"210:48110001:2:48110002:6\n" AT "300:48110002:1:48110001:1:48100024:1:60000019:0\n" AT
	"400:60000019:1\n" AT "410:48110001:2\n" AT "420:48110001:1\n" AT "500:48110001:2\n" AT
	"505:48110001:1\n" AT "510:48110001:2:48110001:1:48110001:2:48110001:1:60000019:0\n" AT
	"600:48110003:0:48110002:0:48110001:0:60000019:0\n";
static const char held_names[] = "EVENT_TYPE\n0 48110001 id (48110001)" HOLDS "1 one\n2 two\n\n"
				 "EVENT_TYPE\n0 48110002 ms (48110002)" HOLDS "1 0\n6 5\n\n"
				 "EVENT_TYPE\n0 48110003 it, object that holds (48110003)\n\n";

TEST(what_holds_is_over_with_its_call)
{
	says("tsv", "event", held, held_names, "1\t2\t210\t90\t3\t-\t-\t-\t5\t-\n");
	says("tsv", "event", held, held_names, "1\t2\t210\t90\t1\t-\t-\t-\t-\t5\n");
	says("tsv", "event", held, held_names, "1\t1\t110\t490\t4\t9\t-\t-\t-\t-\n");
	says("tsv", "event", held, held_names, "1\t1\t110\t490\t3\t-\t-\t-\t0\t-\n");
	says("tsv", "event", held, held_names, "1\t3\t420\t90\t1\t-\t-\t-\t-\t2\n");
	says("tsv", "event", held, held_names, "1\t3\t500\t10\t1\t-\t-\t-\t-\t5\n");
	says("chrome", NULL, held, held_names, "\"captured\":{\"id\":\"two\",\"ms\":5},\"ended by");
	says("chrome", NULL, held, held_names, "\"captured\":{\"id\":\"one\",\"ms\":0,\"it\":9}");
}

/* The value of the call around: captured anew, unless the call ends at once. */
TEST(a_value_of_the_call_around_is_captured_anew)
{
	says("chrome", NULL, held, held_names,
	     "\"captured\":{\"id\":\"two\",\"id (2)\":\"one\",\"id (3)\":\"two\",\"id "
	     "(4)\":\"one\"}");
}

/* Names say that the numbers hold, in older traces by what is missing; if there are too many, the label. */
TEST(numbers_that_hold_are_one_less)
{
	static const char prv[] =
		HEAD AT "100:60000019:1\n" AT "110:48110002:7\n" AT "200:48110002:0:60000019:0\n";

	says("chrome", NULL, prv, "EVENT_TYPE\n0 48110002 ms (48110002)\nVALUES\n0 End\n7 6\n",
	     "\"captured\":{\"ms\":6}");
	says("chrome", NULL, prv, "EVENT_TYPE\n0 48110002 ms (48110002)\nVALUES\n0 End\n2 1\n1 0\n",
	     "\"captured\":{\"ms\":6}");
	says("chrome", NULL, prv, "EVENT_TYPE\n0 48110002 ms, + 1 (48110002)\nVALUES\n0 x\n9 8\n",
	     "\"captured\":{\"ms\":6}");
	says("chrome", NULL, prv, "EVENT_TYPE\n0 48110002 ms (48110002)\nVALUES\n0 null\n1 0\n",
	     "\"captured\":{\"ms\":\"text 7\"");
	says("tsv", "event", prv, "EVENT_TYPE\n0 48110002 ms (48110002)\nVALUES\n0 End\n7 6\n",
	     "1\t1\t110\t90\t1\t-\t-\t-\t6\t-\n");
}

/* The program's own: its label ends as it likes. */
TEST(events_of_the_program_have_names)
{
	static const char prv[] =
		HEAD AT "100:48200001:3\n" AT "200:48200002:4\n" AT "300:48200003:0\n";
	static const char names[] =
		"EVENT_TYPE\n0 48200002 User event 48200002\nVALUES\n0 none\n4 value 4\n\n"
		"EVENT_TYPE\n0 48200001 Phase (ms)\nVALUES\n0 End\n3 load\n\n"
		"EVENT_TYPE\n0 48200003 Captured value (48200003)\n\n";

	says("chrome", NULL, prv, names, "\"name\":\"Phase (ms)\"");
	says("chrome", NULL, prv, names, "\"name\":\"event 48200002\"");
	says("tsv", "label", prv, names, "what\tvalue\tlabel\n1\t3\tload\n2\t0\tnone\n");
	says("tsv", "name", prv, names, "3\tcapture\tcapture 48200003\t-\n");
}

TEST(names_of_threads_and_links)
{
	static const char prv[] =
		HEAD AT "100:48100014:2\n" AT "200:48100012:7:48100013:1\n" AT "300:48100014:0\n"
			"3:1:1:1:1:400:400:1:1:1:1:500:500:0:10001\n";
	static const char names[] =
		"EVENT_TYPE\n0 48100014 Java thread name\nVALUES\n0 End\n1 first\n2 second\n\n"
		"EVENT_TYPE\n0 48100013 Java virtual thread, name\nVALUES\n0 End\n1 v-1\n9 gap\n\n"
		"EVENT_TYPE\n0 48100034 Java message sent, by link\nVALUES\n0 End\n1 orders\n\n";

	says("tsv", "name", prv, names, "thread name\tsecond\t-\n");
	says("tsv", "name", prv, names, "virtual thread\tv-1\t-\n");
	says("chrome", NULL, prv, names, "\"name\":\"orders\"");
	says("tsv", "event", prv, names, "1\t-\t300\t-\t1\t-\t-\t-\t-\t-\n");
}

/* ---- processes ---- */

static const char of_two[] = "#Paraver (01/01/26 at 00:00):5000_ns:2(1,2):2:1(1:1),2(1:2,1:2)\n"
			     "2:1:1:1:1:100:60000019:1\n2:1:1:1:1:200:60000019:0\n";
static const char rows[] = "LEVEL CPU SIZE 3\n1.a\n2.b\n3.b\n\nLEVEL NODE SIZE 2\na\nb\n\n"
			   "LEVEL APPL SIZE 2\nAPPLICATION 1\njob-2\n\n"
			   "LEVEL TASK SIZE 3\nServ\nTASK 2.1\nb rank 4:77\n\n"
			   "LEVEL THREAD SIZE 3\nmain\nmain\nmain\n";

static void say_processes(const char *row, const char *want)
{
	struct jw_buf out = { 0 };

	export_prv_of("tsv", "process", of_two, "", row, &out);
	jw_put_u1(&out, 0);
	show_nulls(&out);
	is_str((const char *)out.p, want);
	jw_buf_free(&out);
}

#define COLUMNS                                                         \
	"id\tapplication\tnumber\tpid\trank\thost\tcpu_ns\trole\tjob\t" \
	"begin_ns\tend_ns\tended\tstopped\tend_reason\n"
#define UNKNOWN "\t-\t-\t-\t-\t-\n" /* of a trace */
TEST(a_row_says_which_processes_there_are)
{
	say_processes(rows, COLUMNS "1\t1\t1\t-\t-\ta\t-\tServ\t-" UNKNOWN
				    "2\t2\t1\t-\t-\tb\t-\t-\tjob-2" UNKNOWN
				    "3\t2\t2\t77\t4\tb\t-\t-\tjob-2" UNKNOWN);
	say_processes("LEVEL TASK SIZE 9\nx\n\nb:1\nmore\n", COLUMNS
		      "1\t1\t1\t-\t-\t-\t-\tx\t-" UNKNOWN "2\t2\t1\t-\t-\t-\t-\t-\t-" UNKNOWN
		      "3\t2\t2\t-\t-\t-\t-\tb:1\t-" UNKNOWN);
	say_processes("", COLUMNS "1\t1\t1\t-\t-\t-\t-\t-\t-" UNKNOWN
				  "2\t2\t1\t-\t-\t-\t-\t-\t-" UNKNOWN
				  "3\t2\t2\t-\t-\t-\t-\t-\t-" UNKNOWN);
	struct jw_buf out = { 0 };

	export_prv_of("chrome", NULL, of_two, "", rows, &out);
	jw_put_u1(&out, 0);
	ok(strstr((const char *)out.p, "\"Serv on a\""));
	jw_buf_free(&out);
}

/* ---- what is not in an export ---- */

static enum jw_status drop(void *to, struct jw_span bytes, struct jw_err *e)
{
	(void)to;
	(void)bytes;
	(void)e;
	return JW_OK;
}

TEST(closed_methods_are_counted)
{
	const struct trace_destination to = { .write = drop, .spill = "" };
	struct trace_export *x = trace_export_new(trace_export_format("collapsed"), &to, NULL);
	struct trace_exported done = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e;

	if (!ok(x != NULL))
		return;
	is_int(trace_export_begin(x, jw_span_str(""), jw_span_str(""), &e), JW_OK);
	is_int(trace_export_feed(x,
				 jw_span_str(HEAD AT "100:48100015:1\n" AT
						     "200:48100015:2:48100015:1:48100015:0\n"),
				 &e),
	       JW_OK);
	is_int(trace_export_finish(x, jw_span_str(""), jw_span_str(""), &arena, &done, &e), JW_OK);
	is_int(done.closed_methods, 2);
	trace_export_free(x);
	jw_arena_free(&arena);
}

/* Of several processes a stack begins with its own, since each may have a "main". */
TEST(stacks_of_several_processes)
{
	struct jw_buf out = { 0 };

	export_prv_of("collapsed", NULL, of_two, "", rows, &out);
	jw_put_u1(&out, 0);
	is_str((const char *)out.p, "main (Serv);function 1 100\n");
	jw_buf_clear(&out);
	export_prv_of("collapsed", NULL, of_two, "", "", &out);
	jw_put_u1(&out, 0);
	is_str((const char *)out.p, "unnamed 1 (process 1);function 1 100\n");
	jw_buf_free(&out);
}

static enum jw_status gather(void *to, struct jw_span bytes, struct jw_err *e)
{
	(void)e;
	jw_put_bytes(to, bytes);
	return JW_OK;
}

static enum jw_status stacks(bool unlimited, struct jw_buf *out, struct jw_err *e)
{
	const struct trace_destination to = {
		.write = gather, .to = out, .spill = "", .unlimited = unlimited
	};
	struct trace_export *x = trace_export_new(trace_export_format("collapsed"), &to, NULL);
	struct trace_exported done = { 0 };
	struct jw_arena arena = { 0 };
	enum jw_status status =
		x ? trace_export_begin(x, jw_span_str(""), jw_span_str(""), e) : jw_nomem(e);

	jw_buf_clear(out);
	if (status == JW_OK)
		status = trace_export_feed(x,
					   jw_span_str(HEAD AT
						       "100:60000019:1\n" AT "200:60000019:2\n" AT
						       "300:60000019:3\n" AT "400:60000019:0\n" AT
						       "500:60000019:0\n" AT "600:60000019:0\n"),
					   e);
	if (status == JW_OK)
		status = trace_export_finish(x, jw_span_str(""), jw_span_str(""), &arena, &done, e);
	trace_export_free(x);
	jw_arena_free(&arena);
	return status;
}

TEST(stacks_that_are_too_much)
{
	static const char head[] = "stacks of 108 bytes are more than their readers hold (";
	const uint64_t most = trace_collapsed_most;
	struct jw_buf out = { 0 };
	struct jw_err e = { 0 };

	is_int(stacks(false, &out, &e), JW_OK);
	is_int((long)out.n, 108);
	trace_collapsed_most = 108;
	is_int(stacks(false, &out, &e), JW_OK);
	is_int((long)out.n, 108);
	trace_collapsed_most = 107;
	is_int(stacks(false, &out, &e), JW_LIMIT);
	is_int((long)out.n, 0);
	ok(strstr(e.text, head));
	ok(strstr(e.text,
		  "107): select a part, as by --max-depth=2, or write all of them with --force"));
	trace_collapsed_most = 20;
	is_int(stacks(false, &out, &e), JW_LIMIT);
	ok(strstr(e.text, "20): select a part, as by --thread, or write all of them with --force"));
	is_int(stacks(true, &out, &e), JW_OK);
	is_int((long)out.n, 108);
	trace_collapsed_most = most;
	jw_buf_free(&out);
}

TEST(a_row_that_virtual_threads_own_is_one)
{
	struct jw_buf out = { 0 };

	export_prv("tsv", "thread", HEAD AT "100:48100012:7\n" AT "200:48100012:0\n", "", &out);
	jw_put_u1(&out, 0);
	show_nulls(&out);
	ok(strstr((const char *)out.p, "1\t1\t1\tunnamed 1\t-\t0\t1\t-\n"));
	jw_buf_free(&out);
}

/* A .pcf has round brackets for square ones. */
TEST(classes_of_arrays_have_their_brackets)
{
	static const char prv[] = HEAD AT "100:48100001:1:48100002:5:48100020:1\n" AT
					  "200:48100001:0:48100002:0:48100020:0\n";
	static const struct {
		const char *label, *class;
	} cases[] = { { "int(0)", "int[0]" }, { "a.B()", "a.B[]" },   { "a.B()()", "a.B[][]" },
		      { "a.B(C)", "a.B(C)" }, { "a.B(1)", "a.B(1)" }, { "a.(C)()", "a.(C)[]" },
		      { "a.B)()", "a.B)[]" }, { "a.B())", "a.B())" }, { "()", "()" },
		      { "a()", "a[]" },       { "a(0)()", "a[0][]" }, { "(0)", "(0)" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char pcf[200], row[100];

		snprintf(pcf, sizeof(pcf),
			 "EVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n0 End\n1 %s\n\n",
			 cases[i].label);
		snprintf(row, sizeof(row), "class\t%s\t-\n", cases[i].class);
		says("tsv", "name", prv, pcf, row);
	}
}
