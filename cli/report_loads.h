/*
 * report_loads.h: reads of a jar by which classes are loaded are at as many places as there are methods that are the first
 * to need one: a table has one line of them for each jar.
 */
#ifndef JW_CLI_REPORT_LOADS_H
#define JW_CLI_REPORT_LOADS_H

#include "base/memory.h"
#include "trace/report/report.h"

/* Does somebody wait at the place S because a class is loaded? */
bool cli_report_loads(const struct trace_report_stall *s);

/* The *COUNT stalls from STALLS on, those of one jar as one, most time first, and *COUNT of these; owned by ARENA, as STALLS
 * lives. NULL: no memory. */
const struct trace_report_stall *cli_report_fold_loads(const struct trace_report_stall *stalls,
						       size_t *count, struct jw_arena *arena);

#endif
