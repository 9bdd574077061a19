/*
 * serve_answer.c: see serve_answer.h.
 */
#include "cli/serve_answer.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

static void say(struct cli_serve_answer *out, unsigned status, const char *text)
{
	out->kind = CLI_SERVE_TEXT;
	out->status = status;
	jw_buf_clear(&out->body);
	jw_put_str(&out->body, text);
	jw_put_str(&out->body, "\n");
}

/* ---- who asks ---- */

/* Takes the same time wherever they differ. */
static bool same_token(const char *token, const char *path)
{
	unsigned differ = 0;

	for (size_t i = 0; token[i]; i++) {
		if (!path[i])
			return false;
		differ |= (unsigned char)token[i] ^ (unsigned char)path[i];
	}
	return differ == 0;
}

static bool is_address(const struct cli_serve_site *site, const char *text)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char address[32];

		(void)snprintf(address, sizeof(address), "%s:%u", names[i], site->port);
		if (strcmp(text, address) == 0)
			return true;
	}
	return false;
}

static bool is_refused(const struct cli_serve_site *site, const struct cli_serve_request *r,
		       struct cli_serve_answer *out)
{
	static const char scheme[] = "http://";

	if (!r->host || !is_address(site, r->host))
		say(out, 403, "this is not the address of this server");
	else if (r->origin && (strncmp(r->origin, scheme, strlen(scheme)) != 0 ||
			       strcmp(r->origin + strlen(scheme), r->host) != 0))
		say(out, 403, "another site may not ask");
	else if (strcmp(r->method, "GET") != 0)
		say(out, 405, "only GET is answered");
	else if (r->has_body)
		say(out, 413, "a request has no body");
	else
		return false;
	return true;
}

/* ---- arguments ---- */

/* Digits up to a character that is none, at most 2^53. */
static bool take_number(const char **text, uint64_t *out)
{
	const char *s = *text;
	uint64_t v = 0;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		v = v * 10 + (uint64_t)(*s - '0');
		if (v > UINT64_C(1) << 53)
			return false;
	}
	*text = s;
	*out = v;
	return true;
}

static bool take_time(const char *text, uint64_t *out)
{
	return text && take_number(&text, out) && !*text;
}

static bool take_rows(const char *text, struct trace_index_window *w)
{
	for (w->row_n = 0; text; text++) {
		uint64_t row;

		if (w->row_n == TRACE_INDEX_ROWS || !take_number(&text, &row) || row > UINT32_MAX)
			return false;
		w->rows[w->row_n++] = (uint32_t)row;
		if (*text != ',')
			return !*text;
	}
	return false;
}

/* ---- answers ---- */

static void finish(struct cli_serve_answer *out, enum jw_status status, const struct jw_err *e)
{
	static const struct {
		enum jw_status status;
		unsigned http;
	} codes[] = { { JW_USAGE, 400 }, { JW_LIMIT, 413 } };

	out->kind = CLI_SERVE_BYTES;
	out->status = 200;
	if (status == JW_OK)
		return;
	unsigned http = 500;

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		http = codes[i].status == status ? codes[i].http : http;
	say(out, http, e->text);
}

static void answer_tracks(const struct cli_serve_site *site, const struct cli_serve_request *r,
			  struct cli_serve_answer *out)
{
	struct trace_index_window w = { 0 };
	struct jw_err e = { 0 };

	if (!take_rows(r->rows, &w) || !take_time(r->from, &w.from) || !take_time(r->to, &w.to) ||
	    w.from > w.to)
		say(out, 400, "rows, from and to must be numbers");
	else
		finish(out, trace_index_rows(site->index, &w, &out->body, &e), &e);
}

static void answer_arrows(const struct cli_serve_site *site, const struct cli_serve_request *r,
			  struct cli_serve_answer *out)
{
	uint64_t from, to;
	struct jw_err e = { 0 };

	if (!take_time(r->from, &from) || !take_time(r->to, &to) || from > to)
		say(out, 400, "from and to must be numbers");
	else
		finish(out, trace_index_arrows(site->index, from, to, &out->body, &e), &e);
}

void cli_serve_answer(const struct cli_serve_site *site, const struct cli_serve_request *r,
		      struct cli_serve_answer *out)
{
	size_t token = strlen(site->token);

	*out = (struct cli_serve_answer){ 0 };
	if (is_refused(site, r, out))
		return;
	if (r->path[0] != '/' || !same_token(site->token, r->path + 1) ||
	    r->path[1 + token] != '/') {
		say(out, 404, "there is nothing here");
		return;
	}
	const char *name = r->path + token + 2;

	out->status = 200;
	if (!*name) /* which another page may lead to: it sees nothing of it */
		out->kind = CLI_SERVE_PAGE;
	else if (r->site && strcmp(r->site, "same-origin") != 0 && strcmp(r->site, "none") != 0)
		say(out, 403, "another site may not ask");
	else if (strcmp(name, "tracks") == 0)
		answer_tracks(site, r, out);
	else if (strcmp(name, "arrows") == 0)
		answer_arrows(site, r, out);
	else if (strcmp(name, "here") == 0)
		out->kind = CLI_SERVE_HERE;
	else if (strcmp(name, "gone") == 0)
		out->kind = CLI_SERVE_GONE;
	else
		say(out, 404, "there is nothing here");
}
