/*
 * f_inflate.c: any bytes as DEFLATE, unpacked into any size: what zlib takes gives the same bytes,
 * what it does not is refused, no byte after the output is touched, and checksums are zlib's.
 *
 * The input: the size in two bytes, then the stream. Random bytes are hardly ever a code that is
 * complete, so the mutator packs data of its own: skewed, for codes of all lengths.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/inflate.h"
#include "tests/draw.h"
#include "tests/fuzz.h"

#include "base/banned.h"

enum { MOST = 65535, GUARD = 0x5a };

static uint8_t want[MOST + 1];

/* Unpacks to exactly SIZE bytes, in `want`. */
static bool zlib_takes(const uint8_t *in, size_t n, size_t size)
{
	z_stream z = { 0 };
	uint8_t none = 0;

	if (inflateInit2(&z, -15) != Z_OK)
		abort();
	z.next_in = (Bytef *)(uintptr_t)(n ? in : &none);
	z.avail_in = (uInt)n;
	z.next_out = want;
	z.avail_out = (uInt)size + 1; /* one more than allowed: it must not be used */
	int done = inflate(&z, Z_FINISH);
	bool taken = done == Z_STREAM_END && z.total_out == size;

	inflateEnd(&z);
	return taken;
}

/* ---- streams of zlib's ---- */

enum { PLAIN_MAX = 16384, PACKED_MAX = 4096 };

/* Of SYMBOLS bytes each comes about half as often as the one before, or (GENTLE) less rarely; now
 * and then a piece of what came before, of any length, comes again. */
static size_t make_plain(uint8_t *to, uint32_t *state)
{
	size_t n = 1 + draw(state, PLAIN_MAX);
	uint32_t symbols = 1 + draw(state, 256), gentle = 1 + draw(state, 4),
		 repeats = draw(state, 32);

	for (size_t i = 0; i < n;) {
		uint32_t symbol = 0;

		while (symbol + 1 < symbols && draw(state, gentle + 1) > 0)
			symbol++;
		to[i++] = (uint8_t)(symbol * 151);
		if (draw(state, 32) >= repeats)
			continue;
		size_t back = 1 + draw(state, (uint32_t)i), length = 3 + draw(state, 256);

		for (; length > 0 && i < n; length--, i++)
			to[i] = to[i - back];
	}
	return n;
}

/* Data of its own, packed by any strategy, in one block or several. */
static void put_packed(struct jw_buf *out, uint32_t *state)
{
	static uint8_t plain[PLAIN_MAX], packed[PACKED_MAX];
	static const int strategies[] = { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE,
					  Z_FIXED };
	size_t n = make_plain(plain, state), first = draw(state, (uint32_t)n + 1);
	z_stream z = { .next_in = plain,
		       .avail_in = (uInt)first,
		       .next_out = packed,
		       .avail_out = PACKED_MAX };

	if (deflateInit2(&z, (int)draw(state, 10), Z_DEFLATED, -15, 1 + (int)draw(state, 9),
			 strategies[draw(state, sizeof(strategies) / sizeof(strategies[0]))]) !=
	    Z_OK)
		abort();
	(void)deflate(&z, draw(state, 2) ? Z_FULL_FLUSH : Z_NO_FLUSH);
	z.avail_in += (uInt)(n - first);
	if (deflate(&z, Z_FINISH) == Z_STREAM_END) { /* else it has no room */
		jw_put_u1(out, n & 255);
		jw_put_u1(out, n >> 8);
		jw_put_bytes(out, jw_span(packed, PACKED_MAX - z.avail_out));
	}
	deflateEnd(&z);
}

/* Another stream; or a bit of IN changes, most often among the first, where the codes are. */
static void mutate(struct jw_span in, struct jw_buf *out, uint32_t *state)
{
	if (in.n == 0 || draw(state, 4) == 0) {
		put_packed(out, state);
		return;
	}
	size_t most = draw(state, 2) && in.n > 100 ? 100 : in.n;

	jw_put_bytes(out, in);
	if (out->failed == JW_OK)
		out->p[draw(state, (uint32_t)most)] ^= (uint8_t)(1u << draw(state, 8));
}

JW_MUTATES_BY(mutate)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct jw_inflate state;
	static bool ready;

	if (size < 2)
		return 0;
	if (!ready)
		jw_inflate_init(&state);
	ready = true;
	size_t n = (size_t)(data[0] | data[1] << 8);
	uint8_t *out = malloc(n + 1); /* of its own, so that a sanitizer sees its end */

	if (!out)
		abort();
	out[n] = GUARD;
	bool taken = jw_inflate(&state, jw_span(data + 2, size - 2), out, n) == JW_INFLATED;
	if (taken != zlib_takes(data + 2, size - 2, n) || out[n] != GUARD ||
	    (taken && memcmp(out, want, n) != 0) ||
	    jw_inflate_crc32(&state, jw_span(data, size)) != crc32(0, data, (uInt)size))
		abort();
	free(out);
	return 0;
}
