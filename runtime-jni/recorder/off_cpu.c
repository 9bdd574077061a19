/*
 * off_cpu.c: see off_cpu.h.
 */
#include "runtime-jni/recorder/off_cpu.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/slots.h"
#include "runtime-jni/recorder/state.h"
#include "trace/format/tick.h"

#include "base/banned.h"

/* A busy thread fills a window in 100 us, and to ask for its CPU time takes 0.2 us or more. */
#define MARK_EVERY_NS UINT64_C(10000000)
#define LEAST_NS      100000.0

static void mark(struct rt_slot *slot, uint64_t now, uint64_t cpu_ns)
{
	slot->mark = (struct rt_cpu_mark){ cpu_ns, now, atomic_load(&rt_recorder.pauses) };
}

void rt_off_cpu_begins(struct rt_slot *slot, uint64_t cpu_ns)
{
	mark(slot, slot->window->began.mono_ns, cpu_ns);
}

void rt_off_cpu_window(struct rt_slot *slot)
{
	uint64_t began = slot->window->began.mono_ns;

	if (began - slot->mark.at >= MARK_EVERY_NS)
		mark(slot, began, trace_ns_of(CLOCK_THREAD_CPUTIME_ID));
}

void rt_off_cpu_mark(void)
{
	if (rt_tls.slot)
		mark(rt_tls.slot, trace_ns_of(CLOCK_MONOTONIC),
		     trace_ns_of(CLOCK_THREAD_CPUTIME_ID));
}

uint64_t rt_off_cpu_since(void)
{
	const struct rt_slot *slot = rt_tls.slot;
	const struct jwr_window *w = rt_tls.window;

	if (!slot || w != slot->window || w == &slot->none ||
	    slot->mark.pauses != atomic_load(&rt_recorder.pauses))
		return 0;
	struct jwr_clock_point now = trace_tick_point(rt_recorder.clock, 1);
	uint64_t last = w->began.tick, cpu = trace_ns_of(CLOCK_THREAD_CPUTIME_ID);

	if (w->cursor > JWR_HEADER_SIZE)
		last = ((const struct jwr_record *)(const void *)((const char *)w + w->cursor) - 1)
			       ->tick;
	if (now.tick <= last || now.tick <= w->began.tick || cpu < slot->mark.ns)
		return 0;
	double ns_a_tick =
		(double)(now.mono_ns - w->began.mono_ns) / (double)(now.tick - w->began.tick);
	double off = (double)(now.tick - last) * ns_a_tick - (double)(cpu - slot->mark.ns);

	return off < LEAST_NS ? 0 : now.tick - (uint64_t)(off / ns_a_tick);
}
