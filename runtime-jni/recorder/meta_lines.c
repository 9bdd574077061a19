#include "runtime-jni/recorder/meta_lines.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/meta.h"

#include "base/banned.h"

void rt_line_thread(uint32_t uid, uint64_t start, uint64_t first, const char *flags,
		    const struct rt_thread_info *info)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "thread");
	rt_meta_number(&line, uid);
	rt_meta_number(&line, start);
	rt_meta_number(&line, first);
	rt_meta_number(&line, (uint64_t)syscall(SYS_gettid));
	rt_meta_number(&line, (uint64_t)info->java_id);
	rt_meta_text(&line, flags);
	rt_meta_text(&line, info->name);
	rt_meta_end(&line);
}

/* 0: the thread is gone, or there is no such clock. */
static uint64_t cpu_ns(clockid_t clock)
{
	struct timespec t;

	if (!clock || clock_gettime(clock, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t thread_ns(const struct rt_cpu *cpu)
{
	uint64_t ns = cpu_ns(cpu->clock);

	return ns > cpu->before ? ns - cpu->before : 0;
}

void rt_line_thread_named(const char *item, uint32_t uid, uint64_t tick, const char *name,
			  const struct rt_cpu *cpu)
{
	uint64_t ns = cpu ? thread_ns(cpu) : 0;
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, item);
	rt_meta_number(&line, uid);
	rt_meta_number(&line, tick);
	rt_meta_text(&line, name);
	if (ns)
		rt_meta_number(&line, ns);
	rt_meta_end(&line);
}

void rt_line_lost(uint32_t uid, uint64_t count)
{
	struct jw_buf line = { 0 };

	if (!count)
		return;
	rt_meta_begin(&line, "lost");
	rt_meta_number(&line, uid);
	rt_meta_number(&line, count);
	rt_meta_end(&line);
}

void rt_line_class(uint32_t number, const char *name)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "class");
	rt_meta_number(&line, number);
	rt_meta_text(&line, name);
	rt_meta_end(&line);
}

void rt_line_place(uint32_t number, const char *class, const char *method, const char *source,
		   uint32_t line_number, const char *does)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "place");
	rt_meta_number(&line, number);
	rt_meta_text(&line, class);
	rt_meta_text(&line, method);
	rt_meta_text(&line, source);
	rt_meta_number(&line, line_number);
	if (does)
		rt_meta_text(&line, does);
	rt_meta_end(&line);
}

static void put_cpu(const char *item, uint64_t of, uint64_t ns)
{
	struct jw_buf line = { 0 };

	if (!ns)
		return;
	rt_meta_begin(&line, item);
	rt_meta_number(&line, of);
	rt_meta_number(&line, ns);
	rt_meta_end(&line);
}

void rt_line_thread_cpu(uint32_t uid, const struct rt_cpu *cpu)
{
	put_cpu("thread-cpu", uid, thread_ns(cpu));
}

uint64_t rt_process_cpu(void)
{
	return cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void rt_line_cpu(uint64_t tick)
{
	put_cpu("cpu", tick, rt_process_cpu());
}

void rt_line_text(uint64_t number, const char *text)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "text");
	rt_meta_number(&line, number);
	rt_meta_text(&line, text);
	rt_meta_end(&line);
}

void rt_line_virtual(const char *item, uint64_t id, const char *name)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, item);
	rt_meta_number(&line, id);
	rt_meta_text(&line, name);
	rt_meta_end(&line);
}

void rt_line_held(uint64_t waiter, uint64_t tick, uint64_t holder)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "held");
	rt_meta_number(&line, waiter);
	rt_meta_number(&line, tick);
	rt_meta_number(&line, holder);
	rt_meta_end(&line);
}

void rt_line_event_label(uint32_t type, int64_t value, const char *label)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, value < 0 ? "event-label" : "event-value");
	rt_meta_number(&line, type);
	if (value >= 0)
		rt_meta_number(&line, (uint64_t)value);
	rt_meta_text(&line, label);
	rt_meta_end(&line);
}

void rt_line_data(uint64_t bytes)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, "data");
	rt_meta_number(&line, bytes);
	rt_meta_end(&line);
}

void rt_line_tick(const char *item, uint64_t tick, const char *text)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, item);
	rt_meta_number(&line, tick);
	rt_meta_text(&line, text);
	rt_meta_end(&line);
}

/* For the reader of a recording whose process was killed: may it still read the same clocks? */
static void put_boot(void)
{
	struct trace_boot boot = trace_boot_now();
	struct jw_buf line = { 0 };

	if (!boot.id[0])
		return;
	rt_meta_begin(&line, "boot");
	rt_meta_text(&line, boot.id);
	rt_meta_number(&line, boot.slept_ns);
	if (boot.time_namespace)
		rt_meta_number(&line, boot.time_namespace);
	rt_meta_end(&line);
}

static bool is_number(const char *text)
{
	return text && *text >= '0' && *text <= '9';
}

/* Which of how many the launcher says that this process is. */
static void put_rank(void)
{
	/* SLURM_NTASKS would be of the whole job, also where one process alone was started in it */
	static const struct {
		const char *rank, *count;
	} known[] = {
		{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
		{ "PMIX_RANK", NULL },
		{ "PMI_RANK", "PMI_SIZE" },
		{ "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE" },
		{ "SLURM_PROCID", "SLURM_STEP_NUM_TASKS" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *rank = getenv(known[i].rank);
		const char *count = known[i].count ? getenv(known[i].count) : NULL;
		struct jw_buf line = { 0 };

		if (!is_number(rank))
			continue;
		rt_meta_begin(&line, "rank");
		rt_meta_text(&line, rank);
		if (is_number(count))
			rt_meta_text(&line, count);
		rt_meta_end(&line);
		return;
	}
}

void rt_lines_process(enum trace_ticks clock, uint64_t max_bytes, uint64_t floor)
{
	struct jw_buf line = { 0 };
	char host[256];

	rt_meta_item("clock", trace_ticks_name(clock));
	put_boot();
	rt_host_name(host, sizeof(host));
	rt_meta_item("host", host);
	rt_meta_begin(&line, "pid");
	rt_meta_number(&line, (uint64_t)getpid());
	rt_meta_end(&line);
	put_rank();
	rt_meta_begin(&line, "limit");
	rt_meta_number(&line, max_bytes);
	rt_meta_number(&line, floor);
	rt_meta_end(&line);
}
