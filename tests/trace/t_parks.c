/*
 * Parks and sleeps, as natives of the JDK that are tapped tell of them: states, events, and arrows
 * from who unparked; in recordings made by hand (make_steps.h).
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

#define CONDITION jwr_object(77, 0xc0)
#define LOCK_SYNC jwr_object(78, 0xc1)

/* A recording in which natives are tapped: N threads that are inside of a call. */
static void begin_tapped(const char *what, uint32_t n)
{
	begin(what, n);
	make_meta(&m, "tap|jdk.internal.misc.Unsafe.park");
	make_meta(&m,
		  "class|%u|java.util.concurrent.locks.AbstractQueuedSynchronizer"
		  "$ConditionObject",
		  0xc0);
	make_meta(&m, "class|%u|java.util.concurrent.locks.ReentrantLock$NonfairSync", 0xc1);
	make_meta(&m, "place|5|java.util.concurrent.ThreadPoolExecutor|getTask|"
		      "ThreadPoolExecutor.java|1062");
	make_meta(&m, "place|6|com.acme.Main|work|Main.java|7");
}

/* The thread UID parks for OBJECT, at PLACE, and goes on. */
static void park(uint32_t uid, uint32_t place, uint64_t object)
{
	make_event(&m, uid, tick(now), JWR_PLACE, place);
	vm(uid, JWR_PARK, object);
	vm(uid, JWR_PARKED, 0);
}

TEST(an_arrow_from_who_unparks)
{
	begin_tapped("unpark", 2);
	vm(2, JWR_PARK, LOCK_SYNC);   /* 1 */
	vm(1, JWR_UNPARK, thread(2)); /* 2 */
	vm(2, JWR_PARKED, 0);         /* 3 */
	vm(1, JWR_UNPARK, thread(2)); /* 4: it does not park */
	vm(2, JWR_PARK, LOCK_SYNC);   /* 5 */
	vm(2, JWR_PARKED, 0);         /* 6: at once */
	is_str(arrows(), "1@2>2@3/402 1@4>2@6/402 ");
	is_int(in_trace(":48100028:1:"), 2);
	is_int(in_trace(":48100029:2"), 2);
	ok(in_pcf("48100029    Java unpark of thread\n"));
}

static uint64_t selects(uint64_t waker)
{
	return waker ? jwr_awaited(JWR_AWAIT_SELECT, waker, 0) : jwr_await(JWR_AWAIT_SELECT, 0);
}

/* An arrow to a select, from who used its waker last, if it waited by then. */
TEST(an_arrow_from_who_wakes_a_select)
{
	begin_tapped("wake", 3);
	vm(2, JWR_AWAIT, selects(0));   /* 1 */
	vm(1, JWR_WAKE, 8);             /* 2 */
	vm(3, JWR_WAKE, 9);             /* another one's */
	vm(2, JWR_AWAITED, selects(8)); /* 4 */
	vm(2, JWR_AWAIT, selects(0));
	vm(2, JWR_AWAITED, selects(8)); /* who knows */
	vm(1, JWR_WAKE, 8);             /* before it waits */
	vm(2, JWR_AWAIT, selects(0));
	vm(2, JWR_AWAITED, selects(8));
	vm(2, JWR_AWAIT, selects(0));
	vm(1, JWR_WAKE, 8);
	vm(3, JWR_WAKE, 8);             /* 12: that of 1 was for a select that nobody told of */
	vm(2, JWR_AWAITED, selects(8)); /* 13 */
	vm(2, JWR_AWAIT, selects(0));
	vm(1, JWR_WAKE, 8);
	vm(2, JWR_AWAITED, jwr_awaited(JWR_AWAIT_SELECT, 0, 0)); /* by its time */
	is_str(arrows(), "1@2>2@4/402 3@12>2@13/402 ");
	is_int(in_trace(":48100041:8"), 5);
	ok(in_pcf("48100041    Java wakeup of selector\n"));
}

TEST(none_where_time_is_over_or_nobody_came)
{
	begin_tapped("in vain", 3);
	vm(2, JWR_PARK, LOCK_SYNC);
	vm(2, JWR_PARKED, 0);
	vm(1, JWR_UNPARK, thread(3)); /* another one */
	vm(2, JWR_PARK, LOCK_SYNC);
	vm(2, JWR_PARKED, 0);
	vm(1, JWR_UNPARK, thread(99)); /* which nobody has seen */
	vm(1, JWR_UNPARK, 55);         /* which is no thread */
	is_str(arrows(), "");
}

/* Damage: nothing is shown that the arrow could lead to. */
TEST(none_where_it_is_lost_when_the_park_began)
{
	begin_tapped("lost", 2);
	vm(1, JWR_UNPARK, thread(2));
	vm(2, JWR_PARKED, 0);
	call(2, GET, 60);
	vm(1, JWR_UNPARK, thread(2));
	vm(2, JWR_PARKED, 0);
	ret(2, GET);
	vm(2, JWR_PARK, LOCK_SYNC);
	vm(2, JWR_PARKED, 0); /* both permits were used up */
	is_str(arrows(), "");
}

/* A permit is there or not: it does not add up. */
TEST(of_several_the_first_one_counts)
{
	begin_tapped("several", 3);
	vm(2, JWR_PARK, LOCK_SYNC);
	vm(1, JWR_UNPARK, thread(2)); /* 2 */
	vm(3, JWR_UNPARK, thread(2));
	vm(2, JWR_PARKED, 0); /* 4 */
	vm(2, JWR_PARK, LOCK_SYNC);
	vm(2, JWR_PARKED, 0); /* its time was over */
	is_str(arrows(), "1@2>2@4/402 ");
}

/* A put into a queue that is full goes on by a take. */
TEST(a_call_has_one_arrow_from_what_the_other_one_does)
{
	begin_tapped("full", 3);
	call(2, PUT, 55);             /* 1 */
	vm(2, JWR_PARK, CONDITION);   /* 2 */
	call(1, TAKE, 55);            /* 3 */
	vm(1, JWR_UNPARK, thread(2)); /* 4 */
	ret(1, TAKE);
	vm(2, JWR_PARKED, 0); /* 6: but 3 has the lock */
	vm(2, JWR_PARK, LOCK_SYNC);
	call(3, TAKE, 55);            /* 8 */
	vm(3, JWR_UNPARK, thread(2)); /* 9 */
	ret(3, TAKE);
	vm(2, JWR_PARKED, 0); /* 11 */
	ret(2, PUT);
	is_str(arrows(), "3@9>2@11/802 ");
}

/* The same by two that put: what one lets the other have is the lock. */
TEST(two_that_do_the_same)
{
	begin_tapped("same", 2);
	call(2, PUT, 55);
	vm(2, JWR_PARK, LOCK_SYNC);
	call(1, PUT, 55);
	vm(1, JWR_UNPARK, thread(2)); /* 4 */
	ret(1, PUT);
	vm(2, JWR_PARKED, 0); /* 6 */
	ret(2, PUT);
	is_str(arrows(), "1@4>2@6/402 ");
}

/* A worker that waits for work has its arrow where the task begins. */
TEST(who_submits_a_task_wakes_a_worker_once)
{
	begin_tapped("submit", 2);
	make_event(&m, 2, tick(now), JWR_EXIT, make_method(2)), step();
	vm(2, JWR_PARK, CONDITION);   /* 2 */
	call(1, SUBMIT, 60);          /* 3 */
	vm(1, JWR_UNPARK, thread(2)); /* 4 */
	ret(1, SUBMIT);
	vm(2, JWR_PARKED, 0); /* 6 */
	call(2, RUN, 60);     /* 7 */
	ret(2, RUN);
	vm(2, JWR_PARK, CONDITION);
	vm(1, JWR_UNPARK, thread(2)); /* 10: nobody knows what for */
	vm(2, JWR_PARKED, 0);
	is_str(arrows(), "1@3>2@7/201 1@10>2@11/402 ");
}

/* Two that submit let each other have a lock of the pool. */
TEST(who_submits_a_task_gives_no_other_thread_a_task)
{
	begin_tapped("submitters", 2);
	call(2, SUBMIT, 60);
	vm(2, JWR_PARK, LOCK_SYNC);
	call(1, SUBMIT, 61);
	vm(1, JWR_UNPARK, thread(2)); /* 4 */
	ret(1, SUBMIT);
	vm(2, JWR_PARKED, 0); /* 6 */
	ret(2, SUBMIT);
	is_str(arrows(), "1@4>2@6/402 ");
}

/* Who joins a virtual thread is let go by its carrier, after its end. */
TEST(the_end_of_a_virtual_thread_lets_others_go_on)
{
	begin_tapped("virtual", 3);
	vm(1, JWR_PARK, LOCK_SYNC);
	make_event(&m, 3, tick(now), JWR_SWITCH, 50), step();
	make_event(&m, 3, tick(now), JWR_ENTER, make_method(2)), step();
	make_event(&m, 3, tick(now), JWR_EXIT, make_method(2)), step();
	make_event(&m, 3, tick(now), JWR_END, 50), step(); /* 5 */
	vm(3, JWR_UNPARK, thread(1));
	vm(1, JWR_PARKED, 0); /* 7 */
	vm(1, JWR_PARK, LOCK_SYNC);
	vm(3, JWR_PARK, 0);
	vm(3, JWR_PARKED, 0);
	vm(3, JWR_UNPARK, thread(1)); /* 11: by the carrier, for something else */
	vm(1, JWR_PARKED, 0);
	is_str(arrows(), "4@5>1@7/402 3@11>1@12/402 ");
}

/* A virtual thread that is pinned parks as its carrier, whom others let go on. One that is not has
 * given it back, and what lets the carrier go on is not for it. */
TEST(a_virtual_thread_that_is_pinned)
{
	begin_tapped("pinned", 3);
	make_event(&m, 3, tick(now), JWR_SWITCH, 50), step();
	make_event(&m, 3, tick(now), JWR_ENTER, make_method(2)), step();
	vm(3, JWR_PARK, LOCK_SYNC);   /* 3 */
	vm(1, JWR_UNPARK, thread(3)); /* 4 */
	vm(3, JWR_PARKED, 0);         /* 5 */
	vm(3, JWR_PARK, LOCK_SYNC);
	vm(1, JWR_UNPARK, thread(3));
	vm(3, JWR_PARKED, JWR_PARKED_MOUNT);
	is_str(arrows(), "1@4>4@5/402 ");
	is_int(in_trace(":48100028:1:"), 2);
}

TEST(a_call_that_has_an_arrow_by_itself_has_no_other)
{
	begin_tapped("empty", 2);
	call(2, TAKE, 55);          /* 1 */
	vm(2, JWR_PARK, CONDITION); /* 2 */
	call(1, PUT, 55);           /* 3 */
	vm(1, JWR_UNPARK, thread(2));
	ret(1, PUT);
	vm(2, JWR_PARKED, 0);
	ret(2, TAKE); /* 7 */
	is_str(arrows(), "1@3>2@7/801 ");
}

/* What is left open, and what never waits by itself. */
TEST(calls_that_never_end_and_bodies)
{
	begin_tapped("open", 3);
	call(3, RUN, 60);
	vm(3, JWR_PARK, LOCK_SYNC);
	vm(1, JWR_UNPARK, thread(3)); /* 3 */
	vm(3, JWR_PARKED, 0);         /* 4: the body goes on */
	call(2, TAKE, 55);
	vm(2, JWR_PARK, CONDITION);
	vm(1, JWR_UNPARK, thread(2)); /* 7 */
	vm(2, JWR_PARKED, 0);         /* 8 */
	is_str(arrows(), "1@3>3@4/402 1@7>2@8/402 ");
}

/* Recording is paused, and goes on. */
static void pauses(void)
{
	make_meta(&m, "pause|%llu", (unsigned long long)tick(now)), step();
	make_meta(&m, "resume|%llu", (unsigned long long)tick(now)), step();
}

TEST(what_was_given_before_a_pause_is_forgotten)
{
	begin_tapped("paused", 2);
	vm(1, JWR_UNPARK, thread(2));
	pauses();
	vm(2, JWR_PARK, LOCK_SYNC);
	vm(2, JWR_PARKED, 0);
	is_str(arrows(), "");
	is_int(in_trace(":48100028:1:"), 1);
}

TEST(a_wait_goes_on_after_a_pause)
{
	begin_tapped("goes_on", 2);
	make_meta(&m, "place|7|com.acme.Main|naps|Main.java|9");
	vm(1, JWR_ENTER, make_method(TAKE));
	make_event(&m, 1, tick(now), JWR_PLACE, 7);
	vm(1, JWR_PARK, LOCK_SYNC);          /* 2 */
	pauses();                            /* 3-4 */
	pauses();                            /* 5-6 */
	vm(2, JWR_UNPARK, thread(1));        /* 7 */
	vm(1, JWR_PARKED, 0);                /* 8 */
	vm(1, JWR_PARK, 0);                  /* 9 */
	pauses();                            /* 10-11 */
	vm(1, JWR_AWAITED, JWR_AWAIT_SLEEP); /* that has ended by then */
	is_str(arrows(), "2@7>1@8/402 ");
	is_str(waits(1), "5@2-3 14@3-4 5@4-5 14@5-6 5@6-8 34@9-10 14@10-11 ");
	is_int(in_trace(":48100021:1"), 3);
}

/* In any package, since servers are packed into jars under other ones; and whatever of them is traced. */
TEST(a_worker_of_a_server_waits_for_work)
{
	static const char *const places[] = {
		"shaded.org.eclipse.jetty.util.BlockingArrayQueue|poll|B.java|219",
		"com.acme.MyBlockingArrayQueue|poll|M.java|1", /* of the program, in a call */
		"org.apache.tomcat.util.threads.TaskQueue|take|T.java|117",
		"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker|park|C.kt|855",
		"org.apache.cassandra.concurrent.SEPWorker|run|SEPWorker.java|118",
		"org.apache.kafka.queue.KafkaEventQueue$EventHandler|handleEvents|K.java|285",
		"com.facebook.presto.execution.executor.MultilevelSplitQueue|take|M.java|133",
		"jsr166y.ForkJoinPool|scan|ForkJoinPool.java|1596",
	};
	const uint32_t n = sizeof(places) / sizeof(places[0]);

	begin_tapped("servers", 1);
	for (uint32_t i = 0; i < n; i++) {
		make_meta(&m, "place|%u|%s", 7 + i, places[i]);
		park(1, 7 + i, CONDITION);
	}
	arrows();
	is_str(waits(1), "34@1-2 5@3-4 34@5-6 34@7-8 34@9-10 34@11-12 34@13-14 34@15-16 ");
}

/* So do timers, and pools that wait by Object.wait(); who gives them work lets them go on. */
TEST(a_worker_that_waits_for_work_at_a_monitor)
{
	begin_tapped("monitors", 2);
	make_meta(&m, "place|7|java.util.TimerThread|mainLoop|Timer.java|563");
	make_meta(&m, "place|8|com.acme.Main|await|Main.java|9");
	make_event(&m, 2, tick(now), JWR_PLACE, 7);
	vm(2, JWR_WAIT, 7);              /* 1 */
	vm(1, JWR_INTERRUPT, thread(2)); /* 2 */
	vm(2, JWR_WAITED, 7);            /* 3 */
	make_event(&m, 2, tick(now), JWR_PLACE, 8);
	vm(2, JWR_WAIT, 7); /* 4 */
	vm(2, JWR_EXPIRED, 7);
	make_event(&m, 2, tick(now), JWR_PLACE, 7);
	vm(2, JWR_WAIT, 7); /* 6 */
	vm(2, JWR_EXPIRED, 7);
	is_str(arrows(), "1@2>2@3/105 ");
	is_str(waits(2), "34@1-3 5@4-5 34@6-7 ");
	is_int(in_trace(":48100028:2"), 2);
	is_int(in_trace(":48100028:0"), 2);
	is_int(in_trace(":48100001:2"), 1);
	is_int(in_trace(":48100001:0"), 1);
}

/* An interrupt ends a park, a sleep and Object.wait(), and is a permit for the park that comes next. */
TEST(an_arrow_from_who_interrupts)
{
	const uint64_t sleeps = jwr_await(JWR_AWAIT_SLEEP, 0);

	begin_tapped("interrupts", 2);
	vm(2, JWR_PARK, LOCK_SYNC);          /* 1 */
	vm(1, JWR_INTERRUPT, thread(2));     /* 2 */
	vm(2, JWR_PARKED, 0);                /* 3 */
	vm(2, JWR_AWAIT, sleeps);            /* 4 */
	vm(1, JWR_INTERRUPT, thread(2));     /* 5 */
	vm(2, JWR_AWAITED, JWR_AWAIT_SLEEP); /* 6 */
	vm(2, JWR_AWAIT, sleeps);            /* 7: to its end */
	vm(2, JWR_AWAITED, JWR_AWAIT_SLEEP);
	vm(2, JWR_PARK, LOCK_SYNC); /* 9: it has the permit of 5 */
	vm(2, JWR_PARKED, 0);
	vm(2, JWR_WAIT, 7);              /* 11 */
	vm(1, JWR_INTERRUPT, thread(2)); /* 12 */
	vm(2, JWR_WAITED, 7);            /* 13 */
	vm(1, JWR_INTERRUPT, thread(2)); /* 14: before it waits */
	vm(2, JWR_WAIT, 7);              /* 15 */
	vm(2, JWR_EXPIRED, 7);
	vm(1, JWR_INTERRUPT, UINT64_C(3)); /* 17: damage */
	is_str(arrows(), "1@2>2@3/105 1@5>2@6/105 1@5>2@10/105 1@12>2@13/105 ");
	is_int(in_trace(":48100042:2"), 4);
	ok(in_pcf("48100042    Java interrupt of thread\n"));
}

/* It parks, at a place that says so. */
TEST(a_virtual_thread_that_sleeps)
{
	begin_tapped("sleeps", 2);
	make_meta(&m, "place|7|com.acme.Main|nap|Main.java|9|sleep");
	make_meta(&m, "place|8|com.acme.Main|nap|Main.java|9");
	make_event(&m, 2, tick(now), JWR_PLACE, 7);
	vm(2, JWR_PARK, 0);           /* 1 */
	vm(1, JWR_UNPARK, thread(2)); /* 2: it is for its next park */
	vm(2, JWR_PARKED, 0);         /* 3 */
	park(2, 8, 0);                /* 4 */
	arrows();
	is_str(waits(2), "5@1-3 5@4-5 ");
	is_int(in_trace(":48100028:3:"), 1);
	is_int(in_trace(":48100028:1:"), 1);
	is_int(in_trace(":48100028:0"), 2);
}

TEST(a_worker_waits_for_work)
{
	begin_tapped("workers", 1);
	park(1, 6, CONDITION); /* 1: in the midst of a call */
	park(1, 5, CONDITION); /* 3: where pools fetch, whatever is open */
	make_event(&m, 1, tick(now), JWR_EXIT, make_method(1)), step();
	park(1, 6, CONDITION);           /* 6: no call is open */
	park(1, 6, LOCK_SYNC);           /* 8: a lock is not for work */
	park(1, 6, 0);                   /* 10: it told nothing */
	park(1, 6, thread(1));           /* 12 */
	park(1, 6, jwr_object(5, 0xc7)); /* 14: a class without a name */
	make_event(&m, 1, tick(now), JWR_ENTER, make_method(1)), step();
	park(1, 6, CONDITION); /* 17 */
	arrows();
	is_str(waits(1), "5@1-2 34@3-4 34@6-7 5@8-9 34@10-11 5@12-13 5@14-15 5@17-18 ");
	is_int(in_trace(":48100028:2:"), 3);
	ok(in_pcf("\n34   Waiting for work\n"));
	ok(in_pcf("\n34   {176,196,222}\n"));
	ok(in_pcf("48100028    Java wait\nVALUES\n0      End\n1      Park\n"
		  "2      Park, for work\n3      Sleep\n"));
	is_int(in_trace(":48100028:1:"), 5);
}

TEST(a_sleep)
{
	begin_tapped("sleep", 1);
	vm(1, JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0));
	vm(1, JWR_AWAITED, JWR_AWAIT_SLEEP);
	call(1, SLEEP, 0); /* 3 */
	vm(1, JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0));
	vm(1, JWR_AWAITED, JWR_AWAIT_SLEEP);
	ret(1, SLEEP);         /* 6: the same sleep, in one state */
	vm(1, JWR_AWAITED, 1); /* damage: it did not sleep */
	vm(1, JWR_PARKED, 0);
	is_str(arrows(), "");
	is_str(waits(1), "5@1-2 5@3-6 ");
	is_int(in_trace(":48100028:3"), 2);
}

/* Short waits are told in sum: a wait that ends then, since the state before at most. */
TEST(the_sum_of_short_waits)
{
	begin_tapped("short", 1);
	now = 1000;
	vm(1, JWR_SHORT, jwr_short(300, 0));  /* 10 */
	vm(1, JWR_SHORT, jwr_short(1000, 1)); /* 11 */
	call(1, GET, 60);
	vm(1, JWR_SHORT, jwr_short(100, 0)); /* 13: the call says what is waited for */
	ret(1, GET);
	vm(1, JWR_PARK, 0);
	vm(1, JWR_SHORT, jwr_short(50, 0)); /* 16: damage */
	vm(1, JWR_PARKED, 0);
	make_event(&m, 1, tick(now), JWR_EXIT, make_method(1)), step();
	vm(1, JWR_SHORT, jwr_short(100, 0)); /* 19: no call is open */
	vm(1, JWR_SHORT, 0);
	vm(1, JWR_SHORT, JWR_PAYLOAD_MASK);
	is_str(arrows(), "");
	is_str(waits(1), "5@7-10 12@10-11 8@12-14 5@15-17 34@18-19 12@19-21 ");
}

/* A thread of the VM has nothing to do where it is in no call. */
TEST(a_thread_of_the_vm)
{
	begin_tapped("of_vm", 1);
	make_meta(&m, "thread|2|%llu|%llu|0|2|d|Signal Dispatcher", (unsigned long long)tick(100),
		  (unsigned long long)tick(300));
	now = 300;
	make_event(&m, 2, tick(now), JWR_ENTER, make_method(1)), step();
	make_event(&m, 2, tick(now), JWR_ENTER, make_method(2)), step();
	vm(2, JWR_PARK, 0); /* 5 */
	vm(2, JWR_PARKED, 0);
	make_event(&m, 2, tick(now), JWR_EXIT, make_method(2)), step();
	make_event(&m, 2, tick(now), JWR_EXIT, make_method(1)), step(); /* 8 */
	now = 1000;
	make_event(&m, 2, tick(now), JWR_ENTER, make_method(1)), step();
	make_event(&m, 2, tick(now), JWR_FAIL, make_method(1)), step(); /* 11 */
	now = 2000;
	make_event(&m, 1, tick(now), JWR_EXIT, make_method(1)), step();
	is_str(arrows(), "");
	is_str(waits(2), "34@1-3 5@5-6 34@8-10 34@11-30 ");
	is_str(waits(1), "");
}

/* The recording at hand, which ends CLEAN or was killed, as a trace; texts of *SUM are in ARENA. */
static void convert(bool clean, struct jw_arena *arena, struct trace_summary *sum)
{
	struct jw_err e = { 0 };
	const char *path = make_path("%s.jwr", name);

	make_finish(&m, clean);
	is_int(make_convert(&path, 1, name, NULL, arena, sum, &e), JW_OK);
}

/* What a thread waited for when its process was killed is in its window, after all that it has told. */
TEST(a_wait_that_goes_on)
{
	struct jw_arena arena = { 0 };
	struct trace_summary sum;

	begin_tapped("goes_on", 2);
	vm(1, JWR_PARK, 0); /* 1 */
	m.waits = 1;
	now = 900;
	make_event(&m, 2, tick(now), JWR_EXIT, make_method(2));
	convert(false, &arena, &sum);
	is_str(waits(1), "5@1-9 ");
	jw_arena_free(&arena);
}

/* Where a join is told of by a call, its state counts. */
TEST(a_call_that_waits_for_a_task_shows_that)
{
	begin_tapped("get", 2);
	call(2, GET, 60);
	vm(2, JWR_PARK, jwr_object(60, 0xc7));
	vm(1, JWR_UNPARK, thread(2)); /* 3: by code that is not woven */
	vm(2, JWR_PARKED, 0);         /* 4 */
	ret(2, GET);
	is_str(arrows(), "1@3>2@4/402 ");
	is_str(waits(2), "8@1-5 ");
}

static bool has_warning(const struct trace_summary *sum, const char *text)
{
	for (size_t i = 0; i < sum->warning_count; i++)
		if (strstr(sum->warnings[i], text))
			return true;
	return false;
}

TEST(what_is_missing_is_noted)
{
	struct jw_arena arena = { 0 };
	struct trace_summary sum;

	begin("missing", 1);
	make_meta(&m, "tap-refused|jdk.internal.misc.Unsafe.park|the VM refuses to bind it");
	make_meta(&m, "short-waits|%llu|16000", (unsigned long long)tick(now));
	make_meta(&m, "short-waits|%llu|64000", (unsigned long long)tick(now));
	make_meta(&m, "short-waits|x");
	vm(1, JWR_PARKED, 0);
	convert(true, &arena, &sum);
	ok(has_warning(&sum, "nothing is known of waits in jdk.internal.misc.Unsafe.park: "
			     "the VM refuses to bind it"));
	ok(has_warning(&sum,
		       "waits inside the JDK below 64 us have no place and no arrow, from some "
		       "moment on (JWEAVE_BUDGET)"));
	ok(!has_warning(&sum, "below 16 us"));
	ok(!has_warning(&sum, "below 0 us")); /* a line that says nothing */
	jw_arena_free(&arena);
}

/* Whoever puts something into a queue has work, also where no call is open. */
TEST(who_waits_for_a_full_queue_has_work)
{
	begin_tapped("full", 1);
	make_meta(&m, "place|10|com.acme.Producer|send|Producer.java|8|put");
	make_meta(&m, "place|11|com.acme.Producer|send||0|put");
	make_meta(&m, "place|12|com.acme.Consumer|next|Consumer.java|9");
	park(1, 10, CONDITION); /* 1 */
	make_event(&m, 1, tick(now), JWR_EXIT, make_method(1)), step();
	park(1, 10, CONDITION); /* 4: no call is open */
	park(1, 11, 0);         /* 6 */
	park(1, 12, CONDITION); /* 8 */
	arrows();
	is_str(waits(1), "5@1-2 5@4-5 5@6-7 34@8-9 ");
	ok(in_pcf("      Producer.send, which puts into a queue (Producer.java:8)\n"));
	ok(in_pcf("      Producer.send, which puts into a queue\n"));
}

/* Likewise at well-known places, in any package. */
TEST(who_waits_for_one_of_a_pool_has_work)
{
	begin_tapped("pools", 1);
	make_meta(&m,
		  "place|10|com.zaxxer.hikari.util.ConcurrentBag|borrow|ConcurrentBag.java|151");
	make_meta(&m,
		  "place|11|org.apache.commons.pool2.impl.LinkedBlockingDeque|pollFirst|L.java|7");
	make_meta(&m, "place|12|com.lmax.disruptor.MultiProducerSequencer|next|M.java|136");
	make_meta(&m, "place|13|com.acme.ConcurrentBag|wait|C.java|1");
	make_event(&m, 1, tick(now), JWR_EXIT, make_method(1)), step();
	park(1, 10, CONDITION); /* 2 */
	park(1, 11, CONDITION); /* 4 */
	park(1, 12, 0);         /* 6 */
	park(1, 13, CONDITION); /* 8 */
	arrows();
	is_str(waits(1), "5@2-3 5@4-5 5@6-7 34@8-9 ");
}

/* A worker that was in a method when that was closed is out of it, though nothing says when. */
TEST(a_worker_whose_methods_were_closed_waits_for_work)
{
	begin_tapped("closed", 1);
	make_event(&m, 1, tick(now), JWR_ENTER, make_method(2)), step();
	make_meta(&m, "closed|%llu|%llu", (unsigned long long)tick(now),
		  (unsigned long long)make_method(2));
	step();
	park(1, 6, CONDITION); /* 3: in the call of method 1 */
	make_event(&m, 1, tick(now), JWR_EXIT, make_method(1)), step();
	park(1, 6, CONDITION); /* 6 */
	make_event(&m, 1, tick(now), JWR_ENTER, make_method(3)), step();
	park(1, 6, CONDITION); /* 9 */
	make_event(&m, 1, tick(now), JWR_EXIT, make_method(3)), step();
	park(1, 6, CONDITION); /* 12 */
	arrows();
	is_str(waits(1), "5@3-4 34@6-7 5@9-10 34@12-13 ");
}

TEST(a_place_where_a_class_is_loaded)
{
	begin_tapped("load", 1);
	make_meta(&m, "place|10|com.acme.Main|work|Main.java|8|load");
	make_meta(&m, "place|11|com.acme.Main|work||0|load");
	park(1, 10, LOCK_SYNC);
	park(1, 11, LOCK_SYNC);
	(void)arrows();
	ok(in_pcf("      Main.work, which loads a class (Main.java:8)\n"));
	ok(in_pcf("      Main.work, which loads a class\n"));
}
