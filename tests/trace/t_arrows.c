/*
 * Arrows, in recordings made by hand (make_steps.h).
 */
#include "tests/trace/make_steps.h"

#include "base/banned.h"

enum {
	START,
	JOIN,
	SLEEP,
	INTERRUPT,
	PARK,
	PARK_NANOS,
	UNPARK,
	WAIT,
	WAIT_MS,
	NOTIFY,
	NOTIFY_ALL,
	LOCK,
	UNLOCK,
	TRY_LOCK,
	AWAIT,
	AWAIT_TIME,
	SIGNAL,
	ACQUIRE,
	RELEASE,
	COUNT_DOWN,
	LATCH,
	BARRIER,
	ARRIVE_WAIT,
	ARRIVE,
	EXCHANGE,
	PUT,
	TAKE,
	POLL,
	SUBMIT,
	RUN,
	GET,
	FORK,
	COMPLETE,
	START_VIRTUAL,
	READ_LOCK,
	READ_UNLOCK,
	INVOKE,
};
static const struct make_site sites[] = {
	[START] = { 7, "java.lang.Thread.start()V", "thread/start|this:identity" },
	[JOIN] = { 8, "java.lang.Thread.join()V", "thread/join|this:identity" },
	[SLEEP] = { 5, "java.lang.Thread.sleep(J)V", "thread/sleep" },
	[INTERRUPT] = { -1, "java.lang.Thread.interrupt()V", "thread/interrupt|this:identity" },
	[PARK] = { 5, "java.util.concurrent.locks.LockSupport.park()V", "park/park" },
	[PARK_NANOS] = { 5, "java.util.concurrent.locks.LockSupport.parkNanos(J)V", "park/park" },
	[UNPARK] = { 13, "java.util.concurrent.locks.LockSupport.unpark(Ljava/lang/Thread;)V",
		     "park/unpark|arg0:identity" },
	[WAIT] = { 5, "java.lang.Object.wait()V", "monitor/wait|this:identity" },
	[WAIT_MS] = { 5, "java.lang.Object.wait(J)V", "monitor/wait|this:identity" },
	[NOTIFY] = { 13, "java.lang.Object.notify()V", "monitor/notify|this:identity" },
	[NOTIFY_ALL] = { 13, "java.lang.Object.notifyAll()V", "monitor/notifyAll|this:identity" },
	[LOCK] = { 9, "java.util.concurrent.locks.Lock.lock()V", "lock/lock|this:identity" },
	[UNLOCK] = { -1, "java.util.concurrent.locks.Lock.unlock()V", "lock/unlock|this:identity" },
	[TRY_LOCK] = { 9, "java.util.concurrent.locks.Lock.tryLock()Z",
		       "lock/tryLock|this:identity|return:value" },
	[AWAIT] = { 5, "java.util.concurrent.locks.Condition.await()V",
		    "condition/await|this:identity" },
	[AWAIT_TIME] = { 5, "java.util.concurrent.locks.Condition.awaitNanos(J)J",
			 "condition/await|this:identity|return:value" },
	[SIGNAL] = { 13, "java.util.concurrent.locks.Condition.signal()V",
		     "condition/signal|this:identity" },
	[ACQUIRE] = { 5, "java.util.concurrent.Semaphore.acquire()V",
		      "sync/acquire|this:identity" },
	[RELEASE] = { 13, "java.util.concurrent.Semaphore.release()V",
		      "sync/release|this:identity" },
	[COUNT_DOWN] = { 13, "java.util.concurrent.CountDownLatch.countDown()V",
			 "sync/countDown|this:identity" },
	[LATCH] = { 5, "java.util.concurrent.CountDownLatch.await()V", "sync/await|this:identity" },
	[BARRIER] = { 5, "java.util.concurrent.CyclicBarrier.await()I",
		      "sync/barrier|this:identity" },
	[ARRIVE_WAIT] = { 5, "java.util.concurrent.Phaser.arriveAndAwaitAdvance()I",
			  "sync/arriveAndAwait|this:identity" },
	[ARRIVE] = { 13, "java.util.concurrent.Phaser.arrive()I", "sync/arrive|this:identity" },
	[EXCHANGE] = { 5,
		       "java.util.concurrent.Exchanger.exchange(Ljava/lang/Object;)Ljava/lang/"
		       "Object;",
		       "sync/exchange|this:identity" },
	[PUT] = { 5, "java.util.concurrent.BlockingQueue.put(Ljava/lang/Object;)V",
		  "queue/put|this:identity" },
	[TAKE] = { 5, "java.util.concurrent.BlockingQueue.take()Ljava/lang/Object;",
		   "queue/take|this:identity" },
	[POLL] = { 5,
		   "java.util.concurrent.BlockingQueue.poll(JLjava/util/concurrent/TimeUnit;)"
		   "Ljava/lang/Object;",
		   "queue/take|this:identity" },
	[SUBMIT] = { 7,
		     "java.util.concurrent.ExecutorService.submit(Ljava/lang/Runnable;)"
		     "Ljava/util/concurrent/Future;",
		     "task/submit|arg0:identity|return:identity" },
	[RUN] = { -1, "acme.Task.run()V", "task/run|this:identity" },
	[GET] = { 8, "java.util.concurrent.Future.get()Ljava/lang/Object;",
		  "task/get|this:identity" },
	[FORK] = { 7, "java.util.concurrent.ForkJoinTask.fork()Ljava/util/concurrent/ForkJoinTask;",
		   "task/fork|this:identity" },
	[COMPLETE] = { -1, "java.util.concurrent.CompletableFuture.complete(Ljava/lang/Object;)Z",
		       "task/complete|this:identity" },
	[START_VIRTUAL] = { 7,
			    "java.lang.Thread.startVirtualThread(Ljava/lang/Runnable;)"
			    "Ljava/lang/Thread;",
			    "thread/start|return:identity" },
	[READ_LOCK] = { 9, "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock()V",
			"lock/lock|this:identity" },
	[READ_UNLOCK] = { -1,
			  "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.unlock()V",
			  "lock/unlock|this:identity" },
	[INVOKE] = { 8,
		     "java.util.concurrent.ForkJoinPool.invoke(Ljava/util/concurrent/ForkJoinTask;)"
		     "Ljava/lang/Object;",
		     "task/get|arg0:identity" },
};

static const char *arrows(void)
{
	return arrows_of(sites, sizeof(sites) / sizeof(*sites));
}

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

TEST(an_interrupt_ends_what_fails)
{
	begin("interrupt", 3);
	call(2, SLEEP, 0);                /* 1 */
	at_once(1, INTERRUPT, thread(2)); /* 2, 3 */
	fail(2, SLEEP);                   /* 4 */
	call(2, SLEEP, 0);                /* 5: fails by itself */
	fail(2, SLEEP);
	at_once(3, INTERRUPT, thread(2)); /* 7, 8: before it sleeps */
	call(2, SLEEP, 0);
	fail(2, SLEEP); /* 10 */
	call(2, JOIN, thread(3));
	at_once(1, INTERRUPT, thread(2)); /* 12 */
	fail(2, JOIN);                    /* 14 */
	call(2, WAIT, 55);
	at_once(1, INTERRUPT, thread(2)); /* 16 */
	fail(2, WAIT);                    /* 18 */
	call(2, PARK, 0);
	at_once(1, INTERRUPT, thread(2)); /* 20 */
	ret(2, PARK);                     /* 22 */
	at_once(2, PARK, 0);              /* still interrupted */
	call(2, SLEEP, 0);
	ret(2, SLEEP);
	is_str(arrows(), "1@2>2@4/105 3@7>2@10/105 1@12>2@14/105 1@16>2@18/105 1@20>2@22/105 ");
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

/* A wait as JVM TI and the call tell it. */
static void wait_begins(uint32_t uid, uint32_t site, uint64_t object)
{
	call(uid, site, object);
	vm(uid, JWR_WAIT, object);
}

static void wait_ends(uint32_t uid, uint32_t site, uint64_t object, enum jwr_kind how)
{
	vm(uid, how, object);
	ret(uid, site);
}

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

TEST(a_phaser_opens_by_an_arrival)
{
	begin("phaser", 3);
	call(1, ARRIVE_WAIT, 73); /* 1 */
	call(2, ARRIVE_WAIT, 73);
	call(3, ARRIVE, 73);      /* 3 */
	ret(1, ARRIVE_WAIT);      /* 4 */
	call(1, ARRIVE_WAIT, 73); /* 5: the next phase, while 2 is still in the last */
	ret(3, ARRIVE);
	ret(2, ARRIVE_WAIT);      /* 7 */
	call(2, ARRIVE_WAIT, 73); /* 8 */
	at_once(3, ARRIVE, 73);   /* 9 */
	ret(2, ARRIVE_WAIT);      /* 11 */
	ret(1, ARRIVE_WAIT);      /* 12 */
	is_str(arrows(), "3@3>1@4/707 3@3>2@7/707 3@9>2@11/707 3@9>1@12/707 ");
}

TEST(an_exchange_is_of_two)
{
	begin("exchange", 4);
	call(1, EXCHANGE, 74); /* 1 */
	call(2, EXCHANGE, 74); /* 2 */
	call(3, EXCHANGE, 74); /* 3: of the next pair */
	ret(2, EXCHANGE);
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
	ret(4, TAKE); /* of whom? */
	ret(2, TAKE);
	at_once(3, PUT, 75);  /* 23 */
	at_once(1, TAKE, 75); /* and after that all is known again */
	call(4, TAKE, 75);    /* 27 */
	at_once(1, PUT, 75);  /* 28 */
	ret(4, TAKE);         /* 30 */
	is_str(arrows(), "1@6>2@8/801 3@12>2@14/801 1@28>4@30/801 ");
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

static void submit(uint32_t uid, uint64_t task, uint64_t future)
{
	call(uid, SUBMIT, task);
	make_event(&m, uid, tick(now), JWR_OBJECT, future);
	ret(uid, SUBMIT);
}

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

TEST(many_arrows_stay_in_order)
{
	size_t n = 34000; /* more than are sorted at once */

	begin("many", 2);
	for (size_t i = 0; i < n; i++) {
		call(2, PARK, 0);
		at_once(1, UNPARK, thread(2));
		ret(2, PARK);
	}
	(void)arrows();
	char *prv = make_slurp(make_path("many.prv"));
	size_t count = 0;

	/* a sanitizer's strstr() measures the whole text at each call */
	const char *end = prv + strlen(prv);
	for (const char *p = prv; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		count += end - p > 3 && memcmp(p, "\n3:", 3) == 0;
	is_int(count, n);
	free(prv);
}

TEST(memory_fails_at_every_place)
{
	const char *map = make_sites("arrows.map", sites, sizeof(sites) / sizeof(*sites));
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
