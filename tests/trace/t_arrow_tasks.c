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
