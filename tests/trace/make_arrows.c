#include "tests/trace/make_arrows.h"

#include "base/banned.h"

static const struct make_site sites[] = {
	[START] = { 7, "java.lang.Thread.start()V", "thread/start|this:identity" },
	[JOIN] = { 8, "java.lang.Thread.join()V", "thread/join|this:identity|exception:class" },
	[SLEEP] = { 5, "java.lang.Thread.sleep(J)V", "thread/sleep|exception:class" },
	[INTERRUPT] = { -1, "java.lang.Thread.interrupt()V", "thread/interrupt|this:identity" },
	[PARK] = { 5, "java.util.concurrent.locks.LockSupport.park()V", "park/park" },
	[PARK_NANOS] = { 5, "java.util.concurrent.locks.LockSupport.parkNanos(J)V", "park/park" },
	[UNPARK] = { 13, "java.util.concurrent.locks.LockSupport.unpark(Ljava/lang/Thread;)V",
		     "park/unpark|arg0:identity" },
	[WAIT] = { 5, "java.lang.Object.wait()V", "monitor/wait|this:identity|exception:class" },
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
	[BARRIER_INDEX] = { 5, "java.util.concurrent.CyclicBarrier.await()I",
			    "sync/barrier|this:identity|return:value" },
	[READ_STAMP] = { 9, "java.util.concurrent.locks.StampedLock.readLock()J",
			 "lock/lock|this:identity" },
	[WRITE_STAMP] = { 9, "java.util.concurrent.locks.StampedLock.writeLock()J",
			  "lock/lock|this:identity" },
	[UNLOCK_STAMP] = { -1, "java.util.concurrent.locks.StampedLock.unlock(J)V",
			   "lock/unlock|this:identity" },
	[VIEW_STAMP] = { -1,
			 "java.util.concurrent.locks.StampedLock.asReadLock()Ljava/util/"
			 "concurrent/locks/Lock;",
			 "lock/view|this:identity|return:identity" },
	[CLEAR] = { -1, "java.util.concurrent.BlockingQueue.clear()V",
		    "queue/clear|this:identity" },
	[CONDITION] = { -1,
			"java.util.concurrent.locks.Lock.newCondition()Ljava/util/concurrent/locks/"
			"Condition;",
			"lock/condition|this:identity|return:identity" },
	[COMPLETE_FIRST] = { -1,
			     "java.util.concurrent.CompletableFuture.complete(Ljava/lang/Object;)Z",
			     "task/complete|this:identity|return:value" },
	[TIER] = { -1, "java.util.concurrent.Phaser.<init>(Ljava/util/concurrent/Phaser;)V",
		   "sync/tier|arg0:identity" },
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
	[ENTER] = { -1, "java.lang.Object.monitorenter()V", "monitor/enter|this:identity" },
	[EXIT] = { -1, "java.lang.Object.monitorexit()V", "monitor/exit|this:identity" },
	[HOLD] = { -1, "acme.Calls.put()V", "monitor/hold|this:identity" },
	[ACQUIRE_N] = { 5, "java.util.concurrent.Semaphore.acquire(I)V",
			"sync/acquire|this:identity|arg0:value" },
	[RELEASE_N] = { 13, "java.util.concurrent.Semaphore.release(I)V",
			"sync/release|this:identity|arg0:value" },
	[TRY_ACQUIRE_N] = { 5,
			    "java.util.concurrent.Semaphore.tryAcquire(IJLjava/util/concurrent/"
			    "TimeUnit;)Z",
			    "sync/acquire|this:identity|arg0:value|return:value" },
	[DRAIN] = { -1, "java.util.concurrent.Semaphore.drainPermits()I",
		    "sync/acquire|this:identity|return:value" },
	[EXCHANGE_TIME] = { 5,
			    "java.util.concurrent.Exchanger.exchange(Ljava/lang/Object;JLjava/util/"
			    "concurrent/TimeUnit;)Ljava/lang/Object;",
			    "sync/exchange|this:identity" },
	[EXECUTE] = { 7, "java.util.concurrent.Executor.execute(Ljava/lang/Runnable;)V",
		      "task/submit|arg0:identity|arg0:task" },
	[GET_TASK] = { 8, "java.util.concurrent.Future.get()Ljava/lang/Object;",
		       "task/get|this:identity|this:task" },
	[SCHEDULE] = { 7,
		       "java.util.concurrent.ScheduledExecutorService.scheduleAtFixedRate(Ljava/"
		       "lang/Runnable;JJLjava/util/concurrent/TimeUnit;)Ljava/util/concurrent/"
		       "ScheduledFuture;",
		       "task/submit|arg0:identity" },
	[SUBMIT_BODY] = { 7,
			  "java.util.concurrent.ExecutorService.submit(Ljava/lang/Runnable;)"
			  "Ljava/util/concurrent/Future;",
			  "task/submit|arg0:identity|return:identity|return:task" },
	[BODY] = { -1, "acme.Task.lambda$main$0()V", "task/run|task:identity" },
	[VIEW_READ] = { -1,
			"java.util.concurrent.locks.ReadWriteLock.readLock()Ljava/util/concurrent/"
			"locks/Lock;",
			"lock/view|this:identity|return:identity" },
	[VIEW_WRITE] = { -1,
			 "java.util.concurrent.locks.ReadWriteLock.writeLock()Ljava/util/"
			 "concurrent/locks/Lock;",
			 "lock/view|this:identity|return:identity" },
};

const char *arrows_map(void)
{
	return make_sites("arrows.map", sites, sizeof(sites) / sizeof(*sites));
}

const char *arrows(void)
{
	return arrows_of(sites, sizeof(sites) / sizeof(*sites));
}

void fail_by(uint32_t uid, uint32_t site, int64_t class)
{
	value(uid, class);
	fail(uid, site);
}

void wait_begins(uint32_t uid, uint32_t site, uint64_t object)
{
	call(uid, site, object);
	vm(uid, JWR_WAIT, object);
}

void wait_ends(uint32_t uid, uint32_t site, uint64_t object, enum jwr_kind how)
{
	vm(uid, how, object);
	ret(uid, site);
}

void submit(uint32_t uid, uint64_t task, uint64_t future)
{
	call(uid, SUBMIT, task);
	make_event(&m, uid, tick(now), JWR_OBJECT, future);
	ret(uid, SUBMIT);
}
