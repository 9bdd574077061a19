/*
 * t_slow_waits.c: the longest single waits: which are kept, in which order, and without memory.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/slowest/slow_waits.h"

#include "base/banned.h"

static bool add(struct trace_slow_waits *w, uint32_t at, uint64_t since, uint64_t ns)
{
	const struct trace_followed_wait wait = { .since = since, .ns = ns };

	return trace_slow_waits_add(w, at, &wait);
}

TEST(the_longest_are_left_by_their_beginnings)
{
	struct trace_slow_waits w = { .most = 3 };
	static const uint64_t ns[] = { 5, 90, 20, 70, 1, 80, 10, 60, 2, 3 };

	for (uint32_t i = 0; i < sizeof(ns) / sizeof(*ns); i++)
		ok(add(&w, i, 1000 - i, ns[i]));
	trace_slow_waits_sort(&w);
	is_int(w.n, 3);
	is_int(w.all, 10);
	is_int(w.list[0].wait.ns, 80);
	is_int(w.list[1].wait.ns, 70);
	is_int(w.list[2].wait.ns, 90);
	is_int(w.list[2].at, 1);
	trace_slow_waits_free(&w);
	is_int(w.n, 0);
}

TEST(of_equal_ones_the_first_are_left)
{
	struct trace_slow_waits w = { .most = 2 };

	for (uint32_t i = 0; i < 9; i++)
		ok(add(&w, 9 - i, i / 2, 7));
	trace_slow_waits_sort(&w);
	is_int(w.n, 2);
	is_int(w.list[0].wait.since, 0);
	is_int(w.list[0].at, 8); /* of one instant the thread that comes first */
	is_int(w.list[1].at, 9);
	trace_slow_waits_free(&w);
}

TEST(what_is_not_wanted_is_counted_alone)
{
	struct trace_slow_waits w = { 0 };

	for (uint32_t i = 0; i < 5; i++)
		ok(add(&w, i, i, 1000));
	trace_slow_waits_sort(&w);
	is_int(w.n, 0);
	is_int(w.all, 5);
	ok(!w.list);
	trace_slow_waits_free(&w);
}

TEST(fewer_than_wanted_are_all_there)
{
	struct trace_slow_waits w = { .most = 100 };

	ok(add(&w, 1, 30, 5) && add(&w, 2, 10, 50));
	ok(add(&w, 3, 20, 0)); /* none at all is no wait */
	trace_slow_waits_sort(&w);
	is_int(w.n, 2);
	is_int(w.list[0].at, 2);
	is_int(w.list[1].at, 1);
	trace_slow_waits_free(&w);
}

TEST(without_memory_it_is_said)
{
	struct trace_slow_waits w = { .most = 10 };

	jw_mem_fail_after(0);
	bool added = add(&w, 1, 1, 1);

	jw_mem_fail_after(-1);
	ok(!added);
	is_int(w.n, 0);
	ok(add(&w, 1, 1, 1));
	trace_slow_waits_free(&w);
}
