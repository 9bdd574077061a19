/*
 * gzip.c: see gzip.h.
 */
#include "cli/gzip.h"

#define ZLIB_CONST /* input is const */
#include <zlib.h>

#include "base/banned.h"

#define LEVEL       6
#define GZIP_WRAP   (15 + 16) /* the largest window, and a gzip header (zlib.h, deflateInit2) */
#define PIECE       ((size_t)64 << 10)
#define MAX_AT_ONCE ((size_t)1 << 30) /* zlib counts in 32 bits */

struct cli_gzip {
	z_stream z;
	uint8_t piece[PIECE];
};

struct cli_gzip *cli_gzip_new(void)
{
	struct cli_gzip *gzip = jw_mem_zalloc(1, sizeof(*gzip));

	if (gzip &&
	    deflateInit2(&gzip->z, LEVEL, Z_DEFLATED, GZIP_WRAP, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		jw_mem_free(gzip);
		return NULL;
	}
	return gzip;
}

void cli_gzip_free(struct cli_gzip *gzip)
{
	if (gzip)
		deflateEnd(&gzip->z);
	jw_mem_free(gzip);
}

/* Hands what there is to zlib, and on what comes out, until zlib wants more, or (FLUSH) it is all.
 */
static enum jw_status run(struct cli_gzip *gzip, int flush, struct jw_out *out, struct jw_err *e)
{
	do {
		gzip->z.next_out = gzip->piece;
		gzip->z.avail_out = PIECE;
		if (deflate(&gzip->z, flush) == Z_STREAM_ERROR)
			return jw_bug(e, "zlib refuses its own stream");
		JW_TRY(jw_out_write(out, jw_span(gzip->piece, PIECE - gzip->z.avail_out), e));
	} while (gzip->z.avail_out == 0);
	return JW_OK;
}

static enum jw_status pack(void *ctx, struct jw_out *out, struct jw_span s, struct jw_err *e)
{
	struct cli_gzip *gzip = ctx;

	while (s.n) {
		size_t n = s.n < MAX_AT_ONCE ? s.n : MAX_AT_ONCE;

		gzip->z.next_in = s.p;
		gzip->z.avail_in = (uInt)n;
		JW_TRY(run(gzip, Z_NO_FLUSH, out, e));
		s = jw_span_sub(s, n, s.n);
	}
	return JW_OK;
}

static enum jw_status finish(void *ctx, struct jw_out *out, struct jw_err *e)
{
	struct cli_gzip *gzip = ctx;

	gzip->z.next_in = NULL;
	gzip->z.avail_in = 0;
	return run(gzip, Z_FINISH, out, e);
}

struct trace_pack cli_gzip_pack(struct cli_gzip *gzip)
{
	return (struct trace_pack){ .suffix = ".gz", .write = pack, .finish = finish, .ctx = gzip };
}
