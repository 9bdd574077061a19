/*
 * t_tree.c: trees of calls: nodes, totals, what is folded, callers, merged trees; random trees
 * against sums that walk.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/calls/tree.h"

#include "base/banned.h"

/* CALLS of the method at the end of PATH ("ab": b, which a calls), NS each of their own. */
static uint32_t call(struct trace_tree *t, uint32_t root, const char *path, uint64_t calls,
		     uint64_t ns)
{
	uint32_t at = root;

	for (; *path; path++)
		at = trace_tree_child(t, at, (uint32_t)(*path - 'a'));
	t->at[at].calls += calls;
	t->at[at].self[0] += calls * ns;
	return at;
}

/* "a 1/10/35 b 2/20/20": each node that is reached by PATH: calls, self, total. */
static void is_node(const struct trace_tree *t, const char *path, uint64_t calls, uint64_t self,
		    uint64_t total)
{
	uint32_t at = 0;

	for (const char *p = path; *p && at != TRACE_TREE_NONE; p++) {
		uint32_t method = *p == '~' ? TRACE_TREE_FOLDED : (uint32_t)(*p - 'a');

		for (at = t->at[at].first; at != TRACE_TREE_NONE; at = t->at[at].next)
			if (t->at[at].method == method)
				break;
	}
	if (!ok(at != TRACE_TREE_NONE)) {
		tap_note("no node %s", path);
		return;
	}
	is_int(t->at[at].calls, calls);
	is_int(trace_tree_ns(t->at[at].self), self);
	is_int(trace_tree_ns(t->at[at].total), total);
}

TEST(a_method_has_a_node_for_each_way_to_it)
{
	struct trace_tree t = { 0 };
	uint32_t root = trace_tree_root(&t);

	call(&t, root, "a", 1, 5);
	call(&t, root, "ab", 2, 10);
	call(&t, root, "abc", 3, 100);
	call(&t, root, "ac", 1, 7);
	call(&t, root, "abc", 1, 100);
	trace_tree_sum(&t);
	is_int(t.n, 5);
	is_node(&t, "", 0, 0, 432);
	is_node(&t, "a", 1, 5, 432);
	is_node(&t, "ab", 2, 20, 420);
	is_node(&t, "abc", 4, 400, 400);
	is_node(&t, "ac", 1, 7, 7);
	trace_tree_free(&t);
}

/* At the limit itself nothing is folded; what is, keeps its calls and time. */
TEST(beyond_the_limit_calls_are_folded_below_their_caller)
{
	for (uint32_t limit = 2; limit <= 4; limit++) {
		struct trace_tree t = { .limit = limit };
		uint32_t root = trace_tree_root(&t);

		call(&t, root, "a", 1, 5);
		call(&t, root, "ab", 2, 10);
		call(&t, root, "ac", 3, 100);
		call(&t, root, "acd", 4, 1);
		call(&t, root, "ae", 1, 2);
		trace_tree_sum(&t);
		is_node(&t, "a", 1, 5, 331);
		is_node(&t, "ab", 2, 20, 20);
		if (limit == 2)
			is_node(&t, "a~", 8, 306, 306);
		if (limit == 3)
			is_node(&t, "ac~", 4, 4, 4);
		if (limit == 4)
			is_node(&t, "acd", 4, 4, 4);
		is_int(t.n - t.roots - t.folded, limit);
		trace_tree_free(&t);
	}
}

TEST(callers_are_the_tree_turned_over)
{
	struct trace_tree t = { 0 }, callers = { 0 };
	const bool chosen[] = { ['c' - 'a'] = true };
	uint32_t root = trace_tree_root(&t);

	call(&t, root, "abc", 3, 100);
	call(&t, root, "abcd", 1, 50);
	call(&t, root, "ac", 1, 10);
	call(&t, trace_tree_root(&t), "bc", 1, 1);
	trace_tree_sum(&t);
	ok(trace_tree_callers(&t, chosen, 3, &callers));
	is_node(&callers, "", 5, 311, 361);
	is_node(&callers, "c", 5, 311, 361);
	is_node(&callers, "cb", 4, 301, 351);
	is_node(&callers, "cba", 3, 300, 350);
	is_node(&callers, "ca", 1, 10, 10);
	trace_tree_free(&t);
	trace_tree_free(&callers);
}

/* c -> c -> b -> c: each call is one, but the time of all of them is that of the outermost. */
TEST(a_recursion_is_counted_once_among_callers)
{
	struct trace_tree t = { 0 }, callers = { 0 };
	const bool chosen[] = { false, false, true };
	uint32_t root = trace_tree_root(&t);

	call(&t, root, "ac", 1, 10);
	call(&t, root, "acc", 1, 10);
	call(&t, root, "accb", 1, 10);
	call(&t, root, "accbc", 1, 10);
	call(&t, root, "ad", 1, 1000); /* after it: what was open is closed */
	call(&t, root, "adc", 1, 1);
	trace_tree_sum(&t);
	ok(trace_tree_callers(&t, chosen, 3, &callers));
	is_node(&callers, "c", 4, 31, 41);
	is_node(&callers, "ca", 1, 10, 40);
	is_node(&callers, "cc", 1, 10, 0);
	is_node(&callers, "cbcca", 1, 10, 0);
	is_node(&callers, "cd", 1, 1, 1);
	trace_tree_free(&t);
	trace_tree_free(&callers);
}

TEST(callers_far_away_are_folded)
{
	struct trace_tree t = { 0 }, callers = { 0 };
	const bool chosen[] = { false, true };
	uint32_t at = trace_tree_root(&t);

	for (size_t i = 0; i < 5000; i++)
		at = trace_tree_child(&t, at, 0);
	at = trace_tree_child(&t, at, 1);
	t.at[at].calls = 1;
	t.at[at].self[0] = 9;
	trace_tree_sum(&t);
	ok(trace_tree_callers(&t, chosen, 2, &callers));
	is_int(callers.n, 1 + 1 + TRACE_TREE_LEVELS + 1);
	is_int(callers.folded, 1);
	is_int(callers.at[callers.n - 1].self[0], 9);
	trace_tree_free(&t);
	trace_tree_free(&callers);
}

TEST(trees_become_one)
{
	struct trace_tree x = { 0 }, all = { 0 };
	uint32_t to[16] = { 0 }, one = trace_tree_root(&x), two = trace_tree_root(&x);

	call(&x, one, "ab", 1, 5);
	call(&x, two, "ab", 2, 5);
	call(&x, two, "c", 1, 1);
	trace_tree_root(&all);
	ok(trace_tree_merge(&all, &x, to));
	trace_tree_sum(&all);
	is_int(all.n, 4);
	is_node(&all, "ab", 3, 15, 15);
	is_node(&all, "c", 1, 1, 1);
	to[0] = 0;
	to[1] = TRACE_TREE_NONE;
	ok(trace_tree_merge(&all, &x, to));
	trace_tree_sum(&all);
	is_node(&all, "ab", 4, 20, 20);
	is_node(&all, "c", 1, 1, 1);
	trace_tree_free(&x);
	trace_tree_free(&all);
}

/* Random walks: the sum of all nodes is what was called, whatever is folded; and callers of all
 * methods have each call once. */
TEST(random_trees_lose_no_call_and_no_time)
{
	static const uint32_t limits[] = { 1, 10, 100, 100000 };

	for (size_t l = 0; l < sizeof(limits) / sizeof(*limits); l++) {
		struct trace_tree t = { .limit = limits[l] }, callers = { 0 };
		bool chosen[5] = { true, true, true, true, true };
		uint32_t root = trace_tree_root(&t);
		uint64_t calls = 0, ns = 0, found = 0;

		for (unsigned i = 0; i < 2000; i++) {
			char path[9] = "";

			for (unsigned k = tap_below(8) + 1; k-- > 0;)
				path[strlen(path)] = (char)('a' + tap_below(5));
			calls += i % 3;
			ns += i % 3 * i;
			call(&t, root, path, i % 3, i);
		}
		trace_tree_sum(&t);
		is_int(trace_tree_ns(t.at[root].total), ns);
		for (size_t i = 0; i < t.n; i++)
			found += t.at[i].calls;
		is_int(found, calls);
		ok(trace_tree_callers(&t, chosen, 5, &callers));
		if (t.folded == 0)
			is_int(callers.at[0].calls, calls);
		ok(t.n - t.roots - t.folded <= limits[l]);
		trace_tree_free(&t);
		trace_tree_free(&callers);
	}
}

TEST(a_tree_without_memory_is_as_it_was)
{
	struct trace_tree t = { 0 };

	jw_mem_fail_after(0);
	is_int(trace_tree_root(&t), TRACE_TREE_NONE);
	jw_mem_fail_after(-1);
	uint32_t root = trace_tree_root(&t);

	for (uint32_t i = 0; i < 3000; i++) {
		jw_mem_fail_after(0);
		uint32_t child = trace_tree_child(&t, root, i);

		if (jw_mem_fail_after(-1))
			is_int(child, TRACE_TREE_NONE);
		is_int(trace_tree_child(&t, root, i), i + 1);
	}
	trace_tree_free(&t);
}
