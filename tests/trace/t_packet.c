/*
 * t_packet.c: numbers and messages of Protocol Buffers, byte for byte.
 */
#include "tests/tap.h"

#include <string.h>

#include "trace/perfetto/packet.h"

#include "base/banned.h"

static void is_bytes(const struct jw_buf *b, const char *want, size_t n)
{
	is_int(b->n, n);
	ok(b->n == n && memcmp(b->p, want, n) == 0);
}

TEST(numbers_have_seven_bits_a_byte)
{
	static const struct {
		uint64_t n;
		const char *bytes;
		size_t count;
	} some[] = {
		{ 0, "\0", 1 },
		{ 127, "\x7f", 1 },
		{ 128, "\x80\x01", 2 },
		{ 300, "\xac\x02", 2 },
		{ UINT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		uint8_t out[10];

		is_int(trace_put_varint(out, some[i].n) - out, some[i].count);
		ok(memcmp(out, some[i].bytes, some[i].count) == 0);
	}
}

TEST(a_short_message_has_a_length_of_one_byte)
{
	struct jw_buf b = { 0 };
	size_t outer = trace_pb_open(&b, 1);
	size_t inner = trace_pb_open(&b, 60);

	trace_pb_number(&b, 1, 150);
	trace_pb_close(&b, inner);
	trace_pb_close(&b, outer);
	is_bytes(&b, "\x0a\x06\xe2\x03\x03\x08\x96\x01", 8);
	jw_buf_free(&b);
}

TEST(a_long_message_has_a_length_of_four)
{
	struct jw_buf b = { 0 };
	size_t message = trace_pb_open(&b, 1);

	for (int i = 0; i < 100; i++)
		trace_pb_number(&b, 1, 1);
	trace_pb_close(&b, message);
	is_int(b.n, 205);
	ok(memcmp(b.p, "\x0a\xc8\x81\x80\x00\x08\x01", 7) == 0);
	jw_buf_free(&b);
}

TEST(a_packet_may_say_nothing)
{
	struct jw_buf b = { 0 };

	jw_put_u1(&b, 0);
	trace_pb_nothing(&b, 11);
	is_bytes(&b, "\0\x0a\x86\x80\x80\x00\xfa\x3f\x80\x80\x80\x00", 12);
	jw_buf_clear(&b);
	trace_pb_nothing(&b, 5 + 6 + (1 << 27)); /* the rest follows */
	is_bytes(&b, "\x0a\x86\x80\x80\x40\xfa\x3f\x80\x80\x80\x40", 11);
	trace_pb_nothing(&b, (1 << 28) + 5);
	is_int(b.failed, JW_LIMIT); /* more than a length of four bytes says */
	jw_buf_free(&b);
}
