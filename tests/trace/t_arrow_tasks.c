/*
 * Arrows of tasks: handed over, run, waited for; in recordings made by hand (make_steps.h).
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

TEST(a_task_is_submitted_run_and_waited_for)
{
	begin("task", 3);
	submit(1, 80, 81);   /* 1, 2 */
	call(1, GET, 81);    /* 3 */
	call(2, RUN, 80);    /* 4 */
	ret(2, RUN);         /* 5 */
	ret(1, GET);         /* 6 */
	at_once(1, GET, 81); /* it waits no more */
	submit(1, 80, 82);   /* 9: the same one again */
	call(2, RUN, 82);    /* 11: by its future */
	call(1, GET, 82);
	call(3, GET, 82);
	fail(2, RUN); /* 14 */
	fail(1, GET); /* 15 */
	fail(3, GET);
	submit(1, 83, 84); /* 17: twice at once */
	submit(3, 83, 85);
	at_once(2, RUN, 83);
	call(1, SUBMIT, 86); /* refused */
	fail(1, SUBMIT);
	at_once(2, RUN, 86);
	is_str(arrows(), "1@1>2@4/201 2@5>1@6/202 1@9>2@11/201 2@14>1@15/202 2@14>3@16/202 ");
}

TEST(a_task_that_is_an_argument)
{
	begin("invoke", 2);
	call(1, INVOKE, 80); /* 1 */
	call(2, RUN, 80);    /* 2 */
	ret(2, RUN);         /* 3 */
	ret(1, INVOKE);      /* 4 */
	is_str(arrows(), "2@3>1@4/202 ");
}

TEST(forks_joins_and_completions)
{
	begin("fork", 3);
	at_once(1, FORK, 90); /* 1 */
	call(2, RUN, 90);     /* 3 */
	call(1, GET, 90);
	ret(2, RUN);          /* 5 */
	ret(1, GET);          /* 6 */
	at_once(1, FORK, 91); /* and runs it itself */
	call(1, GET, 91);
	at_once(1, RUN, 91);
	ret(1, GET);
	call(2, GET, 92);         /* 13 */
	at_once(3, COMPLETE, 92); /* 14 */
	at_once(1, COMPLETE, 92); /* too late */
	ret(2, GET);              /* 18 */
	is_str(arrows(), "1@1>2@3/204 2@5>1@6/202 3@14>2@18/205 ");
}

/* A call about a FutureTask that was made of INNER. */
static void call_task(uint32_t uid, uint32_t site, uint64_t task, uint64_t inner)
{
	call(uid, site, task);
	vm(uid, JWR_OBJECT, inner);
}

TEST(a_future_task_knows_what_it_runs)
{
	begin("future-task", 3);
	call_task(1, EXECUTE, 81, 80); /* 1, 2 */
	ret(1, EXECUTE);
	call_task(1, GET_TASK, 81, 80);
	call(2, RUN, 80); /* 6 */
	ret(2, RUN);      /* 7 */
	ret(1, GET_TASK); /* 8 */
	/* a thread was started with it */
	call_task(1, GET_TASK, 83, 82);
	call(3, RUN, 82); /* 11 */
	ret(3, RUN);      /* 12 */
	ret(1, GET_TASK); /* 13 */
	/* it is done: it does not know any more */
	call_task(1, GET_TASK, 83, 0);
	ret(1, GET_TASK);
	/* the run is over before the wait begins */
	call(3, RUN, 84);
	ret(3, RUN);
	call_task(1, GET_TASK, 85, 84);
	ret(1, GET_TASK);
	is_str(arrows(), "1@1>2@6/201 2@7>1@8/202 3@12>1@13/202 ");
}

TEST(what_several_future_tasks_run_is_not_known)
{
	begin("shared-task", 4);
	call_task(1, EXECUTE, 81, 80);
	ret(1, EXECUTE);
	call_task(1, EXECUTE, 82, 80);
	ret(1, EXECUTE);
	call_task(1, GET_TASK, 82, 80);
	call(2, RUN, 80);
	call(3, RUN, 80);
	ret(3, RUN);
	ret(2, RUN);
	ret(1, GET_TASK);
	/* one of them alone, and one failed wait */
	call_task(1, GET_TASK, 83, 80); /* 14 */
	call_task(4, GET_TASK, 84, 80);
	call(2, RUN, 80); /* 18 */
	ret(2, RUN);      /* 19 */
	fail(4, GET_TASK);
	ret(1, GET_TASK); /* 21 */
	is_str(arrows(), "2@19>1@21/202 ");
}

TEST(a_task_that_runs_twice_at_once)
{
	begin("twice", 4);
	submit(1, 80, 81);
	call(2, RUN, 80); /* 3 */
	submit(1, 80, 82);
	call(3, RUN, 80); /* 6 */
	call(1, GET, 81);
	call(4, GET, 82);
	ret(3, RUN); /* which of the two futures is done? */
	ret(4, GET);
	ret(2, RUN);
	ret(1, GET);
	submit(1, 80, 83); /* 13: all is over, it is known again */
	call(2, RUN, 80);  /* 15 */
	call(1, GET, 83);
	ret(2, RUN); /* 17 */
	ret(1, GET); /* 18 */
	is_str(arrows(), "1@1>2@3/201 1@4>3@6/201 1@13>2@15/201 2@17>1@18/202 ");
}

TEST(what_runs_again_and_again_is_not_done)
{
	begin("periodic", 3);
	at_once(1, SCHEDULE, 80); /* 1 */
	call(3, GET, 81);
	call(2, RUN, 80); /* 4 */
	ret(2, RUN);
	at_once(2, RUN, 80);
	fail(3, GET);
	is_str(arrows(), "1@1>2@4/201 ");
}

/* The lambda expression 80 is handed over, as the FutureTask FUTURE; it takes three ticks. */
static void submit_body(uint64_t future)
{
	call(1, SUBMIT_BODY, 80);
	make_event(&m, 1, tick(now), JWR_OBJECT, future);
	make_event(&m, 1, tick(now), JWR_OBJECT, 80);
	ret(1, SUBMIT_BODY);
}

/* Its body ends; TOLD: the task, where that was not known before. */
static void body_ends(uint32_t uid, uint64_t told)
{
	make_event(&m, uid, tick(now), JWR_OBJECT, told);
	ret(uid, BODY);
}

TEST(of_two_that_complete_nobody_knows_the_first)
{
	begin("completers", 3);
	call(2, COMPLETE, 85);
	call(1, GET, 85);
	at_once(3, COMPLETE, 85);
	ret(1, GET);
	ret(2, COMPLETE);
	call(1, GET, 86);
	call(3, COMPLETE, 86);
	at_once(2, COMPLETE, 86); /* 9 */
	ret(1, GET);
	ret(3, COMPLETE);
	call(1, GET, 87);         /* 13 */
	at_once(2, COMPLETE, 87); /* 14 */
	at_once(3, COMPLETE, 87); /* in vain */
	ret(1, GET);              /* 18 */
	call(1, GET, 88);         /* it has been done, but it takes its time */
	call(2, COMPLETE_FIRST, 88);
	value(2, 0);
	ret(2, COMPLETE_FIRST); /* in vain */
	ret(1, GET);
	call(1, GET, 89);            /* 23 */
	call(2, COMPLETE_FIRST, 89); /* 24 */
	value(2, 1);
	ret(2, COMPLETE_FIRST);
	ret(1, GET); /* 26 */
	is_str(arrows(), "2@14>1@18/205 2@24>1@26/205 ");
}

TEST(a_body_that_a_future_task_runs)
{
	begin("body", 3);
	submit_body(81); /* 1: one object for all */
	submit_body(82); /* 3 */
	call_task(1, GET, 82, 80);
	call(2, BODY, 81);
	body_ends(2, 0);
	call(2, BODY, 82);
	body_ends(2, 0);
	ret(1, GET);
	call(3, BODY, 0); /* called directly */
	body_ends(3, 0);
	const char *got = arrows();

	/* two to the bodies, one to the wait */
	ok(strstr(got, "1@1>2@") && strstr(got, "1@3>2@") && strstr(got, "/202 "));
	ok(!strstr(got, ">3@"));
}
