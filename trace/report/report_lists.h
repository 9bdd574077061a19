/*
 * report_lists.h: sums by keys become the lists of a report. False, or NULL: no memory.
 */
#ifndef JW_TRACE_REPORT_REPORT_LISTS_H
#define JW_TRACE_REPORT_REPORT_LISTS_H

#include "trace/report/reading.h"

/* The sums of TALLY in the order of their first keys, then of the second. */
const struct trace_sum **trace_sums_by_a(const struct trace_tally *tally, struct jw_arena *arena);
/* SUM as that of OF. */
struct trace_report_share trace_sums_share(const struct trace_sum *sum, size_t of);
bool trace_sums_methods(const struct trace_reading *reading, struct jw_arena *arena,
			struct trace_report_method *methods);
bool trace_sums_operations(const struct trace_reading *reading, struct jw_arena *arena,
			   struct trace_report_thread *threads, struct trace_report *out);
/* NAMES: of the classes, by value - 1; what has none is "class VALUE". */
bool trace_sums_allocs(const struct trace_reading *reading, struct jw_arena *arena,
		       const char *const *names, size_t name_count, struct trace_report *out);
bool trace_sums_monitors(const struct trace_reading *reading, struct jw_arena *arena,
			 const char *const *names, size_t name_count, struct trace_report *out);

#endif
