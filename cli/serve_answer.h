/*
 * serve_answer.h: what `jweave view --serve` answers to a request: a pure function of the request and
 * the index (trace/view/view_index.h). serve.h brings it to HTTP.
 *
 *     GET /TOKEN/                                    the page
 *     GET /TOKEN/tracks?rows=0,1,7&from=NS&to=NS     trace_index_rows()
 *     GET /TOKEN/arrows?from=NS&to=NS                trace_index_arrows()
 *     GET /TOKEN/here, /TOKEN/gone                   the page is open, is being closed
 *
 * Nothing else is answered, and no text of a request is ever the name of a file. The token is a number
 * that only the user's own programs know. Host must be this server's address, so that no name that
 * somebody else's DNS has for 127.0.0.1 gets in; a request of another site's page is refused, too.
 */
#ifndef JW_CLI_SERVE_ANSWER_H
#define JW_CLI_SERVE_ANSWER_H

#include "base/bytes.h"
#include "trace/view/view_index.h"

#define CLI_SERVE_TOKEN 33 /* digits and the end */

struct cli_serve_site {
	const struct trace_index *index;
	char token[CLI_SERVE_TOKEN];
	unsigned port;
};

/* NULL: the request has none. */
struct cli_serve_request {
	const char *method, *path;
	const char *host, *origin, *site; /* the headers Host, Origin, Sec-Fetch-Site */
	const char *rows, *from, *to;     /* arguments */
	bool has_body;
};

enum cli_serve_kind {
	CLI_SERVE_TEXT,  /* `body`, a line that says why not */
	CLI_SERVE_BYTES, /* `body` */
	CLI_SERVE_PAGE,  /* trace_index_page() */
	CLI_SERVE_HERE,  /* nothing */
	CLI_SERVE_GONE,  /* likewise; the page is closed */
};

struct cli_serve_answer {
	enum cli_serve_kind kind;
	unsigned status;    /* of HTTP */
	struct jw_buf body; /* owned by the caller, who frees it */
};

void cli_serve_answer(const struct cli_serve_site *site, const struct cli_serve_request *request,
		      struct cli_serve_answer *out);

#endif
