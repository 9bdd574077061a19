/*
 * t_report.c: what a .prv adds up to: pieces of any size, frames that do not close, lines that are
 * none, headers that lie, and no memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/report/report.h"

#include "base/banned.h"

#define HEAD "#Paraver (21/11/2025 at 10:00):10000_ns:1(3):1:2(2:1,1:1),0\n"

static struct jw_arena arena;
static struct trace_report rep;
static struct jw_err err;

static enum jw_status read_in(const char *prv, const char *pcf, const char *row, size_t piece)
{
	struct trace_reading *r = trace_reading_new(NULL);
	struct jw_span text = jw_span_str(prv);
	enum jw_status status = r ? JW_OK : JW_NOMEM;

	jw_arena_free(&arena);
	rep = (struct trace_report){ 0 };
	err = (struct jw_err){ 0 };
	for (size_t i = 0; i < text.n && status == JW_OK; i += piece)
		status = trace_reading_feed(r, jw_span_sub(text, i, piece), &err);
	if (status == JW_OK)
		status = trace_reading_finish(r, jw_span_str(pcf), jw_span_str(row), &arena, &rep,
					      &err);
	trace_reading_free(r);
	return status;
}

static const char recursion[] = HEAD "1:1:1:1:1:0:10000:1\n"
				     "2:1:1:1:1:1000:60000019:7\n"
				     "2:1:1:1:1:2000:60000019:9:60000019:7\n"
				     "2:3:1:2:1:2500:60000019:9:77:1\n"
				     "# a comment\n"
				     "\n"
				     "1:3:1:2:1:2500:4000:5\n"
				     "2:1:1:1:1:3000:60000019:0:60000019:0\n"
				     "2:1:1:1:1:5000:60000019:0\n"
				     "2:3:1:2:1:4500:60000019:0\n";
static const char names[] = "STATES\n0    Idle\n5    Synchronization\n1    Running\n\nEVENT_TYPE\n"
			    "0    77    Other\nVALUES\n7   wrong\n\nEVENT_TYPE\n"
			    "0    60000019    User function\nVALUES\n0   End\n"
			    "7   A.f [a.A.f():void A.java:1]\n9   B.g [a.B.g():void]\n8   C.h\n";
static const char rows[] = "LEVEL CPU SIZE 3\n1.n\n2.n\nLEVEL THREAD SIZE 9\n\n"
			   "LEVEL THREAD SIZE 3\nmain\n\nw\xc3\xb6rker\n";

TEST(frames_by_method)
{
	is_int(read_in(recursion, names, rows, 1 << 20), JW_OK);
	is_int(rep.method_count, 2);
	is_str(rep.methods[0].label, "A.f [a.A.f():void A.java:1]");
	is_int(rep.methods[0].calls, 2);
	is_int(rep.methods[0].inclusive_ns, 4000); /* the inner f is inside the outer one */
	is_int(rep.methods[0].exclusive_ns, 4000);
	is_str(rep.methods[1].label, "B.g [a.B.g():void]");
	is_int(rep.methods[1].calls, 2);
	is_int(rep.methods[1].inclusive_ns, 3000);
	is_int(rep.methods[1].exclusive_ns, 2000);
	is_int(rep.duration_ns, 10000);
	is_int(rep.calls, 4);
	is_int(rep.warning_count, 0);
	ok(!rep.exceptions_known);
}

TEST(threads_and_states)
{
	is_int(read_in(recursion, names, "LEVEL THREAD SIZE 3\nmain\n\nw\xc3\xb6rker\n", 1 << 20),
	       JW_OK);
	is_int(rep.thread_count, 3);
	is_str(rep.threads[0].name, "main");
	is_int(rep.threads[0].calls, 3);
	is_int(rep.threads[0].life_ns, 10000);
	is_int(rep.threads[0].running_ns, 10000);
	is_int(rep.threads[0].inside_ns, 4000);
	is_str(rep.threads[1].name, "unnamed 2");
	is_int(rep.threads[1].life_ns, 0);
	is_str(rep.threads[2].name, "w\xc3\xb6rker");
	is_int(rep.threads[2].task, 2);
	is_int(rep.threads[2].running_ns, 0);
	is_int(rep.threads[2].life_ns, 1500);
	is_int(rep.state_count, 3);
	is_str(rep.states[1].name, "Synchronization");
	is_int(rep.threads[2].states_ns[1], 1500);
	/* what no state covers is Idle */
	is_int(rep.states[2].number, 0);
	is_int(rep.threads[2].states_ns[2], 8500);
	is_int(rep.threads[1].states_ns[2], 10000);
	ok(rep.threads[0].critical == SIZE_MAX);
	is_int(rep.threads[2].critical, 1);
	is_int(rep.threads[2].critical_ns, 1500);
}

/* The critical state is that of the greatest sum; a stretch in it may be of several lines, which
 * touch. */
TEST(critical_time_and_longest_stretch)
{
	static const char prv[] = HEAD "1:1:1:1:1:0:100:1\n"
				       "1:1:1:1:1:100:300:5\n"
				       "1:1:1:1:1:300:450:5\n"
				       "1:1:1:1:1:450:500:1\n"
				       "1:1:1:1:1:500:700:5\n"
				       "1:1:1:1:1:700:1100:9\n"
				       "1:1:1:1:1:1100:1200:5\n"
				       "1:1:1:1:1:1300:1400:5\n";

	is_int(read_in(prv, "", "", 7), JW_OK);
	is_int(rep.states[rep.threads[0].critical].number, 5);
	is_int(rep.threads[0].critical_ns, 750);
	is_int(rep.threads[0].critical_longest_ns, 350);
	ok(rep.threads[1].critical == SIZE_MAX);
	is_int(rep.threads[1].critical_longest_ns, 0);
}

/* A method runs, is blocked, waits, reads, and is stopped by the collector; a method inside it
 * takes part of that. Pauses are those of its process. */
TEST(time_is_split_by_state)
{
	static const char prv[] = "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:2(2:0,1:0),0\n"
				  "1:0:1:1:1:0:1000:1\n"
				  "1:0:1:2:1:0:10000:1\n"
				  "2:0:1:1:1:500:60000019:1\n"
				  "1:0:1:1:1:1000:3000:9\n"
				  "2:0:1:2:1:1000:48000001:1\n" /* a pause of another process */
				  "2:0:1:1:1:2000:60000019:2\n"
				  "1:0:1:1:1:3000:4000:5\n"
				  "1:0:1:1:1:4000:4500:12\n"
				  "2:0:1:1:1:4500:60000019:0\n"
				  "1:0:1:1:1:4500:6000:15\n"
				  "2:0:1:1:2:5000:48000001:1\n"
				  "2:0:1:1:2:5700:48000001:0\n"
				  "1:0:1:1:1:6000:10000:1\n"
				  "2:0:1:1:1:7000:60000019:0\n"
				  "2:0:1:2:1:8000:48000001:0\n";
	const uint64_t *self, *total;

	is_int(read_in(prv, "", "", 7), JW_OK);
	is_int(rep.warning_count, 0);
	self = rep.methods[0].self.ns;
	total = rep.methods[0].total.ns;
	is_int(self[TRACE_REPORT_RUNNING], 500 + 1000);
	is_int(self[TRACE_REPORT_BLOCKED], 1000);
	is_int(self[TRACE_REPORT_WAITING] + self[TRACE_REPORT_IO], 0);
	is_int(self[TRACE_REPORT_GC], 700);
	is_int(self[TRACE_REPORT_OTHER], 1500 - 700);
	is_int(total[TRACE_REPORT_RUNNING], 1500);
	is_int(total[TRACE_REPORT_BLOCKED], 2000);
	is_int(total[TRACE_REPORT_WAITING], 1000);
	is_int(total[TRACE_REPORT_IO], 500);
	self = rep.methods[1].self.ns;
	is_int(self[TRACE_REPORT_BLOCKED], 1000);
	is_int(self[TRACE_REPORT_WAITING], 1000);
	is_int(self[TRACE_REPORT_IO], 500);
	is_int(rep.threads[0].busy_ns, 1500);
	is_int(rep.pauses.count, 2);
	is_int(rep.pauses.ns, 700 + 7000);
}

/* What a .pcf of ours names: places, classes, call sites, and what has failed. */
static void are_stalls(const struct trace_report_stall *call,
		       const struct trace_report_stall *enter)
{
	is_str(call->callee, "Q.take");
	is_str(call->method, "A.go in (odd)");
	is_str(call->class_name, "a.Lock");
	is_int(call->ns, 900);
	is_int(call->object, 8);
	ok(enter->how == TRACE_REPORT_ENTER);
	is_str(enter->callee, "");
	is_str(enter->method, "A.g");
	is_str(enter->source, "A.java");
	is_int(enter->line, 31);
	is_str(enter->class_name, "a.Lock");
	is_int(enter->ns, 300);
	is_int(enter->longest_ns, 300);
}

TEST(waits_and_calls_by_place)
{
	static const char prv[] =
		"#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"
		"1:0:1:1:1:0:1000:1\n"
		"1:0:1:1:2:0:10000:1\n"
		"2:0:1:1:1:100:60000019:1\n"
		"1:0:1:1:1:1000:1300:9\n"
		"2:0:1:1:1:1000:48100001:1:48100002:2147483655:48100020:2:48100021:1\n"
		"1:0:1:1:1:1300:2000:1\n"
		"2:0:1:1:1:1300:48100001:0:48100002:0:48100020:0:48100021:0\n"
		"1:0:1:1:1:2000:2900:5\n"
		"2:0:1:1:1:2000:60000019:2:48100023:1:48100004:2147483656:48100022:2\n"
		"1:0:1:1:1:2900:10000:1\n"
		"2:0:1:1:1:2900:48100005:12:48100025:30:48100004:0:48100022:0:48100024:1:60000019:"
		"0\n"
		"2:0:1:1:1:3000:60000019:0:48100026:77:48100027:1234\n";
	static const char pcf[] =
		"EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n"
		"1 A.f [a.A.f(int, java.lang.String[]):long[] A.java:1]\n"
		"2 Q.take [x.Q.take():void]\n\n"
		"EVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n0 End\n1 a.No\n2 a.Lock\n\n"
		"EVENT_TYPE\n0 48100021 Java monitor, where it is waited for\nVALUES\n0 End\n1 A.g "
		"(A.java:31)\n\n"
		"EVENT_TYPE\n0 48100023 Java call site\nVALUES\n0 End\n"
		"1 Q.take in A.go in (odd) (A.java:7) [io/read]\n\n"
		"EVENT_TYPE\n0 48100024 Java method left by an exception\nVALUES\n0 End\n1 By an "
		"exception\n\n"
		"EVENT_TYPE\n0 48100025 Java I/O bytes, of a part\n";

	is_int(read_in(prv, pcf, "", 1 << 20), JW_OK);
	ok(rep.exceptions_known && rep.sites_known);
	is_str(rep.methods[0].class_name, "a.A");
	is_str(rep.methods[0].name, "f");
	is_str(rep.methods[0].descriptor, "(I[Ljava/lang/String;)[J");
	is_str(rep.methods[1].descriptor, "()V");
	is_int(rep.methods[1].exceptional, 1);
	is_int(rep.methods[1].shares[0].exceptional, 1);
	is_int(rep.methods[0].exceptional, 0);
	if (!is_int(rep.stall_count, 2) || !is_int(rep.site_count, 1) ||
	    !is_int(rep.monitor_count, 1))
		return;
	are_stalls(&rep.stalls[0], &rep.stalls[1]);
	const struct trace_report_site *site = &rep.sites[0];
	is_str(rep.monitors[0].class_name, "a.Lock");
	is_str(site->caller, "A.go in (odd)");
	is_str(site->operation, "io/read");
	is_int(site->line, 7);
	is_int(site->ns, 900);
	is_int(site->bytes, 42);
	is_int(site->exceptional, 1);
	is_int(rep.threads[0].cpu_ns, 77);
	is_int(rep.cpu_ns, 1234);
}

/* Labels that say no method. */
TEST(labels_that_name_no_method)
{
	static const char *const labels[] = {
		"load [region load]",
		"A.f",
		"A.f [a.A.f(int,java.lang.String):void]",
		"f [f():void]",
		"A.f [a.A.f(int)]",
		"A.f [a.A.f(int:void]",
		"A.f [.f():void]",
		"A.f [a.A.():void]",
		"A.f [a.A.f(, ):void]",
		"[",
		"A.f [",
	};
	char pcf[400];

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		snprintf(pcf, sizeof(pcf),
			 "EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n7 %s\n", labels[i]);
		is_int(read_in(recursion, pcf, "", 1 << 20), JW_OK);
		if (!ok(!rep.methods[0].class_name[0] && !rep.methods[0].name[0] &&
			!rep.methods[0].descriptor[0]))
			tap_note("%s", labels[i]);
	}
}

/* Operations, bytes and monitors, nested, cut short and without an end. */
static void are_operations(void)
{
	for (size_t i = 0; i < rep.operation_count; i++) {
		const struct trace_report_operation *op = &rep.operations[i];
		bool is_read = !strcmp(op->type, "io") && !strcmp(op->name, "read");
		bool is_write = !strcmp(op->type, "io") && !strcmp(op->name, "write");
		bool is_submit = !strcmp(op->type, "task") && !strcmp(op->name, "submit");
		bool is_put = !strcmp(op->type, "queue") && !strcmp(op->name, "put");

		is_int(op->count, is_read ? 2 : is_write || is_submit || is_put);
		is_int(op->bytes, is_read ? 7 : is_write ? 42 : 0);
		is_int(op->ns, is_read     ? 9000
			       : is_write  ? 100
			       : is_submit ? 600
			       : is_put    ? 300
					   : 0);
	}
}

TEST(operations_and_monitors)
{
	static const char prv[] =
		"#Paraver (1/1/2025 at 0:00):10000_ns:0:1:2(2:0,1:0),0\n"
		/* task/submit around queue/put around io/write of 40 + 2 bytes */
		"2:0:1:1:1:100:48101002:1\n"
		"2:0:1:1:1:200:48101008:1\n"
		"2:0:1:1:1:300:48101009:4\n"
		"2:0:1:1:1:400:48100005:40:48100005:2:48101009:0\n"
		"2:0:1:1:1:500:48101008:0\n"
		"2:0:1:1:1:700:48101002:0:48101002:0\n"
		/* io/read inside io/read, which is its time, too; one end is missing */
		"2:0:1:1:2:1000:48101009:3\n"
		"2:0:1:1:2:2000:48101009:3\n"
		"2:0:1:1:2:2500:48100005:7:48101009:0\n"
		/* contended for 300 ns, then waits in it for 1000, then contended to the end; a
		 * thread of another process waits for the same number */
		"2:0:1:1:1:3000:48100001:1:48100002:8589934599\n"
		"2:0:1:2:1:3000:48100001:1:48100002:8589934599\n"
		"2:0:1:1:1:3300:48100001:2:48100002:8589934599\n"
		"2:0:1:2:1:4000:48100001:0:48100002:0\n"
		"2:0:1:1:1:4300:48100001:0:48100002:0\n"
		"2:0:1:1:2:9000:48100001:1:48100002:8589934599\n";
	struct trace_report_share share;

	is_int(read_in(prv, "", "", 1 << 20), JW_OK);
	is_int(rep.warning_count, 0);
	are_operations();
	is_int(rep.threads[0].operation_count, 3);
	is_int(rep.threads[1].operation_count, 1);
	is_int(rep.threads[2].operation_count, 0);
	share = rep.threads[1].operations[0];
	is_str(rep.operations[share.of].name, "read");
	is_int(share.count, 2);
	is_int(rep.monitor_count, 2);
	is_int(rep.monitors[0].task, 1);
	is_int(rep.monitors[0].object, 7);
	is_int(rep.monitors[0].class_number, 4);
	is_int(rep.monitors[0].contended.count, 2);
	is_int(rep.monitors[0].contended.ns, 1300);
	is_int(rep.monitors[0].waits.count, 1);
	is_int(rep.monitors[0].waits.ns, 1000);
	is_int(rep.monitors[0].thread_count, 2);
	is_int(rep.monitors[0].threads[0].of, 0);
	is_int(rep.monitors[0].threads[0].ns, 1300);
	is_int(rep.monitors[0].threads[1].of, 1);
	is_int(rep.monitors[0].threads[1].ns, 1000);
	is_int(rep.monitors[1].task, 2);
	is_int(rep.monitors[1].contended.ns, 1000);
}

/* Who held a monitor: arrows to threads that are blocked for it say so. */
TEST(owners_of_monitors)
{
	static const char prv[] =
		"#Paraver (1/1/2025 at 0:00):10000_ns:0:1:2(2:0,1:0),0\n"
		"2:0:1:1:1:3000:48100001:1:48100002:8589934599\n"
		"2:0:1:2:1:3000:48100001:1:48100002:8589934599\n"
		/* the second thread gives it back; an unpark, and what is no arrow, say nothing */
		"3:0:1:1:2:3100:3100:0:1:1:1:3300:3300:0:305\n"
		"3:0:1:2:1:3100:3100:0:1:1:1:3300:3300:0:402\n"
		"3:0:1:1:2:3200:3200:0:1:2:1:4000:4000:0:999\n"
		"3:0:1:1:2:3200:3200:0:1:1:7:4000:4000:0:305\n"
		"3:0:1:1:2:3200:3200:0:1:1:1:4000:4000:0\n"
		"2:0:1:1:1:3300:48100001:0:48100002:0\n"
		"2:0:1:2:1:4000:48100001:0:48100002:0\n";

	is_int(read_in(prv, "", "", 1 << 20), JW_OK);
	is_int(rep.warning_count, 1); /* two lines */
	is_int(rep.monitor_count, 2);
	is_int(rep.monitors[0].task, 2);
	is_int(rep.monitors[0].owner_count, 0);
	is_int(rep.monitors[1].owner_count, 1);
	is_int(rep.monitors[1].owners[0].of, 1);
	is_int(rep.monitors[1].owners[0].count, 1);
	is_int(rep.monitors[1].owners[0].ns, 300);
}

/* Any cut into pieces gives the same, the last line may lack its end. */
TEST(pieces_of_any_size)
{
	char text[sizeof(recursion)];

	memcpy(text, recursion, sizeof(recursion));
	text[sizeof(text) - 2] = '\0';
	for (size_t piece = 1; piece < 90; piece++) {
		is_int(read_in(text, names, rows, piece), JW_OK);
		is_int(rep.methods[0].inclusive_ns, 4000);
		is_int(rep.methods[1].inclusive_ns, 3000);
		is_int(rep.threads[2].states_ns[1], 1500);
		is_int(rep.warning_count, 0);
	}
}

TEST(what_does_not_fit)
{
	is_int(read_in(HEAD "2:1:1:1:1:1000:60000019:0\n" /* an exit alone */
			    "2:1:1:1:1:2000:60000019:4\n"
			    "2:1:1:1:1:1500:60000019:5\n" /* earlier than the one before */
			    "2:1:1:1:3:2000:60000019:4\n" /* no such thread */
			    "2:1:1:3:1:2000:60000019:4\n"
			    "2:1:2:1:1:2000:60000019:4\n"
			    "2:1:1:0:1:2000:60000019:4\n"
			    "2:1:1:1:1:2600:60000019\n" /* a type without value */
			    "1:1:1:1:1:900:800:1\n"
			    "7:1\nnonsense\n2:x\n2\n1:1:1:1\n"
			    "1:1:1:1:1:0:99999999999999999999999999:1\r\n"
			    "2:1:1:1:1:30000:60000019:0:\n",
		       "", "", 1 << 20),
	       JW_OK);
	is_int(rep.warning_count, 4);
	is_str(rep.warnings[0], "11 lines are no records of this trace, and were left out");
	is_str(rep.warnings[1], "1 event is earlier than the one before of its thread");
	is_str(rep.warnings[2],
	       "2 records come after the end that the header tells, and were left out");
	is_str(rep.warnings[3], "1 exit has no enter, and was left out");
	is_str(rep.methods[0].label, "function 4");
	is_int(rep.method_count, 2);
	is_int(rep.methods[1].inclusive_ns, 8000); /* open at the end; so the other */
	is_int(rep.methods[0].inclusive_ns, 8000);
	is_str(rep.threads[0].name, "unnamed 1");
}

/* A copy of which the last lines are missing: nobody knows what was after its last state. */
TEST(open_frames_end_where_the_trace_is_cut)
{
	is_int(read_in(HEAD "1:1:1:1:1:0:7000:1\n1:3:1:2:1:0:9000:1\n1:2:1:1:2:0:2000:1\n"
			    "2:1:1:1:1:1000:60000019:7\n",
		       names, rows, 1 << 20),
	       JW_OK);
	is_int(rep.warning_count, 1);
	is_int(rep.methods[0].inclusive_ns, 8000);
}

TEST(open_frames_end_with_the_trace)
{
	is_int(read_in(HEAD "2:1:1:1:1:4000:60000019:4\n", "", "", 7), JW_OK);
	is_int(rep.methods[0].inclusive_ns, 6000);
	is_int(rep.threads[0].inside_ns, 6000);
}

TEST(other_units_and_applications)
{
	is_int(read_in("#Paraver (x):50:0:2:1(1:0),2(1:0,2:0),0\n2:0:2:2:2:10:60000019:1\n", "", "",
		       1 << 20),
	       JW_OK);
	is_int(rep.duration_ns, 50000);
	is_int(rep.thread_count, 4);
	is_int(rep.threads[3].calls, 1);
	is_int(rep.methods[0].inclusive_ns, 40000);
	is_int(read_in("#Paraver (x):5_ms:0:1:1(1:0),0\n", "", "", 1 << 20), JW_OK);
	is_int(rep.duration_ns, 5000000);
}

TEST(headers_that_lie)
{
	static const struct {
		const char *text;
		enum jw_status status;
	} cases[] = {
		{ "", JW_INPUT },
		{ "PK\3\4", JW_INPUT },
		{ "#Paraver", JW_INPUT },
		{ "#Paraver (x):", JW_INPUT },
		{ "#Paraver (x):1_ns:0:1:1(1:0)", JW_OK },
		{ "#Paraver (x):1_ns:0:0:\n", JW_INPUT },
		{ "#Paraver (x):1_ns:0:1:0()\n", JW_INPUT },
		{ "#Paraver (x):1_ns:0:1:2(1:0)\n", JW_INPUT },
		{ "#Paraver (x):1_ns:0:2:1(1:0)\n", JW_INPUT },
		{ "#Paraver (x):1_ns:0:1:1(0:0)\n", JW_INPUT },
		{ "#Paraver (x):1_ns:0:1:1(65536:0)\n", JW_LIMIT },
		{ "#Paraver (x):1_ns:0:1:2(65535:0,1:0)\n", JW_LIMIT },
		{ "#Paraver (x):1_ns:0:1:99999999999999999999(1:0)\n", JW_LIMIT },
		{ "#Paraver (x):1_ns:0:99999999999999999999:1(1:0)\n", JW_INPUT },
		{ "#Paraver (x):1_ns:0:1:1(65535:0),0\n", JW_OK },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		tap_note("header %zu", i);
		is_int(read_in(cases[i].text, "", "", 1 << 20), cases[i].status);
		ok(cases[i].status == JW_OK || err.text[0]);
	}
}

TEST(a_line_without_an_end)
{
	const size_t limit = (size_t)64 << 20, head = strlen(HEAD "2");

	for (size_t more = 0; more < 2; more++) {
		char *text = malloc(head + limit + 1);

		memcpy(text, HEAD "2", head);
		memset(text + head, ':', limit);
		text[head + limit - 1 + more] = '\0';
		is_int(read_in(text, "", "", 1 << 20), more ? JW_INPUT : JW_OK);
		is_str(err.text,
		       more ? "it has a line of more than 64 MiB, as no trace has: is it damaged?"
			    : "");
		free(text);
	}
}

TEST(more_than_one_mistake)
{
	is_int(read_in(HEAD "2:1:1:1:1:5:60000019:0\n2:1:1:1:1:4:60000019:0\n"
			    "2:1:1:1:1:3:60000019:0\nx\n",
		       "", "", 1 << 20),
	       JW_OK);
	is_int(rep.warning_count, 3);
	is_str(rep.warnings[0], "1 line is no record of this trace, and was left out");
	is_str(rep.warnings[1], "2 events are earlier than the one before of their thread");
	is_str(rep.warnings[2], "3 exits have no enter, and were left out");
}

/* A task that runs others inside of it, which run others: as fork-join does. */
TEST(operations_nest_deep)
{
	struct jw_buf text = { 0 };

	jw_put_str(&text, HEAD);
	for (unsigned i = 0; i < 1000; i++)
		jw_put_fmt(&text, "2:1:1:1:1:%u:48101002:2:48101002:3\n", 1 + i);
	for (unsigned i = 0; i < 1000; i++)
		jw_put_fmt(&text, "2:1:1:1:1:%u:48101002:0:48101002:0\n", 2001 + i);
	jw_put_u1(&text, 0);
	is_int(read_in((const char *)text.p, "", "", 1 << 20), JW_OK);
	is_int(rep.threads[0].operation_count, 2);
	for (size_t i = 0; i < 2; i++) {
		is_int(rep.threads[0].operations[i].count, 1000);
		is_int(rep.threads[0].operations[i].ns, 2999);
	}
	jw_buf_free(&text);
}

/* As deep as a trace is followed, and deeper: all at one instant, and so in one line. */
TEST(deeper_than_the_limit)
{
	const unsigned limit = 1u << 20;

	for (unsigned more = 0; more < 3; more++) {
		struct jw_buf text = { 0 };

		jw_put_str(&text, HEAD "2:1:1:1:1:5");
		for (unsigned i = 0; i < limit + more; i++)
			jw_put_str(&text, ":60000019:1");
		jw_put_str(&text, "\n2:1:1:1:1:9:60000019:0\n");
		jw_put_u1(&text, 0);
		is_int(read_in((const char *)text.p, "", "", 1 << 20), JW_OK);
		is_int(rep.warning_count, more > 0);
		if (more && rep.warning_count)
			is_str(rep.warnings[0],
			       more == 1
				       ? "1 call is nested too deep or of too many methods, and "
					 "was left out"
				       : "2 calls are nested too deep or of too many methods, and "
					 "were left out");
		jw_buf_free(&text);
	}
}

/* Recursion 40,000 deep over 300 methods: the counts of open frames stay right as it unwinds. */
TEST(deep_and_wide)
{
	struct jw_buf text = { 0 };
	enum { DEEP = 40000, WIDE = 300 };

	jw_put_str(&text, "#Paraver (21/11/2025 at 10:00):80000_ns:1(3):1:2(2:1,1:1),0\n");
	for (unsigned i = 0; i < DEEP; i++)
		jw_put_fmt(&text, "2:1:1:1:1:%u:60000019:%u\n", i, i * 7 % WIDE + 1);
	for (unsigned i = 0; i < DEEP; i++)
		jw_put_fmt(&text, "2:1:1:1:1:%u:60000019:0\n", DEEP + i);
	jw_put_u1(&text, 0);
	is_int(read_in((const char *)text.p, "", "", 4096), JW_OK);
	is_int(rep.method_count, WIDE);
	uint64_t self = 0;

	for (size_t i = 0; i < rep.method_count; i++) {
		self += rep.methods[i].exclusive_ns;
		/* the outermost of method i entered at i and left at 2 * DEEP - 1 - i */
		is_int(rep.methods[i].inclusive_ns, 2 * DEEP - 1 - 2 * i);
	}
	is_int(self, 2 * DEEP - 1);
	jw_buf_free(&text);
}

TEST(memory_fails_at_every_place)
{
	long n = 0;

	for (; n < 2000; n++) {
		jw_mem_fail_after(n);
		enum jw_status status = read_in(recursion, names, rows, 100);

		if (!jw_mem_fail_after(-1)) {
			is_int(status, JW_OK);
			break;
		}
		if (status != JW_NOMEM)
			is_int(status, JW_NOMEM);
	}
	ok(n > 10 && n < 2000);
	jw_arena_free(&arena);
}
