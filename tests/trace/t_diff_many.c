/*
 * t_diff_many.c: what of many figures is a change, and what is chance.
 */
#include <stdio.h>

#include "tests/tap.h"
#include "tests/trace/make_sides.h"
#include "trace/format/recording.h"
#include "trace/report/report.h"

#include "base/banned.h"

/* ---- one figure ---- */

static struct jw_arena arena;
static struct trace_rank rank;

static void open_rank(size_t n, size_t m)
{
	ok(trace_rank_open(&rank, &arena, n, m));
}

static double chance(size_t n, const double *a, const double *b)
{
	open_rank(n, n);
	double p = trace_rank_chance(&rank, a, b);

	jw_arena_free(&arena);
	return p;
}

static bool is_near(double is, double want)
{
	return is > want * 0.99 && is < want * 1.01;
}

/* By hand: 4 and 4 runs that are apart in 2 of 70 cases are so by two clusters, of which each has a half of all
 * figures, in 2 of 256; or all are in one (2 of 256) of which the same holds. */
TEST(sides_that_are_far_apart)
{
	static const double two[] = { 2, 2, 2, 2 }, three[] = { 3, 3, 3, 3 },
			    touch[] = { 2, 3, 3, 3 };
	static const double thousand[] = { 1000, 1000, 1000, 1000 };
	static const double some[] = { 2000, 2100, 2300, 2500 };
	static const double near[] = { 2700, 2800, 2900, 3000 };

	ok(is_near(chance(4, two, three), 2.0 / 70)); /* a step is as wide as a side */
	ok(chance(4, two, touch) > 2.0 / 70);
	ok(is_near(chance(4, thousand, some), 2.0 / 254));
	ok(is_near(chance(4, some, thousand), 2.0 / 254));
	ok(is_near(chance(4, some, near), 2.0 / 70));
	open_rank(4, 3);
	ok(is_near(trace_rank_chance(&rank, thousand, some), 2.0 / 126));
	jw_arena_free(&arena);
}

/* Of 5 and 5 runs, of which the slow ones differ by more than they are from the others. */
TEST(a_share_is_as_wide_everywhere)
{
	static const double a[] = { 20e6, 21e6, 23e6, 32e6, 45e6 };
	static const double b[] = { 572e6, 890e6, 1295e6, 1592e6, 2229e6 };

	ok(is_near(chance(5, a, b), 2.0 / 1022));
	ok(is_near(chance(5, b, a), 2.0 / 1022));
}

/* One of two figures each time, or all of a range: p is no less than so often. */
TEST(chance_is_chance)
{
	size_t below[2] = { 0 }, all = 20000;

	for (size_t i = 0; i < 2 * all; i++) {
		double v[8];

		for (size_t k = 0; k < 8; k++)
			v[k] = 1000 + (double)(i % 2 ? tap_below(1000)
						     : tap_below(2) * 500 + tap_below(9));
		trace_rank_median(v, 4);
		trace_rank_median(v + 4, 4);
		below[i % 2] += chance(4, v, v + 4) < 0.01;
	}
	ok(below[0] < all * 8 / 1000 * 12 / 10);
	ok(below[0] > all * 8 / 1000 * 8 / 10);
	ok(below[1] < below[0]);
}

TEST(splits_of_runs)
{
	static const double a[] = { 10, 40, 12 }, b[] = { 45, 41 };
	struct trace_rank_split splits[2];

	open_rank(3, 2);
	trace_rank_splits(&rank, a, b, splits);
	is_int((long)splits[0].runs[0], 1 | 4 | 2); /* the lowest three are A: 10, 12, 40 */
	ok(is_near(splits[0].gap, 1.0 / 31));
	ok(splits[0].low == 12 && splits[0].high == 43);
	is_int((long)splits[1].runs[0], 2 | 8 | 16); /* the lowest two are B */
	ok(is_near(splits[1].gap, 28.0 / 6) && splits[1].low == 11 && splits[1].high == 41);
	static const double same[] = { 7, 7, 7 };

	trace_rank_splits(&rank, same, same, splits);
	ok(splits[0].gap == 0 && splits[1].gap == 0);
	jw_arena_free(&arena);
}

/* ---- many ---- */

static struct trace_report_monitor lock(const char *class_name, uint64_t contended)
{
	return (struct trace_report_monitor){ .class_name = class_name,
					      .contended = { .count = contended } };
}

/* The lock of a class that is being initialized is shown as in reports. */
TEST(the_lock_of_an_initialization)
{
	const struct trace_report_monitor monitor = lock(JWR_INIT_LOCK, 3);
	const struct trace_report report = { .duration_ns = 1000000000,
					     .monitors = &monitor,
					     .monitor_count = 1 };

	begin(1);
	for (size_t i = 0; i < 2; i++)
		ok(trace_diff_side_add(&sides[i], &report, &err) == JW_OK);
	compare();
	ok(find(TRACE_DIFF_LOCK, "a class that is being initialized"));
	end();
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

/* Sides that are apart: alone that is no chance. Beside others that any halves of the runs are further apart by, nobody can
 * tell from 5 runs. */
TEST(too_few_runs_for_so_many)
{
	for (size_t n = 1; n <= 9; n += 8) {
		begin(5);
		for (size_t i = 0; i < 10; i++) {
			uint64_t ms[9] = { (i % 2 ? 57 : 20) + 9 * (i / 2) };

			for (size_t k = 1; k < 9; k++)
				ms[k] = ((i + k) * (k + 1) / 3 % 10 < 5 ? 20 : 90) + i;
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

/* Each time is one of two, as likely as the other: of 100 comparisons of 9, not more than five may be wrong. */
TEST(figures_that_are_one_of_two)
{
	size_t wrong = 0, all = 400;

	for (size_t k = 0; k < all; k++) {
		begin(4);
		for (size_t i = 0; i < 8; i++) {
			uint64_t ms[9];

			for (size_t t = 0; t < 9; t++)
				ms[t] = 400 + tap_below(2) * 100 + tap_below(5);
			run(&sides[i % 2], ms, 9, 3);
		}
		compare();
		wrong += diff.changed[TRACE_DIFF_ROLE][RUNNING] > 0;
		end();
	}
	ok(wrong > 0);
	ok(wrong < all * 5 / 100);
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
TEST(the_p_of_a_family)
{
	const struct trace_diff d = { .least = 0.002 };
	struct trace_diff_figure f[] = { { .p = 0.02 },
					 { .p = 0.001 },
					 { .p = TRACE_DIFF_UNKNOWN, .large = true },
					 { .p = 0.004 },
					 { .p = TRACE_DIFF_UNKNOWN } };
	struct trace_diff_figure *family[] = { &f[0], &f[1], &f[2], &f[3], &f[4] };

	ok(trace_diff_family(&d, family, 5, &err) == JW_OK);
	ok(is_near(f[0].asked, 0.04) && is_near(f[1].asked, 0.008) && is_near(f[3].asked, 0.012));
	ok(f[2].asked == TRACE_DIFF_UNKNOWN && f[4].asked == TRACE_DIFF_UNKNOWN);
	/* sides that are apart: p of those that are far apart, too, is that of their order, but alone */
	ok(trace_diff_family(&d, family, 1, &err) == JW_OK && is_near(family[0]->asked, 0.001));
	/* ... or on how many splits of the runs have as wide a gap, of any figure; but p is no less than by itself */
	f[0].gap = 2;
	f[2].splits[0] = (struct trace_rank_split){ .runs = { 3 }, .gap = 3 };
	f[3].splits[0] = (struct trace_rank_split){ .runs = { 3 }, .gap = 4 };
	f[4].splits[1] = (struct trace_rank_split){ .runs = { 3, 1 }, .gap = 2 };
	f[0].splits[0] = (struct trace_rank_split){ .runs = { 5 }, .gap = 1.9 };
	ok(trace_diff_family(&d, family, 5, &err) == JW_OK);
	ok(is_near(f[0].asked, 0.02));
	f[0].p = 0.0001;
	ok(trace_diff_family(&d, family, 5, &err) == JW_OK);
	ok(is_near(f[0].asked, 0.002));
	f[0].p = 0.0015;
	ok(trace_diff_family(&d, family, 5, &err) == JW_OK);
	ok(is_near(f[0].asked, 0.002));
	f[4].splits[1].gap = 1.8;
	ok(trace_diff_family(&d, family, 5, &err) == JW_OK);
	ok(is_near(f[0].asked, 0.0015));
}
