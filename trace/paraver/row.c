/*
 * row.c: the .row: names of CPUs, nodes, threads, and of tasks where there are several. After
 * "LEVEL x SIZE n" come exactly n lines, so no name may hold a line end or be empty.
 */
#include "trace/names/label.h"
#include "trace/paraver/pcf.h"
#include "trace/paraver/row.h"
#include "trace/replay/world.h"

#include "base/banned.h"

static void put_level(struct jw_buf *out, const char *level, size_t n)
{
	jw_put_fmt(out, "LEVEL %s SIZE %zu\n", level, n);
}

static int digits(size_t n)
{
	int d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

static void put_cpus(struct jw_buf *out, const struct trace_world *w)
{
	size_t cpu = 0;

	put_level(out, "CPU", w->shown_count);
	for (size_t node = 0; node < w->node_count; node++) {
		for (uint32_t i = 0; i < w->node_cpus[node]; i++) {
			jw_put_fmt(out, "%0*zu.", digits(w->shown_count), ++cpu);
			trace_put_name(out, jw_span_str(w->nodes[node]), TRACE_MAX_LABEL);
			jw_put_str(out, "\n");
		}
	}
	jw_put_str(out, "\n");
	put_level(out, "NODE", w->node_count);
	for (size_t node = 0; node < w->node_count; node++) {
		size_t before = out->n;

		trace_put_name(out, jw_span_str(w->nodes[node]), TRACE_MAX_LABEL);
		if (out->n == before)
			jw_put_fmt(out, "NODE %zu", node + 1);
		jw_put_str(out, "\n");
	}
	jw_put_str(out, "\n");
}

static void put_tasks(struct jw_buf *out, const struct trace_world *w)
{
	put_level(out, "TASK", w->task_count);
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_task *t = &w->tasks[i];

		trace_put_name(out, jw_span_str(w->nodes[t->node]), TRACE_MAX_LABEL);
		if (t->rec.has_rank)
			jw_put_fmt(out, " rank %llu", (unsigned long long)t->rec.rank);
		jw_put_fmt(out, ":%llu\n", (unsigned long long)t->rec.pid);
	}
	jw_put_str(out, "\n");
}

void trace_put_rows(struct jw_buf *out, const struct trace_world *w)
{
	if (w->resources)
		put_cpus(out, w);
	if (w->task_count > 1)
		put_tasks(out, w);
	put_level(out, "THREAD", w->shown_count);
	for (size_t i = 0; i < w->shown_count; i++) {
		const struct trace_row *row = w->shown[i];
		size_t before = out->n;

		trace_put_name(out, jw_span_str(row->name), TRACE_MAX_LABEL);
		if (out->n == before)
			jw_put_fmt(out, "THREAD 1.%u.%u", row->task->number, row->number);
		jw_put_str(out, "\n");
	}
}
