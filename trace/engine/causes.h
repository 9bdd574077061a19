/*
 * causes.h: which tasks took much longer than the others of their stage, and why.
 */
#ifndef JW_TRACE_ENGINE_CAUSES_H
#define JW_TRACE_ENGINE_CAUSES_H

#include "trace/engine/engine.h"

/* The N tasks of one stage get their medians, and stragglers their causes; the early ones
 * come first, the later ones last. ROOM is for TRACE_STAGE_ROOM values of each. */
#define TRACE_STAGE_ROOM (TRACE_CAUSES + TRACE_MEASURES + 1)
void trace_engine_compare(struct trace_engine_task *tasks, size_t n, uint64_t *room);

/* The median of the N values of SORTED, of which OWN is left out where it is among them. */
uint64_t trace_median_without(const uint64_t *sorted, size_t n, bool among, uint64_t own);

#endif
