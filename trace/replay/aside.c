/*
 * aside.c: see aside.h.
 */
#include "base/file.h"
#include "base/memory.h"
#include "trace/replay/aside.h"

#include "base/banned.h"

static enum jw_status copy_spool(const struct jw_out *spool, const struct trace_destination *to,
				 struct jw_err *e)
{
	uint8_t *piece = jw_mem_alloc(TRACE_ASIDE_BLOCK);
	enum jw_status status = JW_OK;

	if (!piece)
		return jw_nomem(e);
	for (uint64_t at = 0, n; at < spool->n && status == JW_OK; at += n) {
		n = jw_read_at(spool->fd, piece, TRACE_ASIDE_BLOCK, at);
		if (n == 0)
			status = jw_fail(e, JW_IO, "cannot read what was put aside beside '%s'",
					 to->spill);
		else
			status = to->write(to->to, jw_span(piece, (size_t)n), e);
	}
	jw_mem_free(piece);
	return status;
}

/* BEFORE bytes come before them by now: as many more, since all that is written moves each time; but
 * no more than one filler can be. */
static uint64_t more_for(uint64_t before)
{
	return before < TRACE_ASIDE_MOST ? before : TRACE_ASIDE_MOST;
}

/* Leaves a gap of N bytes more. */
static enum jw_status widen(struct trace_aside *aside, const struct trace_destination *to,
			    uint64_t n, struct jw_err *e)
{
	JW_TRY(jw_out_insert(to->file, aside->gap_end, n, e));
	aside->gap_end += n;
	return JW_OK;
}

/* What is in the spool goes to the file, after a gap. */
static enum jw_status go_ahead(struct trace_aside *aside, const struct trace_destination *to,
			       struct jw_err *e)
{
	aside->gap = aside->gap_end = to->file->n;
	JW_TRY(widen(aside, to, TRACE_ASIDE_GAP, e));
	enum jw_status status = copy_spool(&aside->spool, to, e);

	jw_out_abort(&aside->spool);
	return status;
}

static enum jw_status put_block(struct trace_aside *aside, const struct trace_destination *to,
				struct jw_err *e)
{
	if (!aside->gap_end && !aside->spool.open)
		JW_TRY(jw_out_open(to->spill, 0600, &aside->spool, e));
	if (aside->fill && to->file && aside->spool.n >= TRACE_ASIDE_MANY)
		JW_TRY(go_ahead(aside, to, e));
	JW_TRY(aside->gap_end ? to->write(to->to, jw_buf_span(&aside->block), e)
			      : jw_out_write(&aside->spool, jw_buf_span(&aside->block), e));
	jw_buf_clear(&aside->block);
	return JW_OK;
}

enum jw_status trace_aside_room(struct trace_aside *aside, size_t n,
				const struct trace_destination *to, struct jw_err *e)
{
	if (aside->block.n + n > TRACE_ASIDE_BLOCK)
		JW_TRY(put_block(aside, to, e));
	jw_buf_reserve(&aside->block, n);
	return jw_buf_finish(&aside->block, "an event", e);
}

enum jw_status trace_aside_before(struct trace_aside *aside, const struct trace_destination *to,
				  struct jw_span bytes, struct jw_err *e)
{
	if (!aside->gap_end)
		return to->write(to->to, bytes, e);
	if (bytes.n + TRACE_ASIDE_FILLER > aside->gap_end - aside->gap)
		JW_TRY(widen(aside, to, bytes.n + more_for(aside->gap), e));
	JW_TRY(jw_out_patch(to->file, aside->gap, bytes, e));
	aside->gap += bytes.n;
	return JW_OK;
}

static enum jw_status fill_gap(struct trace_aside *aside, const struct trace_destination *to,
			       struct jw_err *e)
{
	struct jw_buf filler = { 0 };

	aside->fill(&filler, aside->gap_end - aside->gap);
	enum jw_status status = jw_buf_finish(&filler, "what fills a gap", e);

	if (status == JW_OK)
		status = jw_out_patch(to->file, aside->gap, jw_buf_span(&filler), e);
	jw_buf_free(&filler);
	return status;
}

enum jw_status trace_aside_end(struct trace_aside *aside, const struct trace_destination *to,
			       struct jw_err *e)
{
	if (aside->gap_end)
		JW_TRY(fill_gap(aside, to, e));
	else if (aside->spool.open)
		JW_TRY(copy_spool(&aside->spool, to, e));
	return to->write(to->to, jw_buf_span(&aside->block), e);
}

void trace_aside_free(struct trace_aside *aside)
{
	jw_buf_free(&aside->block);
	jw_out_abort(&aside->spool);
}
