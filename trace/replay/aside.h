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

#define TRACE_ASIDE_BLOCK ((size_t)320 << 10) /* bytes of the block, at most */

/* Do N more bytes fit into the block as it is? */
static inline bool trace_aside_has_room(const struct trace_aside *aside, size_t n)
{
	size_t room = aside->block.cap < TRACE_ASIDE_BLOCK ? aside->block.cap : TRACE_ASIDE_BLOCK;

	return aside->block.n + n <= room && aside->block.failed == JW_OK;
}

/* Makes sure that N more bytes fit into the block. SPILL is the destination's. */
enum jw_status JW_MUST_USE trace_aside_room(struct trace_aside *aside, size_t n, const char *spill,
					    struct jw_err *e);
/* Writes them all to TO. */
enum jw_status JW_MUST_USE trace_aside_copy(struct trace_aside *aside,
					    const struct trace_destination *to, struct jw_err *e);
void trace_aside_free(struct trace_aside *aside);

#endif
