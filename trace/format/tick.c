#include "trace/format/tick.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
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

enum trace_ticks trace_ticks_choose(void)
{
#if defined(__x86_64__)
	if (tsc_invariant() && kernel_trusts_tsc())
		return TRACE_TICKS_TSC;
#elif defined(__aarch64__)
	return TRACE_TICKS_CNTVCT;
#endif
	return TRACE_TICKS_MONOTONIC;
}

const char *trace_ticks_name(enum trace_ticks clock)
{
	static const char *const names[] = {
		[TRACE_TICKS_MONOTONIC] = "monotonic",
		[TRACE_TICKS_TSC] = "tsc",
		[TRACE_TICKS_CNTVCT] = "cntvct",
	};

	return names[clock];
}

struct jwr_clock_point trace_tick_point(enum trace_ticks clock, int tries)
{
	struct jwr_clock_point best = { 0 };
	uint64_t best_width = UINT64_MAX;

	for (int i = 0; i < tries || i == 0; i++) {
		uint64_t before = trace_tick_now(clock), mono = trace_ns_of(CLOCK_MONOTONIC);
		uint64_t wall = trace_ns_of(CLOCK_REALTIME), width = trace_tick_now(clock) - before;

		if (width >= best_width && i)
			continue;
		best_width = width;
		/* the monotonic clock is read at about a third of the whole; aim between it and the
		 * wall's */
		best = (struct jwr_clock_point){ before + width / 2, mono, wall };
	}
	return best;
}

/* ---- the machine, as long as it runs ---- */

#define SLEEP_NOISE_NS UINT64_C(1000000)    /* between the readings of two clocks */
#define WALL_STEP_NS   INT64_C(60000000000) /* what the wall clock may have been set by */

struct trace_boot trace_boot_now(void)
{
	struct trace_boot boot = { 0 };
	struct stat st;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, boot.id, sizeof(boot.id) - 1);

	if (fd >= 0)
		close(fd);
	boot.id[n > 0 ? (size_t)n : 0] = '\0';
	boot.id[strcspn(boot.id, "\n")] = '\0';
	boot.time_namespace = stat("/proc/self/ns/time", &st) == 0 ? st.st_ino : 0;
#ifdef CLOCK_BOOTTIME
	uint64_t mono = trace_ns_of(CLOCK_MONOTONIC), all = trace_ns_of(CLOCK_BOOTTIME);

	boot.slept_ns = all > mono ? all - mono : 0;
#endif
	return boot;
}

bool trace_is_one_boot(const struct trace_boot *a, const struct trace_boot *b)
{
	return strcmp(a->id, b->id) == 0 &&
	       (!a->time_namespace || !b->time_namespace || a->time_namespace == b->time_namespace);
}

static int64_t wall_ahead(const struct jwr_clock_point *p)
{
	return (int64_t)(p->wall_ns - p->mono_ns);
}

bool trace_tick_late(const char *name, const struct trace_boot *boot,
		     const struct jwr_clock_point *start, struct jwr_clock_point *out)
{
	enum trace_ticks clock = trace_ticks_choose();
	struct trace_boot here = trace_boot_now();
	uint64_t apart = here.slept_ns > boot->slept_ns ? here.slept_ns - boot->slept_ns
							: boot->slept_ns - here.slept_ns;

	if (!boot->id[0] || !trace_is_one_boot(boot, &here) || apart > SLEEP_NOISE_NS ||
	    strcmp(trace_ticks_name(clock), name) != 0)
		return false;
	struct jwr_clock_point p = trace_tick_point(clock, 9);
	int64_t step = wall_ahead(&p) - wall_ahead(start);

	if (p.tick <= start->tick || p.mono_ns <= start->mono_ns || step > WALL_STEP_NS ||
	    step < -WALL_STEP_NS)
		return false;
	*out = p;
	return true;
}
