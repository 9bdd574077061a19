/*
 * gzip.c: see gzip.h.
 */
#include "cli/gzip.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* ---- reading ---- */

struct source {
	enum jw_status (*take)(void *ctx, struct jw_span piece, struct jw_err *e);
	void (*told)(void *ctx, double fraction);
	void *ctx;
	double size;
};

static enum jw_status read_all(gzFile in, const char *path, const struct source *s, bool *cut,
			       struct jw_err *e)
{
	uint8_t piece[PIECE];
	int n, failed = Z_OK;

	while ((n = gzread(in, piece, PIECE)) > 0) {
		JW_TRY(s->take(s->ctx, jw_span(piece, (size_t)n), e));
		if (s->told)
			s->told(s->ctx, (double)gzoffset(in) / s->size);
	}
	int why = errno;
	const char *text = gzerror(in, &failed);

	*cut = failed == Z_BUF_ERROR || failed == Z_DATA_ERROR;
	if (failed == Z_ERRNO)
		return jw_fail(e, JW_INPUT, "cannot read '%s': %s", path, strerror(why));
	if (failed != Z_OK && !*cut)
		return jw_fail(e, failed == Z_MEM_ERROR ? JW_NOMEM : JW_INPUT, "'%s': %s", path,
			       text);
	return JW_OK;
}

enum jw_status cli_gunzip(const char *path,
			  enum jw_status (*take)(void *ctx, struct jw_span piece, struct jw_err *e),
			  void (*told)(void *ctx, double fraction), void *ctx, bool *cut,
			  struct jw_err *e)
{
	struct source s = { .take = take, .told = told, .ctx = ctx };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = { 0 };

	if (fd < 0 || fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
		int why = S_ISDIR(st.st_mode) ? EISDIR : errno;

		if (fd >= 0)
			close(fd);
		return jw_fail(e, JW_INPUT, "cannot read '%s': %s", path, strerror(why));
	}
	gzFile in = gzdopen(fd, "rb"); /* FD is its own from here on */

	if (!in) {
		close(fd);
		return jw_nomem(e);
	}
	s.size = st.st_size > 0 ? (double)st.st_size : 1;
	*cut = false;
	enum jw_status status = read_all(in, path, &s, cut, e);

	gzclose_r(in);
	return status;
}
