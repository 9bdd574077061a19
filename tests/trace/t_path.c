/*
 * t_path.c: the critical path of a .prv: sums by method, thread and what was done, and its segments.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "tests/trace/find_path.h"

#include "base/banned.h"

/* main starts a and b, and joins both: b takes longer. */
static const char fork_join[] = HEAD "1:0:1:1:1:0:2000:1\n"
				     "2:0:1:1:1:0:60000019:1\n"
				     "3:0:1:1:1:1000:1000:0:1:1:2:1200:1200:0:101\n"
				     "1:0:1:1:2:1200:3000:1\n"
				     "2:0:1:1:2:1200:60000019:2\n"
				     "3:0:1:1:1:1500:1500:0:1:1:3:1800:1800:0:101\n"
				     "1:0:1:1:3:1800:8000:1\n"
				     "2:0:1:1:3:1800:60000019:3\n"
				     "1:0:1:1:1:2000:3300:8\n"
				     "2:0:1:1:1:2000:60000019:5:48100023:1\n"
				     "3:0:1:1:2:3000:3000:0:1:1:1:3300:3300:0:102\n"
				     "2:0:1:1:2:3000:60000019:0\n"
				     "1:0:1:1:1:3300:3400:1\n"
				     "2:0:1:1:1:3300:60000019:0\n"
				     "1:0:1:1:1:3400:8500:8\n"
				     "2:0:1:1:1:3400:60000019:5:48100023:1\n"
				     "3:0:1:1:3:8000:8000:0:1:1:1:8500:8500:0:102\n"
				     "2:0:1:1:3:8000:60000019:0\n"
				     "1:0:1:1:1:8500:10000:1\n"
				     "2:0:1:1:1:8500:60000019:0\n"
				     "2:0:1:1:1:10000:60000019:0\n";

TEST(fork_and_join_with_a_straggler)
{
	is_int(find_path(fork_join, NULL), JW_OK);
	is_whole();
	is_str(path_list.thread, "main");
	is_int(path_list.hops, 2);
	is_str(path_text(),
	       "main 0-1500 runs Main.run, b 1500-8000 runs B.work, main 8000-10000 runs Main.run");
	is_int(ns_of_method("B.work"), 6200);
	is_int(ns_of_method("A.work"), 0);
	is_int(ns_of_thread("a"), 0);
	is_int(ns_of_thread("b"), 6500);
	is_int(path_list.by[TRACE_PATH_HAND_OVER], 300 + 500);
	is_int(path_list.wait_count, 0);
	is_str(path_list.methods[0].name, "B.work");
	is_int(path_list.methods[0].by[TRACE_REPORT_RUNNING], 6200);
}

/* The path of one call: what was before it is no part of it. */
TEST(the_path_of_a_call)
{
	const struct trace_path_call join = { .thread = 0, .begin = 3400, .end = 8500 };

	is_int(find_path(fork_join, &join), JW_OK);
	is_whole();
	is_int(path_list.begin, 3400);
	is_int(path_list.end, 8500);
	is_int(ns_of_method("B.work"), 4600);
	is_int(path_list.by[TRACE_PATH_HAND_OVER], 500);
	is_int(ns_of_thread("main"), 500);
}

/* A thread waits for a lock in turn: the path goes through all who hold it. A sleep, and a wait
 * whose end nobody is known to have brought, are on the path. An arrow to a thread that does not
 * wait is no matter, nor is that of another kind to one that is blocked. */
TEST(a_convoy_of_locks)
{
	static const char prv[] = HEAD "1:0:1:1:1:0:1000:1\n"
				       "1:0:1:1:2:0:100:1\n"
				       "1:0:1:1:3:0:200:1\n"
				       "2:0:1:1:1:0:60000019:4\n"
				       "2:0:1:1:2:0:60000019:2\n"
				       "2:0:1:1:3:0:60000019:3\n"
				       "1:0:1:1:2:100:3010:9\n"
				       "2:0:1:1:2:100:60000019:4:48100001:1:48100002:2147483655\n"
				       "1:0:1:1:3:200:7020:9\n"
				       "2:0:1:1:3:200:60000019:4:48100001:1:48100002:2147483655\n"
				       "1:0:1:1:1:1000:3000:5\n"
				       "2:0:1:1:1:1000:48100028:3:48100021:1\n"
				       "3:0:1:1:3:1500:1500:0:1:1:2:2500:2500:0:402\n"
				       "3:0:1:1:1:3000:3000:0:1:1:2:3010:3010:0:305\n"
				       "1:0:1:1:1:3000:4000:1\n"
				       "2:0:1:1:1:3000:48100028:0:48100021:0\n"
				       "2:0:1:1:1:3005:60000019:0\n"
				       "1:0:1:1:2:3010:8000:1\n"
				       "2:0:1:1:2:3010:48100001:0:48100002:0\n"
				       "3:0:1:1:1:3500:3500:0:1:1:2:3600:3600:0:402\n"
				       "3:0:1:1:2:7000:7000:0:1:1:3:7020:7020:0:305\n"
				       "1:0:1:1:3:7020:9000:1\n"
				       "2:0:1:1:2:7020:60000019:0\n"
				       "2:0:1:1:3:7020:48100001:0:48100002:0\n"
				       "1:0:1:1:3:9000:9500:5\n"
				       "2:0:1:1:3:9000:60000019:0\n"
				       "1:0:1:1:3:9500:10000:1\n"
				       "2:0:1:1:3:10000:60000019:0\n";

	is_int(find_path(prv, NULL), JW_OK);
	is_whole();
	is_str(path_list.thread, "b");
	is_int(ns_of_thread("main"), 3000);
	is_int(ns_of_thread("a"), 4000);
	is_int(ns_of_thread("b"), 3000);
	is_int(ns_of_method("Lock.hold"), 3000 + 4000 + 2000);
	is_int(ns_of_method("B.work"), 1000);
	is_int(path_list.by[TRACE_PATH_HAND_OVER], 30);
	is_int(path_list.by[TRACE_REPORT_BLOCKED], 0);
	is_int(path_list.by[TRACE_REPORT_WAITING], 2500);
	is_int(path_list.wait_count, 2);
	ok(path_list.waits[0].wait.how == TRACE_REPORT_SLEEP);
	is_int(path_list.waits[0].wait.ns, 2000);
	is_str(path_list.waits[0].wait.source, "B.java");
	is_str(path_list.waits[0].thread, "main");
	ok(path_list.waits[1].wait.how == TRACE_REPORT_CALL);
	is_int(path_list.waits[1].wait.ns, 500);
	is_str(path_list.waits[1].wait.method, "B.work");
}

/* "a" waits for connections, "b" for work, in which it reads what main wrote at WRITTEN. */
static enum jw_status find_server(int written)
{
	char prv[2000];

	(void)snprintf(prv, sizeof(prv),
		       HEAD "1:0:1:1:1:0:2500:1\n"
			    "2:0:1:1:1:0:60000019:1\n"
			    "1:0:1:1:2:0:2300:34\n"
			    "2:0:1:1:2:0:60000019:2:48100028:5\n"
			    "1:0:1:1:3:0:3100:34\n"
			    "2:0:1:1:3:0:60000019:3:48100028:2\n"
			    "3:0:1:1:1:%d:%d:0:1:1:3:4000:4000:0:904\n"
			    "1:0:1:1:2:2300:3500:1\n"
			    "2:0:1:1:2:2300:48100028:0\n"
			    "2:0:1:1:1:2500:60000019:0\n"
			    "3:0:1:1:2:3000:3000:0:1:1:3:3100:3100:0:402\n"
			    "1:0:1:1:3:3100:10000:1\n"
			    "2:0:1:1:3:3100:48100028:0\n"
			    "2:0:1:1:2:3500:60000019:0\n"
			    "2:0:1:1:3:10000:60000019:0\n",
		       written, written);
	return find_path(prv, NULL);
}

/* A thread that waits for connections hands one over to another thread, which reads: the wait was
 * ended by what that reads, if it was written meanwhile. */
TEST(a_server_that_reads_in_another_thread)
{
	is_int(find_server(2000), JW_OK);
	is_whole();
	is_str(path_text(),
	       "main 0-2000 runs Main.run, a 2000-2300 goes on A.work, a 2300-3000 runs A.work, "
	       "b 3000-10000 runs B.work");
	is_int(path_list.by[TRACE_REPORT_FOR_WORK], 0);
	is_int(path_list.by[TRACE_PATH_HAND_OVER], 300 + 100);
	is_int(path_list.wait_count, 0);
	is_int(find_server(2400), JW_OK);
	is_whole();
	is_int(ns_of_thread("main"), 0);
	is_int(path_list.by[TRACE_REPORT_FOR_WORK], 2300);
	is_int(path_list.wait_count, 1);
	ok(path_list.waits[0].wait.how == TRACE_REPORT_REQUESTS);
}

/* "a" has nothing to do until 4000, when somebody who is not seen asks it. For what it does main waits since SINCE,
 * in STATE. */
static enum jw_status find_asked(int since, int state)
{
	static const char goes_on[] = "1:0:1:1:2:4000:10000:1\n"
				      "2:0:1:1:2:4000:48100028:0\n";
	char prv[2000];

	(void)snprintf(prv, sizeof(prv),
		       HEAD "1:0:1:1:1:0:%d:1\n"
			    "2:0:1:1:1:0:60000019:1\n"
			    "1:0:1:1:2:0:1000:1\n"
			    "2:0:1:1:2:0:60000019:2\n"
			    "1:0:1:1:2:1000:4000:34\n"
			    "2:0:1:1:2:1000:48100028:5\n"
			    "%s"
			    "1:0:1:1:1:%d:8200:%d\n"
			    "2:0:1:1:1:%d:48100028:2\n"
			    "%s"
			    "3:0:1:1:2:8000:8000:0:1:1:1:8200:8200:0:402\n"
			    "1:0:1:1:1:8200:10000:1\n"
			    "2:0:1:1:1:8200:48100028:0\n"
			    "2:0:1:1:1:10000:60000019:0\n",
		       since, since > 4000 ? goes_on : "", since, state, since,
		       since > 4000 ? "" : goes_on);
	return find_path(prv, NULL);
}

/* Who waits for an idle thread has asked it, somehow, before: that it was idle until then explains nothing. */
TEST(who_was_idle_is_asked_unseen)
{
	is_int(find_asked(3000, 5), JW_OK);
	is_whole();
	is_str(path_text(),
	       "main 0-3000 runs Main.run, a 3000-4000 waits A.work, a 4000-8000 runs A.work, "
	       "main 8000-10000 runs Main.run");
	is_int(path_list.by[TRACE_REPORT_FOR_WORK], 1000);
	/* just after */
	is_int(find_asked(4020, 5), JW_OK);
	is_whole();
	is_str(path_text(),
	       "main 0-4020 runs Main.run, a 4020-8000 runs A.work, main 8000-10000 runs Main.run");
	is_int(path_list.by[TRACE_REPORT_FOR_WORK], 0);
	/* long after: it had its work from elsewhere */
	is_int(find_asked(6000, 5), JW_OK);
	is_whole();
	is_int(path_list.by[TRACE_REPORT_FOR_WORK], 3000);
	/* who has no work, either, has not asked for any */
	is_int(find_asked(3000, 34), JW_OK);
	is_whole();
	is_int(path_list.by[TRACE_REPORT_FOR_WORK], 3000);
}

/* "a" has nothing to do until 4000; then it lets "b" go on, for which main waits since 3000. */
TEST(who_was_idle_let_go_on_whom_is_waited_for)
{
	static const char prv[] = HEAD "1:0:1:1:1:0:3000:1\n"
				       "2:0:1:1:1:0:60000019:1\n"
				       "2:0:1:1:2:0:60000019:2:48100028:5\n"
				       "1:0:1:1:2:0:4000:34\n"
				       "2:0:1:1:3:0:60000019:3:48100028:2\n"
				       "1:0:1:1:3:0:5100:34\n"
				       "1:0:1:1:1:3000:8200:5\n"
				       "2:0:1:1:1:3000:48100028:2\n"
				       "1:0:1:1:2:4000:10000:1\n"
				       "2:0:1:1:2:4000:48100028:0\n"
				       "3:0:1:1:2:5000:5000:0:1:1:3:5100:5100:0:402\n"
				       "1:0:1:1:3:5100:10000:1\n"
				       "2:0:1:1:3:5100:48100028:0\n"
				       "3:0:1:1:3:8000:8000:0:1:1:1:8200:8200:0:402\n"
				       "1:0:1:1:1:8200:10000:1\n"
				       "2:0:1:1:1:8200:48100028:0\n"
				       "2:0:1:1:1:10000:60000019:0\n";

	is_int(find_path(prv, NULL), JW_OK);
	is_whole();
	is_str(path_text(), "main 0-3000 runs Main.run, a 3000-4000 waits A.work, "
			    "a 4000-5000 runs A.work, b 5000-8000 runs B.work, "
			    "main 8000-10000 runs Main.run");
}

/* A timer, "a", has nothing to do until 6000; then it lets "b" go on, a worker that has worked until IDLE and main
 * waits for; of which one waits in a call. */
static enum jw_status find_timer(int idle, const char *call)
{
	char prv[2000];

	(void)snprintf(prv, sizeof(prv),
		       HEAD "1:0:1:1:1:0:1000:1\n"
			    "2:0:1:1:1:0:60000019:1\n"
			    "1:0:1:1:2:0:6000:34\n"
			    "2:0:1:1:2:0:48100028:2\n"
			    "1:0:1:1:3:0:%d:1\n"
			    "2:0:1:1:3:0:60000019:3\n"
			    "1:0:1:1:1:1000:8200:5\n"
			    "2:0:1:1:1:1000:48100028:2\n"
			    "2:0:1:1:3:%d:60000019:%s48100028:2\n"
			    "1:0:1:1:3:%d:6100:34\n"
			    "1:0:1:1:2:6000:10000:1\n"
			    "2:0:1:1:2:6000:48100028:0\n"
			    "3:0:1:1:2:6010:6010:0:1:1:3:6100:6100:0:402\n"
			    "1:0:1:1:3:6100:10000:1\n"
			    "2:0:1:1:3:6100:48100028:0:60000019:3\n"
			    "3:0:1:1:3:8000:8000:0:1:1:1:8200:8200:0:402\n"
			    "1:0:1:1:1:8200:10000:1\n"
			    "2:0:1:1:1:8200:48100028:0\n"
			    "2:0:1:1:1:10000:60000019:0\n",
		       idle, idle, call, idle);
	return find_path(prv, NULL);
}

/* What lets a worker go on that has worked may itself have had nothing to do: that is not the way the work came. */
TEST(who_was_idle_wakes_a_worker)
{
	is_int(find_timer(5000, "0:"), JW_OK);
	is_whole();
	is_str(path_text(), "b 0-5000 runs B.work, b 5000-6010 waits , b 6010-8000 runs B.work, "
			    "main 8000-10000 runs Main.run");
	/* it was as idle itself */
	is_int(find_timer(2000, "0:"), JW_OK);
	is_whole();
	is_int(ns_of_thread("a"), 5010);
	/* in a call somebody waits for something that he knows */
	is_int(find_timer(5000, "2:"), JW_OK);
	is_whole();
	is_int(ns_of_thread("a"), 5010);
}

/* "a", in no traced method, waits for what main writes, has its first bytes at 2300 and its last ones at
 * 4000. Until then it has handed the first ones over to "b". */
TEST(what_is_read_piece_by_piece)
{
	static const char prv[] = HEAD "1:0:1:1:1:0:2500:1\n"
				       "2:0:1:1:1:0:60000019:1\n"
				       "1:0:1:1:2:0:2300:34\n"
				       "2:0:1:1:2:0:48100028:5\n"
				       "1:0:1:1:3:0:3100:34\n"
				       "2:0:1:1:3:0:60000019:3:48100028:2\n"
				       "3:0:1:1:1:2000:2000:0:1:1:2:4000:4000:0:904\n"
				       "1:0:1:1:2:2300:4000:1\n"
				       "2:0:1:1:2:2300:48100028:0\n"
				       "2:0:1:1:1:2500:60000019:0\n"
				       "3:0:1:1:2:3000:3000:0:1:1:3:3100:3100:0:402\n"
				       "1:0:1:1:3:3100:10000:1\n"
				       "2:0:1:1:3:3100:48100028:0\n"
				       "2:0:1:1:3:10000:60000019:0\n";

	is_int(find_path(prv, NULL), JW_OK);
	is_whole();
	is_str(path_text(), "main 0-2000 runs Main.run, a 2000-3000 runs , "
			    "b 3000-10000 runs B.work");
	is_int(path_list.by[TRACE_PATH_HAND_OVER], 300 + 100);
	is_int(path_list.by[TRACE_REPORT_FOR_WORK], 0);
}

/* Two that hand over to each other all the time, for so long that their history does not fit: the
 * sums stay exact. A third one has nothing to do with it. */
TEST(a_long_game_of_ping_pong)
{
	enum { ROUNDS = 200000, STEP = 10 };
	struct jw_buf prv = { 0 };
	unsigned long long end = (unsigned long long)ROUNDS * 2 * STEP, t = 0;

	jw_put_fmt(&prv, "#Paraver (1/1/2025 at 0:00):%llu_ns:0:1:1(3:0),0\n", end);
	jw_put_str(&prv, "2:0:1:1:1:0:60000019:2\n2:0:1:1:2:0:60000019:3\n"
			 "1:0:1:1:1:0:10:1\n1:0:1:1:2:0:10:5\n");
	for (int i = 0; i < 2 * ROUNDS - 1; i++) {
		int from = i % 2 + 1, to = 2 - i % 2;

		t += STEP;
		jw_put_fmt(&prv, "1:0:1:1:%d:%llu:%llu:5\n1:0:1:1:%d:%llu:%llu:1\n", from, t,
			   t + STEP, to, t, t + STEP);
		/* sent 1 ns before: that is the hand-over */
		jw_put_fmt(&prv, "3:0:1:1:%d:%llu:%llu:0:1:1:%d:%llu:%llu:0:402\n", from, t, t, to,
			   t, t);
	}
	jw_put_u1(&prv, 0);
	is_int(prv.failed, JW_OK);
	is_int(find_path((const char *)prv.p, NULL), JW_OK);
	uint64_t sum = 0;

	for (size_t i = 0; i < TRACE_PATH_TIMES; i++)
		sum += path_list.by[i];
	is_int(sum, end);
	ok(path_list.coarse > 0);
	ok(path_list.segment_count <= 2 * TRACE_HISTORY_NODES);
	ok(path_list.segment_count > 10);
	is_int(path_list.segments[path_list.segment_count - 1].end, end);
	jw_buf_free(&prv);
}

/* "b" begins at 2000, and nobody is known to have started it; main waits for it since SINCE. */
static enum jw_status find_born(int since)
{
	char prv[2000];

	(void)snprintf(prv, sizeof(prv),
		       HEAD "1:0:1:1:1:0:%d:1\n"
			    "2:0:1:1:1:0:60000019:1\n"
			    "1:0:1:1:3:0:2000:2\n"
			    "%s"
			    "1:0:1:1:1:%d:8200:5\n"
			    "2:0:1:1:1:%d:48100028:1\n"
			    "%s"
			    "3:0:1:1:3:8000:8000:0:1:1:1:8200:8200:0:402\n"
			    "1:0:1:1:3:8000:10000:2\n"
			    "2:0:1:1:3:8000:60000019:0\n"
			    "1:0:1:1:1:8200:10000:1\n"
			    "2:0:1:1:1:8200:48100028:0\n"
			    "2:0:1:1:1:10000:60000019:0\n",
		       since,
		       since > 2000 ? "1:0:1:1:3:2000:8000:1\n2:0:1:1:3:2000:60000019:3\n" : "",
		       since, since,
		       since > 2000 ? "" : "1:0:1:1:3:2000:8000:1\n2:0:1:1:3:2000:60000019:3\n");
	return find_path(prv, NULL);
}

/* Before a thread begins that nobody is known to have started, what counts did who waits for it. */
TEST(a_thread_that_nobody_is_known_to_have_started)
{
	is_int(find_born(3000), JW_OK);
	is_whole();
	is_str(path_text(), "main 0-2000 runs Main.run, b 2000-8000 runs B.work, "
			    "main 8000-10000 runs Main.run");
	is_int(path_list.hops, 2);
	is_int(ns_of_method("Main.run"), 2000 + 2000);
	is_int(path_list.by[TRACE_REPORT_OTHER], 0);
	/* it begins when it is waited for already */
	is_int(find_born(500), JW_OK);
	is_whole();
	is_str(path_text(), "main 0-500 runs Main.run, main 500-2000 waits Main.run, "
			    "b 2000-8000 runs B.work, main 8000-10000 runs Main.run");
	is_int(path_list.by[TRACE_REPORT_WAITING], 1500);
}

/* "a" is the row of two threads, one after another: "b" waits for the first one, main for the second. */
TEST(a_row_of_several_threads)
{
	static const char prv[] = HEAD "1:0:1:1:1:0:5000:1\n"
				       "1:0:1:1:2:0:1000:2\n"
				       "1:0:1:1:3:0:1500:1\n"
				       "2:0:1:1:1:0:60000019:1\n"
				       "2:0:1:1:3:0:60000019:3\n"
				       "1:0:1:1:2:1000:2000:1\n"
				       "2:0:1:1:2:1000:60000019:2\n"
				       "1:0:1:1:3:1500:2100:5\n"
				       "2:0:1:1:3:1500:48100028:1\n"
				       "3:0:1:1:2:2000:2000:0:1:1:3:2100:2100:0:402\n"
				       "1:0:1:1:2:2000:4000:2\n"
				       "2:0:1:1:2:2000:60000019:0\n"
				       "1:0:1:1:3:2100:10000:1\n"
				       "2:0:1:1:3:2100:48100028:0\n"
				       "1:0:1:1:2:4000:8000:1\n"
				       "2:0:1:1:2:4000:60000019:2\n"
				       "1:0:1:1:1:5000:8200:5\n"
				       "2:0:1:1:1:5000:48100028:1\n"
				       "3:0:1:1:2:8000:8000:0:1:1:1:8200:8200:0:402\n"
				       "1:0:1:1:2:8000:10000:2\n"
				       "2:0:1:1:2:8000:60000019:0\n"
				       "1:0:1:1:1:8200:10000:1\n"
				       "2:0:1:1:1:8200:48100028:0\n"
				       "2:0:1:1:1:10000:60000019:0\n"
				       "2:0:1:1:3:10000:60000019:0\n";
	const struct trace_path_call b = { .thread = 2, .begin = 0, .end = 10000 };

	is_int(find_path(prv, NULL), JW_OK);
	is_whole();
	is_str(path_text(), "main 0-4000 runs Main.run, a 4000-8000 runs A.work, "
			    "main 8000-10000 runs Main.run");
	is_int(find_path(prv, &b), JW_OK);
	is_whole();
	is_str(path_text(), "b 0-1000 runs B.work, a 1000-2000 runs A.work, "
			    "b 2000-10000 runs B.work");
}

/* A process that is there for a part of the run, as one of a job. */
TEST(who_is_there_for_a_part_of_the_run)
{
	static const char prv[] = HEAD "1:0:1:1:1:0:2000:2\n"
				       "1:0:1:1:2:0:2500:2\n"
				       "1:0:1:1:3:0:2500:2\n"
				       "1:0:1:1:1:2000:6000:1\n"
				       "2:0:1:1:1:2000:60000019:1\n"
				       "1:0:1:1:2:2500:7000:1\n"
				       "1:0:1:1:3:2500:2600:1\n"
				       "1:0:1:1:3:2600:10000:2\n"
				       "2:0:1:1:1:6000:60000019:0\n"
				       "1:0:1:1:1:6000:10000:2\n"
				       "1:0:1:1:2:7000:10000:2\n";

	is_int(find_path_of_life(prv), JW_OK);
	is_int(path_list.begin, 2000);
	is_int(path_list.end, 7000);
	is_whole();
	is_str(path_text(), "main 2000-7000 runs Main.run");
	is_int(ns_of_method("Main.run"), 4000);
	is_int(path_list.by[TRACE_REPORT_OTHER], 1000);
	/* all of a run is all of the time */
	is_int(find_path(prv, NULL), JW_OK);
	is_int(path_list.end - path_list.begin, 10000);
	is_whole();
}

/* "b" begins at 1000 and lets "a" go on, then main: the last one to wait for it has asked for it. */
TEST(several_wait_for_a_thread_that_begins)
{
	static const char prv[] = HEAD "1:0:1:1:1:0:2000:1\n"
				       "1:0:1:1:2:0:500:1\n"
				       "1:0:1:1:3:0:1000:2\n"
				       "2:0:1:1:1:0:60000019:1\n"
				       "2:0:1:1:2:0:60000019:2\n"
				       "1:0:1:1:2:500:3100:5\n"
				       "2:0:1:1:2:500:48100028:1\n"
				       "1:0:1:1:3:1000:8000:1\n"
				       "2:0:1:1:3:1000:60000019:3\n"
				       "1:0:1:1:1:2000:8200:5\n"
				       "2:0:1:1:1:2000:48100028:1\n"
				       "3:0:1:1:3:3000:3000:0:1:1:2:3100:3100:0:402\n"
				       "1:0:1:1:2:3100:4000:1\n"
				       "2:0:1:1:2:3100:48100028:0\n"
				       "2:0:1:1:2:4000:60000019:0\n"
				       "3:0:1:1:3:8000:8000:0:1:1:1:8200:8200:0:402\n"
				       "2:0:1:1:3:8000:60000019:0\n"
				       "1:0:1:1:1:8200:10000:1\n"
				       "2:0:1:1:1:8200:48100028:0\n"
				       "2:0:1:1:1:10000:60000019:0\n";

	is_int(find_path(prv, NULL), JW_OK);
	is_whole();
	is_str(path_text(), "main 0-1000 runs Main.run, b 1000-8000 runs B.work, "
			    "main 8000-10000 runs Main.run");
}

TEST(nothing_happens)
{
	is_int(find_path("#Paraver (1/1/2025 at 0:00):0_ns:0:1:1(1:0),0\n", NULL), JW_OK);
	is_int(path_list.segment_count, 0);
	is_int(find_path(HEAD, NULL), JW_OK);
	is_whole();
	is_int(path_list.by[TRACE_REPORT_OTHER], 10000);
}

TEST(without_memory)
{
	long n = 0;
	bool failed;

	do {
		jw_mem_fail_after(n++);
		enum jw_status status = find_path(fork_join, NULL);

		if (status == JW_OK)
			status = find_asked(3000, 5);
		if (status == JW_OK)
			status = find_born(3000);
		failed = jw_mem_fail_after(-1);
		if (failed && status != JW_NOMEM)
			is_int(status, JW_NOMEM);
	} while (failed);
	ok(n > 20);
	is_whole();
	jw_arena_free(&path_arena);
}
