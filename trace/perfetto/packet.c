/*
 * packet.c: see packet.h.
 */
#include <string.h>

#include "trace/perfetto/packet.h"

#include "base/banned.h"

enum { NUMBER = 0, FIXED = 1, BYTES = 2, LENGTH = 4 };
enum { PACKET = 1, UNKNOWN = 1023 }; /* fields */

static void put_varint(struct jw_buf *out, uint64_t v)
{
	uint8_t text[10];

	jw_put_bytes(out, jw_span(text, (size_t)(trace_put_varint(text, v) - text)));
}

static void put_tag(struct jw_buf *out, uint32_t field, uint32_t form)
{
	put_varint(out, (uint64_t)field << 3 | form);
}

void trace_pb_number(struct jw_buf *out, uint32_t field, uint64_t v)
{
	put_tag(out, field, NUMBER);
	put_varint(out, v);
}

void trace_pb_fixed(struct jw_buf *out, uint32_t field, uint64_t v)
{
	put_tag(out, field, FIXED);
	jw_put_le8(out, v);
}

void trace_pb_text(struct jw_buf *out, uint32_t field, struct jw_span text)
{
	put_tag(out, field, BYTES);
	put_varint(out, text.n);
	jw_put_bytes(out, text);
}

/* That of a message of N bytes that begins at OPENED, in all LENGTH bytes. */
static void set_length(struct jw_buf *out, size_t opened, uint64_t n)
{
	if (n >> 7 * LENGTH) {
		out->failed = JW_LIMIT;
		return;
	}
	for (size_t i = 0; i < LENGTH; i++)
		out->p[opened - LENGTH + i] =
			(uint8_t)((n >> 7 * i & 0x7f) | (i + 1 < LENGTH ? 0x80 : 0));
}

size_t trace_pb_open(struct jw_buf *out, uint32_t field)
{
	put_tag(out, field, BYTES);
	jw_put_zeros(out, LENGTH);
	return out->n;
}

void trace_pb_close(struct jw_buf *out, size_t opened)
{
	size_t n = out->n - opened;

	if (out->failed != JW_OK)
		return;
	if (n < 0x80) {
		out->p[opened - LENGTH] = (uint8_t)n;
		memmove(out->p + opened - LENGTH + 1, out->p + opened, n);
		out->n -= LENGTH - 1;
		return;
	}
	set_length(out, opened, n);
}

void trace_pb_nothing(struct jw_buf *out, uint64_t n)
{
	uint64_t end = out->n + n;
	size_t packet = trace_pb_open(out, PACKET), field = trace_pb_open(out, UNKNOWN);

	if (out->failed != JW_OK)
		return;
	set_length(out, packet, end - packet);
	set_length(out, field, end - field);
}
