/*
 * report.c: see report.h: names for what from_trace.c has added up.
 */
#include <string.h>

#include "base/memory.h"
#include "trace/format/methodmap.h"
#include "trace/names/label_read.h"
#include "trace/names/said_names.h"
#include "trace/names/titles.h"
#include "trace/output.h"
#include "trace/paraver/prv_source.h"
#include "trace/reader/notes.h"
#include "trace/reader/reader.h"
#include "trace/replay/method_numbers.h"
#include "trace/report/call_tree.h"
#include "trace/report/channel_sums.h"
#include "trace/report/deadlocks.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/report_lists.h"
#include "trace/report/report_names.h"
#include "trace/report/report_types.h"
#include "trace/report/stalls.h"
#include "trace/report/unrecorded_time.h"

#include "base/banned.h"

/* ---- names ---- */

struct trace_report_names {
	struct trace_reading *r;
	struct jw_arena *arena;
	const char **labels;                        /* of methods, by number; owned */
	const char *state_labels[TRACE_MAX_STATES]; /* by column */
	const char **threads;                       /* by place; owned */
	const char **classes; /* by value - 1; owned. All types that name classes share them */
	size_t class_count, class_cap;
	struct trace_stall_names stalls;
	struct trace_channel_names channels;
	struct trace_report_types types;
	bool exceptions_known, sites_known;
	bool failed;
};

static const char *keep(struct trace_report_names *n, struct jw_span text)
{
	const char *copy = jw_arena_str(n->arena, text);

	n->failed |= !copy;
	return copy;
}

static void name_method(struct trace_report_names *n, uint64_t value, struct jw_span label)
{
	uint32_t number = trace_methods_known(&n->r->methods, value);

	if (number != TRACE_NO_METHOD && !n->labels[number])
		n->labels[number] = keep(n, label);
}

static void name_state(struct trace_report_names *n, uint64_t value, struct jw_span label)
{
	for (size_t i = 0; i < n->r->state_count; i++)
		if (n->r->states[i] == value && !n->state_labels[i])
			n->state_labels[i] = keep(n, label);
}

/* Values come in their order. */
static void name_site(struct trace_report_names *n, struct trace_site_names *names, uint64_t value,
		      struct jw_span label)
{
	if (value != names->n + 1)
		return;
	struct trace_site_name *grown =
		trace_grow(names->list, names->n, &names->cap, sizeof(*grown));

	n->failed |= !grown;
	names->list = grown ? grown : names->list;
	if (grown)
		n->failed |= !trace_site_read(n->arena, label, &grown[names->n++]);
}

/* The same. */
static void name_class(struct trace_report_names *n, uint64_t value, struct jw_span label)
{
	if (value != n->class_count + 1)
		return;
	const char **grown = trace_grow(n->classes, n->class_count, &n->class_cap, sizeof(*grown));
	char *text = jw_arena_str(n->arena, label);

	n->failed |= !grown || !text;
	n->classes = grown ? grown : n->classes;
	if (grown && text)
		n->classes[n->class_count++] = text;
}

static void name_row(struct trace_report_names *n, uint64_t place, struct jw_span name)
{
	n->threads[place] = keep(n, name);
}

void trace_report_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_reading *r = ctx;
	struct trace_report_names *n = r->names;

	if (r->failed)
		return;
	switch (what) {
	case TRACE_NAME_STATE:
		name_state(n, number, label);
		break;
	case TRACE_NAME_METHOD:
		name_method(n, number, label);
		break;
	case TRACE_NAME_CLASS:
		name_class(n, number, label);
		n->failed |= !trace_types_name(&n->types, n->arena, number, label);
		break;
	case TRACE_NAME_SITE:
		name_site(n, &n->stalls.sites, number, label);
		break;
	case TRACE_NAME_PLACE:
		name_site(n, &n->stalls.places, number, label);
		break;
	case TRACE_NAME_CHANNEL:
		n->failed |= !trace_channel_name(&n->channels, n->arena, number, label);
		break;
	case TRACE_NAME_ROW:
		name_row(n, number, label);
		break;
	case TRACE_NAME_LINK: /* struct trace_names has more of them */
	case TRACE_NAME_EVENT:
	case TRACE_NAME_VALUE: /* values that a user wants are not for adding up */
		break;
	case TRACE_NAME_FAILED:
		n->exceptions_known = true;
		break;
	case TRACE_NAME_SITES:
		n->sites_known = true;
		break;
	}
}

void trace_report_names_open(struct trace_reading *r)
{
	struct trace_report_names *n = jw_mem_zalloc(1, sizeof(*n));

	r->names = n;
	r->failed |= !n;
	if (!n)
		return;
	n->r = r;
	n->arena = r->arena;
	n->labels = jw_mem_zalloc(r->methods.n + 1, sizeof(char *));
	n->threads = jw_mem_zalloc((size_t)r->scene->thread_count + 1, sizeof(char *));
	r->failed |= !n->labels || !n->threads || !trace_types_open(r, r->arena, &n->types);
}

void trace_report_names_free(struct trace_report_names *n)
{
	if (!n)
		return;
	jw_mem_free(n->labels);
	jw_mem_free(n->threads);
	jw_mem_free(n->classes);
	jw_mem_free(n->stalls.sites.list);
	jw_mem_free(n->stalls.places.list);
	jw_mem_free(n->channels.list);
	jw_mem_free(n);
}

/* ---- the report ---- */

static bool put_titles(struct trace_report_method *m, size_t n, struct jw_arena *arena)
{
	struct trace_titled *list = JW_NEW_ARRAY(arena, struct trace_titled, n + 1);

	for (size_t i = 0; list && i < n; i++)
		list[i].label = m[i].label;
	if (!list || !trace_titles(list, n, arena))
		return false;
	for (size_t i = 0; i < n; i++)
		m[i].title = list[i].title;
	return true;
}

static struct trace_report_method *put_methods(struct trace_report_names *n,
					       struct trace_report *out)
{
	const struct trace_methods *methods = &n->r->methods;
	struct trace_report_method *m =
		JW_NEW_ARRAY(n->arena, struct trace_report_method, methods->n + 1);

	n->failed |= !m;
	for (size_t i = 0; m && i < methods->n; i++) {
		const struct trace_stat *stat = &methods->m[i];
		const char *label = n->labels[i];

		if (!label)
			label = jw_arena_fmt(n->arena, "function %llu",
					     (unsigned long long)stat->id);
		m[i] = (struct trace_report_method){ .label = label,
						     .class_name = "",
						     .name = "",
						     .descriptor = "",
						     .calls = stat->calls,
						     .exceptional = stat->exceptional,
						     .inclusive_ns = stat->inclusive_ns,
						     .exclusive_ns = stat->exclusive_ns,
						     .longest_ns = stat->longest_ns };
		struct trace_method_words words = { 0 };

		n->failed |= !label || !trace_label_read(n->arena, label, &words);
		m[i].class_name = words.class_name;
		m[i].name = words.name;
		m[i].descriptor = words.descriptor;
		if (i < n->r->split_n) {
			m[i].self = n->r->splits[i].self;
			m[i].total = n->r->splits[i].total;
			n->failed |= !trace_sketch_copy(&m[i].durations, &n->r->splits[i].durations,
							n->arena);
			m[i].cut = n->r->splits[i].cut;
		}
	}
	n->failed |= m && !n->failed && !put_titles(m, methods->n, n->arena);
	n->failed |= m && (!trace_sums_methods(n->r, n->arena, m) ||
			   !trace_unrecorded_finish(n->r, m, methods->n));
	for (size_t i = 0; m && i < methods->n; i++)
		out->closed_methods += m[i].closed_ns != 0;
	out->methods = m;
	out->method_count = methods->n;
	return m;
}

static void put_states(struct trace_report_names *n, struct trace_report *out)
{
	struct trace_report_state *s =
		JW_NEW_ARRAY(n->arena, struct trace_report_state, n->r->state_count + 1);

	n->failed |= !s;
	for (size_t i = 0; s && i < n->r->state_count; i++) {
		const char *name = n->state_labels[i];

		if (!name)
			name = jw_arena_fmt(n->arena, "state %llu",
					    (unsigned long long)n->r->states[i]);
		n->failed |= !name;
		s[i] = (struct trace_report_state){ n->r->states[i], name };
	}
	out->states = s;
	out->state_count = n->r->state_count;
}

/* The row of the JVM itself, which calls nothing. Of a .prv the name alone tells. */
static bool is_vm(const struct trace_report_names *n, size_t at, const char *name)
{
	const struct trace_scene_thread *t = &n->r->scene->threads[at];

	return t->is_vm || (!t->name && strcmp(name, "JVM") == 0 && !n->r->lanes[at].calls);
}

static void put_thread(struct trace_report_names *n, const struct trace_scene_process *task,
		       const char *process, uint32_t number, struct trace_report_thread *out)
{
	const struct trace_lane *lane = &n->r->lanes[task->first + number];
	size_t count = n->r->state_count;
	uint64_t *states = JW_NEW_ARRAY(n->arena, uint64_t, count + 1);
	const char *name = n->threads[task->first + number];

	if (!name)
		name = trace_unnamed_thread(n->arena, n->r->scene, task->first + number);
	n->failed |= !name || !states;
	*out = (struct trace_report_thread){
		.name = name,
		.process = process,
		.kind = keep(n, jw_span_str(task->kind ? task->kind : "")),
		.task = task->number,
		.number = n->r->scene->threads[task->first + number].number,
		.is_vm = name && is_vm(n, task->first + number, name),
		.inside_ns = lane->inside_ns,
		.busy_ns = lane->busy_ns,
		.cpu_ns = lane->cpu_ns,
		.calls = lane->calls,
		.critical = SIZE_MAX,
		.states_ns = states
	};
	for (size_t i = 0; states && i < count && i < lane->spent_n; i++) {
		states[i] = lane->spent[i].ns;
		if (!trace_state_is_life(n->r->states[i]))
			continue;
		out->life_ns += states[i];
		if (trace_state_time(n->r->states[i]) == TRACE_REPORT_RUNNING) {
			out->running_ns += states[i];
		} else if (states[i] > out->critical_ns) {
			out->critical_ns = states[i];
			out->critical = i;
		}
	}
	if (out->critical != SIZE_MAX)
		out->critical_longest_ns = lane->spent[out->critical].longest_ns;
}

static void put_threads(struct trace_report_names *n, struct trace_report *out)
{
	const struct trace_scene *scene = n->r->scene;
	struct trace_report_thread *threads =
		JW_NEW_ARRAY(n->arena, struct trace_report_thread, scene->thread_count + 1);

	n->failed |= !threads;
	for (size_t i = 0; threads && i < scene->process_count; i++) {
		const struct trace_scene_process *p = &scene->processes[i];
		const char *name = trace_process_name(n->arena, scene, (uint32_t)i);

		n->failed |= !name;
		for (uint32_t j = 0; j < p->threads; j++)
			put_thread(n, p, name, j, &threads[p->first + j]);
		for (uint32_t j = 0; j < p->threads; j++)
			out->threads_all += !threads[p->first + j].is_vm;
	}
	n->failed |= threads && !trace_sums_operations(n->r, n->arena, threads, out);
	out->threads = threads;
	out->thread_count = scene->thread_count;
}

static bool put_tree(struct trace_report_names *n, const struct trace_report *out,
		     struct trace_report_tree *tree)
{
	const char **names = JW_NEW_ARRAY(n->arena, const char *, out->thread_count + 1);

	for (size_t i = 0; names && i < out->thread_count; i++)
		names[i] = out->threads[i].name;
	return names && trace_call_tree_finish(n->r, names, n->arena, tree);
}

/* Of all processes, or of none. */
static uint64_t cpu_of_all(const struct trace_reading *r)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < r->scene->process_count; i++) {
		if (!r->processes[i].cpu_ns)
			return 0;
		ns += r->processes[i].cpu_ns;
	}
	return ns;
}

static bool put_lists(struct trace_report_names *n, struct trace_report *out)
{
	const struct trace_reading *r = n->r;

	n->stalls.classes = n->classes;
	n->stalls.class_count = n->class_count;
	n->stalls.channels = &n->channels;
	return trace_sums_monitors(r, n->arena, n->classes, n->class_count, out) &&
	       trace_put_stalls(r, &n->stalls, n->arena, out) &&
	       trace_put_deadlocks(r, &n->stalls, n->arena, out) &&
	       trace_put_sites(r, &n->stalls.sites, n->arena, out) &&
	       trace_put_channels(r, &n->channels, n->arena, out) &&
	       trace_types_finish(&n->types, n->arena, out) &&
	       trace_sums_allocs(r, n->arena, n->classes, n->class_count, out);
}

static enum jw_status put_warnings(struct trace_report_names *n, struct trace_report *out,
				   struct jw_err *e)
{
	const struct trace_reading *r = n->r;
	struct trace_notes notes = { .arena = n->arena };
	const struct trace_fact facts[] = {
		{ r->lone_exits, TRACE_TOLD_LONE },
		{ r->too_deep, "call is nested too deep or of too many methods, and was left out",
		  "calls are nested too deep or of too many methods, and were left out" },
	};

	for (size_t i = 0; i < out->deadlock_count; i++)
		trace_note(&notes, "%s", out->deadlocks[i]);
	if (r->source)
		trace_prv_source_note_flaws(r->source, &notes);
	trace_note_facts(&notes, NULL, facts, sizeof(facts) / sizeof(*facts));
	out->warnings = trace_notes_list(&notes, n->arena);
	out->warning_count = notes.n;
	trace_notes_free(&notes);
	return out->warnings && !n->failed ? JW_OK : jw_nomem(e);
}

/* The whole names of methods, where they come from recordings; labels may be cut. */
static void put_whole_names(struct trace_report_names *n, const struct trace_names *names,
			    struct trace_report_method *m)
{
	for (size_t i = 0; m && i < n->r->methods.n; i++) {
		/* the value is the number in the order of appearance, from 1 */
		const struct trace_method *method =
			names->methods[n->r->methods.m[i].id - 1].method;

		if (!method)
			continue;
		m[i].class_name = keep(n, jw_span_str(method->class_name));
		m[i].name = keep(n, jw_span_str(method->name));
		m[i].descriptor = keep(n, jw_span_str(method->descriptor));
	}
}

/* Whoever tells their names may be gone before the report is. */
static bool put_links(struct trace_report_names *n, const struct trace_names *names,
		      struct trace_report *out)
{
	struct trace_link_count *list =
		JW_NEW_ARRAY(n->arena, struct trace_link_count, names->link_count + 1);

	for (size_t i = 0; list && i < names->link_count; i++) {
		list[i] = names->links[i];
		list[i].name = jw_arena_str(n->arena, jw_span_str(names->links[i].name));
		if (!list[i].name)
			return false;
	}
	out->links = list;
	out->link_count = names->link_count;
	return list;
}

static void put_process(struct trace_report_names *n, const struct trace_scene_process *from,
			const struct trace_process *told, const struct trace_report_thread *threads,
			struct trace_report_process *out)
{
	const struct trace_scene *scene = n->r->scene;
	const char *host = from->host < scene->host_count ? scene->hosts[from->host] : "";
	/* of a range, the part that is inside */
	uint64_t begin = from->begin > scene->begin ? from->begin : scene->begin;
	uint64_t end = from->end < scene->end ? from->end : scene->end;

	*out = (struct trace_report_process){
		.role = keep(n, jw_span_str(from->role ? from->role : "")),
		.host = keep(n, jw_span_str(host ? host : "")),
		.reason = keep(n, jw_span_str(from->reason ? from->reason : "")),
		.pid = from->pid,
		.begin_ns = from->begin,
		.life_ns = end > begin ? end - begin : 0,
		.cpu_ns = told->cpu_ns,
		.paused_ns = told->paused_ns,
		.end_known = from->reason,
		.ended = from->ended,
		.gone = from->gone,
		.stopped = from->stopped,
	};
	for (uint32_t i = 0; i < from->threads; i++) {
		out->calls += n->r->lanes[from->first + i].calls;
		out->threads += !threads[from->first + i].is_vm;
	}
}

static bool put_processes(struct trace_report_names *n, struct trace_report *out)
{
	const struct trace_scene *scene = n->r->scene;
	struct trace_report_process *list =
		JW_NEW_ARRAY(n->arena, struct trace_report_process, scene->process_count + 1);

	for (uint32_t i = 0; list && out->threads && i < scene->process_count; i++)
		put_process(n, &scene->processes[i], &n->r->processes[i], out->threads, &list[i]);
	out->processes = list;
	out->process_count = list ? scene->process_count : 0;
	return list;
}

enum jw_status trace_report_make(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_reading *r = ctx;
	struct trace_report_names *n = r->names;
	struct trace_report report = { 0 };

	if (r->failed)
		return jw_nomem(e);
	struct trace_report_method *methods = put_methods(n, &report);

	if (names)
		put_whole_names(n, names, methods);
	put_states(n, &report);
	put_threads(n, &report);
	n->failed |= !put_processes(n, &report);
	n->failed |= !put_lists(n, &report) || (names && !put_links(n, names, &report));
	n->failed |= n->failed || !put_tree(n, &report, &report.tree);
	JW_TRY(put_warnings(n, &report, e));
	report.begin_ns = r->scene->begin;
	report.duration_ns = r->end - r->scene->begin;
	report.calls = r->calls;
	report.cut = r->cut;
	report.pauses = r->pauses;
	report.states_known = report.calls_known = true;
	report.exceptions_known = n->exceptions_known;
	report.sites_known = n->sites_known;
	report.cpu_ns = cpu_of_all(r);
	*r->report = report;
	return JW_OK;
}
