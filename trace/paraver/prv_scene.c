/*
 * prv_scene.c: see prv_scene.h. What row.c writes where it knows no name is none here.
 */
#include "trace/paraver/prv_scene.h"

#include <stdio.h>

#include "trace/reader/prv_head.h"
#include "trace/reader/prv_names.h"

#include "base/banned.h"

/* ---- what the .row calls them ---- */

struct naming {
	struct trace_prv_scene *s;
	bool has_hosts; /* names of them */
	uint32_t next;  /* process whose application was not named: both are in order */
	bool failed;    /* no memory */
};

static const char *keep(struct naming *n, struct jw_span name)
{
	const char *kept = jw_arena_str(&n->s->arena, name);

	n->failed |= !kept;
	return kept ? kept : "";
}

/* Is NAME "WORD number", as jweave and Extrae call what has no name? */
static bool is_number_of(struct jw_span name, const char *word, const char *rest)
{
	struct jw_span prefix = jw_span_str(word);

	return jw_span_starts(name, prefix) &&
	       jw_span_eq_str(jw_span_sub(name, prefix.n, name.n), rest);
}

static void name_host(void *ctx, uint64_t place, struct jw_span name)
{
	struct naming *n = ctx;

	if (place >= n->s->scene.host_count)
		return;
	n->s->hosts[place] = keep(n, name);
	n->has_hosts = true;
}

/* "host:123", "host rank 3:123": the process id, and the rank, of a process without a role. */
static bool take_pid(const struct trace_prv_scene *s, struct trace_scene_process *p,
		     struct jw_span name)
{
	struct jw_span host = jw_span_str(p->host < s->scene.host_count ? s->hosts[p->host] : "");
	struct jw_span word = JW_SPAN_LIT(" rank ");
	uint64_t rank = 0, pid;
	bool has_rank = false;

	if (!host.n || !jw_span_starts(name, host))
		return false;
	name = jw_span_sub(name, host.n, name.n);
	if (jw_span_starts(name, word)) {
		name = jw_span_sub(name, word.n, name.n);
		has_rank = trace_take_number(&name, &rank);
	}
	if (!jw_span_starts(name, JW_SPAN_LIT(":")))
		return false;
	name = jw_span_sub(name, 1, name.n);
	if (!trace_take_number(&name, &pid) || name.n)
		return false;
	p->has_rank = has_rank;
	p->rank = rank;
	p->pid = pid;
	return true;
}

static void name_process(void *ctx, uint64_t place, struct jw_span name)
{
	struct naming *n = ctx;
	char number[48];

	if (place >= n->s->scene.process_count)
		return;
	struct trace_scene_process *p = &n->s->processes[place];

	snprintf(number, sizeof(number), "%u.%u", p->application, p->number);
	if (!is_number_of(name, "TASK ", number) && !take_pid(n->s, p, name))
		p->role = keep(n, name);
}

static void name_application(void *ctx, uint64_t place, struct jw_span name)
{
	struct naming *n = ctx;
	const struct trace_scene *scene = &n->s->scene;
	char number[24];

	snprintf(number, sizeof(number), "%llu", (unsigned long long)place + 1);
	if (is_number_of(name, "APPLICATION ", number))
		return;
	const char *job = NULL;

	while (n->next < scene->process_count && n->s->processes[n->next].application <= place)
		n->next++;
	for (; n->next < scene->process_count; n->next++) {
		if (n->s->processes[n->next].application != place + 1)
			return;
		job = job ? job : keep(n, name);
		n->s->processes[n->next].job = job;
	}
}

/* ---- the scene ---- */

static void take_tasks(struct trace_prv_scene *s, const struct trace_prv_head *head,
		       uint32_t host_count)
{
	for (uint32_t i = 0; i < head->task_count; i++) {
		const struct trace_prv_task *t = &head->tasks[i];

		s->processes[i] = (struct trace_scene_process){
			.application = t->appl,
			.number = t->number,
			.first = t->first,
			.threads = t->threads,
			.host = t->node && t->node <= host_count ? t->node - 1 : host_count,
		};
		for (uint32_t k = 0; k < t->threads; k++)
			s->threads[t->first + k] =
				(struct trace_scene_thread){ .process = i, .number = k + 1 };
	}
}

static uint32_t hosts_of(const struct trace_prv_head *head)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < head->task_count; i++)
		n = head->tasks[i].node > n ? head->tasks[i].node : n;
	return n < head->nodes ? n : head->nodes;
}

enum jw_status trace_prv_scene_make(struct trace_prv_scene *s, const struct trace_prv_head *head,
				    struct jw_span row, struct jw_err *e)
{
	uint32_t host_count = hosts_of(head);
	struct naming naming = { .s = s };

	if (host_count > head->task_count) /* a number of a node is what somebody wrote */
		host_count = 0;
	s->processes = jw_mem_zalloc(head->task_count + 1, sizeof(*s->processes));
	s->threads = jw_mem_zalloc((size_t)head->thread_count + 1, sizeof(*s->threads));
	s->hosts = jw_mem_zalloc((size_t)host_count + 1, sizeof(*s->hosts));
	if (!s->processes || !s->threads || !s->hosts)
		return jw_nomem(e);
	for (uint32_t i = 0; i < host_count; i++)
		s->hosts[i] = "";
	take_tasks(s, head, host_count);
	s->scene = (struct trace_scene){
		.end = head->end_ns,
		.processes = s->processes,
		.threads = s->threads,
		.hosts = s->hosts,
		.process_count = head->task_count,
		.thread_count = head->thread_count,
		.host_count = host_count,
	};
	trace_row_each(row, "NODE", name_host, &naming);
	if (!naming.has_hosts)
		s->scene.host_count = 0;
	trace_row_each(row, "TASK", name_process, &naming);
	trace_row_each(row, "APPL", name_application, &naming);
	return naming.failed ? jw_nomem(e) : JW_OK;
}

void trace_prv_scene_free(struct trace_prv_scene *s)
{
	jw_mem_free(s->processes);
	jw_mem_free(s->threads);
	jw_mem_free(s->hosts);
	jw_arena_free(&s->arena);
}
