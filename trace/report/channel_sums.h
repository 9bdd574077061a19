/*
 * channel_sums.h: what was read from connections and files, and written to them, over all threads.
 *
 *     take ..      while the trace is read
 *     name ..      once all is told
 *     put -> free
 */
#ifndef JW_TRACE_REPORT_CHANNEL_SUMS_H
#define JW_TRACE_REPORT_CHANNEL_SUMS_H

#include "trace/output.h"
#include "trace/report/reading.h"

/* An event about a channel, of lane AT; any other does nothing. */
void trace_channel_take(struct trace_reading *r, uint32_t at, enum trace_type type, uint64_t value);

/* Names of channels, by value - 1. */
struct trace_channel_names {
	const char **list; /* owned array, of an arena */
	size_t n, cap;
};
/* VALUE is called LABEL; false: no memory. */
bool trace_channel_name(struct trace_channel_names *names, struct jw_arena *arena, uint64_t value,
			struct jw_span label);
/* The lists of OUT; false: no memory. */
bool trace_put_channels(const struct trace_reading *r, const struct trace_channel_names *names,
			struct jw_arena *arena, struct trace_report *out);

#endif
