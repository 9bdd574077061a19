/*
 * threads.c: which threads are selected, and the scene of those.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "trace/names/said_names.h"
#include "trace/select/selecting.h"

#include "base/banned.h"

/* ---- what is known of each ---- */

void trace_select_lane_reset(struct trace_select_lane *lane)
{
	lane->open.n = lane->operations.n = lane->captured.n = 0;
	lane->calls = lane->too_deep = 0;
	lane->kept = lane->late_calls = lane->late_operations = 0;
}

void trace_select_lane_free(struct trace_select_lane *lane)
{
	for (size_t i = 0; i < lane->pages.n; i++)
		jw_mem_free(lane->pages.at[i]);
	jw_mem_free(lane->pages.at);
	jw_mem_free(lane->open.at);
	jw_mem_free(lane->operations.at);
	jw_mem_free(lane->captured.at);
}

enum jw_status trace_select_lanes(struct trace_select *s, const struct trace_scene *scene,
				  struct jw_err *e)
{
	if (s->lanes && s->lane_n != scene->thread_count)
		return jw_fail(e, JW_INPUT, "what is read has changed while it was read");
	if (s->lanes)
		return JW_OK;
	s->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*s->lanes));
	s->lane_n = s->lanes ? scene->thread_count : 0;
	return s->lanes ? JW_OK : jw_nomem(e);
}

/* ---- does it match? ---- */

static bool matches(const char *glob, const char *text)
{
	return text && *text && fnmatch(glob, text, 0) == 0;
}

static bool matches_number(const char *glob, const char *word, uint64_t number)
{
	char text[48];

	snprintf(text, sizeof(text), "%s%llu", word, (unsigned long long)number);
	return matches(glob, text);
}

static bool process_matches(const struct trace_select *s, const struct trace_scene *scene,
			    uint32_t at)
{
	const char *glob = s->wanted->process;
	const struct trace_scene_process *p = &scene->processes[at];

	return !glob || matches_number(glob, "", p->number) ||
	       (p->pid && matches_number(glob, "", p->pid)) ||
	       (p->has_rank && matches_number(glob, "rank ", p->rank)) ||
	       (p->host < scene->host_count && matches(glob, scene->hosts[p->host])) ||
	       (p->role && *p->role && matches(glob, p->role)) || matches(glob, p->command);
}

/* What users see it as; in the arena. NULL: no memory. */
static const char *thread_name(struct trace_select *s, const struct trace_scene *scene, uint32_t at)
{
	const struct trace_scene_thread *t = &scene->threads[at];

	if (t->name && *t->name)
		return t->name;
	if (s->rows && s->rows[at])
		return s->rows[at];
	return trace_unnamed_thread(&s->arena, scene, at);
}

static bool thread_matches(struct trace_select *s, const struct trace_scene *scene, uint32_t at)
{
	const char *glob = s->wanted->thread, *name = glob ? thread_name(s, scene, at) : NULL;

	s->failed |= glob && !name;
	return !glob || matches(glob, name);
}

/* Of a .prv the name alone tells. */
static bool is_vm(const struct trace_select *s, const struct trace_scene *scene, uint32_t at)
{
	const char *name = s->rows ? s->rows[at] : NULL;

	return scene->threads[at].is_vm ||
	       (!scene->threads[at].name && name && strcmp(name, "JVM") == 0);
}

uint32_t trace_select_threads(struct trace_select *s, const struct trace_scene *scene)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < scene->process_count; i++) {
		const struct trace_scene_process *p = &scene->processes[i];
		bool is_selected = process_matches(s, scene, i), any = false, whole = true;

		for (uint32_t k = p->first; k < p->first + p->threads; k++) {
			bool there = is_selected && thread_matches(s, scene, k);

			s->lanes[k].place = there ? 0 : TRACE_NOT_SELECTED;
			any |= there;
		}
		for (uint32_t k = p->first; k < p->first + p->threads; k++) {
			struct trace_select_lane *lane = &s->lanes[k];

			if (lane->place != TRACE_NOT_SELECTED || (any && is_vm(s, scene, k)))
				lane->place = n++;
			whole &= lane->place != TRACE_NOT_SELECTED;
		}
		for (uint32_t k = p->first; k < p->first + p->threads; k++)
			s->lanes[k].whole = whole;
	}
	return n;
}

/* ---- the scene of those ---- */

static enum jw_status nobody(struct trace_select *s, const struct trace_scene *scene,
			     struct jw_err *e)
{
	const struct trace_selection *w = s->wanted;
	const char *name = scene->thread_count ? thread_name(s, scene, 0) : "";

	if (!name)
		return jw_nomem(e);
	if (!w->thread)
		return jw_fail(
			e, JW_USAGE,
			"no process matches '%s': it is matched with the number of a process "
			"(1 to %u), its process id, \"rank N\", its role, its host and its command",
			w->process, scene->process_count);
	return jw_fail(e, JW_USAGE,
		       "no thread%s has a name that matches '%s'; of %u threads the first is "
		       "\"%s\": 'jweave report --busy=0' names each",
		       w->process ? " of the processes selected" : "", w->thread,
		       scene->thread_count, name);
}

enum jw_status trace_select_scene(struct trace_select *s, const struct trace_scene *scene,
				  struct jw_err *e)
{
	uint32_t n = trace_select_threads(s, scene), process_n = 0;
	struct trace_scene_process *processes =
		JW_NEW_ARRAY(&s->arena, struct trace_scene_process, scene->process_count + 1);
	struct trace_scene_thread *threads =
		JW_NEW_ARRAY(&s->arena, struct trace_scene_thread, n + 1);

	if (!processes || !threads || s->failed)
		return jw_nomem(e);
	if (n == 0 && scene->thread_count)
		return nobody(s, scene, e);
	for (uint32_t i = 0; i < scene->process_count; i++) {
		struct trace_scene_process *p = &processes[process_n];

		*p = scene->processes[i];
		p->first = process_n ? p[-1].first + p[-1].threads : 0;
		p->threads = 0;
		for (uint32_t k = scene->processes[i].first;
		     k < scene->processes[i].first + scene->processes[i].threads; k++) {
			if (s->lanes[k].place == TRACE_NOT_SELECTED)
				continue;
			threads[s->lanes[k].place] = scene->threads[k];
			threads[s->lanes[k].place].process = process_n;
			p->threads++;
		}
		process_n += p->threads > 0;
	}
	s->scene = *scene;
	s->scene.begin = s->from;
	s->scene.end = s->to < scene->end ? s->to : scene->end;
	s->scene.processes = processes;
	s->scene.threads = threads;
	s->scene.process_count = process_n;
	s->scene.thread_count = n;
	return JW_OK;
}
