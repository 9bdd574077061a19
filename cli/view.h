/*
 * view.h: what `jweave view`, `jweave view --serve` and `jweave run --view` share.
 */
#ifndef JW_CLI_VIEW_H
#define JW_CLI_VIEW_H

#include "cli/cli.h"

/* The page of COUNT PATHS (recordings, or a trace) becomes the file OUT. */
enum jw_status JW_MUST_USE cli_view_make(struct cli *cli, const char *const *paths, size_t count,
					 const char *out, const char *title, struct jw_err *e);

/* The same, with the index that the page asks (trace/view/view_index.h), as one file; STAMP says what it
 * is made of. */
enum jw_status JW_MUST_USE cli_view_make_index(struct cli *cli, const char *const *paths,
					       size_t count, const char *out, const char *title,
					       struct jw_span stamp, struct jw_err *e);

/* view_serve.c: makes the index OUT unless it is there and fits, and serves it until the page is
 * closed. */
enum jw_status JW_MUST_USE cli_view_serve(struct cli *cli, const char *out, const char *title,
					  struct jw_err *e);

#endif
