/* The recorder's clock: it moves forward at the rate that its points say. */
#include <string.h>
#include <time.h>

#include "tests/tap.h"
#include "trace/format/tick.h"

#include "base/banned.h"

TEST(ticks_never_go_back)
{
	enum trace_ticks clock = trace_ticks_choose();
	uint64_t last = trace_tick_now(clock);
	int back = 0;

	for (int i = 0; i < 200000; i++) {
		uint64_t now = trace_tick_now(clock);

		back += now < last;
		last = now;
	}
	is_int(back, 0);
	tap_note("the clock is %s", trace_ticks_name(clock));
}

TEST(every_clock_has_a_name)
{
	is_str(trace_ticks_name(TRACE_TICKS_TSC), "tsc");
	is_str(trace_ticks_name(TRACE_TICKS_CNTVCT), "cntvct");
	is_str(trace_ticks_name(TRACE_TICKS_MONOTONIC), "monotonic");
}

/* Three points, 20 ms apart: the two rates that they give agree within two percent. */
TEST(points_agree_on_a_rate)
{
	enum trace_ticks clock = trace_ticks_choose();
	struct timespec pause = { .tv_nsec = 20000000 };
	struct jwr_clock_point p[3];

	for (int i = 0; i < 3; i++) {
		p[i] = trace_tick_point(clock, 9);
		nanosleep(&pause, NULL);
	}
	double a = (double)(p[1].tick - p[0].tick) / (double)(p[1].mono_ns - p[0].mono_ns);
	double b = (double)(p[2].tick - p[1].tick) / (double)(p[2].mono_ns - p[1].mono_ns);
	ok(a > 0 && b / a > 0.98 && b / a < 1.02);
	ok(p[2].wall_ns - p[0].wall_ns > 30000000);
	tap_note("%.6f and %.6f ticks a ns", a, b);
}

TEST(the_plain_clock_is_nanoseconds)
{
	struct jwr_clock_point p = trace_tick_point(TRACE_TICKS_MONOTONIC, 3);

	ok(p.tick >= p.mono_ns - 1000000 && p.tick <= p.mono_ns + 1000000);
}

/* A late point is taken for recordings of this boot, and for no others. */
TEST(late_points_are_of_this_boot)
{
	enum trace_ticks clock = trace_ticks_choose();
	const char *name = trace_ticks_name(clock);
	struct jwr_clock_point start = trace_tick_point(clock, 9), late = { 0 };
	struct trace_boot boot = trace_boot_now(), other = boot;

	if (!boot.id[0]) {
		tap_note("no boot id here");
		ok(!trace_tick_late(name, &boot, &start, &late));
		return;
	}
	ok(trace_tick_late(name, &boot, &start, &late));
	ok(late.tick > start.tick && late.mono_ns > start.mono_ns);
	ok(!trace_tick_late("sundial", &boot, &start, &late));
	other.id[0] = other.id[0] == 'x' ? 'y' : 'x';
	ok(!trace_tick_late(name, &other, &start, &late));
	other = boot;
	other.slept_ns += 5000000000; /* the machine slept in between */
	ok(!trace_tick_late(name, &other, &start, &late));
	start.mono_ns += UINT64_C(1000000000000); /* another time namespace */
	ok(!trace_tick_late(name, &boot, &start, &late));
}
