#include "runtime-jni/recorder/natives.h"

#include <string.h>

#include "base/memory.h"

#include "base/banned.h"

#define ACC_NATIVE 0x0100
#define MAGIC      0xcafebabe
#define UTF8       1

/* Bytes after the tag of a constant, by tag (JVMS 4.4); 0: Utf8, or no constant. */
static const uint8_t constant_bytes[] = {
	[3] = 4,  [4] = 4,  [5] = 8,  [6] = 8,  [7] = 2,  [8] = 2,  [9] = 4,  [10] = 4,
	[11] = 4, [12] = 4, [15] = 3, [16] = 2, [17] = 4, [18] = 4, [19] = 2, [20] = 2
};

uint8_t rt_constant_size(uint8_t tag)
{
	return tag < sizeof(constant_bytes) ? constant_bytes[tag] : 0;
}

struct reader {
	struct jw_span bytes;
	struct jw_cur at;
	uint32_t *utf8; /* where the text of a constant begins (its length), 0: another constant */
	uint32_t count;
};

struct method {
	uint16_t flags, name, type;
	size_t from, to; /* its bytes */
};

static bool read_pool(struct reader *r)
{
	r->at = jw_cur(r->bytes);
	if (jw_cur_u4(&r->at) != MAGIC)
		return false;
	jw_cur_skip(&r->at, 4);
	r->count = jw_cur_u2(&r->at);
	r->utf8 = jw_mem_zalloc(r->count + 1u, sizeof(*r->utf8));
	for (uint32_t i = 1; r->utf8 && i < r->count && jw_cur_ok(&r->at); i++) {
		uint8_t tag = jw_cur_u1(&r->at);

		if (tag == UTF8) {
			r->utf8[i] = (uint32_t)r->at.pos;
			jw_cur_skip(&r->at, jw_cur_u2(&r->at));
			continue;
		}
		uint8_t size = rt_constant_size(tag);

		if (!size)
			return false;
		jw_cur_skip(&r->at, size);
		i += size == 8; /* takes two numbers */
	}
	return r->utf8 && jw_cur_ok(&r->at);
}

static struct jw_span text(const struct reader *r, uint16_t index)
{
	uint32_t at = index < r->count ? r->utf8[index] : 0;

	return at ? jw_span_sub(r->bytes, at + 2, jw_span_u2(r->bytes, at)) : (struct jw_span){ 0 };
}

/* A field or a method. */
static struct method read_member(struct reader *r)
{
	struct method m = { .from = r->at.pos };

	m.flags = jw_cur_u2(&r->at);
	m.name = jw_cur_u2(&r->at);
	m.type = jw_cur_u2(&r->at);
	for (uint16_t n = jw_cur_u2(&r->at); n && jw_cur_ok(&r->at); n--) {
		jw_cur_skip(&r->at, 2);
		jw_cur_skip(&r->at, jw_cur_u4(&r->at));
	}
	m.to = r->at.pos;
	return m;
}

/* Is B the native method that A calls? */
static bool stands_for(const struct reader *r, const struct method *a, const struct method *b)
{
	struct jw_span name = text(r, a->name), full = text(r, b->name);

	return !(a->flags & ACC_NATIVE) && (b->flags & ACC_NATIVE) && full.n == name.n + 1 &&
	       jw_span_u1(full, name.n) == '0' && jw_span_starts(full, name) &&
	       jw_span_eq(text(r, a->type), text(r, b->type));
}

static bool has_native(const struct reader *r, const struct method *m, struct jw_cur first,
		       uint16_t count)
{
	struct reader all = *r;

	all.at = first;
	for (; count; count--) {
		struct method other = read_member(&all);

		if (stands_for(r, m, &other))
			return true;
	}
	return false;
}

static bool put_methods(struct reader *r, struct jw_buf *out)
{
	uint16_t count = jw_cur_u2(&r->at);
	struct jw_cur first = r->at;
	bool changed = false;

	jw_put_bytes(out, jw_span_sub(r->bytes, 0, r->at.pos));
	for (uint16_t i = 0; i < count && jw_cur_ok(&r->at); i++) {
		struct method m = read_member(r);

		if (!has_native(r, &m, first, count)) {
			jw_put_bytes(out, jw_span_sub(r->bytes, m.from, m.to - m.from));
			continue;
		}
		jw_put_u2(out, (size_t)m.flags | ACC_NATIVE);
		jw_put_u2(out, m.name);
		jw_put_u2(out, m.type);
		jw_put_u2(out, 0);
		changed = true;
	}
	return changed;
}

bool rt_make_natives(struct jw_span bytes, struct jw_buf *out)
{
	struct reader r = { .bytes = bytes };
	bool made = false;

	if (read_pool(&r)) {
		jw_cur_skip(&r.at, 6); /* flags, this, super */
		jw_cur_skip(&r.at, (size_t)2 * jw_cur_u2(&r.at));
		for (uint16_t n = jw_cur_u2(&r.at); n && jw_cur_ok(&r.at); n--)
			read_member(&r);
		made = put_methods(&r, out);
		jw_put_bytes(out, jw_span_sub(bytes, r.at.pos, bytes.n - r.at.pos));
	}
	jw_mem_free(r.utf8);
	return made && jw_cur_ok(&r.at) && !out->failed;
}
