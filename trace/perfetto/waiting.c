/*
 * waiting.c: packets that wait for what explains them (aside.h).
 */
#include "trace/perfetto/packet.h"
#include "trace/perfetto/perfetto_int.h"

#include "base/banned.h"

#define PACKET 64 /* bytes, at most, of one without annotations */

void trace_pf_fails(struct trace_perfetto *w, enum jw_status status)
{
	if (w->why.status == JW_OK)
		(void)(status == JW_NOMEM ? jw_nomem(&w->why)
					  : jw_fail(&w->why, status, "an event is too large"));
}

uint8_t *trace_pf_room(struct trace_perfetto *w)
{
	struct jw_buf *block = &w->packets.block;

	if (w->why.status != JW_OK ||
	    trace_aside_room(&w->packets, PACKET, w->to->spill, &w->why) != JW_OK)
		return NULL;
	return block->p + block->n;
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
	w->packets.block.n += (size_t)(q - p);
}
