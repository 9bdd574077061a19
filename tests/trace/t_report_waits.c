/*
 * t_report_waits.c: waits inside the JDK, as a .prv tells of them, add up by place.
 */
#include <stdio.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/report/report.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_report rep;

static enum jw_status read_in(const char *prv, const char *pcf)
{
	struct trace_reading *r = trace_reading_new(NULL);
	struct jw_err e = { 0 };
	enum jw_status status = r ? trace_reading_feed(r, jw_span_str(prv), &e) : JW_NOMEM;

	jw_arena_free(&arena);
	if (status == JW_OK)
		status = trace_reading_finish(r, jw_span_str(pcf), jw_span_str(""), &arena, &rep,
					      &e);
	trace_reading_free(r);
	return status;
}

/* Parks by place, with who ended them; those for work come last, as a time of their own. */
TEST(parks_by_place)
{
	static const char prv[] =
		"#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"
		"1:0:1:1:1:0:1000:1\n"
		"1:0:1:1:2:0:10000:1\n"
		"1:0:1:1:1:1000:1300:5\n"
		"2:0:1:1:1:1000:48100028:1:48100002:2147483655:48100020:1:48100021:1\n"
		"3:0:1:1:2:1290:1290:0:1:1:1:1300:1300:0:402\n"
		"2:0:1:1:2:1290:48100029:1\n"
		"1:0:1:1:1:1300:2000:1\n"
		"2:0:1:1:1:1300:48100028:0:48100002:0:48100020:0:48100021:0\n"
		"1:0:1:1:1:2000:9000:34\n"
		"2:0:1:1:1:2000:48100028:2:48100021:2\n"
		"1:0:1:1:1:9000:9500:5\n"
		"2:0:1:1:1:9000:48100001:1:48100028:0:48100021:0\n" /* in one instant */
		"1:0:1:1:1:9500:10000:5\n"
		"2:0:1:1:1:9500:48100001:0:48100028:3:48100021:1\n"
		"2:0:1:1:1:9600:48100028:0:48100021:0\n";
	static const char pcf[] =
		"EVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n0 End\n1 a.Lock\n\n"
		"EVENT_TYPE\n0 48100021 Java monitor, where it is waited for\nVALUES\n0 End\n"
		"1 A.g (A.java:31)\n2 ThreadPoolExecutor.getTask (ThreadPoolExecutor.java:1)\n\n";

	is_int(read_in(prv, pcf), JW_OK);
	if (!is_int(rep.stall_count, 4))
		return;
	const struct trace_report_stall *enter = &rep.stalls[0], *park = &rep.stalls[1],
					*sleep = &rep.stalls[2], *work = &rep.stalls[3];

	is_int(enter->how, TRACE_REPORT_ENTER);
	is_int(enter->ns, 500);
	is_int(park->how, TRACE_REPORT_PARK);
	is_int(park->ns, 300);
	is_str(park->method, "A.g");
	is_str(park->class_name, "a.Lock");
	is_int(park->ender_count, 1);
	is_int(park->enders[0].of, 1);
	is_int(park->enders[0].count, 1);
	is_int(park->enders[0].ns, 300);
	is_int(sleep->how, TRACE_REPORT_SLEEP);
	is_int(sleep->ns, 100);
	is_int(sleep->ender_count, 0);
	is_int(work->how, TRACE_REPORT_WORK);
	is_int(work->ns, 7000);
	is_str(work->method, "ThreadPoolExecutor.getTask");
	is_int(work->ender_count, 0);
	is_int(rep.monitor_count, 1);
}

/* Locks are listed with monitors, the longest contended first; what is parked for else is not. */
TEST(parks_for_locks)
{
	static const char prv[] = "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"
				  "1:0:1:1:1:0:10000:1\n"
				  "1:0:1:1:2:0:10000:1\n"
				  "2:0:1:1:1:1000:48100028:1:48100002:2147483655:48100020:1\n"
				  "3:0:1:1:2:1290:1290:0:1:1:1:1300:1300:0:402\n"
				  "2:0:1:1:1:1300:48100028:0:48100002:0:48100020:0\n"
				  "2:0:1:1:1:2000:48100028:1:48100002:6442450951:48100020:2\n"
				  "2:0:1:1:1:3000:48100028:0:48100002:0:48100020:0\n"
				  "2:0:1:1:1:4000:48100001:2:48100002:8589934599:48100020:3\n"
				  "2:0:1:1:1:9000:48100001:0:48100002:0:48100020:0\n";
	static const char pcf[] =
		"EVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n0 End\n"
		"1 java.util.concurrent.locks.ReentrantLock$NonfairSync\n2 a.Future\n3 a.Queue\n\n";

	is_int(read_in(prv, pcf), JW_OK);
	if (!is_int(rep.monitor_count, 2))
		return;
	is_str(rep.monitors[0].class_name, "java.util.concurrent.locks.ReentrantLock$NonfairSync");
	is_int(rep.monitors[0].contended.count, 1);
	is_int(rep.monitors[0].contended.ns, 300);
	is_int(rep.monitors[0].thread_count, 1);
	is_int(rep.monitors[0].owner_count, 1);
	is_int(rep.monitors[0].owners[0].of, 1);
	is_str(rep.monitors[1].class_name, "a.Queue");
	is_int(rep.monitors[1].waits.ns, 5000);
}

/* Bytes that come while a thread writes or sleeps end neither: it reads them later. Nor do they end its wait for a
 * lock, or for work at a queue. */
TEST(bytes_end_what_waits_for_them)
{
	static const struct {
		int wait, object, enders;
	} waits[] = { { 1, 0, 1 } /* PARK: of a virtual thread */,
		      { 1, 7, 0 },
		      { 2, 0, 1 } /* FOR_WORK */,
		      { 2, 7, 0 },
		      { 3, 0, 0 } /* SLEEP */,
		      { 4, 0, 1 } /* SELECT */,
		      { 6, 0, 1 } /* POLL */,
		      { 7, 0, 1 } /* ACCEPT */,
		      { 9, 0, 1 } /* READ */,
		      { 10, 0, 0 } /* WRITE */,
		      { 11, 0, 0 } /* FORCE */ };

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		char prv[512];

		snprintf(prv, sizeof(prv),
			 "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"
			 "1:0:1:1:1:0:10000:1\n"
			 "1:0:1:1:2:0:10000:1\n"
			 "2:0:1:1:1:1000:48100028:%d:48100002:%d:48100021:1\n"
			 "3:0:1:1:2:1200:1200:0:1:1:1:1400:1400:8:904\n"
			 "2:0:1:1:1:1300:48100028:0:48100002:0:48100021:0\n",
			 waits[i].wait, waits[i].object);
		is_int(read_in(prv, "EVENT_TYPE\n0 48100021 Java monitor, where it is waited for\n"
				    "VALUES\n0 End\n1 A.g (A.java:31)\n\n"),
		       JW_OK);
		is_int(rep.stall_count, 1);
		is_int(rep.stalls[0].ender_count, waits[i].enders);
	}
}

/* Who reads all its life, and never writes there, waits for whatever comes; who writes there has asked
 * for it, or answers: a server waits for requests. */
TEST(who_reads_all_its_life)
{
	static const struct {
		const char *written; /* the connection */
		const char *name;    /* of that which is read */
		enum trace_report_waiter waiter;
	} readers[] = { { NULL, "tcp a > b", TRACE_REPORT_LITTLE_ELSE },
			{ "2", "tcp a > b", TRACE_REPORT_LITTLE_ELSE } /* a log */,
			{ "1", "tcp a > b", TRACE_REPORT_OTHERS },
			{ "1", "tcp a < b", TRACE_REPORT_LITTLE_ELSE } };

	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++) {
		char prv[1024], write[256] = "", pcf[128];

		if (readers[i].written)
			snprintf(write, sizeof(write),
				 "2:0:1:1:1:50:48100028:10\n"
				 "2:0:1:1:1:60:48100030:%s:48100032:7:48100033:10:48100028:0\n",
				 readers[i].written);
		snprintf(prv, sizeof(prv),
			 "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"
			 "1:0:1:1:1:0:100:1\n"
			 "2:0:1:1:1:0:60000019:1\n"
			 "%s"
			 "1:0:1:1:1:100:9900:12\n"
			 "2:0:1:1:1:100:48100028:9\n"
			 "1:0:1:1:1:9900:10000:1\n"
			 "2:0:1:1:1:9900:48100030:1:48100031:77:48100033:9800:48100028:0\n"
			 "2:0:1:1:1:10000:60000019:0\n",
			 write);
		snprintf(pcf, sizeof(pcf),
			 "EVENT_TYPE\n0 48100030 Java connection or file\nVALUES\n1 %s\n2 log\n",
			 readers[i].name);
		is_int(read_in(prv, pcf), JW_OK);
		const struct trace_report_stall *read = &rep.stalls[rep.stall_count - 1];

		for (size_t k = 0; k < rep.stall_count; k++)
			read = rep.stalls[k].how == TRACE_REPORT_READ ? &rep.stalls[k] : read;
		is_int(read->ns, 9800);
		is_int(read->waiter, readers[i].waiter);
	}
}

/* A call of Thread.sleep whose thread got a CPU only much later has slept once. */
TEST(a_sleep_that_a_native_tells_in_an_operation)
{
	static const char prv[] = "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(1:0),0\n"
				  "1:0:1:1:1:0:10000:1\n"
				  "2:0:1:1:1:100:60000019:1\n"
				  "1:0:1:1:1:200:9000:5\n"
				  "2:0:1:1:1:200:60000019:2:48100023:1\n"
				  "2:0:1:1:1:300:48100028:3:48100021:1\n"
				  "2:0:1:1:1:1300:48100028:0:48100021:0\n"
				  "2:0:1:1:1:9000:48100023:0:60000019:0\n"
				  "2:0:1:1:1:9500:60000019:0\n";
	static const char pcf[] =
		"EVENT_TYPE\n0 48100021 Java monitor, where it is waited for\nVALUES\n0 End\n"
		"1 Und.auth (Und.java:6)\n\n"
		"EVENT_TYPE\n0 48100023 Java call site\nVALUES\n0 End\n"
		"1 Thread.sleep in Und.auth (Und.java:6) [thread/sleep]\n\n";

	is_int(read_in(prv, pcf), JW_OK);
	is_int(rep.stall_count, 1);
	is_int(rep.stalls[0].how, TRACE_REPORT_SLEEP);
	is_int(rep.stalls[0].count, 1);
	is_int(rep.stalls[0].ns, 1000);
}

/* So short a life in one wait is no loop; one that goes on to the end may be. */
TEST(who_sleeps_once)
{
	static const struct {
		unsigned end;
		enum trace_report_waiter waiter;
	} sleeps[] = { { 9900, TRACE_REPORT_OTHERS }, { 10000, TRACE_REPORT_LITTLE_ELSE } };

	for (size_t i = 0; i < sizeof(sleeps) / sizeof(*sleeps); i++) {
		char prv[512];

		snprintf(prv, sizeof(prv),
			 "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(1:0),0\n"
			 "2:0:1:1:1:0:60000019:1\n"
			 "1:0:1:1:1:100:%u:5\n"
			 "2:0:1:1:1:100:48100028:3\n"
			 "2:0:1:1:1:%u:48100028:0\n"
			 "2:0:1:1:1:10000:60000019:0\n",
			 sleeps[i].end, sleeps[i].end);
		is_int(read_in(prv, ""), JW_OK);
		is_int(rep.stall_count, 1);
		is_int(rep.stalls[0].waiter, sleeps[i].waiter);
	}
}
