/*
 * page.c: see page.h.
 */
#include "cli/page.h"

#include <libdeflate.h>
#include <string.h>
#include <sys/random.h>

#include "base/carried.h"

#include "base/banned.h"

/* LEVEL: 3 % larger than at 3, in half the time. */
enum { LEVEL = 1, PART = 1 << 20 };

/* X(symbol, "file"): what share/view holds. ORDER: scripts as the page runs them, a later one uses
 * those before it. */
#define FILE_LIST(X)                 \
	X(html, "page.html")         \
	X(style, "style.css")        \
	X(data, "data.js")           \
	X(text, "text.js")           \
	X(model, "model.js")         \
	X(served, "served.js")       \
	X(processes, "processes.js") \
	X(slow, "slow.js")           \
	X(ranged, "ranged.js")       \
	X(tasks, "tasks.js")         \
	X(requests, "requests.js")   \
	X(channels, "channels.js")   \
	X(traces, "traces.js")       \
	X(overview, "overview.js")   \
	X(tables, "tables.js")       \
	X(paint, "paint.js")         \
	X(rows, "rows.js")           \
	X(picture, "picture.js")     \
	X(timeline, "timeline.js")   \
	X(details, "details.js")     \
	X(path, "path.js")           \
	X(diff, "diff.js")           \
	X(flame, "flame.js")         \
	X(search, "search.js")       \
	X(keys, "keys.js")           \
	X(main, "main.js")

#define FILE_BYTES(symbol, name) JW_CARRY(cli_page_##symbol, "share/view/" name);
FILE_LIST(FILE_BYTES)
#undef FILE_BYTES

enum file {
#define FILE_ENUM(symbol, name) FILE_##symbol,
	FILE_LIST(FILE_ENUM)
#undef FILE_ENUM
		FILES,
};

static struct jw_span file_bytes(enum file file)
{
	static const struct jw_carried files[] = {
#define FILE_ROW(symbol, name) { JW_CARRIED_ENDS(cli_page_##symbol) },
		FILE_LIST(FILE_ROW)
#undef FILE_ROW
	};

	return jw_carried(files[file]);
}

/* ---- the page's own text ---- */

/* What page.html has between two @. */
#define MARK '@'

/* A number that nobody knows before, so that the page runs these scripts alone. */
static enum jw_status make_nonce(char *text, size_t room, struct jw_err *e)
{
	uint8_t bytes[12];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return jw_fail(e, JW_IO, "the system gives no random bytes");
	for (size_t i = 0; i < sizeof(bytes) && 2 * i + 2 < room; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
		text[2 * i + 2] = 0;
	}
	return JW_OK;
}

static enum jw_status write_word(struct cli_page *page, struct jw_span word, struct jw_err *e)
{
	if (jw_span_eq_str(word, "nonce"))
		return jw_out_write(page->out, jw_span_str(page->nonce), e);
	if (jw_span_eq_str(word, "served"))
		return jw_out_write(page->out,
				    jw_span_str(page->served ? "connect-src 'self'; " : ""), e);
	if (jw_span_eq_str(word, "style"))
		return jw_out_write(page->out, file_bytes(FILE_style), e);
	for (enum file f = FILE_data; f < FILES; f++)
		JW_TRY(jw_out_write(page->out, file_bytes(f), e));
	return JW_OK;
}

/* Writes page.html from where it is, up to its mark UNTIL ("": its end). */
static enum jw_status write_text(struct cli_page *page, const char *until, struct jw_err *e)
{
	while (page->rest.n) {
		const uint8_t *mark = memchr(page->rest.p, MARK, page->rest.n);
		size_t n = mark ? (size_t)(mark - page->rest.p) : page->rest.n;

		JW_TRY(jw_out_write(page->out, jw_span_sub(page->rest, 0, n), e));
		page->rest = jw_span_sub(page->rest, n + 1, page->rest.n);
		const uint8_t *end = mark ? memchr(page->rest.p, MARK, page->rest.n) : NULL;

		if (!end)
			return JW_OK;
		struct jw_span word = jw_span(page->rest.p, (size_t)(end - page->rest.p));

		page->rest = jw_span_sub(page->rest, word.n + 1, page->rest.n);
		if (jw_span_eq_str(word, until))
			return JW_OK;
		JW_TRY(write_word(page, word, e));
	}
	return JW_OK;
}

enum jw_status cli_page_begin(struct cli_page *page, struct jw_out *out, bool served,
			      struct jw_err *e)
{
	*page = (struct cli_page){ .out = out, .rest = file_bytes(FILE_html), .served = served };
	page->compressor = libdeflate_alloc_compressor(LEVEL);
	if (!page->compressor)
		return jw_nomem(e);
	JW_TRY(make_nonce(page->nonce, sizeof(page->nonce), e));
	return write_text(page, "data", e);
}

enum jw_status cli_page_end(struct cli_page *page, struct jw_err *e)
{
	return write_text(page, "", e);
}

void cli_page_free(struct cli_page *page)
{
	libdeflate_free_compressor(page->compressor);
	jw_buf_free(&page->packed);
	jw_buf_free(&page->text);
	*page = (struct cli_page){ 0 };
}

/* ---- data ---- */

static void put_base64(struct jw_buf *out, struct jw_span s)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char quad[4];

	jw_buf_reserve(out, (s.n + 2) / 3 * 4);
	for (size_t i = 0; i < s.n; i += 3) {
		size_t left = s.n - i;
		uint32_t three = (uint32_t)s.p[i] << 16 |
				 (left > 1 ? (uint32_t)s.p[i + 1] << 8 : 0) |
				 (left > 2 ? (uint32_t)s.p[i + 2] : 0);

		memset(quad, '=', sizeof(quad));
		quad[0] = digits[three >> 18];
		quad[1] = digits[three >> 12 & 63];
		if (left > 1)
			quad[2] = digits[three >> 6 & 63];
		if (left > 2)
			quad[3] = digits[three & 63];
		jw_put_bytes(out, jw_span(quad, sizeof(quad)));
	}
}

static enum jw_status write_part(struct cli_page *page, const char *name, struct jw_span bytes,
				 struct jw_err *e)
{
	size_t bound = libdeflate_zlib_compress_bound(page->compressor, bytes.n);

	jw_buf_clear(&page->packed);
	jw_buf_clear(&page->text);
	jw_buf_reserve(&page->packed, bound);
	if (page->packed.failed != JW_OK)
		return jw_nomem(e);
	size_t n =
		libdeflate_zlib_compress(page->compressor, bytes.p, bytes.n, page->packed.p, bound);

	jw_put_fmt(&page->text, "<script type=\"application/x-jweave\" data-section=\"%s\">", name);
	put_base64(&page->text, jw_span(page->packed.p, n));
	jw_put_str(&page->text, "</script>\n");
	JW_TRY(jw_buf_finish(&page->text, "part of the page", e));
	return jw_out_write(page->out, jw_buf_span(&page->text), e);
}

enum jw_status cli_page_section(struct cli_page *page, const char *name, struct jw_span bytes,
				struct jw_err *e)
{
	for (size_t i = 0; i == 0 || i < bytes.n; i += PART)
		JW_TRY(write_part(page, name, jw_span_sub(bytes, i, PART), e));
	return JW_OK;
}
