/*
 * Arrows of threads, platform ones and virtual ones, and all arrows together; in recordings made by
 * hand (make_steps.h).
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

TEST(a_start_and_a_join)
{
	begin("start", 1);
	call(1, START, thread(2));           /* 1 */
	make_thread(&m, 2, tick(now), "t2"); /* 2 */
	step();
	ret(1, START);
	make_event(&m, 2, tick(now), JWR_ENTER, make_method(1)); /* 4 */
	step();
	call(1, JOIN, thread(2)); /* 5 */
	make_event(&m, 2, tick(now), JWR_EXIT, make_method(1));
	step();
	make_meta(&m, "thread-end|2|%llu|t2", (unsigned long long)tick(now)); /* 7 */
	step();
	ret(1, JOIN);                /* 8 */
	at_once(1, JOIN, thread(2)); /* again, and it had ended before */
	at_once(1, JOIN, thread(9)); /* never seen */
	call(1, START, thread(2));
	fail(1, START);
	is_str(arrows(), "1@1>2@2/101 2@7>1@8/102 2@7>1@10/102 ");
}

/* As the JDK's own code does, of which no call tells. */
TEST(a_start_that_the_native_tells)
{
	begin("start0", 1);
	vm(1, JWR_START, thread(2)); /* 1 */
	step();
	make_thread(&m, 2, tick(now), "t2"); /* 3 */
	step();
	make_event(&m, 2, tick(now), JWR_ENTER, make_method(1));
	call(1, START, thread(3)); /* 4: one arrow, of the call */
	vm(1, JWR_START, thread(3));
	make_thread(&m, 3, tick(now), "t3"); /* 6 */
	step();
	ret(1, START);
	make_event(&m, 3, tick(now), JWR_ENTER, make_method(1));
	call(1, START, thread(9));           /* what is in the call starts another one */
	vm(1, JWR_START, thread(4));         /* 9 */
	make_thread(&m, 4, tick(now), "t4"); /* 10 */
	step();
	ret(1, START);
	make_event(&m, 4, tick(now), JWR_ENTER, make_method(1));
	vm(1, JWR_START, thread(2));  /* which runs already: damage */
	vm(1, JWR_START, thread(99)); /* which is never seen */
	vm(1, JWR_START, 55);         /* which is no thread */
	is_str(arrows(), "1@1>2@3/101 1@4>3@6/101 1@9>4@10/101 ");
	is_int(in_trace(":48100035:2"), 2);
	ok(in_pcf("48100035    Java start of thread\n"));
}

/* Thread.join() that is not woven waits at the thread, which the VM tells. */
TEST(a_join_that_the_vm_tells)
{
	begin("join0", 1);
	make_thread(&m, 2, tick(now), "t2"); /* 1 */
	step();
	vm(1, JWR_WAIT, thread(2)); /* 2 */
	vm(1, JWR_EXPIRED, thread(2));
	vm(1, JWR_WAIT, thread(2)); /* 4: for no reason it goes on */
	vm(1, JWR_WAITED, thread(2));
	vm(1, JWR_WAIT, thread(2));                                           /* 6 */
	make_meta(&m, "thread-end|2|%llu|t2", (unsigned long long)tick(now)); /* 7 */
	step();
	vm(1, JWR_WAITED, thread(2)); /* 8 */
	vm(1, JWR_WAIT, thread(2));   /* it had ended before */
	vm(1, JWR_WAITED, thread(2));
	is_str(arrows(), "2@7>1@8/102 ");
}

TEST(a_join_that_gave_up_is_none)
{
	begin("gave-up", 2);
	at_once(1, JOIN, thread(2));
	call(1, JOIN, thread(2));
	fail(1, JOIN);
	make_meta(&m, "thread-end|2|%llu|t2", (unsigned long long)tick(now));
	at_once(1, INTERRUPT, thread(1)); /* nobody but itself */
	is_str(arrows(), "");
}

enum { INTERRUPTED = 1, TIMEOUT = 2 };

/* N threads, and the classes of their exceptions. */
static void begin_failing(const char *what, uint32_t n)
{
	begin(what, n);
	make_meta(&m, "text|1|java.lang.InterruptedException\n"
		      "text|2|java.util.concurrent.TimeoutException\n"
		      "event-label|1|java.util.concurrent.TimeoutException");
}

TEST(an_interrupt_ends_what_fails)
{
	begin_failing("interrupt", 3);
	call(2, SLEEP, 0);                /* 1 */
	at_once(1, INTERRUPT, thread(2)); /* 2, 3 */
	fail_by(2, SLEEP, INTERRUPTED);   /* 4 */
	call(2, SLEEP, 0);                /* 5: fails by itself */
	fail_by(2, SLEEP, INTERRUPTED);
	at_once(3, INTERRUPT, thread(2)); /* 7, 8: before it sleeps */
	call(2, SLEEP, 0);
	fail_by(2, SLEEP, INTERRUPTED); /* 10 */
	call(2, JOIN, thread(3));
	at_once(1, INTERRUPT, thread(2)); /* 12 */
	fail_by(2, JOIN, INTERRUPTED);    /* 14 */
	call(2, WAIT, 55);
	at_once(1, INTERRUPT, thread(2)); /* 16 */
	fail_by(2, WAIT, INTERRUPTED);    /* 18 */
	call(2, PARK, 0);
	at_once(1, INTERRUPT, thread(2)); /* 20 */
	ret(2, PARK);                     /* 22 */
	at_once(2, PARK, 0);              /* still interrupted */
	call(2, SLEEP, 0);
	ret(2, SLEEP);
	is_str(arrows(), "1@2>2@4/105 3@7>2@10/105 1@12>2@14/105 1@16>2@18/105 1@20>2@22/105 ");
}

TEST(an_interrupt_that_was_cleared_ends_nothing)
{
	begin_failing("cleared", 2);
	at_once(1, INTERRUPT, thread(2)); /* 1: Thread.interrupted() says so, and clears it */
	call(2, SLEEP, 0);
	fail_by(2, SLEEP, TIMEOUT);
	call(2, JOIN, thread(1));
	fail_by(2, JOIN, 3); /* its class was not told */
	call(2, SLEEP, 0);
	fail(2, SLEEP);                   /* nor was that it has one */
	at_once(2, PARK_NANOS, 0);        /* its time was over */
	at_once(1, INTERRUPT, thread(2)); /* 11 */
	at_once(1, UNPARK, thread(2));
	at_once(2, ACQUIRE, 77);          /* may have used the permit up */
	at_once(2, PARK, 0);              /* by which of the two? */
	call(2, PARK_NANOS, 0);           /* 19 */
	at_once(1, INTERRUPT, thread(2)); /* 20 */
	ret(2, PARK_NANOS);               /* 22 */
	is_str(arrows(), "1@20>2@22/105 ");
}

TEST(without_texts_nobody_knows_an_interrupt)
{
	begin("no-texts", 2);
	call(2, SLEEP, 0);
	at_once(1, INTERRUPT, thread(2));
	fail_by(2, SLEEP, INTERRUPTED);
	is_str(arrows(), "");
}

TEST(an_unpark_ends_a_park)
{
	begin("park", 3);
	call(2, PARK, 0);              /* 1 */
	at_once(1, UNPARK, thread(2)); /* 2 */
	ret(2, PARK);                  /* 4 */
	at_once(1, UNPARK, thread(2)); /* 5: a permit, and once more for nothing */
	at_once(3, UNPARK, thread(2));
	at_once(2, PARK, 0);           /* 9, 10 */
	at_once(2, PARK_NANOS, 0);     /* 11: time is over */
	at_once(1, UNPARK, thread(2)); /* 13: may be used up in what follows */
	at_once(2, ACQUIRE, 77);
	at_once(2, PARK_NANOS, 0);     /* 17 */
	at_once(1, UNPARK, thread(2)); /* 19: the same, but this one waits for another */
	at_once(2, ACQUIRE, 77);
	call(2, PARK, 0);              /* 23 */
	at_once(3, UNPARK, thread(2)); /* 24 */
	ret(2, PARK);                  /* 26 */
	at_once(1, UNPARK, thread(9));
	is_str(arrows(), "1@2>2@4/402 1@5>2@10/402 3@24>2@26/402 ");
}

TEST(virtual_threads_have_arrows)
{
	begin("virtual", 1);
	make_thread(&m, 2, 0, "carrier");
	call(1, START, thread(77));     /* 1 */
	vm(2, JWR_SWITCH, 77);          /* 2: row 2 */
	ret(1, START);                  /* 3 */
	call(2, PARK, 0);               /* 4 */
	vm(2, JWR_SWITCH, 78);          /* nobody has started it: row 3 */
	at_once(1, UNPARK, thread(77)); /* 6 */
	vm(2, JWR_SWITCH, 77);
	ret(2, PARK);              /* 9 */
	call(1, JOIN, thread(77)); /* 10 */
	vm(2, JWR_END, 77);        /* 11 */
	ret(1, JOIN);              /* 12 */
	vm(2, JWR_SWITCH, 78);
	call(2, JOIN, thread(77));
	ret(2, JOIN); /* 15 */
	vm(2, JWR_END, 78);
	is_str(arrows(), "1@1>2@2/101 1@6>2@9/402 2@11>1@12/102 2@11>3@15/102 ");
}

TEST(a_virtual_thread_that_start_returns)
{
	begin("returned", 1);
	make_thread(&m, 2, 0, "carrier");
	call(1, START_VIRTUAL, 0); /* 1 */
	vm(2, JWR_SWITCH, 77);     /* 2: it runs before anybody knows who it is */
	make_event(&m, 1, tick(now), JWR_OBJECT, thread(77));
	ret(1, START_VIRTUAL); /* 3 */
	vm(2, JWR_END, 77);
	is_str(arrows(), "1@1>2@2/101 ");
}

TEST(a_virtual_thread_that_start_returns_before_it_runs)
{
	begin("returned-early", 1);
	make_thread(&m, 2, 0, "carrier");
	call(1, START_VIRTUAL, 0); /* 1 */
	make_event(&m, 1, tick(now), JWR_OBJECT, thread(77));
	ret(1, START_VIRTUAL);     /* 2 */
	vm(2, JWR_SWITCH, 77);     /* 3 */
	call(1, START_VIRTUAL, 0); /* 4: it fails */
	fail(1, START_VIRTUAL);
	vm(2, JWR_SWITCH, 78);
	is_str(arrows(), "1@1>2@3/101 ");
}

TEST(a_virtual_thread_that_start_returns_when_it_has_ended)
{
	begin("returned-late", 1);
	make_thread(&m, 2, 0, "carrier");
	vm(2, JWR_SWITCH, 76);     /* 1: nobody has started it */
	vm(2, JWR_END, 76);        /* 2 */
	call(1, START_VIRTUAL, 0); /* 3 */
	vm(2, JWR_SWITCH, 77);     /* 4 */
	vm(2, JWR_END, 77);        /* 5 */
	make_event(&m, 1, tick(now), JWR_OBJECT, thread(77));
	ret(1, START_VIRTUAL); /* 6 */
	is_str(arrows(), "1@3>3@4/101 ");
}

TEST(memory_fails_at_every_place)
{
	const char *map = arrows_map();
	bool failed = true;
	long n = 0;

	begin("nomem", 3);
	submit(1, 80, 81);
	call(1, GET, 81);
	at_once(2, RUN, 80);
	ret(1, GET);
	wait_begins(1, WAIT, 55);
	at_once(2, NOTIFY, 55);
	wait_ends(1, WAIT, 55, JWR_WAITED);
	call(2, PARK, 0);
	at_once(3, UNPARK, thread(2));
	make_finish(&m, true);
	const char *path = m.path;

	for (; failed && n < 100000; n += 1 + n / 8) {
		struct jw_arena arena = { 0 };
		struct trace_summary sum;
		struct jw_err e = { 0 };

		jw_mem_fail_after(n);
		enum jw_status status = make_convert(&path, 1, name, map, &arena, &sum, &e);

		failed = jw_mem_fail_after(-1);
		/* where memory only serves comfort, going without it is no error */
		ok(status == JW_OK || (failed && status == JW_NOMEM));
		jw_arena_free(&arena);
	}
	ok(!failed && n > 100);
}
