/*
 * A summary without a JVM: what threads call is known, and the reader of trace/ must say so,
 * whatever became of the process. Each scenario runs in a child.
 */
#include <pthread.h>
#include <signal.h>

#include "tests/runtime-jni/summary_kit.h"

#include "base/banned.h"

#define MANY_METHODS 100000

/* ---- calls of one thread ---- */

static void recurse(int depth)
{
	enter(2);
	if (depth > 1)
		recurse(depth - 1);
	usleep(1000);
	leave(2);
}

static void known_calls(void)
{
	start_sums("known", UINT64_MAX);
	enter(1);
	for (int i = 0; i < 1000; i++)
		call(3);
	recurse(10);
	for (int i = 0; i < 7; i++) {
		enter(4);
		fail(4);
	}
	enter(5);
	enter(6);
	leave(5); /* 6 has no exit */
	leave(9); /* no enter */
	leave(1);
	end();
}

TEST(calls_are_counted)
{
	is_int(in_child(known_calls), 0);
	if (!ok(read_sums("known")))
		return;
	is_called(1, 1, 0);
	is_called(2, 10, 0);
	is_called(3, 1000, 0);
	is_called(4, 7, 7);
	is_called(5, 1, 0);
	is_called(6, 1, 0);
	is_called(9, 0, 0);
	is_int(rec.odds.inferred, 1);
	is_int(rec.odds.lone, 1);
	struct trace_sum all = sum_of(JWR_ENTER, 1), again = sum_of(JWR_ENTER, 2);

	ok(again.ns == again.own_ns);  /* a recursion counts once */
	ok(again.longest == again.ns); /* as long as its outermost call */
	ok(all.ns > again.ns);
	ok(all.own_ns < all.ns - again.ns + 1);
	is_whole();
	is_int(rec.thread_count, 1);
	done_reading();
}

static void many_methods(void)
{
	start_sums("many", UINT64_MAX);
	enter(7);
	for (int round = 0; round < 3; round++)
		for (uint64_t m = 0; m < MANY_METHODS; m++)
			call(1000 + m * 7919);
	leave(7);
	end();
}

TEST(a_hundred_thousand_methods)
{
	uint64_t methods, wrong = 0;

	is_int(in_child(many_methods), 0);
	if (!ok(read_sums("many")))
		return;
	is_int(sum_calls(&methods), 3 * MANY_METHODS + 1);
	is_int(methods, MANY_METHODS + 1);
	for (size_t i = 0; i < rec.sums.n; i++)
		wrong += rec.sums.sums[i].count != 3;
	is_int(wrong, 1);
	is_called(7, 1, 0);
	ok(sum_of(JWR_ENTER, 7).ns > sum_of(JWR_ENTER, 7).own_ns);
	is_whole();
	done_reading();
}

static void deep_calls(void)
{
	start_sums("deep", UINT64_MAX);
	for (int i = 0; i < 50000; i++)
		enter(1 + (uint64_t)i % 3);
	usleep(2000);
	for (int i = 50000; i-- > 0;)
		leave(1 + (uint64_t)i % 3);
	end();
}

TEST(deep_recursion)
{
	is_int(in_child(deep_calls), 0);
	if (!ok(read_sums("deep")))
		return;
	is_called(1, 16667, 0);
	is_called(2, 16667, 0);
	is_called(3, 16666, 0);
	struct trace_sum first = sum_of(JWR_ENTER, 1), second = sum_of(JWR_ENTER, 2);

	ok(first.ns >= second.ns && second.ns >= sum_of(JWR_ENTER, 3).ns);
	ok(first.longest == first.ns);
	is_int(rec.odds.inferred + rec.odds.lone + rec.odds.deep, 0);
	is_whole();
	done_reading();
}

/* ---- a process that is killed ---- */

static void killed_calls(void)
{
	start_sums("killed", UINT64_MAX);
	enter(1);
	enter(2);
	for (uint64_t m = 0; m < 3000; m++) /* outgrows the window */
		call(100 + m);
	usleep(20000);
	enter(3);
	kill(getpid(), SIGKILL);
}

TEST(a_killed_process_loses_nothing)
{
	uint64_t methods;

	is_int(in_child(killed_calls), SIGKILL);
	if (!ok(read_sums("killed")))
		return;
	is_int(sum_calls(&methods), 3003);
	is_int(methods, 3003);
	struct trace_sum outer = sum_of(JWR_ENTER, 1), inner = sum_of(JWR_ENTER, 2);

	is_int(rec.odds.inferred, 3);
	ok(outer.count == 1 && inner.count == 1);
	ok(outer.ns >= inner.ns && inner.ns > 0);
	ok(outer.own_ns + inner.own_ns <= outer.ns);
	ok((double)inner.ns * rec.clock.rate > 15e6);
	is_whole();
	done_reading();
}

/* ---- bounds ---- */

static void bounded(void)
{
	start_sums("bounded", 1 << 20);
	for (int round = 0; round < 2; round++)
		for (uint64_t m = 0; m < MANY_METHODS; m++)
			call(1000 + m * 7919);
	end();
}

TEST(the_size_cap_stops_it)
{
	uint64_t methods;

	is_int(in_child(bounded), 0);
	if (!ok(read_sums("bounded")))
		return;
	ok(rec.stopped);
	ok(rec.lost > 0 && rec.data_size <= 2 << 20);
	/* an event that is lost is half a call */
	uint64_t calls = sum_calls(&methods);

	ok(calls > 1000 && calls + rec.lost / 2 >= 2 * MANY_METHODS - 1 &&
	   calls + rec.lost / 2 <= 2 * MANY_METHODS + 1);
	done_reading();
}

/* ---- virtual threads, waits, the VM ---- */

static void *carry(void *unused)
{
	/* virtual thread 8 has begun on another carrier */
	rt_thread_begins();
	rt_thread_mounts(8);
	leave(1);
	enter(1);
	rt_thread_mounts(9);
	call(1);
	rt_virtual_ends(9);
	rt_thread_mounts(8);
	leave(1);
	rt_thread_mounts(0);
	call(5);
	rt_thread_ends("carrier");
	return unused;
}

static void virtual_calls(void)
{
	pthread_t t;

	rt_follow_virtual(NULL);
	start_sums("virtual", UINT64_MAX);
	call(5);
	rt_thread_mounts(7);
	enter(1);
	enter(2);
	rt_thread_mounts(8);
	enter(3);
	enter(1);
	rt_thread_mounts(7);
	leave(2);
	leave(1);
	rt_virtual_ends(7);
	rt_thread_mounts(0);
	if (pthread_create(&t, NULL, carry, NULL) != 0)
		_exit(97);
	pthread_join(t, NULL);
	end(); /* 8 is in 3 */
}

TEST(virtual_threads)
{
	is_int(in_child(virtual_calls), 0);
	if (!ok(read_sums("virtual")))
		return;
	is_called(1, 4, 0);
	is_called(2, 1, 0);
	is_called(3, 1, 0);
	is_called(5, 2, 0);
	is_int(sum_of(JWR_ENTER, 1).open, 1); /* on one row, all together */
	is_int(sum_of(JWR_ENTER, 5).open, 2);
	is_int(rec.odds.virtuals, 3);
	is_int(rec.odds.inferred, 1);
	is_int(rec.odds.lone, 0);
	ok(sum_of(JWR_ENTER, 3).ns >= sum_of(JWR_ENTER, 3).own_ns);
	ok(sum_of(JWR_ENTER, 3).ns > 0);
	is_int(rec.thread_count, 3);
	is_whole();
	done_reading();
}

/* On the thread itself, and on a virtual one: of four calls two end untold. */
static void untold_ends(void)
{
	rt_follow_virtual(NULL);
	start_sums("untold", UINT64_MAX);
	for (uint64_t id = 0; id < 2; id++) {
		rt_thread_mounts(id);
		enter(5);
		for (int i = 0; i < 4; i++)
			enter(1);
		rt_event(rt_recorder_clock(), JWR_DEPTH, jwr_depth(2, 1));
		fail(1);
		fail(1);
		rt_event(rt_recorder_clock(), JWR_DEPTH, jwr_depth(3, 7)); /* none is open */
		usleep(20000);
		leave(5);
	}
	rt_virtual_ends(1);
	end();
}

TEST(calls_that_ended_untold_have_no_time_after)
{
	is_int(in_child(untold_ends), 0);
	if (!ok(read_sums("untold")))
		return;
	is_called(1, 8, 8);
	is_called(5, 2, 0);
	ok(sum_of(JWR_ENTER, 1).ns < sum_of(JWR_ENTER, 5).ns / 2);
	is_int(rec.odds.inferred, 4);
	done_reading();
}

static void pinned_parks(void)
{
	rt_follow_virtual(NULL);
	start_sums("pinned", UINT64_MAX);
	rt_thread_mounts(7);
	enter(1);
	rt_event(rt_recorder_clock(), JWR_PARK, 0);
	rt_may_go_on(trace_tick_now(rt_recorder_clock()), JWR_PARKED, JWR_PARKED_MOUNT);
	if (!rt_goes_on())
		_exit(97);
	rt_event(rt_recorder_clock(), JWR_PARKED, 0);
	rt_event(rt_recorder_clock(), JWR_PARK, 0);
	uint64_t tick = trace_tick_now(rt_recorder_clock());
	rt_may_go_on(tick, JWR_PARKED, JWR_PARKED_MOUNT); /* it does not */
	usleep(20000);
	leave(1);
	rt_virtual_ends(7);
	end();
}

TEST(a_park_that_goes_on_is_one_in_sums)
{
	is_int(in_child(pinned_parks), 0);
	if (!ok(read_sums("pinned")))
		return;
	is_int(sum_of(JWR_PARK, 0).count, 2);
	ok(sum_of(JWR_PARK, 0).ns < sum_of(JWR_ENTER, 1).ns / 2);
	is_whole();
	done_reading();
}

static void event(enum jwr_kind kind, uint64_t payload)
{
	rt_event(rt_recorder_clock(), kind, payload);
}

static void waits(void)
{
	start_sums("waits", UINT64_MAX);
	rt_vm_prepare();
	enter(1);
	for (int i = 0; i < 3; i++) {
		event(JWR_WAIT, 77);
		usleep(1000);
		event(i ? JWR_WAITED : JWR_EXPIRED, 77);
	}
	event(JWR_CONTENDED, 78);
	event(JWR_ENTERED, 78);
	for (uint32_t hash = 1; hash <= 5; hash++) {
		event(JWR_PARK, jwr_object(hash, 9));
		event(JWR_PARKED, 0);
	}
	event(JWR_PARK, jwr_thread_object(3));
	event(JWR_PARKED, 0);
	event(JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0));
	usleep(1000);
	event(JWR_AWAITED, JWR_AWAIT_SLEEP);
	event(JWR_UNPARK, jwr_thread_object(3)); /* adds nothing */
	event(JWR_START, jwr_thread_object(4));  /* nor does that */
	event(JWR_VALUE, 5); /* captures and events of the program's own are no part of it */
	event(JWR_EVENT, 6);
	event(JWR_EVENT_VALUE, 7);
	event(JWR_ALLOC, jwr_alloc(100, 5));
	event(JWR_ALLOC, jwr_alloc(1 << 20, 5));
	leave(1);
	event(JWR_PARK, jwr_object(6, 9));
	event(JWR_PARKED, 0);
	rt_vm_event(JWR_GC_BEGIN, 0);
	usleep(1000);
	rt_vm_event(JWR_GC_END, 0);
	end();
}

TEST(waits_and_pauses_of_the_collector)
{
	is_int(in_child(waits), 0);
	if (!ok(read_sums("waits")))
		return;
	struct trace_sum wait = sum_of(JWR_WAIT, 77), gc = sum_of(JWR_GC_BEGIN, 0);

	is_int(wait.count, 3);
	is_int(wait.exceptional, 1);
	ok((double)wait.ns * rec.clock.rate >= 3e6);
	is_int(sum_of(JWR_CONTENDED, 78).count, 1);
	is_int(sum_of(JWR_PARK, jwr_object(0, 9)).count, 5); /* one row, whatever the object */
	is_int(sum_of(JWR_PARK, 0).count, 1);
	is_int(sum_of(JWR_PARKED, jwr_object(0, 9)).count, 1); /* outside of any call */
	is_int(sum_of(JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0)).count, 1);
	ok((double)sum_of(JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0)).ns * rec.clock.rate >= 1e6);
	is_int(gc.count, 1);
	ok((double)gc.ns * rec.clock.rate >= 1e6);
	is_called(1, 1, 0);
	is_int(sum_of(JWR_ALLOC, jwr_alloc(0, 5)).count, 2);
	is_int(sum_of(JWR_ALLOC, jwr_alloc(0, 5)).ns, 100 + (1 << 20));
	is_int(rec.sums.n, 9);
	is_whole();
	done_reading();
}
