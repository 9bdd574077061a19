/*
 * parks.c: a thread that parks, or calls Object.wait(), waits for another one, in the midst of what
 * it does (state Synchronization), or it is a worker of a pool that waits for work (Waiting for work).
 *
 * It waits for work where it is in a method by which workers of the JDK's pools, or of well-known
 * servers, fetch it, whatever of these is traced; or where no traced call is open and what it parks for
 * is what workers wait at: the condition of a queue, a queue, a pool, or nothing that it told; but not
 * where it puts something into a queue, or wants one of a pool's objects.
 */
#include <string.h>

#include "trace/replay/class_numbers.h"
#include "trace/replay/parks.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define OF_CLASS (UINT64_C(1) << 31) /* in a key: a class, else a place */

/* HAS_WORK: it is in the midst of some, also where no call is open. */
enum { UNKNOWN, FOR_WORK, FOR_ANOTHER, HAS_WORK, SLEEPS };

/* Places, as they are named, without packages: servers are often packed into jars under other ones. */
static const char *const fetches[] = {
	/* of the JDK; ORDER runtime-jni/jvm/stack_place.c */
	"ThreadPoolExecutor.getTask",
	"ForkJoinPool.awaitWork",
	"EventQueue.getNextEvent",
	/* of servers that have pools of their own: Jetty, Tomcat, JBoss (Undertow, Quarkus), Netty */
	"BlockingArrayQueue.poll",
	"BlockingArrayQueue.take",
	"ReservedThreadExecutor$ReservedThread.reservedWait",
	"ReservedThreadExecutor$ReservedThread.waitForTask", /* since Jetty 12 */
	"ServerConnector.accept",
	"TaskQueue.poll",
	"TaskQueue.take",
	"EnhancedQueueExecutor$PoolThreadNode.park",
	"SingleThreadEventExecutor.takeTask",
	/* of Cassandra, Ignite, Presto, Kafka */
	"SEPWorker.run",
	"SEPWorker.doWaitSpin",
	"StripedExecutor$StripeConcurrentQueue.",
	"MultilevelSplitQueue.take",
	"RequestChannel.receiveRequest",
	"KafkaEventQueue$EventHandler.handleEvents",
	"BlockingMessageQueue.poll",
	"EventAccumulator.poll", /* since Kafka 3.7 */
	"EventAccumulator.take",
	/* by Object.wait(): timers of the JDK, Open Liberty, Grizzly (GlassFish, Payara), Quartz, C3P0 */
	"TimerThread.mainLoop",
	"BoundedBuffer.waitGet_",
	"SyncThreadPool$SyncThreadWorker.getTask",
	"SimpleThreadPool$WorkerThread.run",
	"QuartzSchedulerThread.run",
	"ThreadPoolAsynchronousRunner$PoolThread.run",
	/* of copies of ForkJoinPool from before it was the JDK's: H2O, Scala 2.11, old Netty and Akka */
	"ForkJoinPool.scan",
	"ForkJoinPool.idleAwaitWork",
	/* of libraries: Kotlin's coroutines, Cats Effect, the Disruptor */
	"CoroutineScheduler$Worker.park",
	"CoroutineScheduler$Worker.runWorker",
	"WorkerThread.parkLoop$1",
	"WorkerThread.parkUntilNextSleeper$1",
	"BlockingWaitStrategy.waitFor",
	"LiteBlockingWaitStrategy.waitFor",
	"TimeoutBlockingWaitStrategy.waitFor",
	"LiteTimeoutBlockingWaitStrategy.waitFor",
	"SleepingWaitStrategy.applyWaitMethod",
	NULL,
};

/* Likewise: what has work waits there for what others have. */
static const char *const resources[] = {
	/* for room: the Disruptor, Kafka's producers */
	"MultiProducerSequencer.next",
	"SingleProducerSequencer.next",
	"BufferPool.allocate",
	/* for one of a pool's: HikariCP, Commons Pool (DBCP, Jedis), HttpClient */
	"ConcurrentBag.borrow",
	"LinkedBlockingDeque.takeFirst",
	"LinkedBlockingDeque.takeLast",
	"LinkedBlockingDeque.pollFirst",
	"LinkedBlockingDeque.pollLast",
	"AbstractConnPool.getPoolEntryBlocking",
	NULL,
};

/* Classes of objects, and what their own classes begin with. */
static const char *const sources[] = {
	"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
	"java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject",
	"java.util.concurrent.ForkJoinPool",
	"java.util.concurrent.LinkedTransferQueue",
	"java.util.concurrent.SynchronousQueue",
	NULL,
};

/* LIST ends with NULL. */
static bool begins_with_one(const char *name, const char *const *list)
{
	while (*list && strncmp(name, *list, strlen(*list)) != 0)
		list++;
	return *list;
}

static unsigned what_for(const char *class)
{
	return class && begins_with_one(class, sources) ? FOR_WORK : FOR_ANOTHER;
}

static unsigned what_at(const struct trace_named *place)
{
	if (!place)
		return FOR_ANOTHER;
	if (place->id & TRACE_SLEEPS)
		return SLEEPS;
	if (place->id & TRACE_PUTS || begins_with_one(place->name, resources))
		return HAS_WORK;
	return begins_with_one(place->name, fetches) ? FOR_WORK : FOR_ANOTHER;
}

/* What is done by who waits for the class or at the place of KEY. */
static unsigned what_of(const struct trace_task *task, uint64_t key)
{
	uint32_t number = (uint32_t)(key & (OF_CLASS - 1));

	return key & OF_CLASS ? what_for(trace_name_of_class(task, number))
			      : what_at(trace_place_named(task, number));
}

/* What was found out before, by KEY, is not looked for again. */
static uint64_t known(struct trace_pass *p, const struct trace_task *task, uint64_t key)
{
	uint32_t at = trace_methods_number(&p->parks, (uint64_t)task->number << 32 | key);

	if (at == TRACE_NO_METHOD) {
		p->failed = true;
		return FOR_ANOTHER;
	}
	struct trace_stat *m = &p->parks.m[at];

	if (m->calls == UNKNOWN)
		m->calls = what_of(task, key);
	return m->calls;
}

bool trace_idles_at(struct trace_pass *p, const struct trace_task *task, uint64_t object)
{
	if (object & JWR_OBJECT_THREAD)
		return false;
	return !object ||
	       known(p, task, OF_CLASS | (object >> JWR_HASH_BITS & JWR_CLASS_NUMBER_MASK)) ==
		       FOR_WORK;
}

/* What is done by who waits at the place that TRACK was told last. */
static uint64_t here(struct trace_pass *p, const struct trace_task *task,
		     const struct trace_track *track)
{
	return track->place ? known(p, task, track->place & (OF_CLASS - 1)) : FOR_ANOTHER;
}

uint8_t trace_wait_value(struct trace_pass *p, const struct trace_task *task,
			 const struct trace_track *track)
{
	return here(p, task, track) == FOR_WORK ? TRACE_WAIT_FOR_WORK : TRACE_WAIT_OBJECT;
}

uint8_t trace_park_value(struct trace_pass *p, const struct trace_task *task,
			 const struct trace_track *track, uint64_t object)
{
	uint64_t does = here(p, task, track);

	if (does == SLEEPS)
		return TRACE_WAIT_SLEEP;
	if (does == FOR_WORK ||
	    (does != HAS_WORK && !track->busy && trace_idles_at(p, task, object)))
		return TRACE_WAIT_FOR_WORK;
	return TRACE_WAIT_PARK;
}
