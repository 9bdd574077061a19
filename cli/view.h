/*
 * view.h: what `jweave view` and `jweave run --view` share.
 */
#ifndef JW_CLI_VIEW_H
#define JW_CLI_VIEW_H

#include "cli/cli.h"

/* The page of COUNT PATHS (recordings, or a trace) becomes the file OUT. */
enum jw_status JW_MUST_USE cli_view_make(struct cli *cli, const char *const *paths, size_t count,
					 const char *out, const char *title, struct jw_err *e);

#endif
