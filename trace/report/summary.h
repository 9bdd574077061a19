/*
 * summary.h: recordings that are summaries.
 */
#ifndef JW_TRACE_REPORT_SUMMARY_H
#define JW_TRACE_REPORT_SUMMARY_H

#include "trace/report/reading.h"

struct trace_frames;
struct trace_world;

/* Adds what the recordings of WORLD sum up to READING, as if a trace of them had been read: methods
 * (in FRAMES too), threads, operations, waits, calls that wait or do something. */
enum jw_status JW_MUST_USE trace_summary_take(const struct trace_world *world,
					      struct trace_frames *frames,
					      struct trace_reading *reading, struct jw_err *e);

/* The names of its threads, as a .row has them. */
void trace_summary_put_rows(struct jw_buf *out, const struct trace_world *world);

/* What a trace would say by its states: of a summary, lives alone. */
enum jw_status JW_MUST_USE trace_summary_lives(const struct trace_world *world,
					       struct jw_arena *arena, struct trace_report *out,
					       struct jw_err *e);

#endif
