#include "runtime-jni/clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/banned.h"

#if defined(__x86_64__)
/* CPUID 80000007h EDX bit 8: the counter runs at one rate in all power states. */
static bool tsc_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
}

/* The kernel watches the counters of all processors and falls back when they disagree. */
static bool kernel_trusts_tsc(void)
{
	char text[16];
	int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		      O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	return n >= 3 && !memcmp(text, "tsc", 3) && (n == 3 || text[3] == '\n');
}
#endif

enum rt_clock rt_clock_choose(void)
{
#if defined(__x86_64__)
	if (tsc_invariant() && kernel_trusts_tsc())
		return RT_CLOCK_TSC;
#elif defined(__aarch64__)
	return RT_CLOCK_CNTVCT;
#endif
	return RT_CLOCK_MONOTONIC;
}

const char *rt_clock_name(enum rt_clock clock)
{
	static const char *const names[] = {
		[RT_CLOCK_MONOTONIC] = "monotonic",
		[RT_CLOCK_TSC] = "tsc",
		[RT_CLOCK_CNTVCT] = "cntvct",
	};

	return names[clock];
}

struct jwr_clock_point rt_clock_point(enum rt_clock clock, int tries)
{
	struct jwr_clock_point best = { 0 };
	uint64_t best_width = UINT64_MAX;

	for (int i = 0; i < tries || i == 0; i++) {
		uint64_t before = rt_now(clock), mono = rt_ns(CLOCK_MONOTONIC);
		uint64_t wall = rt_ns(CLOCK_REALTIME), width = rt_now(clock) - before;

		if (width >= best_width && i)
			continue;
		best_width = width;
		/* the monotonic clock is read at about a third of the whole; aim between it and the
		 * wall's */
		best = (struct jwr_clock_point){ before + width / 2, mono, wall };
	}
	return best;
}
