/*
 * profile.c: what the trace holds, in figures: the summary and the profile by method.
 */
#include <stdlib.h>

#include "trace/profile_int.h"

#include "base/banned.h"

#define TOP 1000

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
	for (size_t i = 0; i < n; i++)
		JW_TRY(set_label(&top[i], order[i], map, arena, e));
	out->top = top;
	out->top_count = n;
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
		.methods = (uint32_t)methods->n,
		.duration_ns = world->end,
		.clean_end = true,
	};
	for (size_t i = 0; i < world->task_count; i++) {
		out->lost += world->tasks[i].rec.lost;
		out->clean_end = out->clean_end && world->tasks[i].rec.clean_end;
	}
	for (size_t i = 0; i < methods->n; i++)
		out->unnamed += !trace_map_find(map, methods->m[i].id);
	status = put_top(order, methods, map, arena, out, e);
	jw_mem_free(order);
	return status;
}
