/*
 * aside.h: bytes that wait for what explains them and comes before them: the latest in memory, those
 * before in a file without a name.
 *
 *     room, write to `block`, room, .. -> copy -> free
 */
#ifndef JW_TRACE_REPLAY_ASIDE_H
#define JW_TRACE_REPLAY_ASIDE_H

#include "base/file.h"
#include "trace/destination.h"

/* {0}: empty. */
struct trace_aside {
	struct jw_buf block;
	struct jw_out spool;
};

/* Makes sure that N more bytes fit into the block. SPILL is the destination's. */
enum jw_status JW_MUST_USE trace_aside_room(struct trace_aside *aside, size_t n, const char *spill,
					    struct jw_err *e);
/* Writes them all to TO. */
enum jw_status JW_MUST_USE trace_aside_copy(struct trace_aside *aside,
					    const struct trace_destination *to, struct jw_err *e);
void trace_aside_free(struct trace_aside *aside);

#endif
