/*
 * profile.c: see profile.h.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/reader/reader.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/deadlocks.h"
#include "trace/replay/profile.h"
#include "trace/replay/replay.h"

#include "base/banned.h"

#define TOP          1000
#define CLOSED_NAMED 3

static int by_calls(const void *a, const void *b)
{
	const struct trace_stat *x = *(const struct trace_stat *const *)a;
	const struct trace_stat *y = *(const struct trace_stat *const *)b;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x < y ? -1 : x > y; /* the first to appear first */
}

static enum jw_status set_label(struct trace_top_method *top, const struct trace_stat *stat,
				const struct trace_map *map, struct jw_arena *arena,
				struct jw_err *e)
{
	struct jw_buf text = { 0 };

	trace_put_short_label(&text, trace_map_find(map, stat->id), stat->id);
	char *label = text.failed == JW_OK ? jw_arena_str(arena, jw_buf_span(&text)) : NULL;

	jw_buf_free(&text);
	if (!label)
		return jw_nomem(e);
	*top = (struct trace_top_method){
		.label = label,
		.calls = stat->calls,
		.exceptional = stat->exceptional,
		.inclusive_ns = stat->inclusive_ns,
		.exclusive_ns = stat->exclusive_ns,
	};
	return JW_OK;
}

/* The methods that were closed, the most called by name. */
static enum jw_status tell_closed(const struct trace_counts *counts, struct jw_arena *arena,
				  struct trace_summary *out, struct jw_err *e)
{
	struct jw_buf text = { 0 };
	uint32_t named = 0;

	if (!out->closed_methods)
		return JW_OK;
	jw_put_fmt(&text,
		   "to keep recording cheap, %u small, hot method%s closed while the program ran "
		   "(JWEAVE_BUDGET):",
		   out->closed_methods, out->closed_methods == 1 ? " was" : "s were");
	for (size_t i = 0; i < out->top_count && named < CLOSED_NAMED; i++)
		if (out->top[i].closed)
			jw_put_fmt(&text, "%s %s", named++ ? "," : "", out->top[i].label);
	if (out->closed_methods > named)
		jw_put_fmt(&text, " and %u more", out->closed_methods - named);
	jw_put_fmt(&text, "; %s had at least the calls that are shown",
		   out->closed_methods == 1 ? "it" : "they");
	if (counts->shut)
		jw_put_fmt(&text, " (calls that were open then, and end there: %llu)",
			   (unsigned long long)counts->shut);
	if (text.failed == JW_OK)
		out->closed = jw_arena_str(arena, jw_buf_span(&text));
	jw_buf_free(&text);
	return out->closed ? JW_OK : jw_nomem(e);
}

static enum jw_status put_top(const struct trace_stat **order, const struct trace_methods *methods,
			      const struct trace_map *map, struct jw_arena *arena,
			      struct trace_summary *out, struct jw_err *e)
{
	size_t n = methods->n < TOP ? methods->n : TOP;
	struct trace_top_method *top = JW_NEW_ARRAY(arena, struct trace_top_method, n ? n : 1);

	if (!top)
		return jw_nomem(e);
	for (size_t i = 0; i < methods->n; i++)
		order[i] = &methods->m[i];
	if (methods->n > 1)
		qsort(order, methods->n, sizeof(struct trace_stat *), by_calls);
	for (size_t i = 0; i < n; i++) {
		JW_TRY(set_label(&top[i], order[i], map, arena, e));
		top[i].closed = order[i]->closed;
	}
	out->top = top;
	out->top_count = n;
	return JW_OK;
}

static bool copy(const char **text, struct jw_arena *arena)
{
	*text = jw_arena_str(arena, jw_span_str(*text));
	return *text;
}

static bool is_small(const struct trace_stat *stat)
{
	return stat->exclusive_ns < stat->calls * TRACE_SMALL_NS &&
	       stat->inclusive_ns < stat->calls * TRACE_WHOLE_NS;
}

static int by_own_time(const void *a, const void *b)
{
	const struct trace_stat *x = *(const struct trace_stat *const *)a;
	const struct trace_stat *y = *(const struct trace_stat *const *)b;

	if (x->exclusive_ns != y->exclusive_ns)
		return x->exclusive_ns > y->exclusive_ns ? -1 : 1;
	return x < y ? -1 : x > y; /* the first to appear first */
}

/* Marks the methods that were closed themselves: others that share their gates lack calls, too, but are neither small
 * nor hot for that. */
static void mark_closed(const struct trace_world *w, const struct trace_methods *methods)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_closings *c = &w->tasks[i].rec.closings;

		for (size_t k = 0; k < c->count; k++) {
			uint32_t number = trace_methods_known(methods, c->list[k].id);

			if (number != TRACE_NO_METHOD)
				methods->m[number].closed = true;
		}
	}
}

/* The closed methods that have a name, and whose calls were short: into SMALL, the costliest left out. Their count. */
static size_t find_small(const struct trace_methods *methods, const struct trace_map *map,
			 const struct trace_stat **small)
{
	size_t n = 0;

	for (size_t i = 0; i < methods->n; i++) {
		const struct trace_stat *stat = &methods->m[i];
		const struct trace_method *m = trace_map_find(map, stat->id);

		if (m && !m->call && stat->closed && is_small(stat))
			small[n++] = stat;
	}
	size_t costly = n / 2 < TRACE_COSTLY ? n / 2 : TRACE_COSTLY;

	if (n > 1)
		qsort(small, n, sizeof(struct trace_stat *), by_own_time);
	memmove(small, small + costly, (n - costly) * sizeof(struct trace_stat *));
	return n - costly;
}

static enum jw_status put_small(const struct trace_replay *r, const struct trace_stat **stats,
				struct jw_arena *arena, struct trace_summary *out, struct jw_err *e)
{
	size_t n = find_small(&r->pass.told.methods, r->map, stats);
	uint64_t calls = 0;

	for (size_t i = 0; i < n; i++)
		calls += stats[i]->calls;
	if ((double)calls < TRACE_SMALL_SHARE * (double)out->calls)
		return JW_OK;
	struct trace_small_method *small = JW_NEW_ARRAY(arena, struct trace_small_method, n + 1);

	if (!small)
		return jw_nomem(e);
	for (size_t i = 0; i < n; i++) {
		const struct trace_method *m = trace_map_find(r->map, stats[i]->id);

		small[i] = (struct trace_small_method){ m->class_name, m->name, m->descriptor };
		if (!copy(&small[i].class_name, arena) || !copy(&small[i].name, arena) ||
		    !copy(&small[i].descriptor, arena))
			return jw_nomem(e);
	}
	out->small = small;
	out->small_count = n;
	return JW_OK;
}

static void note_names(const struct trace_replay *r, const struct trace_summary *out)
{
	const char *collision;

	if (out->unnamed)
		trace_note(r->notes,
			   "%llu of %u methods %s no name (shown as \"unknown 0x...\"): name the "
			   "woven jar with --map%s",
			   (unsigned long long)out->unnamed, out->methods,
			   out->unnamed == 1 ? "has" : "have",
			   trace_map_is_alone(r->map)
				   ? " (its .map alone has them when woven with --full-map)"
				   : "");
	for (size_t i = 0; (collision = trace_map_collision(r->map, i)); i++)
		trace_note(r->notes, "one id stands for two methods, the first is shown: %s",
			   collision);
}

/* ---- deadlocks ---- */

static const struct trace_locked *locked(const void *ctx, uint32_t at)
{
	const struct trace_replay *r = ctx;

	return &r->pass.told.locked[at];
}

static void put_thread(const void *ctx, uint32_t at, struct jw_buf *out)
{
	const struct trace_replay *r = ctx;
	const struct trace_scene_thread *thread = &r->scene.threads[at];
	const char *process = trace_process_name(r->notes->arena, &r->scene, thread->process);

	r->notes->failed |= !process;
	if (process)
		jw_put_fmt(out, "%s%s%s", thread->name, *process ? " of " : "", process);
}

static const char *class_of(const void *ctx, uint32_t at, uint64_t object)
{
	const struct trace_replay *r = ctx;

	return trace_object_class_name(r->world.shown[at]->task, object);
}

static bool note_deadlocks(const struct trace_replay *r)
{
	const struct trace_lockers threads = { r->scene.thread_count, r, locked, put_thread,
					       class_of };

	size_t before = r->notes->n;
	bool good = !r->pass.told.locked || trace_note_deadlocks(&threads, r->notes);

	trace_notes_first(r->notes, before);
	return good;
}

/* ---- all of it ---- */

static enum jw_status copy_notes(const struct trace_notes *notes, struct jw_arena *arena,
				 struct trace_summary *out, struct jw_err *e)
{
	out->warnings = trace_notes_list(notes, arena);
	out->warning_count = notes->n;
	return out->warnings ? JW_OK : jw_nomem(e);
}

static enum jw_status put_all(const struct trace_replay *r, const struct trace_stat **order,
			      struct jw_arena *arena, struct trace_summary *out, struct jw_err *e)
{
	const struct trace_methods *methods = &r->pass.told.methods;

	JW_TRY(put_top(order, methods, r->map, arena, out, e));
	JW_TRY(tell_closed(&r->pass.counts, arena, out, e));
	JW_TRY(put_small(r, order, arena, out, e));
	note_names(r, out);
	if (!note_deadlocks(r))
		return jw_nomem(e);
	return copy_notes(r->notes, arena, out, e);
}

enum jw_status trace_profile(const struct trace_replay *r, struct jw_arena *arena,
			     struct trace_summary *out, struct jw_err *e)
{
	const struct trace_world *w = &r->world;
	const struct trace_methods *methods = &r->pass.told.methods;
	const struct trace_stat **order =
		jw_mem_zalloc(methods->n + 1, sizeof(struct trace_stat *));
	struct trace_summary all = {
		.events = r->pass.counts.events,
		.calls = r->pass.counts.calls,
		.inferred = r->pass.counts.inferred,
		.dropped = r->pass.counts.dropped,
		.inside_ns = r->pass.counts.inside_ns,
		.inside_is_cpu = r->pass.counts.inside_is_cpu,
		.threads = (uint32_t)w->thread_count,
		.left_out = (uint32_t)w->left_out,
		.methods = (uint32_t)methods->n,
		.duration_ns = w->end,
		.sockets = w->sockets,
		.messages = w->messages,
		.clean_end = true,
	};

	if (!order)
		return jw_nomem(e);
	for (size_t i = 0; i < w->task_count; i++) {
		all.lost += w->tasks[i].rec.lost;
		all.clean_end = all.clean_end && w->tasks[i].rec.clean_end;
	}
	mark_closed(w, methods);
	for (size_t i = 0; i < methods->n; i++) {
		const struct trace_method *m = trace_map_find(r->map, methods->m[i].id);

		all.unnamed += !m;
		all.others += m && m->call ? methods->m[i].calls : 0;
		all.closed_methods += methods->m[i].closed;
	}
	enum jw_status status = put_all(r, order, arena, &all, e);

	jw_mem_free(order);
	if (status == JW_OK)
		*out = all;
	return status;
}
