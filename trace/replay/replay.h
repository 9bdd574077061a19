/*
 * replay.h: recordings as a source of what happened (output.h).
 *
 *     open -> tell -> close      after tell: what the profile (profile.h) and names are made of
 *
 * A streaming merge by time over the threads' chunks: memory grows with threads, methods and open
 * calls, never with the number of events. Cost: each recording is read front to back once, then
 * twice by time: what changes states alone, and all.
 */
#ifndef JW_TRACE_REPLAY_REPLAY_H
#define JW_TRACE_REPLAY_REPLAY_H

#include "base/memory.h"
#include "trace/output.h"
#include "trace/replay/job.h"
#include "trace/replay/pass.h"
#include "trace/replay/world.h"

struct trace_map;
struct trace_notes;

struct trace_replay {
	const struct trace_job *job;
	struct trace_world world;
	struct trace_pass pass;
	struct trace_map *map;
	struct trace_scene scene; /* in the arena */
	struct jw_arena arena;
	struct trace_notes *notes;
	enum trace_apart apart; /* how it is told; a selection is in order all the same */
};

/* Opens the recordings of JOB, finds the maps of their methods, and all states and arrows. JW_INPUT:
 * a recording or map is not usable; JW_IO: it cannot be read. Sentences for the user go to NOTES.
 * R is to be closed, also after a failure. JOB and NOTES live as long. */
enum jw_status JW_MUST_USE trace_replay_open(const struct trace_job *job, struct trace_notes *notes,
					     struct trace_replay *r, struct jw_err *e);
/* HOW, for what adds up each thread by itself; in order if there are so few threads that what is known
 * of all of them stays in the processor's cache: that costs least. R was opened. */
enum trace_apart trace_replay_apart(const struct trace_replay *replay, enum trace_apart how);
/* Tells OUTPUT all of it, from begin() to end(). Once. */
enum jw_status JW_MUST_USE trace_replay_tell(struct trace_replay *replay,
					     const struct trace_output *output, void *ctx,
					     struct jw_err *e);
/* From over() to end() alone, for what was told by others (report/summary.c). */
enum jw_status JW_MUST_USE trace_replay_end(struct trace_replay *replay,
					    const struct trace_output *output, void *ctx,
					    struct jw_err *e);
void trace_replay_close(struct trace_replay *replay);

#endif
