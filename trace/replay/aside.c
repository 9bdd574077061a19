/*
 * aside.c: see aside.h.
 */
#include <unistd.h>

#include "base/memory.h"
#include "trace/replay/aside.h"

#include "base/banned.h"

enum jw_status trace_aside_room(struct trace_aside *aside, size_t n, const char *spill,
				struct jw_err *e)
{
	if (aside->block.n + n > TRACE_ASIDE_BLOCK) {
		if (!aside->spool.open)
			JW_TRY(jw_out_open(spill, 0600, &aside->spool, e));
		JW_TRY(jw_out_write(&aside->spool, jw_buf_span(&aside->block), e));
		jw_buf_clear(&aside->block);
	}
	jw_buf_reserve(&aside->block, n);
	return jw_buf_finish(&aside->block, "an event", e);
}

enum jw_status trace_aside_copy(struct trace_aside *aside, const struct trace_destination *to,
				struct jw_err *e)
{
	uint8_t *piece = aside->spool.open ? jw_mem_alloc(TRACE_ASIDE_BLOCK) : NULL;
	enum jw_status status = JW_OK;

	if (aside->spool.open && !piece)
		return jw_nomem(e);
	for (uint64_t at = 0; aside->spool.open && at < aside->spool.n && status == JW_OK;) {
		ssize_t n = pread(aside->spool.fd, piece, TRACE_ASIDE_BLOCK, (off_t)at);

		if (n <= 0)
			status = jw_fail(e, JW_IO, "cannot read what was put aside beside '%s'",
					 to->spill);
		else
			status = to->write(to->to, jw_span(piece, (size_t)n), e);
		at += n > 0 ? (uint64_t)n : 0;
	}
	jw_mem_free(piece);
	return status == JW_OK ? to->write(to->to, jw_buf_span(&aside->block), e) : status;
}

void trace_aside_free(struct trace_aside *aside)
{
	jw_buf_free(&aside->block);
	jw_out_abort(&aside->spool);
}
