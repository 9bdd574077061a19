/*
 * arrow_owners.h: who has the monitors that threads wait for to the end, as the first reading finds it and the second one
 * tells it.
 *
 *     get, get .. -> find, find .. -> free
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_OWNERS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_OWNERS_H

#include "trace/replay/arrows/arrow_table.h"
#include "trace/replay/point.h"

struct trace_owners;

/* Of the last wait of a thread. */
struct trace_owner {
	struct trace_entry entry;
	uint64_t object, begin; /* of the wait */
	struct trace_place place;
};

/* That of the thread ID of TASK; *OWNERS: NULL at first. NULL: no memory. */
struct trace_owner *trace_owners_get(struct trace_owners **owners, uint32_t task, uint64_t id);
/* NULL: it is not known. */
const struct trace_owner *trace_owners_find(const struct trace_owners *owners, uint32_t task,
					    uint64_t id);
void trace_owners_free(struct trace_owners *owners);

#endif
