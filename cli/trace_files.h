/*
 * trace_files.h: the files of a trace by their names, and those beside a .prv.
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
/* Opens the .pcf or .row (SUFFIX) beside the trace PATH. Without it names are numbers, which is
 * said, and *OUT is empty. */
enum jw_status JW_MUST_USE cli_open_beside(struct cli *cli, const char *path, const char *suffix,
					   struct jw_file *out, struct jw_err *e);

/* The same, and nothing is said. */
enum jw_status JW_MUST_USE cli_open_beside_quietly(struct cli *cli, const char *path,
						   const char *suffix, struct jw_file *out,
						   struct jw_err *e);

#endif
