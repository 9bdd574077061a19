#include "base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/banned.h"

/* ---- span ---- */

struct jw_span jw_span(const void *p, size_t n)
{
	return (struct jw_span){ p, n };
}

struct jw_span jw_span_str(const char *s)
{
	return (struct jw_span){ (const uint8_t *)s, strlen(s) };
}

bool jw_span_eq(struct jw_span a, struct jw_span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool jw_span_eq_str(struct jw_span a, const char *s)
{
	return jw_span_eq(a, jw_span_str(s));
}

bool jw_span_eq_nocase(struct jw_span a, const char *s)
{
	size_t n = strlen(s);

	return a.n == n && (n == 0 || strncasecmp((const char *)a.p, s, n) == 0);
}

bool jw_span_starts(struct jw_span s, struct jw_span prefix)
{
	return s.n >= prefix.n && jw_span_eq(jw_span_sub(s, 0, prefix.n), prefix);
}

bool jw_span_ends(struct jw_span s, struct jw_span suffix)
{
	return s.n >= suffix.n && jw_span_eq(jw_span_sub(s, s.n - suffix.n, suffix.n), suffix);
}

char *jw_arena_str(struct jw_arena *a, struct jw_span s)
{
	char *copy = s.n < SIZE_MAX ? jw_arena_alloc(a, s.n + 1, 1) : NULL;

	if (copy && s.n)
		memcpy(copy, s.p, s.n);
	return copy;
}

int jw_span_cmp(struct jw_span a, struct jw_span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.p, b.p, n) : 0;

	if (order != 0)
		return order;
	return (a.n > b.n) - (a.n < b.n);
}

uint64_t jw_hash64(struct jw_span s, uint64_t seed)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ seed;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ s.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* ---- cursor ---- */

struct jw_cur jw_cur(struct jw_span s)
{
	return (struct jw_cur){ .s = s };
}

struct jw_span jw_cur_take(struct jw_cur *c, size_t n)
{
	const uint8_t *p = n ? jw_cur_step(c, n) : c->s.p + (c->s.p ? c->pos : 0);

	return (struct jw_span){ p, p ? n : 0 };
}

void jw_cur_seek(struct jw_cur *c, size_t pos)
{
	if (pos > c->s.n)
		c->bad = true;
	else if (!c->bad)
		c->pos = pos;
}

/* ---- buf ---- */

void jw_buf_free(struct jw_buf *b)
{
	jw_mem_free(b->p);
	*b = (struct jw_buf){ 0 };
}

void jw_buf_clear(struct jw_buf *b)
{
	b->n = 0;
	b->failed = JW_OK;
}

/* Memory for WANTED bytes in all, whatever the limit says. */
static void make_room(struct jw_buf *b, size_t wanted)
{
	if (wanted <= b->cap)
		return;
	size_t cap = b->cap ? b->cap : 256;
	while (cap < wanted)
		cap = cap > SIZE_MAX / 2 ? wanted : cap * 2;
	uint8_t *p = jw_mem_realloc(b->p, cap);
	if (!p) {
		b->failed = JW_NOMEM;
		return;
	}
	b->p = p;
	b->cap = cap;
}

void jw_buf_reserve(struct jw_buf *b, size_t extra)
{
	size_t wanted;

	if (b->failed != JW_OK)
		return;
	if (!jw_add(b->n, extra, &wanted) || (b->max && wanted > b->max))
		b->failed = JW_LIMIT;
	else
		make_room(b, wanted);
}

/* Room for N bytes at the end, counted as written; NULL when the buffer is bad. */
static uint8_t *grow(struct jw_buf *b, size_t n)
{
	if (b->failed != JW_OK)
		return NULL;
	if (n > b->cap - b->n || (b->max && n > b->max - b->n)) {
		jw_buf_reserve(b, n);
		if (b->failed != JW_OK)
			return NULL;
	}
	uint8_t *p = b->p + b->n;
	b->n += n;
	return p;
}

void jw_put_bytes(struct jw_buf *b, struct jw_span s)
{
	uint8_t *p = s.n ? grow(b, s.n) : NULL;

	if (p)
		memcpy(p, s.p, s.n);
}

void jw_put_zeros(struct jw_buf *b, size_t n)
{
	uint8_t *p = n ? grow(b, n) : NULL;

	if (p)
		memset(p, 0, n);
}

void jw_put_str(struct jw_buf *b, const char *s)
{
	jw_put_bytes(b, jw_span_str(s));
}

void jw_put_fmt(struct jw_buf *b, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	jw_buf_reserve(b, n < 0 ? 0 : (size_t)n);
	/* one byte more than counted: vsnprintf ends its text, which the limit does not count */
	if (b->failed == JW_OK)
		make_room(b, b->n + (n < 0 ? 0 : (size_t)n) + 1);
	if (n >= 0 && b->failed == JW_OK) {
		vsnprintf((char *)b->p + b->n, (size_t)n + 1, fmt, again);
		b->n += (size_t)n;
	}
	va_end(again);
}

void jw_put_dec(struct jw_buf *b, uint64_t v)
{
	uint8_t digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (uint8_t)('0' + v % 10);
		v /= 10;
	} while (v);
	jw_put_bytes(b, jw_span(digits + at, sizeof(digits) - at));
}

static void put_be(struct jw_buf *b, uint64_t v, size_t n)
{
	uint8_t *p = grow(b, n);

	for (size_t i = n; p && i > 0; i--, v >>= 8)
		p[i - 1] = (uint8_t)v;
}

static void put_le(struct jw_buf *b, uint64_t v, size_t n)
{
	uint8_t *p = grow(b, n);

	for (size_t i = 0; p && i < n; i++, v >>= 8)
		p[i] = (uint8_t)v;
}

/* Does V fit MAX? Fails the buffer when it does not. */
static bool fits(struct jw_buf *b, size_t v, size_t max)
{
	if (v > max && b->failed == JW_OK)
		b->failed = JW_LIMIT;
	return v <= max;
}

void jw_put_u1(struct jw_buf *b, size_t v)
{
	if (fits(b, v, UINT8_MAX))
		put_be(b, v, 1);
}

void jw_put_u2(struct jw_buf *b, size_t v)
{
	if (fits(b, v, UINT16_MAX))
		put_be(b, v, 2);
}

void jw_put_u4(struct jw_buf *b, size_t v)
{
	if (fits(b, v, UINT32_MAX))
		put_be(b, v, 4);
}

void jw_put_u8(struct jw_buf *b, uint64_t v)
{
	put_be(b, v, 8);
}

void jw_put_le2(struct jw_buf *b, size_t v)
{
	if (fits(b, v, UINT16_MAX))
		put_le(b, v, 2);
}

void jw_put_le4(struct jw_buf *b, size_t v)
{
	if (fits(b, v, UINT32_MAX))
		put_le(b, v, 4);
}

void jw_put_le8(struct jw_buf *b, uint64_t v)
{
	put_le(b, v, 8);
}

static void patch_be(struct jw_buf *b, size_t offset, size_t v, size_t n)
{
	if (b->failed != JW_OK)
		return;
	if (n > b->n || offset > b->n - n) {
		b->failed = JW_LIMIT;
		return;
	}
	for (size_t i = n; i > 0; i--, v >>= 8)
		b->p[offset + i - 1] = (uint8_t)v;
}

void jw_patch_u2(struct jw_buf *b, size_t offset, size_t v)
{
	if (fits(b, v, UINT16_MAX))
		patch_be(b, offset, v, 2);
}

void jw_patch_u4(struct jw_buf *b, size_t offset, size_t v)
{
	if (fits(b, v, UINT32_MAX))
		patch_be(b, offset, v, 4);
}

struct jw_span jw_buf_span(const struct jw_buf *b)
{
	return (struct jw_span){ b->p, b->n };
}

enum jw_status jw_buf_finish(const struct jw_buf *b, const char *what, struct jw_err *e)
{
	switch (b->failed) {
	case JW_OK:
		return JW_OK;
	case JW_NOMEM:
		return jw_nomem(e);
	default:
		return jw_fail(e, b->failed, "\"%s\" does not fit its format", what);
	}
}
