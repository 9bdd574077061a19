/*
 * t_rank.c: medians, and the rank test against a count of all orders.
 */
#include "tests/tap.h"
#include "trace/diff/rank.h"

#include "base/banned.h"

/* p by looking at every way to choose which N of N + M places are A's. */
static double count_orders(size_t n, size_t m, size_t u)
{
	size_t all = 0, uneven = 0;

	for (unsigned long set = 0; set < 1ul << (n + m); set++) {
		size_t of_a = 0, sum = 0;

		for (size_t i = 0; i < n + m; i++) {
			if (set >> i & 1)
				of_a++;
			else
				sum += of_a; /* so many of A are before this one of B */
		}
		if (of_a != n)
			continue;
		all++;
		uneven += sum <= u || n * m - sum <= u;
	}
	return (double)uneven / (double)all;
}

TEST(the_rank_test_counts_orders)
{
	struct jw_arena arena = { 0 };

	for (size_t n = 1; n <= 6; n++)
		for (size_t m = 1; m <= 6; m++) {
			struct trace_rank rank;

			ok(trace_rank_open(&rank, &arena, n, m));
			for (size_t u = 0; u <= n * m / 2; u++) {
				double want = count_orders(n, m, u), got = rank.chance[u];

				ok(got > want - 1e-9 && got < want + 1e-9);
			}
		}
	jw_arena_free(&arena);
}

TEST(fifty_runs_a_side_are_exact_too)
{
	struct jw_arena arena = { 0 };
	struct trace_rank rank;
	double a[50], b[50], before = 0;

	ok(trace_rank_open(&rank, &arena, 50, 50));
	ok(trace_rank_least(&rank) > 0 && trace_rank_least(&rank) < 1e-28);
	for (size_t u = 0; u <= 2500; u++) {
		ok(rank.chance[u] >= before && rank.chance[u] <= 1);
		before = rank.chance[u];
	}
	for (size_t i = 0; i < 50; i++) {
		a[i] = (double)i;
		b[i] = (double)i;
	}
	ok(trace_rank_test(&rank, a, b) > 0.99);
	jw_arena_free(&arena);
}

TEST(medians_and_spreads)
{
	double odd[] = { 5, 1, 3 }, even[] = { 4, 1, 3, 2 }, five[] = { 9, 1, 2, 3, 100 };

	ok(trace_rank_median(odd, 3) == 3);
	ok(trace_rank_median(even, 4) == 2.5);
	ok(trace_rank_median(five, 5) == 3);
	ok(trace_rank_spread(five, 5) == 7);
}
