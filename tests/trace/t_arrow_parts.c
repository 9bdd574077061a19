/*
 * Arrows of classes of the program's own, whose calls are done by other calls of the same at the
 * same object (super.name(), bridges, overloads): one operation has one arrow; in recordings made
 * by hand (make_steps.h).
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

TEST(a_call_may_be_done_by_another_one)
{
	begin("parts", 2);
	call(1, TAKE, 75); /* 1: the program's own queue */
	call(1, TAKE, 75); /* a bridge */
	call(1, POLL, 75); /* super.poll() */
	call(2, PUT, 75);  /* 4 */
	call(2, PUT, 75);
	ret(1, POLL);
	ret(1, TAKE);
	ret(1, TAKE); /* 8 */
	ret(2, PUT);
	ret(2, PUT);
	call(1, TAKE, 75);   /* 11: one was given, and not two */
	at_once(2, PUT, 75); /* 12 */
	ret(1, TAKE);        /* 14 */
	call(2, LOCK, 66);
	at_once(2, TRY_LOCK, 66);
	ret(2, LOCK);
	call(1, LOCK, 66);   /* 19 */
	call(2, UNLOCK, 66); /* 20 */
	at_once(2, UNLOCK, 66);
	ret(2, UNLOCK);
	ret(1, LOCK); /* 24 */
	is_str(arrows(), "2@4>1@8/801 2@12>1@14/801 2@20>1@24/503 ");
}

TEST(a_phaser_of_ones_own)
{
	begin("own phaser", 2);
	call(1, ARRIVE_WAIT, 70); /* 1: awaitAdvance(arrive()) */
	at_once(1, ARRIVE, 70);
	call(1, LATCH, 70);
	now += 2000;
	call(2, ARRIVE_WAIT, 70); /* 25 */
	at_once(2, ARRIVE, 70);
	call(2, LATCH, 70);
	ret(1, LATCH);
	ret(1, ARRIVE_WAIT); /* 30 */
	ret(2, LATCH);
	ret(2, ARRIVE_WAIT);
	is_str(arrows(), "2@25>1@30/708 ");
}

TEST(a_task_of_ones_own)
{
	begin("own task", 2);
	call(1, EXECUTE,
	     80); /* 1: execute() of the program's own pool, which calls super.execute() */
	vm(1, JWR_OBJECT, 0);
	submit(1, 80, 81); /* 3 */
	ret(1, EXECUTE);
	call(2, RUN, 80);
	call(2, RUN, 80); /* super.run() */
	call(1, GET, 81);
	call(1, GET, 81); /* super.get() */
	ret(2, RUN);
	ret(2, RUN); /* 11 */
	ret(1, GET);
	ret(1, GET);
	is_str(arrows(), "1@1>2@6/201 2@11>1@13/202 ");
}

/* The inner call's object is told later than it begins: nothing of the trace is at that instant. */
TEST(a_part_that_returns_the_future)
{
	begin("own submit", 2);
	call(1, SUBMIT_BODY, 80); /* 1 */
	make_event(&m, 1, tick(now), JWR_ENTER, make_site(SUBMIT_BODY)), step();
	make_event(&m, 1, tick(now), JWR_OBJECT, 80), step();
	make_event(&m, 1, tick(now), JWR_OBJECT, 81);
	make_event(&m, 1, tick(now), JWR_OBJECT, 80);
	ret(1, SUBMIT_BODY);
	make_event(&m, 1, tick(now), JWR_OBJECT, 0);
	make_event(&m, 1, tick(now), JWR_OBJECT, 0);
	ret(1, SUBMIT_BODY);
	call(2, BODY, 81); /* 6 */
	make_event(&m, 2, tick(now), JWR_OBJECT, 0);
	ret(2, BODY);
	is_str(arrows(), "1@1>2@6/201 ");
}
