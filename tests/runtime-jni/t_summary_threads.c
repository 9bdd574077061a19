/*
 * A summary of many threads, and what happens to it while they call: dumps, pauses. Without a JVM;
 * each scenario runs in a child.
 */
#include <pthread.h>
#include <signal.h>

#include "runtime-jni/recorder/snapshot.h"
#include "tests/runtime-jni/summary_kit.h"

#include "base/banned.h"

#define MANY_THREADS 1000
#define THREADS      4
#define DUMPS        5

/* ---- threads ---- */

static _Atomic bool over;

static void *some_calls(void *unused)
{
	rt_thread_begins();
	for (int i = 0; i < 5; i++) {
		enter(1);
		call(2);
		leave(1);
	}
	rt_thread_ends("its end");
	return unused;
}

static void many_threads(void)
{
	pthread_t t[50];

	start_sums("threads", UINT64_MAX);
	for (int i = 0; i < MANY_THREADS; i += 50) {
		for (int k = 0; k < 50; k++)
			if (pthread_create(&t[k], NULL, some_calls, NULL) != 0)
				_exit(97);
		for (int k = 0; k < 50; k++)
			pthread_join(t[k], NULL);
	}
	end();
}

TEST(a_thousand_threads)
{
	is_int(in_child(many_threads), 0);
	if (!ok(read_sums("threads")))
		return;
	is_called(1, 5 * MANY_THREADS, 0);
	is_called(2, 5 * MANY_THREADS, 0);
	is_int(sum_of(JWR_ENTER, 1).open, MANY_THREADS);
	is_int(rec.thread_count, MANY_THREADS);
	is_str(rec.threads[0].name, "a thread"); /* "its end" was seen at its end alone */
	is_int(rec.threads[0].alias_count, 2);
	is_whole();
	done_reading();
}

static _Atomic uint64_t turns[THREADS]; /* of call_on(), by thread */

static void *call_on(void *own_turns)
{
	_Atomic uint64_t *turn = own_turns;
	uint64_t i = 0;

	rt_thread_begins();
	for (enter(1); !over; *turn = ++i) {
		call(10 + i % 700); /* outgrows the window, now and then */
		if (i % 5000 == 0)
			usleep(100);
	}
	leave(1);
	call(2);
	rt_thread_ends("its end");
	return (void *)(uintptr_t)i;
}

/* Returns when every thread has made a call, whole, since this was called. */
static void all_call_on(void)
{
	uint64_t before[THREADS];

	for (int i = 0; i < THREADS; i++)
		before[i] = turns[i];
	for (int i = 0; i < THREADS; i++)
		while (turns[i] < before[i] + 2)
			usleep(100);
}

static void put_number(const char *name, uint64_t number)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", work_dir(), name);
	FILE *f = fopen(path, "w");
	if (!f || fprintf(f, "%llu", (unsigned long long)number) < 0 || fclose(f) != 0)
		_exit(95);
}

static void call_while(void (*what)(void), const char *made)
{
	pthread_t t[THREADS];
	uint64_t all = 0;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, call_on, &turns[i]) != 0)
			_exit(97);
	all_call_on();
	what();
	over = true;
	for (int i = 0; i < THREADS; i++) {
		void *n = NULL;

		pthread_join(t[i], &n);
		all += (uintptr_t)n;
	}
	put_number(made, all);
}

static uint64_t number_in(const char *name)
{
	char path[300], text[32] = "";

	snprintf(path, sizeof(path), "%s/%s", work_dir(), name);
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	return n ? strtoull(text, NULL, 10) : 0;
}

static void dump_once(void)
{
	char path[512];
	const char *why = rt_dump(path, sizeof(path));

	if (why) {
		fprintf(stderr, "# dump: %s\n", why);
		_exit(96);
	}
}

static void dump_often(void)
{
	for (int i = 0; i < DUMPS; i++) {
		dump_once();
		all_call_on();
	}
}

/* The thread that runs, as if it had lost its processor while it changes its table. */
static void dumped_in_mid_change(void)
{
	start_sums("stuck", UINT64_MAX);
	call(1);
	uint64_t *version = &rt_tls.slot->table.head->version;
	*version += 1;
	dump_once();
	*version += 1;
	end();
}

TEST(a_dump_says_whom_it_lacks)
{
	is_int(in_child(dumped_in_mid_change), 0);
	if (!ok(read_sums("stuck-dump-1")))
		return;
	is_called(1, 0, 0);
	is_int(rec.remark_count, 1);
	is_str(rec.remarks[0],
	       "this dump lacks 1 of the threads, stopped in the middle of a change");
	done_reading();
	if (!ok(read_sums("stuck")))
		return;
	is_called(1, 1, 0);
	done_reading();
}

static void dumped(void)
{
	start_sums("dumped", UINT64_MAX);
	call_while(dump_often, "made");
	end();
}

TEST(dumps_while_threads_call)
{
	uint64_t methods, before = 0;

	is_int(in_child(dumped), 0);
	for (int i = 1; i <= DUMPS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "dumped-dump-%d", i);
		if (!ok(read_sums(name)))
			return;
		uint64_t calls = sum_calls(&methods);
		struct trace_sum outer = sum_of(JWR_ENTER, 1);

		ok(calls > before);
		is_called(1, THREADS, 0);
		is_int(rec.odds.inferred >= THREADS, 1); /* they are in it */
		ok(outer.ns > 0 && outer.own_ns < outer.ns);
		is_whole();
		done_reading();
		before = calls;
	}
	if (!ok(read_sums("dumped")))
		return;
	is_int(sum_calls(&methods), number_in("made") + 2 * THREADS);
	is_int(rec.odds.inferred + rec.odds.lone, 0);
	is_whole();
	done_reading();
}

/* ---- pauses ---- */

/* Method 1 is open, and has called 2; FILE has the most that it may have taken. */
static void call_until_pause(const char *file)
{
	uint64_t before = trace_ns_of(CLOCK_MONOTONIC);

	enter(1);
	call(2);
	usleep(5000);
	rt_pause(true);
	put_number(file, trace_ns_of(CLOCK_MONOTONIC) - before);
}

static void paused_calls(void)
{
	start_sums("paused", UINT64_MAX);
	call_until_pause("until the pause");
	usleep(50000);
	call(2);
	leave(1);
	enter(3);
	rt_pause(false);
	call(2);
	leave(3); /* nobody saw it begin */
	rt_pause(true);
	rt_pause(false);
	call(2);
	end();
}

/* The pause is no part of it. */
static void is_until_pause(const char *file)
{
	double ns = (double)sum_of(JWR_ENTER, 1).ns * rec.clock.rate;

	ok(ns >= 4.5e6 && ns <= (double)number_in(file) * 1.01);
}

TEST(pauses)
{
	is_int(in_child(paused_calls), 0);
	if (!ok(read_sums("paused")))
		return;
	is_called(1, 1, 0);
	is_called(2, 3, 0);
	is_called(3, 0, 0);
	is_int(rec.odds.cut, 1);
	is_int(rec.odds.headless, 1);
	is_int(rec.odds.lone, 0);
	is_until_pause("until the pause");
	is_whole();
	done_reading();
}

static void pause_often(void)
{
	for (int i = 0; i < 20; i++) {
		rt_pause(i % 2 == 0);
		usleep(3000);
	}
}

static void paused_threads(void)
{
	start_sums("pausing", UINT64_MAX);
	call_while(pause_often, "made too");
	end();
}

TEST(pauses_while_threads_call)
{
	uint64_t methods;

	is_int(in_child(paused_threads), 0);
	if (!ok(read_sums("pausing")))
		return;
	ok(sum_calls(&methods) <= number_in("made too") + 2 * THREADS);
	is_called(1, THREADS, 0);
	is_called(2, THREADS, 0);
	is_int(rec.odds.lone, 0);
	is_whole();
	done_reading();
}

static void killed_in_pause(void)
{
	start_sums("killed-paused", UINT64_MAX);
	call_until_pause("until the end");
	usleep(50000);
	kill(getpid(), SIGKILL);
}

TEST(killed_in_a_pause)
{
	is_int(in_child(killed_in_pause), SIGKILL);
	if (!ok(read_sums("killed-paused")))
		return;
	is_called(1, 1, 0);
	is_int(rec.odds.cut, 1);
	is_until_pause("until the end");
	done_reading();
}

/* ---- the collector, and pauses of the recording ---- */

enum { GC_ROUNDS = 6, GC_PAUSED_US = 100000 };

/* In each round one pause of the collector is cut short, and of another one only the end is seen.
 */
static void child_collects(void)
{
	start_sums("collects", UINT64_MAX);
	rt_vm_prepare();
	call(1);
	for (int i = 0; i < GC_ROUNDS; i++) {
		rt_vm_event(JWR_GC_BEGIN, 0);
		rt_pause(true);
		rt_vm_event(JWR_GC_END, 0);
		rt_vm_event(JWR_GC_BEGIN, 0);
		usleep(GC_PAUSED_US);
		rt_pause(false);
		rt_vm_event(JWR_GC_END, 0);
	}
	rt_vm_event(JWR_GC_BEGIN, 0);
	rt_vm_event(JWR_GC_END, 0);
	end();
}

TEST(no_pause_of_the_collector_lasts_through_one_of_the_recording)
{
	is_int(in_child(child_collects), 0);
	if (!ok(read_sums("collects")))
		return;
	struct trace_sum gc = sum_of(JWR_GC_BEGIN, 0);

	is_int(gc.count, GC_ROUNDS + 1);
	ok((double)gc.longest * rec.clock.rate < GC_PAUSED_US * 500.0);
	done_reading();
}
