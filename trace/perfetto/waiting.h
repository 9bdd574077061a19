/*
 * waiting.h: packets that wait for what explains them, in the order in which they are put.
 *
 *     room, write there, count it .. or put_event ..  -> trace_aside_end() of `packets`
 *
 * Cost: 8 ns an event.
 */
#ifndef JW_TRACE_PERFETTO_WAITING_H
#define JW_TRACE_PERFETTO_WAITING_H

#include "trace/perfetto/packet.h"
#include "trace/perfetto/perfetto_int.h"

/* STATUS is the first failure: whatever comes now is dropped. */
void trace_pf_fails(struct trace_perfetto *w, enum jw_status status);

/* Packets that come before them, gathered in OUT, go where they go once they are MORE_THAN so many bytes.
 * TEXT is where their names were made. Fails when one of the two did. */
enum jw_status JW_MUST_USE trace_pf_send(struct trace_perfetto *w, struct jw_buf *out,
					 const struct jw_buf *text, size_t more_than,
					 struct jw_err *e);

#define TRACE_PF_PACKET 64 /* bytes, at most, of one without annotations */

/* What trace_pf_room() does where there is none yet. */
uint8_t *trace_pf_make_room(struct trace_perfetto *w);

/* Makes sure that a packet without annotations fits. Returns its place, or NULL: all has failed. */
static inline uint8_t *trace_pf_room(struct trace_perfetto *w)
{
	const struct jw_buf *block = &w->packets.block;

	if (w->why.status == JW_OK && trace_aside_has_room(&w->packets, TRACE_PF_PACKET))
		return block->p + block->n;
	return trace_pf_make_room(w);
}

/* An event of a sequence that tells times by what has passed, and has one track. NAME: 0: none.
 * Here, since each caller needs a part of it, and is called for each call. */
static inline void trace_pf_put_event(struct trace_perfetto *w, uint64_t sequence, uint64_t passed,
				      unsigned type, uint64_t name, bool has_source)
{
	uint8_t *p = trace_pf_room(w);

	if (!p)
		return;
	uint8_t *q = p + 2;

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
	p[0] = PF_PACKET << 3 | 2;
	p[1] = (uint8_t)(q - p - 2);
	w->packets.block.n += (size_t)(q - p);
}

#endif
