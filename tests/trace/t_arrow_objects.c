/*
 * Arrows between threads that wait at one object: monitors, locks, synchronizers, queues; in
 * recordings made by hand (make_steps.h).
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

TEST(a_notify_ends_one_wait)
{
	begin("notify", 4);
	wait_begins(1, WAIT, 55);           /* 1 */
	at_once(2, NOTIFY, 54);             /* 3: of another monitor */
	at_once(2, NOTIFY, 55);             /* 5 */
	at_once(2, NOTIFY, 55);             /* 7: for nobody */
	wait_ends(1, WAIT, 55, JWR_WAITED); /* 9, 10 */
	at_once(2, NOTIFY, 55);             /* 11: lost */
	wait_begins(1, WAIT_MS, 55);        /* 13 */
	wait_ends(1, WAIT_MS, 55, JWR_EXPIRED);
	wait_begins(1, WAIT_MS, 55);           /* 17 */
	at_once(3, NOTIFY, 55);                /* 19 */
	wait_ends(1, WAIT_MS, 55, JWR_WAITED); /* 21, 22 */
	is_str(arrows(), "2@5>1@10/302 3@19>1@22/302 ");
}

TEST(a_notify_among_several)
{
	begin("several", 5);
	wait_begins(1, WAIT, 55);
	wait_begins(2, WAIT, 55);
	wait_begins(3, WAIT, 55);           /* 5 */
	at_once(4, NOTIFY, 55);             /* 7: one of three, and nobody else is sent for */
	wait_ends(2, WAIT, 55, JWR_WAITED); /* 9, 10 */
	at_once(4, NOTIFY, 55);             /* 11: two of two: who by whom? */
	at_once(5, NOTIFY, 55);
	wait_ends(3, WAIT, 55, JWR_WAITED);
	wait_ends(1, WAIT, 55, JWR_WAITED);
	wait_begins(1, WAIT, 55); /* 19 */
	wait_begins(2, WAIT_MS, 55);
	wait_ends(2, WAIT_MS, 55, JWR_EXPIRED); /* 23 */
	wait_begins(3, WAIT, 55);
	at_once(4, NOTIFY_ALL, 55);         /* 27 */
	wait_ends(3, WAIT, 55, JWR_WAITED); /* 29, 30 */
	wait_ends(1, WAIT, 55, JWR_WAITED); /* 31, 32 */
	is_str(arrows(), "4@7>2@10/302 4@27>3@30/303 4@27>1@32/303 ");
}

TEST(waits_that_only_one_side_tells)
{
	begin("sides", 3);
	vm(1, JWR_WAIT, 55);    /* 1: no call is woven there */
	at_once(2, NOTIFY, 55); /* 2 */
	vm(1, JWR_WAITED, 55);  /* 4 */
	vm(1, JWR_WAIT, 55);
	at_once(3, INTERRUPT, thread(1));
	vm(1, JWR_WAITED, 55); /* who knows */
	call(1, WAIT, 55);     /* 9: JVM TI is silent */
	at_once(2, NOTIFY, 55);
	ret(1, WAIT);         /* 12 */
	call(1, WAIT_MS, 55); /* 13: it may have expired */
	at_once(2, NOTIFY, 55);
	ret(1, WAIT_MS);
	call(1, WAIT, 55); /* never ends */
	is_str(arrows(), "2@2>1@4/302 2@10>1@12/302 ");
}

TEST(a_lock_goes_from_owner_to_owner)
{
	begin("lock", 3);
	at_once(1, LOCK, 66);
	at_once(1, LOCK, 66);   /* once more */
	call(2, LOCK, 66);      /* 5 */
	at_once(1, UNLOCK, 66); /* 6: not yet */
	call(1, UNLOCK, 66);    /* 8 */
	ret(2, LOCK);           /* 9 */
	ret(1, UNLOCK);
	call(3, LOCK, 66);      /* 11 */
	call(1, LOCK, 66);      /* 12 */
	at_once(2, UNLOCK, 66); /* 13 */
	ret(1, LOCK);           /* 15 */
	at_once(1, UNLOCK, 66); /* 16 */
	ret(3, LOCK);           /* 18 */
	call(2, LOCK, 66);      /* 19 */
	ret(2, LOCK);           /* freed where nobody saw it */
	at_once(2, UNLOCK, 66);
	at_once(1, LOCK, 66); /* free */
	is_str(arrows(), "1@8>2@9/503 2@13>1@15/503 1@16>3@18/503 ");
}

TEST(readers_do_not_wait_for_readers)
{
	begin("readers", 2);
	at_once(1, READ_LOCK, 66);
	call(2, READ_LOCK, 66); /* for a writer, perhaps */
	at_once(1, READ_UNLOCK, 66);
	ret(2, READ_LOCK);
	is_str(arrows(), "");
}

/* LOCK is a view of 60. */
static void view(uint32_t uid, uint32_t site, uint64_t lock)
{
	call(uid, site, 60);
	vm(uid, JWR_OBJECT, lock);
	ret(uid, site);
}

TEST(readers_and_writers_of_one_lock)
{
	begin("views", 4);
	view(1, VIEW_READ, 61);
	view(1, VIEW_WRITE, 62);
	at_once(1, LOCK, 62); /* 7 */
	call(2, READ_LOCK, 61);
	call(3, LOCK, 61);
	call(4, LOCK, 62);           /* 11 */
	at_once(1, UNLOCK, 62);      /* 12 */
	ret(2, READ_LOCK);           /* 14 */
	ret(3, LOCK);                /* 15 */
	at_once(3, UNLOCK, 61);      /* 16: one is left */
	at_once(2, READ_UNLOCK, 61); /* 18 */
	ret(4, LOCK);                /* 20: from the last of them, not from the writer before */
	at_once(4, LOCK, 61);        /* its own */
	at_once(4, UNLOCK, 62);      /* 23 */
	call(1, LOCK, 62);           /* 25 */
	at_once(4, UNLOCK, 61);      /* 26 */
	ret(1, LOCK);                /* 28 */
	is_str(arrows(), "1@12>2@14/503 1@12>3@15/503 2@18>4@20/503 4@26>1@28/503 ");
}

TEST(a_stamped_lock_has_readers_and_writers)
{
	begin("stamped", 4);
	call(1, VIEW_STAMP, 66);
	vm(1, JWR_OBJECT, 67);
	ret(1, VIEW_STAMP);
	at_once(1, WRITE_STAMP, 66); /* 4 */
	call(2, READ_STAMP, 66);
	call(3, LOCK, 67);
	call(4, WRITE_STAMP, 66);     /* 8 */
	at_once(1, UNLOCK_STAMP, 66); /* 9: a writer's, since one has it */
	ret(2, READ_STAMP);           /* 11 */
	ret(3, LOCK);                 /* 12 */
	at_once(3, UNLOCK, 67);
	at_once(2, UNLOCK_STAMP, 66); /* 15: the last reader's */
	ret(4, WRITE_STAMP);          /* 17 */
	call(2, TRY_LOCK, 66);
	call(1, READ_LOCK, 67);
	at_once(4, UNLOCK_STAMP, 66);
	value(2, 0);
	ret(2, TRY_LOCK); /* it may have been in front of 1, which waits for readers then */
	ret(1, READ_LOCK);
	is_str(arrows(), "1@9>2@11/503 1@9>3@12/503 2@15>4@17/503 ");
}

TEST(try_lock_says_whether)
{
	begin("try", 2);
	call(1, TRY_LOCK, 66);
	value(1, 1);
	ret(1, TRY_LOCK);
	call(2, TRY_LOCK, 66);
	value(2, 0);
	ret(2, TRY_LOCK);
	call(2, LOCK, 66);      /* 5 */
	at_once(1, UNLOCK, 66); /* 6 */
	ret(2, LOCK);           /* 8 */
	is_str(arrows(), "1@6>2@8/503 ");
}

TEST(a_signal_ends_an_await)
{
	begin("signal", 3);
	call(1, AWAIT, 67);     /* 1 */
	at_once(2, SIGNAL, 67); /* 2 */
	ret(1, AWAIT);          /* 4 */
	call(1, AWAIT_TIME, 67);
	value(1, -5);
	ret(1, AWAIT_TIME); /* 6 */
	call(1, AWAIT_TIME, 67);
	at_once(3, SIGNAL, 67); /* 8 */
	value(1, 5000);
	ret(1, AWAIT_TIME); /* 10 */
	is_str(arrows(), "2@2>1@4/602 3@8>1@10/602 ");
}

TEST(an_await_frees_its_lock)
{
	begin("await", 3);
	call(1, CONDITION, 66);
	vm(1, JWR_OBJECT, 67);
	ret(1, CONDITION);
	at_once(1, LOCK, 66);
	at_once(1, LOCK, 66);
	call(2, LOCK, 66);      /* 8 */
	call(1, AWAIT, 67);     /* 9: it held it twice */
	ret(2, LOCK);           /* 10 */
	at_once(2, SIGNAL, 67); /* 11 */
	call(3, LOCK, 66);      /* 13 */
	at_once(2, UNLOCK, 66); /* 14 */
	ret(1, AWAIT);          /* 16 */
	at_once(1, UNLOCK, 66); /* it still holds it once */
	at_once(1, UNLOCK, 66); /* 19 */
	ret(3, LOCK);           /* 21 */
	is_str(arrows(), "1@9>2@10/601 2@11>1@16/602 1@19>3@21/503 ");
}

TEST(permits_are_kept)
{
	begin("permits", 3);
	at_once(1, RELEASE, 70);
	at_once(2, ACQUIRE, 70); /* it was there */
	call(2, ACQUIRE, 70);    /* 5 */
	at_once(1, RELEASE, 70); /* 6 */
	ret(2, ACQUIRE);         /* 8 */
	call(2, ACQUIRE, 70);
	fail(2, ACQUIRE); /* interrupted, or so */
	at_once(1, RELEASE, 70);
	at_once(1, RELEASE, 70);
	at_once(2, ACQUIRE, 70); /* 15 */
	at_once(3, ACQUIRE, 70); /* 17 */
	call(3, ACQUIRE, 70);    /* 19 */
	call(2, ACQUIRE, 70);
	at_once(1, RELEASE, 70); /* 21: to one of two */
	ret(2, ACQUIRE);         /* 23 */
	at_once(1, RELEASE, 70); /* 24 */
	ret(3, ACQUIRE);         /* 26 */
	is_str(arrows(), "1@6>2@8/702 1@21>2@23/702 1@24>3@26/702 ");
}

/* A call about OBJECT, of so many. */
static void call_n(uint32_t uid, uint32_t site, uint64_t object, int64_t n)
{
	make_call(&m, uid, tick(now), site, object);
	value(uid, n);
	step();
}

static void release(uint32_t uid, uint64_t object, int64_t n)
{
	call_n(uid, RELEASE_N, object, n);
	ret(uid, RELEASE_N);
}

TEST(several_permits_at_once)
{
	begin("permits", 4);
	call_n(1, ACQUIRE_N, 70, 2); /* 1 */
	release(2, 70, 1);           /* 2: not enough */
	release(3, 70, 1);           /* 4 */
	ret(1, ACQUIRE_N);           /* 6 */
	call(1, ACQUIRE, 70);
	call(2, ACQUIRE, 70); /* 8 */
	release(3, 70, 3);    /* 9: for both, and one is left */
	ret(2, ACQUIRE);      /* 11 */
	ret(1, ACQUIRE);      /* 12 */
	at_once(4, ACQUIRE, 70);
	call(1, ACQUIRE, 70); /* 15 */
	release(2, 70, 1);    /* 16 */
	ret(1, ACQUIRE);      /* 18 */
	is_str(arrows(), "3@4>1@6/702 3@9>2@11/702 3@9>1@12/702 2@16>1@18/702 ");
}

TEST(who_needs_more_than_others)
{
	begin("greedy", 4);
	call_n(1, ACQUIRE_N, 70, 3); /* 1 */
	call(2, ACQUIRE, 70);
	release(3, 70, 2); /* 3: too few for 1 */
	ret(2, ACQUIRE);   /* 5 */
	release(3, 70, 2); /* 6 */
	ret(1, ACQUIRE_N); /* 8 */
	call_n(1, TRY_ACQUIRE_N, 70, 2);
	release(3, 70, 1);
	value(1, 0);
	ret(1, TRY_ACQUIRE_N); /* 12: too few */
	at_once(2, ACQUIRE, 70);
	release(3, 70, 4);
	call(2, DRAIN, 70);
	value(2, 4);
	ret(2, DRAIN);        /* 18 */
	call(1, ACQUIRE, 70); /* 19 */
	release(3, 70, 1);    /* 20 */
	ret(1, ACQUIRE);      /* 22 */
	is_str(arrows(), "3@3>2@5/702 3@6>1@8/702 3@20>1@22/702 ");
}

TEST(a_latch_opens_by_the_last)
{
	begin("latch", 4);
	call(1, LATCH, 71); /* 1 */
	at_once(2, COUNT_DOWN, 71);
	call(4, LATCH, 71);         /* 4 */
	at_once(3, COUNT_DOWN, 71); /* 5 */
	ret(4, LATCH);              /* 7 */
	at_once(2, LATCH, 71);      /* it is open */
	ret(1, LATCH);              /* 10 */
	call(1, LATCH, 72);
	call(2, COUNT_DOWN, 72);
	at_once(3, COUNT_DOWN, 72); /* 13: which of them is the last? */
	ret(1, LATCH);
	ret(2, COUNT_DOWN);
	is_str(arrows(), "3@5>4@7/703 3@5>1@10/703 ");
}

TEST(the_last_to_come_opens_a_barrier)
{
	begin("barrier", 3);
	for (int round = 0; round < 2; round++) {
		call(1, BARRIER, 72); /* 1, 7 */
		call(3, BARRIER, 72);
		call(2, BARRIER, 72); /* 3, 9 */
		ret(2, BARRIER);
		ret(1, BARRIER); /* 5, 11 */
		ret(3, BARRIER); /* 6, 12 */
	}
	call(1, BARRIER, 72); /* 13: broken */
	call(2, BARRIER, 72);
	fail(1, BARRIER);
	fail(2, BARRIER);
	is_str(arrows(), "2@3>1@5/705 2@3>3@6/705 2@9>1@11/705 2@9>3@12/705 ");
}

/* A call of CyclicBarrier.await() returns: so many were still to come. */
static void passed(uint32_t uid, int64_t still)
{
	value(uid, still);
	ret(uid, BARRIER_INDEX);
}

TEST(a_barrier_says_who_was_the_last)
{
	begin("index", 4);
	call(1, BARRIER_INDEX, 72);
	call(2, BARRIER_INDEX, 72); /* 2: it began before 3, but arrived after it */
	call(3, BARRIER_INDEX, 72);
	passed(3, 1); /* 4: by whom will be told */
	passed(2, 0);
	passed(1, 2);               /* 6 */
	call(1, BARRIER_INDEX, 72); /* 7 */
	call(2, BARRIER_INDEX, 72); /* 8 */
	call(3, BARRIER_INDEX, 72);
	passed(2, 0);
	passed(1, 2); /* 11 */
	passed(3, 1); /* 12 */
	is_str(arrows(), "2@2>3@4/705 2@2>1@6/705 2@8>1@11/705 2@8>3@12/705 ");
}

/* What has begun so long before has taken effect: 2000 steps. */
static void later(void)
{
	now += 200000;
}

TEST(a_phaser_opens_by_an_arrival)
{
	begin("phaser", 3);
	call(1, ARRIVE_WAIT, 73); /* 1 */
	call(2, ARRIVE_WAIT, 73);
	later();
	call(3, ARRIVE, 73);      /* 2003 */
	ret(1, ARRIVE_WAIT);      /* 2004 */
	call(1, ARRIVE_WAIT, 73); /* 2005: the next phase, while 2 is still in the last */
	ret(3, ARRIVE);
	ret(2, ARRIVE_WAIT);      /* 2007 */
	call(2, ARRIVE_WAIT, 73); /* 2008 */
	later();
	at_once(3, ARRIVE, 73); /* 4009 */
	ret(2, ARRIVE_WAIT);    /* 4011 */
	ret(1, ARRIVE_WAIT);    /* 4012 */
	is_str(arrows(), "3@2003>1@2004/707 3@2003>2@2007/707 3@4009>2@4011/707 "
			 "3@4009>1@4012/707 ");
}

TEST(who_comes_with_others_may_not_be_the_last)
{
	begin("crowded", 3);
	call(1, ARRIVE_WAIT, 73);
	call(2, ARRIVE_WAIT, 73); /* 2: it may arrive before 1 does */
	ret(1, ARRIVE_WAIT);
	ret(2, ARRIVE_WAIT);
	call(1, ARRIVE_WAIT, 73); /* 5 */
	call(2, ARRIVE_WAIT, 73); /* 6: it goes on at once, as the last one does */
	ret(2, ARRIVE_WAIT);
	ret(1, ARRIVE_WAIT); /* 8 */
	call(1, ARRIVE_WAIT, 73);
	call(3, ARRIVE, 73); /* 10: as with 2 */
	ret(1, ARRIVE_WAIT);
	ret(3, ARRIVE);
	is_str(arrows(), "2@6>1@8/708 ");
}

TEST(a_phaser_of_phasers_may_open_elsewhere)
{
	begin("tiers", 3);
	call(1, ARRIVE_WAIT, 73);
	later();
	call(2, ARRIVE_WAIT, 73); /* 2002: others arrive at its parent */
	ret(2, ARRIVE_WAIT);
	ret(1, ARRIVE_WAIT); /* 2004 */
	at_once(3, TIER, 74);
	call(1, ARRIVE_WAIT, 73);
	later();
	at_once(2, ARRIVE, 73);
	ret(1, ARRIVE_WAIT);
	call(1, LATCH, 71);         /* 4011 */
	at_once(2, COUNT_DOWN, 71); /* 4012 */
	ret(1, LATCH);              /* 4014 */
	is_str(arrows(), "2@2002>1@2004/708 2@4012>1@4014/703 ");
}

TEST(an_exchange_is_of_two)
{
	begin("exchange", 4);
	call(1, EXCHANGE, 74); /* 1 */
	call(2, EXCHANGE, 74); /* 2 */
	ret(2, EXCHANGE);
	call(3, EXCHANGE, 74); /* 4: of the next pair */
	ret(1, EXCHANGE);      /* 5 */
	call(4, EXCHANGE, 74); /* 6 */
	ret(3, EXCHANGE);      /* 7 */
	ret(4, EXCHANGE);
	call(1, EXCHANGE, 74); /* 9: time is over */
	fail(1, EXCHANGE);
	call(2, EXCHANGE, 74);
	call(1, EXCHANGE, 74); /* 12 */
	ret(2, EXCHANGE);      /* 13 */
	is_str(arrows(), "2@2>1@5/706 4@6>3@7/706 1@12>2@13/706 ");
}

TEST(of_three_nobody_knows_who_meets_whom)
{
	begin("crowd", 5);
	call(1, EXCHANGE, 74);
	call(2, EXCHANGE, 74);
	call(3, EXCHANGE, 74); /* it may be faster than 2 */
	ret(3, EXCHANGE);
	ret(1, EXCHANGE);
	call(4, EXCHANGE, 74); /* 6: now 2 waits alone */
	ret(2, EXCHANGE);      /* 7 */
	ret(4, EXCHANGE);
	call(1, EXCHANGE, 74);
	call(2, EXCHANGE, 74);
	call(3, EXCHANGE, 74);
	call(4, EXCHANGE, 74);
	ret(1, EXCHANGE);
	fail(2, EXCHANGE);
	ret(3, EXCHANGE);      /* with 1, so that 4 waits alone */
	call(5, EXCHANGE, 74); /* for 5, */
	call(1, EXCHANGE, 74); /* or for this one */
	ret(5, EXCHANGE);
	ret(4, EXCHANGE);
	is_str(arrows(), "4@6>2@7/706 ");
}

TEST(whom_one_of_three_has_met_may_be_gone)
{
	begin("gone", 5);
	call(1, EXCHANGE, 74);
	call(2, EXCHANGE, 74); /* 2 */
	ret(2, EXCHANGE);
	call(3, EXCHANGE, 74);
	call(4, EXCHANGE, 74);
	call(2, EXCHANGE, 74); /* for 3, or 4 */
	ret(1, EXCHANGE);      /* 7 */
	ret(3, EXCHANGE);
	ret(2, EXCHANGE);      /* both have met: 4 waits alone */
	call(5, EXCHANGE, 74); /* 10 */
	ret(4, EXCHANGE);      /* 11 */
	ret(5, EXCHANGE);
	is_str(arrows(), "2@2>1@7/706 5@10>4@11/706 ");
}

TEST(who_fails_has_met_nobody)
{
	begin("failing", 3);
	call(1, EXCHANGE, 74);
	call(2, EXCHANGE, 74); /* it was interrupted before */
	fail(2, EXCHANGE);
	call(3, EXCHANGE, 74); /* 4 */
	ret(1, EXCHANGE);      /* 5 */
	ret(3, EXCHANGE);
	is_str(arrows(), "3@4>1@5/706 ");
}

TEST(a_timed_exchange_may_return_null)
{
	begin("exchange-time", 2);
	call(1, EXCHANGE_TIME, 73);
	call(2, EXCHANGE_TIME, 73); /* 2 */
	ret(1, EXCHANGE_TIME);
	ret(2, EXCHANGE_TIME);
	is_str(arrows(), "2@2>1@3/706 ");
}

TEST(a_put_ends_the_take_that_waited)
{
	begin("queue", 4);
	at_once(1, PUT, 75);
	at_once(2, TAKE, 75); /* it was there */
	call(2, TAKE, 75);    /* 5 */
	at_once(1, PUT, 75);  /* 6 */
	ret(2, TAKE);         /* 8 */
	at_once(2, POLL, 75); /* time is over */
	call(2, POLL, 75);    /* 11 */
	at_once(3, PUT, 75);  /* 12 */
	ret(2, POLL);         /* 14 */
	call(2, TAKE, 75);
	call(4, TAKE, 75);
	at_once(1, PUT, 75); /* 17 */
	at_once(3, PUT, 75);
	ret(4, TAKE); /* whose? */
	ret(2, TAKE);
	at_once(3, PUT, 75);  /* 23 */
	at_once(1, TAKE, 75); /* and after that all is known again */
	call(4, TAKE, 75);    /* 27 */
	at_once(1, PUT, 75);  /* 28 */
	ret(4, TAKE);         /* 30 */
	is_str(arrows(), "1@6>2@8/801 3@12>2@14/801 1@28>4@30/801 ");
}

TEST(of_two_that_give_nobody_knows_the_first)
{
	begin("givers", 3);
	call(1, TAKE, 75);
	call(2, PUT, 75);
	at_once(3, PUT, 75); /* 3: it may overtake */
	ret(1, TAKE);
	ret(2, PUT);
	at_once(1, TAKE, 75);
	call(1, TAKE, 75);   /* 9 */
	at_once(2, PUT, 75); /* 10 */
	at_once(3, PUT, 75);
	ret(1, TAKE); /* 14 */
	is_str(arrows(), "2@10>1@14/801 ");
}

TEST(what_is_cleared_is_gone)
{
	begin("clear", 3);
	at_once(1, PUT, 75);
	at_once(1, PUT, 75);
	at_once(1, CLEAR, 75);
	call(2, TAKE, 75);   /* 7 */
	at_once(1, PUT, 75); /* 8 */
	ret(2, TAKE);        /* 10 */
	at_once(1, PUT, 75);
	call(1, CLEAR, 75);
	at_once(3, PUT, 75); /* before or after it */
	ret(1, CLEAR);
	call(2, TAKE, 75);
	at_once(1, PUT, 75);
	ret(2, TAKE);
	is_str(arrows(), "1@8>2@10/801 ");
}

TEST(who_comes_last_may_take_first)
{
	begin("barging", 4);
	call(1, ACQUIRE, 70);    /* 1 */
	at_once(2, RELEASE, 70); /* 2: wakes 1 */
	call(3, ACQUIRE, 70);    /* 4 */
	ret(3, ACQUIRE);         /* but this one is faster: for that it had not to wait */
	at_once(3, RELEASE, 70); /* 6 */
	ret(1, ACQUIRE);         /* 8 */
	call(1, ACQUIRE, 70);
	at_once(2, RELEASE, 70); /* 10 */
	call(3, ACQUIRE, 70);    /* 12 */
	at_once(4, RELEASE, 70); /* 13 */
	ret(1, ACQUIRE);         /* of 2 or of 4? */
	ret(3, ACQUIRE);
	call(1, ACQUIRE, 70);    /* 17: all is known again */
	at_once(4, RELEASE, 70); /* 18 */
	ret(1, ACQUIRE);         /* 20 */
	is_str(arrows(), "3@6>1@8/702 4@18>1@20/702 ");
}

TEST(who_overtakes_takes_what_was_there)
{
	begin("overtake", 3);
	at_once(1, PUT, 75);
	call(2, TAKE, 75); /* 3: there is one, but 3 is faster */
	call(3, TAKE, 75);
	ret(3, TAKE);
	at_once(1, PUT, 75); /* 6 */
	ret(2, TAKE);        /* 8 */
	is_str(arrows(), "1@6>2@8/801 ");
}
