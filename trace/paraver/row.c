/*
 * row.c: the .row: names of CPUs, nodes, threads, of tasks where there are several or their roles
 * are known, and of applications where one has a name. After
 * "LEVEL x SIZE n" come exactly n lines, so no name may hold a line end or be empty.
 */
#include "trace/names/label.h"
#include "trace/names/said_names.h"
#include "trace/output.h"
#include "trace/paraver/prv.h"
#include "trace/paraver/row.h"

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

static void put_cpus(struct jw_buf *out, const struct trace_scene *s)
{
	size_t cpu = 0;

	put_level(out, "CPU", s->thread_count);
	for (uint32_t host = 0; host < s->host_count; host++) {
		for (uint32_t i = trace_prv_cpus_of(s, host); i > 0; i--) {
			jw_put_fmt(out, "%0*zu.", digits(s->thread_count), ++cpu);
			trace_put_name(out, jw_span_str(s->hosts[host]), TRACE_MAX_LABEL);
			jw_put_str(out, "\n");
		}
	}
	jw_put_str(out, "\n");
	put_level(out, "NODE", s->host_count);
	for (uint32_t host = 0; host < s->host_count; host++) {
		size_t before = out->n;

		trace_put_name(out, jw_span_str(s->hosts[host]), TRACE_MAX_LABEL);
		if (out->n == before)
			jw_put_fmt(out, "NODE %u", host + 1);
		jw_put_str(out, "\n");
	}
	jw_put_str(out, "\n");
}

static void put_applications(struct jw_buf *out, const struct trace_scene *s)
{
	put_level(out, "APPL", trace_prv_applications(s));
	for (uint32_t i = 0; i < s->process_count; i++) {
		const struct trace_scene_process *p = &s->processes[i];
		const char *name = p->job;
		size_t before = out->n;

		if (i && p->application == s->processes[i - 1].application)
			continue;
		/* processes without one may have joined the only one that there is */
		for (uint32_t k = i; k < s->process_count && (!name || !*name) &&
				     s->processes[k].application == p->application;
		     k++)
			name = s->processes[k].job;
		trace_put_name(out, jw_span_str(name ? name : ""), TRACE_MAX_LABEL);
		if (out->n == before)
			jw_put_fmt(out, "APPLICATION %u", p->application);
		jw_put_str(out, "\n");
	}
	jw_put_str(out, "\n");
}

static bool has_jobs(const struct trace_scene *s)
{
	bool has = false;

	for (uint32_t i = 0; i < s->process_count && !has; i++)
		has = s->processes[i].job && *s->processes[i].job;
	return has;
}

static bool has_roles(const struct trace_scene *s)
{
	return s->process_count > 1 ||
	       (s->process_count == 1 && s->processes[0].role && *s->processes[0].role);
}

static void put_tasks(struct jw_buf *out, const struct trace_scene *s)
{
	put_level(out, "TASK", s->process_count);
	for (uint32_t i = 0; i < s->process_count; i++) {
		const struct trace_scene_process *p = &s->processes[i];

		size_t before = out->n;

		if (p->role && *p->role) {
			trace_put_name(out, jw_span_str(p->role), TRACE_MAX_LABEL);
			if (out->n == before)
				jw_put_fmt(out, "TASK %u.%u", p->application, p->number);
			jw_put_str(out, "\n");
			continue;
		}
		trace_put_name(out, jw_span_str(s->hosts[p->host]), TRACE_MAX_LABEL);
		if (p->has_rank)
			jw_put_fmt(out, " rank %llu", (unsigned long long)p->rank);
		jw_put_fmt(out, ":%llu\n", (unsigned long long)p->pid);
	}
	jw_put_str(out, "\n");
}

void trace_put_rows(struct jw_buf *out, const struct trace_prv *prv)
{
	const struct trace_scene *s = prv->scene;

	if (prv->cpus)
		put_cpus(out, s);
	if (has_jobs(s))
		put_applications(out, s);
	if (has_roles(s))
		put_tasks(out, s);
	put_level(out, "THREAD", s->thread_count);
	for (uint32_t i = 0; i < s->thread_count; i++) {
		const struct trace_scene_thread *t = &s->threads[i];
		size_t before = out->n;

		trace_put_name(out, jw_span_str(t->name), TRACE_MAX_LABEL);
		if (out->n == before)
			trace_put_unnamed(out, t->number);
		jw_put_str(out, "\n");
	}
}
