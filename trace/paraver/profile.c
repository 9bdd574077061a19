/*
 * profile.c: what the trace holds, in figures: the summary and the profile by method.
 */
#include <stdlib.h>

#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/paraver/paraver.h"
#include "trace/paraver/profile.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/replay.h"
#include "trace/replay/world.h"

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
static enum jw_status tell_closed(const struct trace_frames *frames, struct jw_arena *arena,
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
	jw_put_fmt(&text, "; they had at least the calls that are shown");
	if (frames->counts.shut)
		jw_put_fmt(&text, " (%llu were open then, and end there)",
			   (unsigned long long)frames->counts.shut);
	if (text.failed == JW_OK)
		out->closed = jw_arena_str(arena, jw_buf_span(&text));
	jw_buf_free(&text);
	return out->closed ? JW_OK : jw_nomem(e);
}

static enum jw_status put_top(const struct trace_stat **order, const struct trace_world *world,
			      const struct trace_methods *methods, const struct trace_map *map,
			      struct jw_arena *arena, struct trace_summary *out, struct jw_err *e)
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
		top[i].closed = trace_was_closed(world, order[i]->id);
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

/* The closed methods that have a name, and whose calls were short. */
static enum jw_status find_small(const struct trace_world *world,
				 const struct trace_methods *methods, const struct trace_map *map,
				 struct jw_arena *arena, struct trace_summary *out,
				 struct jw_err *e)
{
	struct trace_small_method *small =
		JW_NEW_ARRAY(arena, struct trace_small_method, out->closed_methods + 1);

	if (!small)
		return jw_nomem(e);
	for (size_t i = 0; i < methods->n && out->closed_methods; i++) {
		const struct trace_stat *stat = &methods->m[i];
		const struct trace_method *m = trace_map_find(map, stat->id);

		if (!m || m->call || !trace_was_closed(world, stat->id) ||
		    stat->exclusive_ns >= stat->calls * TRACE_SMALL_NS)
			continue;
		struct trace_small_method *one = &small[out->small_count++];

		*one = (struct trace_small_method){ m->class_name, m->name, m->descriptor };
		if (!copy(&one->class_name, arena) || !copy(&one->name, arena) ||
		    !copy(&one->descriptor, arena))
			return jw_nomem(e);
	}
	out->small = small;
	return JW_OK;
}

enum jw_status trace_profile(const struct trace_world *world, const struct trace_frames *frames,
			     const struct trace_map *map, struct jw_arena *arena,
			     struct trace_summary *out, struct jw_err *e)
{
	const struct trace_methods *methods = &frames->methods;
	const struct trace_stat **order =
		jw_mem_zalloc(methods->n + 1, sizeof(struct trace_stat *));
	enum jw_status status;

	if (!order)
		return jw_nomem(e);
	*out = (struct trace_summary){
		.events = frames->counts.events,
		.calls = frames->counts.calls,
		.inferred = frames->counts.inferred,
		.dropped = frames->counts.dropped,
		.threads = (uint32_t)world->thread_count,
		.left_out = (uint32_t)world->left_out,
		.methods = (uint32_t)methods->n,
		.duration_ns = world->end,
		.clean_end = true,
	};
	for (size_t i = 0; i < world->task_count; i++) {
		out->lost += world->tasks[i].rec.lost;
		out->clean_end = out->clean_end && world->tasks[i].rec.clean_end;
	}
	for (size_t i = 0; i < methods->n; i++) {
		out->unnamed += !trace_map_find(map, methods->m[i].id);
		out->closed_methods += trace_was_closed(world, methods->m[i].id);
	}
	status = put_top(order, world, methods, map, arena, out, e);
	if (status == JW_OK)
		status = tell_closed(frames, arena, out, e);
	if (status == JW_OK)
		status = find_small(world, methods, map, arena, out, e);
	jw_mem_free(order);
	return status;
}
