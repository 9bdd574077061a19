/*
 * json_scan.c: see json_scan.h.
 */
#include "rules/json_scan.h"

#include <string.h>

#include "base/text.h"

#include "base/banned.h"

/* ---- UTF-8 ---- */

enum jw_status rules_scan_utf8(struct rules_scan *s)
{
	struct rules_scan at = *s;

	while (jw_cur_left(&at.cur) > 0) {
		uint32_t point;
		size_t n = jw_utf8_at(jw_span_sub(at.cur.s, at.cur.pos, SIZE_MAX), &point);

		if (n == 0 && at.cur.pos == 0 && rules_scan_peek(&at) >= 0xfe)
			return rules_scan_fail_here(
				&at, "not UTF-8 (it looks like UTF-16): save it as UTF-8");
		if (n == 0)
			return rules_scan_fail_here(&at, "not UTF-8: save the file as UTF-8");
		for (; n > 0; n--)
			rules_scan_advance(&at);
	}
	return JW_OK;
}

/* ---- between values ---- */

static enum jw_status skip_block_comment(struct rules_scan *s)
{
	uint32_t line = s->line, column = s->column;

	rules_scan_advance(s);
	rules_scan_advance(s);
	while (rules_scan_peek(s) != '*' || rules_scan_second(s) != '/') {
		if (rules_scan_peek(s) < 0)
			return rules_scan_fail(s, line, column, "this comment never ends");
		rules_scan_advance(s);
	}
	rules_scan_advance(s);
	rules_scan_advance(s);
	return JW_OK;
}

enum jw_status rules_scan_space(struct rules_scan *s)
{
	for (;;) {
		int c = rules_scan_peek(s);

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			rules_scan_advance(s);
		} else if (c == '/' && rules_scan_second(s) == '/') {
			while (rules_scan_peek(s) >= 0 && rules_scan_peek(s) != '\n')
				rules_scan_advance(s);
		} else if (c == '/' && rules_scan_second(s) == '*') {
			JW_TRY(skip_block_comment(s));
		} else {
			return JW_OK;
		}
	}
}

/* ---- strings ---- */

static enum jw_status scan_hex4(struct rules_scan *s, uint32_t *out)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++) {
		int digit = jw_hex_digit(rules_scan_peek(s));

		if (digit < 0)
			return rules_scan_fail_here(s, "\\u needs four hexadecimal digits");
		v = v << 4 | (uint32_t)digit;
		rules_scan_advance(s);
	}
	*out = v;
	return JW_OK;
}

/* After "\u". */
static enum jw_status scan_unicode(struct rules_scan *s, uint32_t line, uint32_t column)
{
	uint32_t code = 0, low = 0;

	JW_TRY(scan_hex4(s, &code));
	if (code == 0)
		return rules_scan_fail(s, line, column,
				       "the zero character is not allowed in a string");
	if (code >= 0xd800 && code < 0xdc00 && rules_scan_peek(s) == '\\' &&
	    rules_scan_second(s) == 'u') {
		rules_scan_advance(s);
		rules_scan_advance(s);
		JW_TRY(scan_hex4(s, &low));
		if (low < 0xdc00 || low > 0xdfff)
			return rules_scan_fail(s, line, column, "half a surrogate pair");
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code >= 0xd800 && code <= 0xdfff) {
		return rules_scan_fail(s, line, column, "half a surrogate pair");
	}
	jw_put_utf8(&s->string, code);
	return JW_OK;
}

static enum jw_status scan_escape(struct rules_scan *s)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	uint32_t line = s->line, column = s->column;
	const char *at;
	int c;

	rules_scan_advance(s);
	c = rules_scan_peek(s);
	if (c == 'u') {
		rules_scan_advance(s);
		return scan_unicode(s, line, column);
	}
	at = c > 0 ? strchr(from, c) : NULL;
	if (!at)
		return rules_scan_fail(s, line, column, "unknown escape in a string");
	jw_put_u1(&s->string, (unsigned char)to[at - from]);
	rules_scan_advance(s);
	return JW_OK;
}

/* T with a zero byte after it, in the arena. */
static enum jw_status keep(struct rules_scan *s, struct jw_span t, struct jw_span *out)
{
	char *copy = jw_arena_str(s->arena, t);

	if (!copy)
		return jw_nomem(s->e);
	*out = jw_span(copy, t.n);
	return JW_OK;
}

enum jw_status rules_scan_string(struct rules_scan *s, struct jw_span *out, struct jw_span *raw)
{
	uint32_t line = s->line, column = s->column;
	size_t start = s->cur.pos + 1, n;

	jw_buf_clear(&s->string);
	rules_scan_advance(s);
	for (int c = rules_scan_peek(s); c != '"'; c = rules_scan_peek(s)) {
		if (c < 0 || c == '\n')
			return rules_scan_fail(s, line, column, "this string never ends");
		if (c < 0x20)
			return rules_scan_fail_here(
				s, "control character in a string: write it as an escape");
		if (c == '\\') {
			JW_TRY(scan_escape(s));
		} else {
			jw_put_u1(&s->string, (unsigned)c);
			rules_scan_advance(s);
		}
	}
	n = s->cur.pos - start;
	rules_scan_advance(s);
	JW_TRY(jw_buf_finish(&s->string, "string", s->e));
	if (n != s->string.n) /* every escape is longer than its character */
		JW_TRY(keep(s, jw_span_sub(s->cur.s, start, n), raw));
	return keep(s, jw_buf_span(&s->string), out);
}

/* The character that RAW begins with: how many bytes of RAW it takes; as it is read: *DECODED. */
static size_t written_as(struct jw_span raw, size_t *decoded)
{
	uint32_t code = 0;
	size_t n = 1;

	if (jw_span_u1(raw, 0) != '\\') {
		while (n < raw.n && (raw.p[n] & 0xc0) == 0x80)
			n++;
		return *decoded = n;
	}
	*decoded = 1;
	if (raw.n < 6 || raw.p[1] != 'u')
		return 2;
	for (size_t i = 2; i < 6; i++)
		code = code << 4 | (uint32_t)jw_hex_digit(raw.p[i]);
	if (code >= 0xd800 && code < 0xe000) { /* and the other half */
		*decoded = 4;
		return 12;
	}
	*decoded = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
	return 6;
}

uint32_t rules_scan_columns(struct jw_span raw, size_t offset)
{
	size_t columns = 0, decoded = 0;

	for (size_t at = 0; at < raw.n && offset > 0; offset -= decoded) {
		size_t n = written_as(jw_span_sub(raw, at, raw.n), &decoded);

		if (decoded > offset)
			break; /* inside that character */
		columns += jw_span_u1(raw, at) == '\\' ? n : 1;
		at += n;
	}
	return (uint32_t)columns;
}
