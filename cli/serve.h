/*
 * serve.h: a page over HTTP, to the browsers of this machine alone (127.0.0.1): what
 * serve_answer.h says, until the page is closed. The parser of HTTP is libmicrohttpd's, which is loaded
 * when it is needed (serve_library.h).
 *
 * A request has 16 KB for its address and headers; there are 200 connections at most; one that says
 * nothing for 15 s is closed; answers that wait to be sent take 256 MB at most together.
 */
#ifndef JW_CLI_SERVE_H
#define JW_CLI_SERVE_H

#include "cli/cli.h"
#include "trace/view/view_index.h"

/* JW_IO: it is not built in, or there is no libmicrohttpd. */
enum jw_status JW_MUST_USE cli_serve_check(struct jw_err *e);

/* Tells the address (of PORT; 0: any), opens it where there is a desktop if BROWSE, and answers until
 * 90 s after the page has been closed, or until nothing has asked for 10 minutes since the first
 * request; a signal ends the process. JW_IO: as above, or the port is taken. */
enum jw_status JW_MUST_USE cli_serve(struct cli *cli, const struct trace_index *index,
				     unsigned port, bool browse, struct jw_err *e);

#endif
