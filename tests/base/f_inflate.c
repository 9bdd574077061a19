/*
 * f_inflate.c: any bytes as DEFLATE, unpacked into any size: what zlib takes gives the same bytes,
 * what it does not is refused, and no byte behind the output is touched.
 *
 * The input: the size in two bytes, then the stream.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/inflate.h"
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
	    (taken && memcmp(out, want, n) != 0))
		abort();
	free(out);
	return 0;
}
