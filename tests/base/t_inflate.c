/* Our own DEFLATE against zlib: what zlib and libdeflate pack at every level, what is damaged. */
#include "base/inflate.h"

#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "tests/tap.h"

#include "base/banned.h"

enum { MOST = 1 << 17 };

static struct jw_inflate state;
static uint8_t plain[MOST], packed[2 * MOST], out[MOST + 1], want[MOST + 1];

/* Texts, noise, runs and repeats at all distances, so that every kind of code is used. */
static void make_plain(size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t run = 1 + tap_below(300),
			 back = 1 + tap_below(i < 40000 ? (uint32_t)i + 1 : 40000);
		uint32_t kind = tap_below(4);
		uint8_t base = (uint8_t)tap_random();

		for (; run && i < n; run--, i++) {
			if (kind == 0)
				plain[i] = (uint8_t)tap_random();
			else if (kind == 1)
				plain[i] = base;
			else if (kind == 2)
				plain[i] = (uint8_t)('a' + tap_below(9));
			else
				plain[i] = i >= back ? plain[i - back] : 0;
		}
	}
}

static size_t pack_zlib(size_t n, int level, int strategy)
{
	z_stream z = { 0 };

	if (deflateInit2(&z, level, Z_DEFLATED, -15, 9, strategy) != Z_OK)
		return 0;
	z.next_in = plain;
	z.avail_in = (uInt)n;
	z.next_out = packed;
	z.avail_out = sizeof(packed);
	int done = deflate(&z, Z_FINISH);
	size_t size = z.total_out;

	deflateEnd(&z);
	return done == Z_STREAM_END ? size : 0;
}

/* What zlib makes of the N bytes at IN: unpacks to exactly SIZE bytes, in `want`. */
static bool zlib_takes(const uint8_t *in, size_t n, size_t size)
{
	z_stream z = { 0 };
	uint8_t none = 0;

	if (inflateInit2(&z, -15) != Z_OK)
		return false;
	z.next_in = (Bytef *)(uintptr_t)(n ? in : &none);
	z.avail_in = (uInt)n;
	z.next_out = want;
	z.avail_out = (uInt)size + 1; /* one more than allowed: it must not be used */
	int done = inflate(&z, Z_FINISH);
	bool same = done == Z_STREAM_END && z.total_out == size;

	inflateEnd(&z);
	return same;
}

static bool unpacks(size_t n, size_t size)
{
	memset(out, 0x5a, sizeof(out));
	return jw_inflate(&state, jw_span(packed, n), out, size) == JW_INFLATED &&
	       out[size] == 0x5a && memcmp(out, plain, size) == 0;
}

TEST(takes_what_zlib_packs)
{
	static const int strategies[] = { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE,
					  Z_FIXED };

	jw_inflate_init(&state);
	for (int i = 0; i < 200; i++) {
		size_t size = tap_below(i < 20 ? 40 : MOST);

		make_plain(size);
		size_t n = pack_zlib(size, i % 10, strategies[tap_below(5)]);

		ok(n > 0 && unpacks(n, size));
		if (size)
			is_int(jw_inflate(&state, jw_span(packed, n), out, size - 1),
			       JW_INFLATE_OTHER_SIZE);
		is_int(jw_inflate(&state, jw_span(packed, n), out, size + 1),
		       JW_INFLATE_OTHER_SIZE);
		is_int(jw_inflate_crc32(&state, jw_span(plain, size)), crc32(0, plain, (uInt)size));
	}
}

TEST(takes_what_libdeflate_packs)
{
	jw_inflate_init(&state);
	for (int level = 1; level <= 12; level++) {
		struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);

		make_plain(MOST);
		size_t n = libdeflate_deflate_compress(c, plain, MOST, packed, sizeof(packed));

		ok(n > 0 && unpacks(n, MOST));
		libdeflate_free_compressor(c);
	}
}

/* Bits turned, bytes cut: where zlib still takes it we give the same bytes, and else refuse. */
TEST(judges_damage_as_zlib_does)
{
	uint32_t taken = 0;

	jw_inflate_init(&state);
	for (int i = 0; i < 20000; i++) {
		size_t size = 1 + tap_below(400);

		make_plain(size);
		size_t n = pack_zlib(size, 1 + i % 9, i % 3 ? Z_DEFAULT_STRATEGY : Z_FIXED);
		for (uint32_t k = tap_below(3); k; k--)
			packed[tap_below((uint32_t)n)] ^= (uint8_t)(1u << tap_below(8));
		if (tap_below(4) == 0)
			n = tap_below((uint32_t)n);
		bool takes = zlib_takes(packed, n, size);
		bool ours = jw_inflate(&state, jw_span(packed, n), out, size) == JW_INFLATED;

		ok(ours == takes && (!takes || memcmp(out, want, size) == 0)); /* as zlib judges */
		taken += takes;
	}
	ok(taken > 5000 && taken < 15000); /* else it tried one thing only */
}

TEST(says_what_is_wrong)
{
	static const uint8_t reserved[] = { 0x07 },
			     stored[] = { 0x01, 0x02, 0x00, 0xfd, 0xff, 'a', 'b' },
			     bad_length[] = { 0x01, 0x02, 0x00, 0xfd, 0xfe, 'a', 'b' };

	jw_inflate_init(&state);
	is_int(jw_inflate(&state, jw_span(reserved, 1), out, 1), JW_INFLATE_DAMAGED);
	is_int(jw_inflate(&state, jw_span(stored, 7), out, 2), JW_INFLATED);
	is_span(jw_span(out, 2), jw_span_str("ab"));
	is_int(jw_inflate(&state, jw_span(stored, 6), out, 2), JW_INFLATE_DAMAGED);
	is_int(jw_inflate(&state, jw_span(bad_length, 7), out, 2), JW_INFLATE_DAMAGED);
	is_int(jw_inflate(&state, (struct jw_span){ 0 }, NULL, 0), JW_INFLATE_DAMAGED);
	is_int(jw_inflate_crc32(&state, (struct jw_span){ 0 }), 0);
	is_int(jw_inflate_crc32(&state, jw_span_str("123456789")), 0xcbf43926);
}
