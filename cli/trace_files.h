/*
 * trace_files.h: the files of a trace by their names, and how they are read.
 */
#ifndef JW_CLI_TRACE_FILES_H
#define JW_CLI_TRACE_FILES_H

#include "base/file.h"
#include "cli/cli.h"

/* Is it the name of a trace, .prv or .prv.gz? */
bool cli_is_trace_name(const char *path);
/* The same, and no recording. */
bool cli_is_trace(const char *path);
/* PATH without what says that it is a trace or a recording; in ARENA, NULL: no memory. */
const char *cli_bare_name(struct jw_arena *arena, const char *path);

/* Who reads a trace. BEGIN has what is beside the .prv, as long as it is read; TAKE has the .prv, piece by piece, and FINISH what is beside it, empty where it is missing:
 * names are numbers then. */
struct cli_trace_reader {
	const char *doing; /* for the progress: "drawing" */
	/* what could be read of a damaged one is "drawn". NULL: another reading tells what is wrong */
	const char *done;
	enum jw_status (*begin)(void *ctx, struct jw_span pcf, struct jw_span row,
				struct jw_err *e);
	enum jw_status (*take)(void *ctx, struct jw_span piece, struct jw_err *e);
	enum jw_status (*finish)(void *ctx, struct jw_span pcf, struct jw_span row,
				 struct jw_err *e);
	void *ctx;
};

/* Reads the trace PATH, .prv or .prv.gz. Errors of the input name it. */
enum jw_status JW_MUST_USE cli_read_trace(struct cli *cli, const char *path,
					  const struct cli_trace_reader *reader, struct jw_err *e);

#endif
