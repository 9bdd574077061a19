/*
 * paraver.h: what happened as a Paraver trace (.prv .pcf .row). Output appears whole or not at all,
 * .prv last.
 */
#ifndef JW_TRACE_PARAVER_H
#define JW_TRACE_PARAVER_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "trace/replay/job.h"
#include "trace/replay/profile.h"

/* What the bytes of the .prv go through on their way to disk (compression), so that this room,
 * which is part of the runtime too, needs no compressor. */
struct trace_pack {
	const char *suffix; /* after ".prv" */
	/* Appends to OUT what the block S becomes; may run on several threads at one time. */
	enum jw_status (*pack)(void *ctx, struct jw_span s, struct jw_buf *out, struct jw_err *e);
	void *ctx;
};

struct trace_paraver_files {
	const char *base;              /* of base.prv, .pcf, .row */
	const struct trace_pack *pack; /* NULL: the .prv is plain */
	size_t threads;                /* the caller alone (0, 1) or with others; same bytes */
};

/* Replays JOB (spills go beside the files) into FILES; OUT is in ARENA. JW_INPUT: a recording or map
 * is not usable; JW_IO: it cannot be read, or the trace not written. Nothing is left of a trace that
 * failed. */
enum jw_status JW_MUST_USE trace_to_paraver(const struct trace_job *job,
					    const struct trace_paraver_files *files,
					    struct jw_arena *arena, struct trace_summary *out,
					    struct jw_err *e);

#endif
