/*
 * method_names.c: see method_names.h.
 */
#include "trace/format/methodmap.h"
#include "trace/names/maps.h"
#include "trace/replay/job.h"
#include "trace/replay/method_names.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/world.h"

#include "base/banned.h"

enum jw_status trace_world_find_maps(const struct trace_world *w, const struct trace_job *job,
				     struct trace_map *map, struct trace_notes *notes,
				     struct jw_err *e)
{
	const struct trace_recording **recs =
		jw_mem_zalloc(w->task_count + 1, sizeof(struct trace_recording *));

	if (!recs)
		return jw_nomem(e);
	for (size_t i = 0; i < w->task_count; i++)
		recs[i] = &w->tasks[i].rec;
	enum jw_status status =
		trace_maps_find(map, job->maps, job->map_count, recs, w->task_count, notes, e);
	jw_mem_free(recs);
	return status;
}

enum jw_status trace_methods_name(const struct trace_methods *methods, struct trace_map *map,
				  struct jw_err *e)
{
	uint64_t *ids = jw_mem_zalloc(methods->n + 1, sizeof(*ids));

	if (!ids)
		return jw_nomem(e);
	for (size_t i = 0; i < methods->n; i++)
		ids[i] = methods->m[i].id;
	enum jw_status status = trace_map_name(map, ids, methods->n, e);
	jw_mem_free(ids);
	return status;
}
