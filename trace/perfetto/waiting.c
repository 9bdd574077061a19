/*
 * waiting.c: packets that wait for what explains them: the latest in memory, those before in a file.
 */
#include <unistd.h>

#include "trace/perfetto/packet.h"
#include "trace/perfetto/perfetto_int.h"

#include "base/banned.h"

#define BLOCK  ((size_t)320 << 10) /* more than jw_out gathers: all is in the file at once */
#define PACKET 64                  /* bytes, at most, of one without annotations */

void trace_pf_fails(struct trace_perfetto *w, enum jw_status status)
{
	if (w->why.status == JW_OK)
		(void)(status == JW_NOMEM ? jw_nomem(&w->why)
					  : jw_fail(&w->why, status, "an event is too large"));
}

uint8_t *trace_pf_room(struct trace_perfetto *w)
{
	if (w->block.n + PACKET > BLOCK && w->why.status == JW_OK) {
		enum jw_status status = JW_OK; /* which `why` tells, too */

		if (!w->spool.open)
			status = jw_out_open(w->to->spill, 0600, &w->spool, &w->why);
		if (status == JW_OK)
			status = jw_out_write(&w->spool, jw_buf_span(&w->block), &w->why);
		jw_buf_clear(&w->block);
	}
	jw_buf_reserve(&w->block, PACKET);
	if (w->block.failed != JW_OK)
		trace_pf_fails(w, w->block.failed);
	return w->why.status == JW_OK ? w->block.p + w->block.n : NULL;
}

void trace_pf_put_event(struct trace_perfetto *w, uint64_t sequence, uint64_t passed, unsigned type,
			uint64_t name, bool has_source)
{
	uint8_t *p = trace_pf_room(w);

	if (!p)
		return;
	uint8_t *q = p + 2;

	*p = PF_PACKET << 3 | 2;
	*q++ = PF_TIME << 3;
	q = trace_put_varint(q, passed);
	*q++ = PF_SEQUENCE << 3;
	q = trace_put_varint(q, sequence);
	*q++ = PF_EVENT << 3 | 2;
	uint8_t *event = q++;

	*q++ = PF_EVENT_TYPE << 3;
	*q++ = (uint8_t)type;
	if (name) {
		*q++ = PF_EVENT_NAME << 3;
		q = trace_put_varint(q, name);
	}
	if (has_source) {
		q = trace_put_varint(q, PF_EVENT_SOURCE << 3);
		q = trace_put_varint(q, name);
	}
	*event = (uint8_t)(q - event - 1);
	p[1] = (uint8_t)(q - p - 2);
	w->block.n += (size_t)(q - p);
}

enum jw_status trace_pf_copy_spool(struct trace_perfetto *w, struct jw_err *e)
{
	uint8_t *piece = w->spool.open ? jw_mem_alloc(BLOCK) : NULL;
	enum jw_status status = JW_OK;

	if (w->spool.open && !piece)
		return jw_nomem(e);
	for (uint64_t at = 0; w->spool.open && at < w->spool.n && status == JW_OK;) {
		ssize_t n = pread(w->spool.fd, piece, BLOCK, (off_t)at);

		if (n <= 0)
			status = jw_fail(e, JW_IO, "cannot read what was put aside beside '%s'",
					 w->to->spill);
		else
			status = w->to->write(w->to->to, jw_span(piece, (size_t)n), e);
		at += n > 0 ? (uint64_t)n : 0;
	}
	jw_mem_free(piece);
	return status == JW_OK ? w->to->write(w->to->to, jw_buf_span(&w->block), e) : status;
}
