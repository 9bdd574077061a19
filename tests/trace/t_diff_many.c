/*
 * t_diff_many.c: what of many figures is a change, and what is chance.
 */
#include <stdio.h>

#include "tests/tap.h"
#include "tests/trace/make_sides.h"
#include "trace/report/report.h"

#include "base/banned.h"

/* ---- one figure ---- */

static double chance(size_t n, const double *a, const double *b, double grain)
{
	struct jw_arena arena = { 0 };
	struct trace_rank rank;
	double p = -1;

	if (ok(trace_rank_open(&rank, &arena, n, n)))
		p = trace_rank_chance(&rank, a, b, grain);
	jw_arena_free(&arena);
	return p;
}

static bool is_near(double is, double want)
{
	return is > want * 0.95 && is < want * 1.05;
}

/* By hand: of 2 and 2 the order is chance in 2 of 6 cases, a gap R times as wide as the wider side in 2 / (1 + R) / (2 + R)
 * of these. */
TEST(how_far_apart_the_sides_are_counts)
{
	static const double a[] = { 1000, 1001 }, b[] = { 1004, 1006 }, c[] = { 1001, 1006 };

	ok(is_near(chance(2, a, b, 0), 2.0 / 6 * 2 / (1 + 1.5) / (2 + 1.5)));
	ok(is_near(chance(2, b, a, 0), 2.0 / 6 * 2 / (1 + 1.5) / (2 + 1.5)));
	ok(is_near(chance(2, a, b, 1), 2.0 / 6 * 2 / (1 + 1) / (2 + 1))); /* steps are as wide */
	ok(chance(2, a, c, 0) >= 2.0 / 6);                                /* they touch */
	static const double same[] = { 7, 7 }, other[] = { 9, 9 };

	ok(chance(2, same, other, 0) == 0);
	ok(is_near(chance(2, same, other, 1), 2.0 / 6 * 2 / (1 + 2) / (2 + 2)));
}

/* Of 5 and 5 runs, of which the slow ones differ by more than they are from the others. */
TEST(a_share_is_as_wide_everywhere)
{
	static const double a[] = { 20e6, 21e6, 23e6, 32e6, 45e6 };
	static const double b[] = { 572e6, 890e6, 1295e6, 1592e6, 2229e6 };

	ok(chance(5, a, b, 0) < 5e-5);
	ok(chance(5, b, a, 0) < 5e-5);
}

/* Where nothing has changed, one of 1000 p is below one in 1000, of any kind of figures; drawn here from those that are
 * apart, which are one of 126. */
TEST(chance_is_chance)
{
	size_t below = 0, all = 100000;

	for (size_t i = 0; i < all; i++) {
		double v[10];

		for (size_t k = 0; k < 10; k++)
			v[k] = 1 + (double)tap_below(1000000);
		trace_rank_median(v, 10);
		below += chance(5, v, v + 5, 0) < 0.001;
	}
	ok(below < all * 126 / 1000 * 14 / 10);
	ok(below > all * 126 / 1000 * 7 / 10);
}

/* ---- many ---- */

static struct trace_report_monitor lock(const char *class_name, uint64_t contended)
{
	return (struct trace_report_monitor){ .class_name = class_name,
					      .contended = { .count = contended } };
}

/* One run a side of N threads of roles, that have run for such milliseconds, and of a lock. */
static void run(struct trace_diff_side *side, const uint64_t *running, size_t n, uint64_t contended)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
	struct trace_report_thread threads[9] = { 0 };
	const struct trace_report_monitor monitor = lock("acme.Lock", contended);
	const struct trace_report report = { .duration_ns = 1000000000,
					     .states_known = true,
					     .threads = threads,
					     .thread_count = n,
					     .monitors = &monitor,
					     .monitor_count = 1 };

	for (size_t i = 0; i < n; i++)
		threads[i] = (struct trace_report_thread){ .name = names[i],
							   .process = "",
							   .kind = "",
							   .running_ns = running[i] * 1000000 };
	ok(trace_diff_side_add(side, &report, &err) == JW_OK);
}

static enum trace_diff_verdict verdict(enum trace_diff_kind kind, const char *label, size_t column)
{
	const struct trace_diff_pair *pair = find(kind, label);

	return pair ? pair->figures[column].verdict : TRACE_DIFF_NOT_KNOWN;
}

enum { RUNNING = 3 /* of a role */, CONTENDED = 0 /* of a lock */ };

/* One thread is 40 times as slow, and varies; of the eight others times are anything from 20 to 40 ms. */
TEST(what_is_far_apart_has_changed_among_many)
{
	static const uint64_t slow[2][5] = { { 21, 45, 32, 20, 23 },
					     { 1295, 1592, 890, 572, 2229 } };

	begin(5);
	for (size_t i = 0; i < 10; i++) {
		uint64_t ms[9] = { slow[i % 2][i / 2] };

		for (size_t k = 1; k < 9; k++)
			ms[k] = 20 + (i / 2 * 7 + k * 5 + i / 2 * k) % 20;
		run(&sides[i % 2], ms, 9, 3);
	}
	compare();
	is_int(verdict(TRACE_DIFF_ROLE, "a", RUNNING), TRACE_DIFF_CHANGED);
	is_int(diff.changed[TRACE_DIFF_ROLE][RUNNING], 1);
	is_int(diff.few, 0);
	end();
}

/* Sides that just do not overlap: alone that is no chance, with six others nobody can tell from 5 runs. */
TEST(too_few_runs_for_so_many)
{
	for (size_t n = 1; n <= 9; n += 8) {
		begin(5);
		for (size_t i = 0; i < 10; i++) {
			uint64_t ms[9] = { (i % 2 ? 57 : 20) + 9 * (i / 2) };

			for (size_t k = 1; k < 9; k++)
				ms[k] = 20 + (i / 2 * 7 + k * 5 + i / 2 * k) % 20;
			run(&sides[i % 2], ms, n, 3);
		}
		compare();
		is_int(verdict(TRACE_DIFF_ROLE, "a", RUNNING),
		       n == 1 ? TRACE_DIFF_CHANGED : TRACE_DIFF_FEW);
		is_int(diff.few, n > 1);
		ok(n == 1 || find(TRACE_DIFF_ROLE, "a")->unjudged);
		end();
	}
}

/* Threads meet by chance: twice the root of the number is nothing. */
TEST(how_often_threads_meet)
{
	static const uint64_t met[][2][5] = {
		{ { 7, 7, 2, 8, 7 }, { 12, 12, 9, 19, 12 } }, /* one program twice */
		{ { 3, 3, 3, 3, 3 }, { 0, 0, 0, 0, 0 } },
		{ { 7, 7, 2, 8, 7 }, { 32, 30, 29, 39, 31 } },
	};

	for (size_t k = 0; k < 3; k++) {
		begin(5);
		for (size_t i = 0; i < 10; i++)
			run(&sides[i % 2], NULL, 0, met[k][i % 2][i / 2]);
		compare();
		is_int(verdict(TRACE_DIFF_LOCK, "acme.Lock", CONTENDED),
		       k < 2 ? TRACE_DIFF_NOISE : TRACE_DIFF_CHANGED);
		end();
	}
}

/* A family: what it takes of the first depends on how many are left. */
TEST(the_greatest_p_of_a_family)
{
	struct trace_diff_figure f[] = { { .p = 0.02 },
					 { .p = 0.001 },
					 { .p = TRACE_DIFF_UNKNOWN, .large = true },
					 { .p = 0.004 },
					 { .p = TRACE_DIFF_UNKNOWN } };
	struct trace_diff_figure *family[] = { &f[0], &f[1], &f[2], &f[3], &f[4] };

	ok(trace_diff_most_p(family, 5, 0.05) == 0.02);
	struct trace_diff_figure *again[] = { &f[0], &f[1], &f[2], &f[3], &f[4] };

	ok(trace_diff_most_p(again, 5, 0.01) == 0.001);
	ok(trace_diff_most_p(again, 0, 0.01) == TRACE_DIFF_UNKNOWN);
	struct trace_diff_figure *one[] = { &f[0] };

	ok(trace_diff_most_p(one, 1, 0.01) == TRACE_DIFF_UNKNOWN);
}
