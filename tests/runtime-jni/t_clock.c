/* The recorder's clock: it moves forward at the rate that its points say. */
#include <string.h>
#include <time.h>

#include "runtime-jni/clock.h"
#include "tests/tap.h"

#include "base/banned.h"

TEST(ticks_never_go_back)
{
	enum rt_clock clock = rt_clock_choose();
	uint64_t last = rt_now(clock);
	int back = 0;

	for (int i = 0; i < 200000; i++) {
		uint64_t now = rt_now(clock);

		back += now < last;
		last = now;
	}
	is_int(back, 0);
	tap_note("the clock is %s", rt_clock_name(clock));
}

TEST(every_clock_has_a_name)
{
	is_str(rt_clock_name(RT_CLOCK_TSC), "tsc");
	is_str(rt_clock_name(RT_CLOCK_CNTVCT), "cntvct");
	is_str(rt_clock_name(RT_CLOCK_MONOTONIC), "monotonic");
}

/* Three points, 20 ms apart: the two rates that they give agree within two percent. */
TEST(points_agree_on_a_rate)
{
	enum rt_clock clock = rt_clock_choose();
	struct timespec pause = { .tv_nsec = 20000000 };
	struct jwr_clock_point p[3];

	for (int i = 0; i < 3; i++) {
		p[i] = rt_clock_point(clock, 9);
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
	struct jwr_clock_point p = rt_clock_point(RT_CLOCK_MONOTONIC, 3);

	ok(p.tick >= p.mono_ns - 1000000 && p.tick <= p.mono_ns + 1000000);
}
