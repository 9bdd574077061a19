/*
 * t_serve_answer.c: who may ask `jweave view --serve` for what.
 */
#include <fcntl.h>
#include <string.h>

#include "cli/serve_answer.h"
#include "tests/tap.h"
#include "tests/trace/make_index.h"

#include "base/banned.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static struct trace_index *read_index(void)
{
	struct trace_index *x = NULL;
	struct jw_err e = { 0 };
	bool fits;

	is_int(trace_index_open(open(make_index("i", 100, ""), O_RDONLY | O_CLOEXEC),
				jw_span_str(""), &x, &fits, &e),
	       JW_OK);
	return x;
}

static struct cli_serve_answer answer;

/* The status of the answer. */
static int ask(struct cli_serve_request r)
{
	struct trace_index *index = read_index();
	struct cli_serve_site site = { .index = index, .token = TOKEN, .port = 80 };

	r.method = r.method ? r.method : "GET";
	r.path = r.path ? r.path : "/" TOKEN "/";
	r.host = r.host ? r.host : "127.0.0.1:80";
	jw_buf_free(&answer.body);
	cli_serve_answer(&site, &r, &answer);
	trace_index_close(index);
	return (int)answer.status;
}

static const char *said(void)
{
	static char text[200];
	size_t n = answer.body.n && answer.body.n < sizeof(text) ? answer.body.n - 1 : 0;

	memcpy(text, answer.body.p, n);
	text[n] = 0;
	return text;
}

#define ASK(...) ask((struct cli_serve_request){ __VA_ARGS__ })

TEST(what_there_is)
{
	is_int(ASK(0), 200);
	is_int(answer.kind, CLI_SERVE_PAGE);
	is_int(ASK(.host = "localhost:80"), 200);
	is_int(ASK(.origin = "http://127.0.0.1:80"), 200);
	is_int(ASK(.site = "cross-site"), 200);
	is_int(ASK(.path = "/" TOKEN "/here", .site = "same-origin"), 200);
	is_int(answer.kind, CLI_SERVE_HERE);
	is_int(ASK(.path = "/" TOKEN "/gone"), 200);
	is_int(answer.kind, CLI_SERVE_GONE);
	is_int(ASK(.path = "/" TOKEN "/tracks", .rows = "0,1", .from = "0", .to = "9"), 200);
	is_int(answer.kind, CLI_SERVE_BYTES);
	ok(answer.body.n > 8);
	is_int(ASK(.path = "/" TOKEN "/arrows", .from = "0", .to = "5000"), 200);
	ok(answer.body.n > 8);
}

TEST(who_is_refused)
{
	static const char *const hosts[] = {
		"", "127.0.0.1", "127.0.0.1:81", "evil.com", "localhost:80.evil.com", "[::1]:80"
	};

	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		is_int(ASK(.host = hosts[i]), 403);
		is_str(said(), "this is not the address of this server");
	}
	is_int(ASK(.origin = "http://localhost:80"), 403); /* not what Host says */
	is_int(ASK(.origin = "null"), 403);
	is_int(ASK(.origin = "https://127.0.0.1:80"), 403);
	is_str(said(), "another site may not ask");
	is_int(ASK(.path = "/" TOKEN "/here", .site = "cross-site"), 403);
	is_str(said(), "another site may not ask");
	is_int(ASK(.method = "POST"), 405);
	is_int(ASK(.method = "HEAD"), 405);
	is_str(said(), "only GET is answered");
	is_int(ASK(.has_body = true), 413);
	is_str(said(), "a request has no body");
}

TEST(paths)
{
	static const char *const paths[] = { "",
					     "/",
					     "*",
					     "/" TOKEN,
					     "/" TOKEN "//",
					     "/" TOKEN "/../" TOKEN "/",
					     "/" TOKEN "/tracks/",
					     "/" TOKEN "/i",
					     "/0123456789abcdef0123456789abcdee/",
					     "/0123456789abcdef/",
					     "x" TOKEN "/",
					     "/" TOKEN "x/",
					     "/etc/passwd" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		is_int(ASK(.path = paths[i]), 404);
		is_str(said(), "there is nothing here");
	}
}

TEST(arguments)
{
	static const char *const rows[] = {
		"", ",", "0,", ",0", "-1", "0 ", "x", "0;1", "99999999999999999999", "4294967296"
	};
	static const char *const times[] = { "", "-1", "1e9", "0x10", " 1", "9007199254740993" };
	char many[3 * TRACE_INDEX_ROWS + 3] = "0";

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		is_int(ASK(.path = "/" TOKEN "/tracks", .rows = rows[i], .from = "0", .to = "9"),
		       400);
		is_str(said(), "rows, from and to must be numbers");
	}
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		is_int(ASK(.path = "/" TOKEN "/tracks", .rows = "0", .from = times[i], .to = "9"),
		       400);
		is_int(ASK(.path = "/" TOKEN "/arrows", .from = "0", .to = times[i]), 400);
		is_str(said(), "from and to must be numbers");
	}
	is_int(ASK(.path = "/" TOKEN "/tracks"), 400);
	is_int(ASK(.path = "/" TOKEN "/arrows", .from = "9", .to = "8"), 400);
	is_int(ASK(.path = "/" TOKEN "/tracks", .rows = "2", .from = "0", .to = "9"), 400);
	is_str(said(), "there is no such row");
	for (size_t n = 1; n <= TRACE_INDEX_ROWS + 1; n++) {
		if (n >= TRACE_INDEX_ROWS)
			is_int(ASK(.path = "/" TOKEN "/tracks", .rows = many, .from = "0",
				   .to = "9"),
			       n > TRACE_INDEX_ROWS ? 400 : 200);
		memcpy(many + strlen(many), ",0", 3);
	}
	jw_buf_free(&answer.body);
}
