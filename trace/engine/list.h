/*
 * list.h: tasks that have been told of become the list that is shown: their names, stages, causes,
 * and their order.
 */
#ifndef JW_TRACE_ENGINE_LIST_H
#define JW_TRACE_ENGINE_LIST_H

#include "trace/engine/engine.h"
#include "trace/follow/wanted.h"

/* All names that TASK will need. */
void trace_engine_want(struct trace_wanted *names, const struct trace_engine_task *task);

/* NAMES may be NULL. Reorders the tasks. False: no memory. */
bool trace_engine_name(struct trace_wanted *wanted, const struct trace_scene *scene,
		       const struct trace_names *names, struct trace_engine_list *list,
		       struct jw_arena *arena);

#endif
