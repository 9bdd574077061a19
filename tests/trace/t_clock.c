#include "tests/tap.h"

#include <string.h>

#include "base/memory.h"
#include "trace/reader/clock.h"
#include "trace/reader/wall.h"

#include "base/banned.h"

static struct trace_points points;
static struct trace_clock clock_;
static struct jw_err err;

static void point(uint64_t tick, uint64_t ns)
{
	struct jwr_clock_point p = { tick, ns, 0 };

	is_int(trace_points_add(&points, &p, &err), JW_OK);
}

static void fit(bool ns_ticks)
{
	trace_clock_free(&clock_);
	is_int(trace_clock_fit(&points, ns_ticks, &clock_, &err), JW_OK);
	jw_mem_free(points.p);
	points = (struct trace_points){ 0 };
}

static int64_t ns(uint64_t tick)
{
	uint32_t hint = 0;

	return trace_clock_ns(&clock_, tick, &hint);
}

static bool near(int64_t got, int64_t want, int64_t room)
{
	if (got >= want - room && got <= want + room)
		return true;
	tap_note("got %lld, want %lld +- %lld", (long long)got, (long long)want, (long long)room);
	return false;
}

static struct jwr_clock_point steady(uint64_t span, uint64_t late_ns, double rate)
{
	const struct jwr_clock_point start = { 5000, 7000, 1000 };
	struct jwr_clock_point late = { 5000 + (uint64_t)((double)late_ns / rate), 7000 + late_ns,
					9 };

	return trace_clock_steady(&start, &late, 5000 + span);
}

/* Readings that differ by what clocks do yield one line; it is as near as it has to be. */
TEST(late_points_are_steady)
{
	static const uint64_t spans[] = { 2000, 900000, 26000000, 777777777, 900000000000 };

	for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		double rate = 0.3846156;
		struct jwr_clock_point a = steady(spans[i], UINT64_C(1000000000), rate);
		double ns = (double)(a.mono_ns - 7000) / (double)(a.tick - 5000) * (double)spans[i];
		double off = ns - (double)spans[i] * rate;

		ok(off < 4097 && off > -4097);
		ok(off * 16384 <= ns + 16384 && -off * 16384 <= ns + 16384);
		ok(a.tick - 5000 >= spans[i] && a.wall_ns == 0);
		for (uint64_t s = 2; i < 4 && s < 4000; s *= 3) {
			struct jwr_clock_point b =
				steady(spans[i], s * UINT64_C(1000000000), rate * (1 + 1e-8));

			ok(a.tick == b.tick && a.mono_ns == b.mono_ns);
		}
	}
	/* what lasts for long is as exact as can be */
	is_int((long)steady(UINT64_C(4000000000000), UINT64_C(3000000000000), 0.5).mono_ns,
	       3000000007000);
}

/* The middle one of five at each end counts: one that was late moves nothing. */
TEST(the_wall_clock_at_both_ends)
{
	struct jwr_clock_point p[12];
	const struct jwr_clock_point start = { .mono_ns = 7, .wall_ns = 1007 };
	struct trace_instant ends[2];

	for (uint64_t i = 0; i < 12; i++) /* from the end on, which must not matter */
		p[11 - i] = (struct jwr_clock_point){ .mono_ns = 100 + i, .wall_ns = 5100 + 3 * i };
	p[11].wall_ns += 900;
	p[0].wall_ns += 900;
	p[5].wall_ns = 0; /* unknown */
	trace_wall_ends(p, 12, &start, ends);
	is_int(ends[0].mono, 103);
	is_int(ends[0].offset, 5000 + 6);
	is_int(ends[1].mono, 109);
	is_int(ends[1].offset, 5000 + 18);
	trace_wall_ends(p, 1, &start, ends);
	is_int(ends[0].mono, 7);
	is_int(ends[1].offset, 1000);
}

TEST(two_points_make_a_line)
{
	point(1000, 5000000);
	point(1000 + 2600000000, 5000000 + 1000000000);
	fit(false);
	ok(clock_.rate_known);
	is_int(ns(1000), 5000000);
	is_int(ns(1000 + 2600000000), 1005000000);
	ok(near(ns(1000 + 1300000000), 505000000, 1));
	ok(near(ns(1000 + 5200000000), 2005000000, 2)); /* beyond */
	ok(near(ns(0), 5000000 - 384, 1));              /* before */
}

TEST(one_point_or_none)
{
	point(1000, 5000000);
	fit(false);
	ok(!clock_.rate_known);
	is_int(ns(1000), 5000000);
	is_int(ns(1500), 5000500);
	is_int(ns(900), 4999900);
	fit(false);
	is_int(ns(10), 10);
	point(1000, 5000);
	point(1000, 6000);
	fit(false);
	ok(!clock_.rate_known);
}

TEST(ticks_may_be_nanoseconds)
{
	point(1000, 1003);
	point(2000000000, 2000000099);
	fit(true);
	is_int(ns(1000), 1000);
	is_int(ns(123456789), 123456789);
}

/* Drift: the rate falls by 50 ppm half way. Points every 100 us, each up to 300 ns late. */
TEST(drift_and_noise)
{
	const uint64_t half = UINT64_C(5000000000); /* ticks of 2 GHz: 2.5 s */

	for (uint64_t t = 0; t <= 2 * half; t += 200000) {
		double slow = t > half ? (double)(t - half) * 0.5 * 50e-6 : 0;

		point(t,
		      UINT64_C(1000000000) + (uint64_t)((double)t * 0.5 - slow) + tap_below(300));
	}
	fit(false);
	ok(clock_.count > 100 && clock_.count <= TRACE_CLOCK_KNOTS);
	is_int(clock_.dropped, 0);
	for (uint64_t t = 0; t <= 2 * half; t += 7654321) {
		double slow = t > half ? (double)(t - half) * 0.5 * 50e-6 : 0;

		if (!ok(near(ns(t), 1000000150 + (int64_t)((double)t * 0.5 - slow), 400)))
			break;
	}
}

TEST(a_preempted_reading_is_no_bend)
{
	for (uint64_t i = 0; i <= 100; i++)
		point(i * 40000000, 1000 + i * 20000000 + (i == 37 || i == 70 ? 8000000 : 0));
	fit(false);
	for (uint64_t i = 0; i <= 200; i++)
		ok(near(ns(i * 20000000), (int64_t)(1000 + i * 10000000), 2));
}

TEST(wild_points_are_dropped)
{
	for (uint64_t i = 0; i <= 100; i++)
		point(1000000 + i * 40000000, 1000 + i * 20000000);
	point(UINT64_MAX, 5);
	point(3, UINT64_C(1) << 57);
	point(UINT64_C(1) << 60, 12345);
	point(7, UINT64_MAX);
	fit(false);
	is_int(clock_.dropped, 4);
	ok(near(ns(1000000 + UINT64_C(77) * 40000000), 1000 + 77 * 20000000, 2));
}

/* Where the machine was suspended, or moved, ticks jump; the clock of the system is right. */
TEST(ticks_that_jump)
{
	static const uint64_t jumps[] = { UINT64_C(1000000000), UINT64_C(100000000000),
					  UINT64_C(1) << 60 };

	for (size_t j = 0; j < sizeof(jumps) / sizeof(*jumps); j++) {
		for (uint64_t i = 0; i <= 50; i++) /* every 10 ms */
			point(1000 + i * 20000000 + (i > 25 ? jumps[j] : 0), 5000 + i * 10000000);
		fit(false);
		is_int(clock_.steps, 1);
		is_int(clock_.dropped, 0);
		for (uint64_t i = 0; i <= 50; i++)
			ok(near(ns(1000 + i * 20000000 + (i > 25 ? jumps[j] : 0)),
				(int64_t)(5000 + i * 10000000), 2));
		/* between the points: half of the time is before the jump, half after it */
		ok(near(ns(1000 + 25 * 20000000 + 8000000), 5000 + 250000000 + 4000000, 2));
		ok(near(ns(1000 + 25 * 20000000 + 18000000), 5000 + 250000000 + 5000000, 2));
		ok(near(ns(1000 + 26 * 20000000 - 8000000 + jumps[j]), 5000 + 260000000 - 4000000,
			2));
		ok(ns(1000 + 26 * 20000000 - 18000000 + jumps[j]) <= 5000 + 256000000);
	}
}

/* So few are there of a short run; and the ticks of a machine that stood still while its clock went on. */
TEST(few_points_and_jumps)
{
	point(1000, 5000);
	point(1000 + 60000000, 5000 + 30000000);
	point(1000 + 200000000, 5000 + 100000000);
	point(1000 + 260000000 + UINT64_C(10000000000), 5000 + 130000000);
	point(1000 + 400000000 + UINT64_C(10000000000), 5000 + 200000000);
	fit(false);
	is_int(clock_.steps, 1);
	ok(near(ns(1000 + 100000000), 5000 + 50000000, 2));
	ok(near(ns(1000 + 300000000 + UINT64_C(10000000000)), 5000 + 150000000, 2));
	for (uint64_t i = 0; i <= 20; i++)
		point(1000 + i * 20000000, 5000 + i * 10000000 + (i > 9 ? 3000000000 : 0));
	fit(false);
	is_int(clock_.steps, 1);
	is_int(clock_.dropped, 0);
	ok(near(ns(1000 + 10 * 20000000), 5000 + 3100000000, 2));
	ok(near(ns(1000 + 20 * 20000000), 5000 + 3200000000, 2));
	for (uint64_t i = 0; i < 40; i++) /* too many: no counter does this */
		point(1000 + i * 20000000 + i / 4 * UINT64_C(10000000000), 5000 + i * 10000000);
	fit(false);
	is_int(clock_.steps, 0);
}

/* A wild point is none, nor are some; a jump beside them is. */
TEST(wild_points_do_not_jump)
{
	for (uint64_t i = 0; i <= 100; i++)
		point(1000000 + i * 40000000 + (i > 70 ? UINT64_C(1) << 40 : 0),
		      1000 + i * 20000000);
	point(1000000 + 33 * 40000000 + 5, UINT64_C(1) << 50);
	point(1000000 + 50 * 40000000 + 5, 7);
	point(UINT64_C(1) << 60, 12345);
	point(3, UINT64_C(1) << 57);
	fit(false);
	is_int(clock_.steps, 1);
	is_int(clock_.dropped, 4);
	ok(near(ns(1000000 + UINT64_C(50) * 40000000), 1000 + UINT64_C(50) * 20000000, 2));
	ok(near(ns(1000000 + UINT64_C(77) * 40000000 + (UINT64_C(1) << 40)),
		1000 + UINT64_C(77) * 20000000, 2));
}

TEST(time_never_falls)
{
	for (int round = 0; round < 200; round++) {
		uint32_t hint = 0, n = tap_below(40);
		uint64_t tick = tap_random() >> tap_below(64);
		int64_t before = INT64_MIN;

		for (uint32_t i = 0; i < n; i++)
			point(tap_random() >> tap_below(64), tap_random() >> tap_below(64));
		fit(round % 3 == 0);
		ok(clock_.count >= 1 && clock_.count <= TRACE_CLOCK_KNOTS);
		for (int i = 0; i < 200; i++) {
			int64_t now = trace_clock_ns(&clock_, tick, &hint);

			if (!ok(now >= before))
				return;
			before = now;
			if (__builtin_add_overflow(tick, tap_random() >> (20 + tap_below(44)),
						   &tick))
				break;
		}
	}
}

TEST(no_memory)
{
	for (long n = 0; n < 3; n++) {
		point(1, 1);
		point(1000000, 1000000);
		jw_mem_fail_after(n);
		struct trace_clock c = { 0 };
		enum jw_status status = trace_clock_fit(&points, false, &c, &err);

		bool failed = jw_mem_fail_after(-1);
		/* room that it cannot give back it keeps: the third is that */
		is_int(status, failed && n < 2 ? JW_NOMEM : JW_OK);
		trace_clock_free(&c);
		jw_mem_free(points.p);
		points = (struct trace_points){ 0 };
	}
}
