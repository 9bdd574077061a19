/*
 * out.h: all that jweave prints, and files that it writes: results go to stdout, messages and
 * progress to stderr. Results are gathered; a message sends them first, so that lines on a terminal
 * keep their order.
 */
#ifndef JW_CLI_OUT_H
#define JW_CLI_OUT_H

#include <sys/types.h>

#include "base/bytes.h"
#include "cli/cli.h"

/* ---- results (stdout) ---- */

void cli_put(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3);
void cli_put_span(struct cli *cli, struct jw_span s); /* as it is */
/* Sends what waits. JW_IO when stdout did not take it: now or before. */
enum jw_status JW_MUST_USE cli_flush(struct cli *cli, struct jw_err *e);

/* Results go to TAKE instead, in pieces, until cli_divert(cli, NULL) has sent the rest. What waits
 * for stdout goes there first. */
struct cli_divert {
	enum jw_status (*take)(void *to, struct jw_span piece, struct jw_err *e);
	void *to;
	enum jw_status status; /* the first failure, of which E says more */
	struct jw_err *e;
};
void cli_divert(struct cli *cli, struct cli_divert *divert);

/* ---- messages (stderr), one line each, escaped ---- */

void cli_error(struct cli *cli, const char *text);
/* Without -v, of many that are alike (alike.h) only some: how many there are more is told before anything else is. */
void cli_warn(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3);
void cli_note(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3);   /* not with -q */
void cli_detail(struct cli *cli, const char *fmt, ...) JW_PRINTF(2, 3); /* with -v */

/* ---- progress (stderr, on a terminal, after a second) ---- */

struct cli_progress {
	struct cli *cli;
	const char *what;    /* "weaving" */
	double began, drawn; /* seconds on the monotonic clock */
	bool bytes;          /* the amounts are bytes: show a rate */
};
struct cli_progress cli_progress_begin(struct cli *cli, const char *what, bool bytes);
void cli_progress_step(struct cli_progress *p, double done, double all);
/* The same, for who calls back with PROGRESS. */
void cli_progress_told(void *progress, double done, double all);
void cli_progress_end(struct cli_progress *p);
/* The text of the line, for PASSED seconds. */
void cli_progress_text(struct jw_buf *out, const struct cli_progress *p, double passed, double done,
		       double all);

/* ---- files ---- */

/* Writes TEXT to a file of MODE that appears whole, or not at all. */
enum jw_status JW_MUST_USE cli_write_file(const char *path, mode_t mode, struct jw_span text,
					  struct jw_err *e);

#endif
