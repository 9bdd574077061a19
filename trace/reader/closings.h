/*
 * closings.h: methods whose probes were closed while the program ran
 * (runtime-jni/recorder/budget.h).
 *
 * From a tick on nothing is recorded of a method, but between the ticks of a detail; so a reader
 * leaves out the records of threads that were just at it, and what was open then it knows no end
 * of.
 *
 *   trace_closings_add()*, ..._detail()*, ..._except()*  ->  trace_closings_hide()*
 */
#ifndef JW_TRACE_CLOSINGS_H
#define JW_TRACE_CLOSINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format/recording.h"

struct trace_closing {
	uint64_t tick, id;
};

/* A time in which everything was recorded, in ticks. */
struct trace_detail {
	uint64_t begin, end;
};

struct trace_closings {
	struct trace_closing *list; /* owned; in order of ticks */
	size_t count, cap;
	struct trace_detail *details; /* owned; in order, apart */
	size_t detail_count, detail_cap;
	uint64_t *excepted; /* owned; ids that have no gate */
	size_t excepted_count, excepted_cap;
	uint64_t *since; /* owned; by gate: the tick from which on it is closed, or UINT64_MAX */
};

/* Each false: no memory. Ticks that are not in order take the place of the latest before them. */
bool trace_closings_add(struct trace_closings *c, uint64_t tick, uint64_t id);
bool trace_closings_detail(struct trace_closings *c, uint64_t begin, uint64_t end);
bool trace_closings_except(struct trace_closings *c, uint64_t id);
void trace_closings_free(struct trace_closings *c);

/* Was the method ID ever closed, and not after TICK? */
bool trace_closings_has(const struct trace_closings *c, uint64_t id, uint64_t tick);

/* Is a record of ID at TICK one that does not count? AT: begins as 0, for ticks that never fall. */
static inline bool trace_closings_hide(const struct trace_closings *c, uint64_t id, uint64_t tick,
				       size_t *at)
{
	if (!c->since || c->since[jwr_gate(id)] > tick || !trace_closings_has(c, id, tick))
		return false;
	while (*at < c->detail_count && c->details[*at].end < tick)
		++*at;
	return *at == c->detail_count || c->details[*at].begin > tick;
}

#endif
