/*
 * f_serve.c: what `jweave view --serve` answers to any request: never a page without the token, nothing
 * of another site, tracks and arrows that are well formed; also from an index that is damaged.
 *
 * The input: lines METHOD, PATH, HOST, ORIGIN, SITE, ROWS, FROM, TO, BODY ("-": there is none); in them T
 * is the token. After a zero byte pieces of three bytes change the index: where (two), and by what.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/serve_answer.h"
#include "tests/fuzz.h"
#include "tests/trace/make_index.h"
#include "tests/trace/make_recording.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

enum { METHOD, PATH, HOST, ORIGIN, SITE, ROWS, FROM, TO, BODY, LINES };
static const char token[] = "0123456789abcdef0123456789abcdef";

/* ---- the index ---- */

static struct jw_buf whole;
static int memory = -1;

static void prepare(void)
{
	struct jw_err e = { 0 };
	struct jw_file file;

	if (memory >= 0)
		return;
	if (jw_file_open(make_index("fuzz", 4000, ""), 0, &file, &e) != JW_OK)
		abort();
	jw_put_bytes(&whole, file.bytes);
	jw_file_close(&file);
	memory = open(make_path("changed"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (memory < 0)
		abort();
}

static struct trace_index *open_changed(struct jw_span changes)
{
	struct jw_err e = { 0 };
	struct trace_index *x = NULL;
	bool fits;
	struct jw_buf bytes = { 0 };

	prepare();
	jw_put_bytes(&bytes, jw_buf_span(&whole));
	for (size_t i = 0; i + 3 <= changes.n; i += 3) {
		size_t at = (size_t)changes.p[i] << 8 | changes.p[i + 1];

		/* the head and the directory: what is between them is blocks */
		at = at < 0x8000 ? at % TRACE_INDEX_HEAD + (at >> 6) % 4096
				 : bytes.n - 1 - (at & 0x7fff);
		if (at < bytes.n)
			bytes.p[at] ^= changes.p[i + 2];
	}
	if (ftruncate(memory, 0) != 0 || !jw_write_all_at(memory, bytes.p, bytes.n, 0))
		abort();
	jw_buf_free(&bytes);
	if (trace_index_open(dup(memory), jw_span_str(""), &x, &fits, &e) == JW_OK)
		return x;
	if (changes.n < 3 || !e.text[0])
		abort();
	return NULL;
}

/* ---- the request ---- */

/* The lines of the input, in memory of their own. */
static void split(struct jw_span text, char *lines[LINES])
{
	for (size_t i = 0; i < LINES; i++) {
		const uint8_t *end = text.n ? memchr(text.p, '\n', text.n) : NULL;
		size_t n = end ? (size_t)(end - text.p) : text.n;
		struct jw_buf line = { 0 };

		for (size_t k = 0; k < n; k++)
			if (text.p[k] == 'T')
				jw_put_str(&line, token);
			else
				jw_put_u1(&line, text.p[k]);
		jw_put_u1(&line, 0);
		lines[i] = (char *)line.p;
		text = jw_span_sub(text, n + 1, text.n);
	}
}

static const char *given(const char *line)
{
	return strcmp(line, "-") == 0 ? NULL : line;
}

/* ---- the answer ---- */

static void check_tracks(struct jw_span body)
{
	struct jw_cur c = jw_cur(body);

	(void)trace_view_get(&c);
	uint64_t rows = trace_view_get(&c);

	for (; rows && jw_cur_ok(&c); rows--) {
		(void)trace_view_get(&c);
		for (uint64_t lines = trace_view_get(&c); lines && jw_cur_ok(&c); lines--) {
			uint64_t n = trace_view_get(&c), sums = 0;

			for (uint64_t i = 0; i < 2 * n && jw_cur_ok(&c); i++)
				(void)trace_view_get(&c);
			for (uint64_t i = 0; i < n && jw_cur_ok(&c); i++)
				sums += trace_view_get(&c) & 1;
			for (uint64_t i = 0; i < 2 * sums && jw_cur_ok(&c); i++)
				(void)trace_view_get(&c);
		}
	}
	if (!jw_cur_ok(&c) || jw_cur_left(&c))
		abort();
}

static void check(const struct cli_serve_request *r, const struct cli_serve_answer *a)
{
	bool good = a->kind != CLI_SERVE_TEXT;

	if (good != (a->status == 200) || (!good && !a->body.n) || a->body.failed != JW_OK)
		abort();
	if (good &&
	    (strncmp(r->path + 1, token, strlen(token)) != 0 || !r->host ||
	     strcmp(r->method, "GET") != 0 || r->has_body ||
	     (strcmp(r->host, "127.0.0.1:4711") != 0 && strcmp(r->host, "localhost:4711") != 0)))
		abort();
	if (a->kind == CLI_SERVE_BYTES && r->path[strlen(token) + 2] == 't')
		check_tracks(jw_buf_span(&a->body));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	size_t n = zero ? (size_t)(zero - data) : size;
	struct trace_index *x =
		open_changed(zero ? jw_span(zero + 1, size - n - 1) : jw_span(NULL, 0));
	struct cli_serve_site site = { .index = x, .port = 4711 };
	struct cli_serve_answer answer;
	char *lines[LINES];

	if (!x)
		return 0;
	memcpy(site.token, token, sizeof(token));
	split(jw_span(data, n), lines);
	const struct cli_serve_request request = { .method = lines[METHOD],
						   .path = lines[PATH],
						   .host = given(lines[HOST]),
						   .origin = given(lines[ORIGIN]),
						   .site = given(lines[SITE]),
						   .rows = given(lines[ROWS]),
						   .from = given(lines[FROM]),
						   .to = given(lines[TO]),
						   .has_body = given(lines[BODY]) && *lines[BODY] };

	cli_serve_answer(&site, &request, &answer);
	check(&request, &answer);
	jw_buf_free(&answer.body);
	for (size_t i = 0; i < LINES; i++)
		jw_mem_free(lines[i]);
	trace_index_close(x);
	return 0;
}
