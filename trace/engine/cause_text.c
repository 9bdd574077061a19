/*
 * cause_text.c: what explains that a task took longer, in words for people: see engine.h.
 */
#include "trace/engine/engine.h"

#include "base/banned.h"

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

void trace_cause_put(struct jw_buf *out, const struct trace_cause *c)
{
	static const char *const words[TRACE_CAUSES] = {
		[TRACE_CAUSE_SKEW] = "skew",   [TRACE_CAUSE_GC] = "garbage collection",
		[TRACE_CAUSE_SPILL] = "spill", [TRACE_CAUSE_FETCH] = "fetch wait",
		[TRACE_CAUSE_LOCK] = "lock",   [TRACE_CAUSE_DISK] = "slow disk",
		[TRACE_CAUSE_WAIT] = "waits",  [TRACE_CAUSE_IO] = "I/O",
		[TRACE_CAUSE_CPU] = "no CPU",  [TRACE_CAUSE_RUN] = "running",
	};

	jw_put_fmt(out, "%s: ", words[c->kind]);
	if (c->kind == TRACE_CAUSE_SKEW)
		jw_put_fmt(out, "%llu %s, median of the others %llu", (unsigned long long)c->value,
			   trace_measure_kinds[c->measure].head, (unsigned long long)c->median);
	else
		jw_put_fmt(out, "%.3f ms, median of the others %.3f ms", ms(c->value),
			   ms(c->median));
	if (*c->of)
		jw_put_fmt(out, ", %s", c->of);
	if (*c->ender)
		jw_put_fmt(out, ", held by %s", c->ender);
	jw_put_fmt(out, " (%.0f %%)", 100 * c->share);
}
