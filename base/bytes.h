/*
 * bytes.h: the only way to reach bytes from outside.
 *
 *   span    borrowed bytes {p, n}: never owned, never freed
 *   cursor  reads a span front to back, big-endian (class files) or little-endian (archives,
 *           recordings); the first read past the end makes it `bad` for good, and reads give 0.
 *           Check jw_cur_ok() once per record, before using a value as index, size or pointer
 *   buf     a growing output; the first failure (memory, a value too large for its field) makes it
 *           bad for good, later writes do nothing, and jw_buf_finish() says why
 */
#ifndef JW_BASE_BYTES_H
#define JW_BASE_BYTES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* Reads of a few bytes are inline: a class file is millions of them. */

/* ---- span ---- */

struct jw_span {
	const uint8_t *p;
	size_t n;
};

/* The span of N bytes at P; of a C string (without its end). */
struct jw_span jw_span(const void *p, size_t n);
struct jw_span jw_span_str(const char *s);
#define JW_SPAN_LIT(lit) ((struct jw_span){ (const uint8_t *)(lit), sizeof(lit) - 1 })

/* Are the bytes of A and B the same? */
bool jw_span_eq(struct jw_span a, struct jw_span b);
bool jw_span_eq_str(struct jw_span a, const char *s);
bool jw_span_eq_nocase(struct jw_span a, const char *s); /* letters of ASCII in any case */
bool jw_span_starts(struct jw_span s, struct jw_span prefix);
bool jw_span_ends(struct jw_span s, struct jw_span suffix);

/* A copy in the arena with a zero byte after it (a C string if S has none inside); NULL: no memory. */
char *jw_arena_str(struct jw_arena *a, struct jw_span s);

/* Order as memcmp does, the shorter first: <0, 0, >0. */
int jw_span_cmp(struct jw_span a, struct jw_span b);

/* N bytes of S from OFFSET, cut to what S has: never out of bounds. */
static inline struct jw_span jw_span_sub(struct jw_span s, size_t offset, size_t n)
{
	if (offset > s.n)
		offset = s.n;
	if (n > s.n - offset)
		n = s.n - offset;
	return (struct jw_span){ s.p ? s.p + offset : NULL, s.p ? n : 0 };
}

/* Big-endian u1, u2, u4 at OFFSET of S. The caller has checked the bounds
 * (asserted, in released programs too). */
static inline uint8_t jw_span_u1(struct jw_span s, size_t offset)
{
	assert(offset < s.n);
	return s.p[offset];
}
static inline uint16_t jw_span_u2(struct jw_span s, size_t offset)
{
	assert(s.n >= 2 && offset <= s.n - 2);
	return (uint16_t)(s.p[offset] << 8 | s.p[offset + 1]);
}
static inline uint32_t jw_span_u4(struct jw_span s, size_t offset)
{
	return (uint32_t)jw_span_u2(s, offset) << 16 | jw_span_u2(s, offset + 2);
}

/* Little-endian ones, likewise. */
static inline uint16_t jw_span_le2(struct jw_span s, size_t offset)
{
	assert(s.n >= 2 && offset <= s.n - 2);
	return (uint16_t)(s.p[offset] | s.p[offset + 1] << 8);
}
static inline uint32_t jw_span_le4(struct jw_span s, size_t offset)
{
	return jw_span_le2(s, offset) | (uint32_t)jw_span_le2(s, offset + 2) << 16;
}
static inline uint64_t jw_span_le8(struct jw_span s, size_t offset)
{
	return jw_span_le4(s, offset) | (uint64_t)jw_span_le4(s, offset + 4) << 32;
}

/* FNV-1a, 64 bits, from SEED (0 for the standard basis). Stable over versions: ids use it. */
uint64_t jw_hash64(struct jw_span s, uint64_t seed);

/* ---- cursor ---- */

/* Without loops: compilers make one load of each. */
static inline uint32_t jw_be4(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline uint32_t jw_le4(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

struct jw_cur {
	struct jw_span s; /* what is read */
	size_t pos;       /* next byte; <= s.n */
	bool bad;         /* a read went past the end */
};

/* A cursor at the first byte of S, which must outlive it. */
struct jw_cur jw_cur(struct jw_span s);
/* Has every read so far been inside? */
static inline bool jw_cur_ok(const struct jw_cur *c)
{
	return !c->bad;
}
/* How many bytes are left to read. */
static inline size_t jw_cur_left(const struct jw_cur *c)
{
	return c->bad ? 0 : c->s.n - c->pos;
}

/* The one bounds check of all reads: N bytes, or NULL and a bad cursor. */
static inline const uint8_t *jw_cur_step(struct jw_cur *c, size_t n)
{
	if (c->bad || n > c->s.n - c->pos) {
		c->bad = true;
		return NULL;
	}
	const uint8_t *p = c->s.p + c->pos;
	c->pos += n;
	return p;
}

/* Big-endian reads (u1, u2, u4, u8), little-endian ones (le2, le4, le8). 0 once bad. */
static inline uint8_t jw_cur_u1(struct jw_cur *c)
{
	const uint8_t *p = jw_cur_step(c, 1);

	return p ? p[0] : 0;
}
static inline uint16_t jw_cur_u2(struct jw_cur *c)
{
	const uint8_t *p = jw_cur_step(c, 2);

	return (uint16_t)(p ? p[0] << 8 | p[1] : 0);
}
static inline uint32_t jw_cur_u4(struct jw_cur *c)
{
	const uint8_t *p = jw_cur_step(c, 4);

	return p ? jw_be4(p) : 0;
}
static inline uint64_t jw_cur_u8(struct jw_cur *c)
{
	const uint8_t *p = jw_cur_step(c, 8);

	return p ? (uint64_t)jw_be4(p) << 32 | jw_be4(p + 4) : 0;
}
static inline uint16_t jw_cur_le2(struct jw_cur *c)
{
	const uint8_t *p = jw_cur_step(c, 2);

	return (uint16_t)(p ? p[0] | p[1] << 8 : 0);
}
static inline uint32_t jw_cur_le4(struct jw_cur *c)
{
	const uint8_t *p = jw_cur_step(c, 4);

	return p ? jw_le4(p) : 0;
}
static inline uint64_t jw_cur_le8(struct jw_cur *c)
{
	const uint8_t *p = jw_cur_step(c, 8);

	return p ? jw_le4(p) | (uint64_t)jw_le4(p + 4) << 32 : 0;
}

/* The next N bytes as a span of the same owner; an empty one once bad. */
struct jw_span jw_cur_take(struct jw_cur *c, size_t n);
static inline void jw_cur_skip(struct jw_cur *c, size_t n)
{
	(void)jw_cur_step(c, n);
}

/* Moves to POS; bad when POS is past the end. Never makes a bad cursor good. */
void jw_cur_seek(struct jw_cur *c, size_t pos);

/* ---- buf ---- */

struct jw_buf {
	uint8_t *p;
	size_t n;              /* bytes written */
	size_t cap;            /* bytes allocated */
	size_t max;            /* bad when n would pass it; 0: no limit */
	enum jw_status failed; /* JW_OK, JW_NOMEM, or JW_LIMIT */
};

/* {0} is a valid empty buffer without a limit. free() makes it {0} again; clear() keeps memory. */
void jw_buf_free(struct jw_buf *b);
void jw_buf_clear(struct jw_buf *b);

/* Makes room for EXTRA more bytes. */
void jw_buf_reserve(struct jw_buf *b, size_t extra);

/* Append: the bytes of S, N zero bytes, the text S without its zero byte, what printf() makes of
 * FMT. */
void jw_put_bytes(struct jw_buf *b, struct jw_span s);
void jw_put_zeros(struct jw_buf *b, size_t n);
void jw_put_str(struct jw_buf *b, const char *s);
void jw_put_fmt(struct jw_buf *b, const char *fmt, ...) JW_PRINTF(2, 3);

/* Decimal digits of V: the fast path of the trace writer. */
void jw_put_dec(struct jw_buf *b, uint64_t v);

/* Big-endian fields; u1 and u2 fail the buffer (JW_LIMIT) when V does not fit. */
void jw_put_u1(struct jw_buf *b, size_t v);
void jw_put_u2(struct jw_buf *b, size_t v);
void jw_put_u4(struct jw_buf *b, size_t v);
void jw_put_u8(struct jw_buf *b, uint64_t v);
void jw_put_le2(struct jw_buf *b, size_t v);
void jw_put_le4(struct jw_buf *b, size_t v);
void jw_put_le8(struct jw_buf *b, uint64_t v);

/* Overwrites a field written before, at OFFSET; fails the buffer when out of range. */
void jw_patch_u2(struct jw_buf *b, size_t offset, size_t v);
void jw_patch_u4(struct jw_buf *b, size_t offset, size_t v);

/* The bytes written so far, valid until the next write. */
struct jw_span jw_buf_span(const struct jw_buf *b);

/* JW_OK, or the first failure with WHAT ("code attribute") in its message. */
enum jw_status JW_MUST_USE jw_buf_finish(const struct jw_buf *b, const char *what,
					 struct jw_err *e);

#endif
