/*
 * waiting.c: packets that wait for what explains them (aside.h).
 */
#include "trace/perfetto/waiting.h"

#include "base/banned.h"

void trace_pf_fails(struct trace_perfetto *w, enum jw_status status)
{
	if (w->why.status == JW_OK)
		(void)(status == JW_NOMEM ? jw_nomem(&w->why)
					  : jw_fail(&w->why, status, "an event is too large"));
}

uint8_t *trace_pf_make_room(struct trace_perfetto *w)
{
	struct jw_buf *block = &w->packets.block;

	if (w->why.status != JW_OK ||
	    trace_aside_room(&w->packets, TRACE_PF_PACKET, w->to, &w->why) != JW_OK)
		return NULL;
	return block->p + block->n;
}

enum jw_status trace_pf_send(struct trace_perfetto *w, struct jw_buf *out,
			     const struct jw_buf *text, size_t more_than, struct jw_err *e)
{
	JW_TRY(jw_buf_finish(text, "names of the trace", e));
	JW_TRY(jw_buf_finish(out, "packets of the trace", e));
	if (out->n <= more_than)
		return JW_OK;
	enum jw_status status = trace_aside_before(&w->packets, w->to, jw_buf_span(out), e);

	jw_buf_clear(out);
	return status;
}
