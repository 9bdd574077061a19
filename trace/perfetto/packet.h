/*
 * packet.h: messages of Protocol Buffers: fields, one after another.
 *
 *     field: tag (number << 3 | form) as a varint, then  form 0  a varint: seven bits a byte, the
 *                                                                lowest first, 0x80: more follow
 *                                                        form 1  eight bytes
 *                                                        form 2  a length as a varint, so many bytes
 *
 * The length of a message that is open is not known yet: it gets four bytes, which is legal for any,
 * and one when it turns out to be short.
 */
#ifndef JW_TRACE_PERFETTO_PACKET_H
#define JW_TRACE_PERFETTO_PACKET_H

#include "base/bytes.h"

/* Writes V at P, where ten bytes have room; returns the place after it. */
static inline uint8_t *trace_put_varint(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

void trace_pb_number(struct jw_buf *out, uint32_t field, uint64_t v);
void trace_pb_fixed(struct jw_buf *out, uint32_t field, uint64_t v);
void trace_pb_text(struct jw_buf *out, uint32_t field, struct jw_span text);
/* A message as a field: what is appended between these is inside. */
size_t trace_pb_open(struct jw_buf *out, uint32_t field);
void trace_pb_close(struct jw_buf *out, size_t opened);
/* What a packet of N bytes, 11 to 2^28, that says nothing begins with: a field that no reader knows, whose
 * bytes follow. */
void trace_pb_nothing(struct jw_buf *out, uint64_t n);

#endif
