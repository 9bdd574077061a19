/*
 * summary.h: recordings that are summaries: sums in place of events.
 *
 *     open -> take -> trace_replay_end -> lives -> trace_replay_close
 */
#ifndef JW_TRACE_REPORT_SUMMARY_H
#define JW_TRACE_REPORT_SUMMARY_H

#include "trace/report/reading.h"

struct trace_job;
struct trace_notes;
struct trace_replay;

/* As trace_replay_open(). */
enum jw_status JW_MUST_USE trace_summary_open(const struct trace_job *job,
					      struct trace_notes *notes, struct trace_replay *r,
					      struct jw_err *e);
/* Adds what the recordings sum up to READING, as if their events had been told: methods, threads,
 * operations, waits, calls that wait or do something. */
enum jw_status JW_MUST_USE trace_summary_take(struct trace_replay *replay,
					      struct trace_reading *reading, struct jw_err *e);
/* What states would say: of a summary, lives alone. */
enum jw_status JW_MUST_USE trace_summary_lives(const struct trace_replay *replay,
					       struct jw_arena *arena, struct trace_report *out,
					       struct jw_err *e);

#endif
