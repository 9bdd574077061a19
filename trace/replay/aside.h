/*
 * aside.h: bytes that wait for what explains them and comes before them: the latest in memory, those
 * before in a file without a name. Where they are many, and go to a file, they go there at once,
 * after a gap for what comes before; what stays of the gap is filled.
 *
 *     room, write to `block`, room, .. -> before, before, .. -> end -> free
 */
#ifndef JW_TRACE_REPLAY_ASIDE_H
#define JW_TRACE_REPLAY_ASIDE_H

#include "base/out_file.h"
#include "trace/destination.h"

/* {0}: empty. */
struct trace_aside {
	struct jw_buf block;
	struct jw_out spool;
	uint64_t gap, gap_end; /* where it is in the file; gap_end 0: none */
	/* What the gap's last N bytes begin with, in order to mean nothing: N from TRACE_ASIDE_FILLER
	 * to a little more than TRACE_ASIDE_MOST. NULL: the format has no such bytes, so no gap. */
	void (*fill)(struct jw_buf *out, uint64_t n);
};

#define TRACE_ASIDE_BLOCK  ((size_t)320 << 10) /* bytes of the block, at most */
#define TRACE_ASIDE_MANY   ((uint64_t)16 << 20)
#define TRACE_ASIDE_GAP    ((uint64_t)4 << 20)
#define TRACE_ASIDE_MOST   ((uint64_t)64 << 20) /* by which a gap grows */
#define TRACE_ASIDE_FILLER 16

/* Do N more bytes fit into the block as it is? */
static inline bool trace_aside_has_room(const struct trace_aside *aside, size_t n)
{
	size_t room = aside->block.cap < TRACE_ASIDE_BLOCK ? aside->block.cap : TRACE_ASIDE_BLOCK;

	return aside->block.n + n <= room && aside->block.failed == JW_OK;
}

/* Makes sure that N more bytes fit into the block. All will go to TO. */
enum jw_status JW_MUST_USE trace_aside_room(struct trace_aside *aside, size_t n,
					    const struct trace_destination *to, struct jw_err *e);
/* Writes BYTES, which come before them, and after those of the call before this one. */
enum jw_status JW_MUST_USE trace_aside_before(struct trace_aside *aside,
					      const struct trace_destination *to,
					      struct jw_span bytes, struct jw_err *e);
/* Writes those that are not there yet. */
enum jw_status JW_MUST_USE trace_aside_end(struct trace_aside *aside,
					   const struct trace_destination *to, struct jw_err *e);
void trace_aside_free(struct trace_aside *aside);

#endif
