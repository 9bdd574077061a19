/*
 * gzip.c: see gzip.h.
 */
#include "cli/gzip.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libdeflate.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/out_file.h"

#include "base/banned.h"

#define LEVEL 1 /* a seventh larger than at 6, in a quarter of the time */
#define PIECE ((size_t)64 << 10)

static enum jw_status pack(void *ctx, struct jw_span s, struct jw_buf *out, struct jw_err *e)
{
	struct libdeflate_compressor *state = libdeflate_alloc_compressor(LEVEL);

	(void)ctx;
	if (!state)
		return jw_nomem(e);
	size_t most = libdeflate_gzip_compress_bound(state, s.n);

	jw_buf_reserve(out, most);
	if (out->failed == JW_OK)
		out->n += libdeflate_gzip_compress(state, s.p, s.n, out->p + out->n, most);
	libdeflate_free_compressor(state);
	return jw_buf_finish(out, "packed block", e);
}

const struct trace_pack cli_gzip_pack = { .suffix = ".gz", .pack = pack };

/* ---- one member ---- */

enum jw_status cli_gzip_open(struct cli_gzip *gzip, struct jw_out *out, struct jw_err *e)
{
	enum { GZIP = 16, WINDOW = 15, MEMORY = 8 };
	z_stream *z = jw_mem_zalloc(1, sizeof(*z));

	*gzip = (struct cli_gzip){ .out = out };
	if (!z)
		return jw_nomem(e);
	if (deflateInit2(z, LEVEL, Z_DEFLATED, WINDOW + GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		jw_mem_free(z);
		return jw_nomem(e);
	}
	gzip->state = z;
	return JW_OK;
}

static enum jw_status deflate_all(struct cli_gzip *gzip, int how, struct jw_err *e)
{
	z_stream *z = gzip->state;
	uint8_t piece[PIECE];

	do {
		z->next_out = piece;
		z->avail_out = (uInt)PIECE;
		(void)deflate(z, how);
		JW_TRY(jw_out_write(gzip->out, jw_span(piece, PIECE - z->avail_out), e));
	} while (z->avail_out == 0);
	return JW_OK;
}

enum jw_status cli_gzip_write(struct cli_gzip *gzip, struct jw_span s, struct jw_err *e)
{
	z_stream *z = gzip->state;

	while (s.n) { /* zlib counts to 4 GiB */
		size_t n = s.n < ((size_t)1 << 30) ? s.n : (size_t)1 << 30;

		z->next_in = (z_const Bytef *)s.p;
		z->avail_in = (uInt)n;
		JW_TRY(deflate_all(gzip, Z_NO_FLUSH, e));
		s = jw_span_sub(s, n, s.n);
	}
	return JW_OK;
}

enum jw_status cli_gzip_finish(struct cli_gzip *gzip, struct jw_err *e)
{
	z_stream *z = gzip->state;

	z->avail_in = 0;
	return deflate_all(gzip, Z_FINISH, e);
}

void cli_gzip_free(struct cli_gzip *gzip)
{
	if (gzip->state)
		(void)deflateEnd(gzip->state);
	jw_mem_free(gzip->state);
	gzip->state = NULL;
}

/* ---- reading ---- */

struct source {
	enum jw_status (*take)(void *ctx, struct jw_span piece, struct jw_err *e);
	void *ctx;
	struct cli_progress *progress;
	double size;
};

static enum jw_status read_all(gzFile in, const char *path, const struct source *s, bool *cut,
			       struct jw_err *e)
{
	uint8_t piece[PIECE];
	int n, failed = Z_OK;

	while ((n = gzread(in, piece, PIECE)) > 0) {
		JW_TRY(s->take(s->ctx, jw_span(piece, (size_t)n), e));
		cli_progress_step(s->progress, (double)gzoffset(in), s->size);
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
			  void *ctx, struct cli_progress *progress, bool *cut, struct jw_err *e)
{
	struct source s = { .take = take, .ctx = ctx, .progress = progress };
	struct stat st = { 0 };
	int fd = -1;

	if (jw_file_fd(path, &fd, e) != JW_OK)
		return jw_err_where(e, "'%s'", path);
	(void)fstat(fd, &st);
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
