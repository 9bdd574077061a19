/*
 * speedscope.h: calls as https://speedscope.app has them: JSON, a profile for each thread.
 *
 *     { "$schema", "exporter", "activeProfileIndex",
 *       "profiles": [ { "type": "evented", "name", "unit": "nanoseconds", "startValue", "endValue",
 *                       "events": [ { "type": "O" | "C", "at", "frame" } .. ] } .. ],
 *       "shared": { "frames": [ { "name", "file", "line" } .. ] } }
 *
 * A profile has one thread's events, so all wait (text/by_thread.h) until the end. Memory grows with
 * threads, open calls and methods. Cost: 100 bytes of text and 300 ns a call.
 */
#ifndef JW_TRACE_SPEEDSCOPE_H
#define JW_TRACE_SPEEDSCOPE_H

#include "trace/destination.h"
#include "trace/output.h"

extern const struct trace_output trace_speedscope_output;

/* The context of trace_speedscope_output; NULL: no memory. TO lives as long. */
void *trace_speedscope_new(const struct trace_destination *to);
/* NULL may be freed, too. */
void trace_speedscope_free(void *ctx);

#endif
