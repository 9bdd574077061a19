/*
 * chrome.h: what happened as Chrome's trace events (JSON), which many tools read.
 *
 *     { "displayTimeUnit": "ns", "traceEvents": [
 *         { "ph": "M", "name": "process_name" | "thread_name", "pid", "tid", "args": { "name" } },
 *         { "ph": "X", "name", "cat": "call" | "state" | "gc", "ts", "dur", "pid", "tid", "args" },
 *                                  of a call: "method", "file", "line", "captured": { LABEL: .. }
 *         { "ph": "X", "cat": "arrow", .. "dur": 0 }, { "ph": "s" | "f", "bp": "e", "id", .. },
 *         { "ph": "i", "cat": "event", .. } ] }
 *
 * Times are microseconds with three decimals. States are on a row of their own below the thread.
 * An arrow leaves and reaches a slice: so each end has an empty one. Events may come in any order,
 * but their names are known last: they wait (text/by_thread.h). Memory grows with threads, open calls
 * and methods. Cost: 110 bytes of text and 400 ns a call.
 */
#ifndef JW_TRACE_CHROME_H
#define JW_TRACE_CHROME_H

#include "trace/destination.h"
#include "trace/output.h"

extern const struct trace_output trace_chrome_output;

/* The context of trace_chrome_output; NULL: no memory. TO lives as long. */
void *trace_chrome_new(const struct trace_destination *to);
/* NULL may be freed, too. */
void trace_chrome_free(void *ctx);

#endif
