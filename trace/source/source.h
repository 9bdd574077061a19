/*
 * source.h: recordings, or a .prv, told to any output (output.h), with what is to be said of them.
 *
 *     trace_source_recordings()                                   recordings
 *     trace_prv_source_new() -> feed() .. -> finish()             a .prv: paraver/prv_source.h
 *         -> trace_source_prv_notes()
 */
#ifndef JW_TRACE_SOURCE_H
#define JW_TRACE_SOURCE_H

#include "base/memory.h"
#include "base/status.h"
#include "trace/output.h"
#include "trace/paraver/prv_source.h"
#include "trace/replay/job.h"
#include "trace/replay/profile.h"

/* Tells OUTPUT what the recordings of JOB hold; OUT, in ARENA, has the notes on them. JW_USAGE: one
 * is a summary, which has no calls. */
enum jw_status JW_MUST_USE trace_source_recordings(const struct trace_job *job,
						   const struct trace_output *output, void *ctx,
						   struct jw_arena *arena,
						   struct trace_summary *out, struct jw_err *e);
/* Sentences for the user, in ARENA, on what was wrong in the .prv that SOURCE has read, and on the
 * LONE ends of calls without a beginning. */
enum jw_status JW_MUST_USE trace_source_prv_notes(const struct trace_prv_source *source,
						  uint64_t lone, struct jw_arena *arena,
						  const char *const **notes, size_t *count,
						  struct jw_err *e);

#endif
