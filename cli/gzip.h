/*
 * gzip.h: gzip, both ways, a piece at a time: libdeflate and zlib under the interfaces of
 * trace/.
 *
 * Here and not there, since trace/ is part of the runtime, which needs libc alone.
 */
#ifndef JW_CLI_GZIP_H
#define JW_CLI_GZIP_H

#include "base/out_file.h"
#include "cli/out.h"
#include "trace/paraver/paraver.h"

/* Makes the .prv of a job a .prv.gz, a gzip member for each of its blocks. */
extern const struct trace_pack cli_gzip_pack;

/* Reads PATH, gzip of any number of members or plain, and hands its bytes to TAKE, piece by piece.
 * *CUT: the compressed data end too early; what came out was handed over. PROGRESS shows how much of
 * the file was read. */
enum jw_status JW_MUST_USE cli_gunzip(
	const char *path, enum jw_status (*take)(void *ctx, struct jw_span piece, struct jw_err *e),
	void *ctx, struct cli_progress *progress, bool *cut, struct jw_err *e);

/* One gzip member that goes to a file as it grows. {0} may be freed, too. */
struct cli_gzip {
	struct jw_out *out;
	void *state; /* owned; zlib's */
};
enum jw_status JW_MUST_USE cli_gzip_open(struct cli_gzip *gzip, struct jw_out *out,
					 struct jw_err *e);
enum jw_status JW_MUST_USE cli_gzip_write(struct cli_gzip *gzip, struct jw_span s,
					  struct jw_err *e);
/* Nothing more is to come. */
enum jw_status JW_MUST_USE cli_gzip_finish(struct cli_gzip *gzip, struct jw_err *e);
void cli_gzip_free(struct cli_gzip *gzip);

#endif
