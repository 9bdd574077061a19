/*
 * prv_scene.h: who takes part in a .prv: as its first line says, with what its .row calls them.
 *
 *     {0} -> make -> free
 */
#ifndef JW_TRACE_PARAVER_PRV_SCENE_H
#define JW_TRACE_PARAVER_PRV_SCENE_H

#include "base/memory.h"
#include "base/status.h"
#include "trace/output.h"

struct trace_prv_head;

struct trace_prv_scene {
	struct trace_scene scene;
	struct trace_scene_process *processes; /* owned; so below */
	struct trace_scene_thread *threads;
	const char **hosts;
	struct jw_arena arena; /* of names */
};

/* ROW: "" where there is none; it need not live as long. Threads have no names yet (output.h). */
enum jw_status JW_MUST_USE trace_prv_scene_make(struct trace_prv_scene *scene,
						const struct trace_prv_head *head,
						struct jw_span row, struct jw_err *e);
void trace_prv_scene_free(struct trace_prv_scene *scene);

#endif
