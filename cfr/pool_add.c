/*
 * pool_add.c: see pool_add.h.
 *
 * Few entries are ever looked for in a class, so an index must be cheap to make. It is one byte an
 * entry, its mark: a hash of what the entry holds. memchr() finds the candidates in order. The first
 * search makes it: most classes of a jar are never woven and never pay for it. An entry that refers to
 * an added one must have been added itself.
 */
#include "cfr/pool_add.h"

#include <string.h>

#include "base/assert.h"

#include "base/banned.h"

enum { NO_MARK = 0, SPARE = 64 /* entries to come, for which there is room from the first */ };

struct cfr_pool_index {
	uint8_t *marks; /* by index; NO_MARK: never looked for */
	uint32_t *at;   /* of the tag in `added`, by index less `count`, where there is a mark */
	uint32_t end;   /* from this index on they have no mark yet */
	uint32_t cap;
};

/* What is looked for: a Utf8 by its text, the others by the indices in them. */
struct key {
	uint8_t tag;
	uint16_t first, second;
	struct jw_span text;
};

/* Length and a few bytes tell texts apart well enough: equal marks are compared in full. */
static uint32_t mix_text(struct jw_span s)
{
	uint32_t h = (uint32_t)s.n;

	if (s.n)
		h ^= (uint32_t)s.p[0] << 8 ^ (uint32_t)s.p[s.n / 2] << 16 ^
		     (uint32_t)s.p[s.n - 1] << 24;
	return h;
}

/* The entry that starts S; false for the kinds that are never looked for. */
static bool key_of(struct jw_span s, struct key *key)
{
	*key = (struct key){ .tag = jw_span_u1(s, 0) };
	switch (key->tag) {
	case CFR_CONSTANT_Utf8:
		key->text = jw_span_sub(s, 3, jw_span_u2(s, 1));
		return true;
	case CFR_CONSTANT_NameAndType:
	case CFR_CONSTANT_Methodref:
		key->second = jw_span_u2(s, 3);
		/* fall through */
	case CFR_CONSTANT_Class:
		key->first = jw_span_u2(s, 1);
		return true;
	default:
		return false;
	}
}

static uint8_t mark_of(const struct key *key)
{
	uint32_t what = key->tag == CFR_CONSTANT_Utf8 ? mix_text(key->text)
						      : (uint32_t)key->first << 16 | key->second;
	uint32_t h = (what + key->tag) * UINT32_C(0x9e3779b1) >> 24;

	return h == NO_MARK ? 1 : (uint8_t)h;
}

static struct jw_span entry_at(const struct cfr_pool *pool, uint32_t i)
{
	if (i < pool->count)
		return jw_span_sub(pool->bytes, pool->at[i], SIZE_MAX);
	return jw_span_sub(jw_buf_span(&pool->added), pool->index->at[i - pool->count], SIZE_MAX);
}

/* The index of the entry KEY, whose mark is MARK; 0: there is none. */
static uint32_t find(const struct cfr_pool *pool, const struct key *key, uint8_t mark)
{
	const uint8_t *marks = pool->index->marks, *end = marks + pool->index->end;
	bool refers_to_added = key->first >= pool->count || key->second >= pool->count;
	struct key other;

	for (const uint8_t *p = marks + (refers_to_added ? pool->count : 0);
	     (p = memchr(p, mark, (size_t)(end - p))); p++) {
		uint32_t i = (uint32_t)(p - marks);

		if (key_of(entry_at(pool, i), &other) && other.tag == key->tag &&
		    other.first == key->first && other.second == key->second &&
		    jw_span_eq(other.text, key->text))
			return i;
	}
	return 0;
}

static void index_free(struct cfr_pool_index *index)
{
	if (index) {
		jw_mem_free(index->marks);
		jw_mem_free(index->at);
		jw_mem_free(index);
	}
}

/* Room for WANTED entries, old and new. */
static enum jw_status make_room(const struct cfr_pool *pool, uint32_t wanted, struct jw_err *e)
{
	struct cfr_pool_index *index = pool->index;

	if (wanted <= index->cap)
		return JW_OK;
	uint32_t cap = wanted + wanted / 2 + SPARE;
	uint8_t *marks = jw_mem_realloc(index->marks, cap);
	if (!marks)
		return jw_nomem(e);
	index->marks = marks;
	uint32_t *at = jw_mem_realloc(index->at, (cap - pool->count) * sizeof(*at));
	if (!at)
		return jw_nomem(e);
	index->at = at;
	index->cap = cap;
	return JW_OK;
}

static enum jw_status ensure_index(struct cfr_pool *pool, struct jw_err *e)
{
	struct key key;

	if (pool->index)
		return JW_OK;
	pool->index = jw_mem_zalloc(1, sizeof(*pool->index));
	if (!pool->index)
		return jw_nomem(e);
	if (make_room(pool, pool->count, e) != JW_OK) {
		index_free(pool->index);
		pool->index = NULL;
		return JW_NOMEM;
	}
	for (uint32_t i = 0; i < pool->count; i++) {
		bool sought = pool->at[i] && key_of(entry_at(pool, i), &key);

		pool->index->marks[i] = sought ? mark_of(&key) : NO_MARK;
	}
	pool->index->end = pool->count;
	return JW_OK;
}

void cfr_pool_close(struct cfr_pool *pool)
{
	index_free(pool->index);
	pool->index = NULL;
	jw_buf_free(&pool->added);
	pool->next = pool->count;
}

static enum jw_status room_for(const struct cfr_pool *pool, uint32_t slots, struct jw_err *e)
{
	if (pool->next + slots > CFR_POOL_MAX)
		return jw_fail(e, JW_LIMIT, "too many constants (limit is %d)", CFR_POOL_MAX);
	return JW_OK;
}

static void put_key(struct jw_buf *out, const struct key *key)
{
	jw_put_u1(out, key->tag);
	if (key->tag == CFR_CONSTANT_Utf8) {
		jw_put_u2(out, key->text.n);
		jw_put_bytes(out, key->text);
	} else {
		jw_put_u2(out, key->first);
		if (key->tag != CFR_CONSTANT_Class)
			jw_put_u2(out, key->second);
	}
}

/* Appends the entry KEY, which was not found. */
static enum jw_status append(struct cfr_pool *pool, const struct key *key, uint8_t mark,
			     uint16_t *index, struct jw_err *e)
{
	struct cfr_pool_index *all = pool->index;
	uint32_t i = pool->next, at = (uint32_t)pool->added.n;

	JW_TRY(room_for(pool, 1, e));
	JW_TRY(make_room(pool, i + 1, e));
	put_key(&pool->added, key);
	JW_TRY(jw_buf_finish(&pool->added, "constant pool", e));
	memset(all->marks + all->end, NO_MARK, i - all->end); /* those added without a search */
	all->marks[i] = mark;
	all->at[i - pool->count] = at;
	all->end = pool->next = i + 1;
	*index = (uint16_t)i;
	return JW_OK;
}

static enum jw_status find_or_append(struct cfr_pool *pool, const struct key *key, uint16_t *index,
				     struct jw_err *e)
{
	JW_TRY(ensure_index(pool, e));
	uint8_t mark = mark_of(key);
	uint32_t found = find(pool, key, mark);

	if (!found)
		return append(pool, key, mark, index, e);
	*index = (uint16_t)found;
	return JW_OK;
}

enum jw_status cfr_pool_add_utf8(struct cfr_pool *pool, struct jw_span text, uint16_t *index,
				 struct jw_err *e)
{
	struct key key = { .tag = CFR_CONSTANT_Utf8, .text = text };

	if (text.n > UINT16_MAX)
		return jw_fail(e, JW_LIMIT, "constant of %zu bytes too long (limit is 65535)",
			       text.n);
	return find_or_append(pool, &key, index, e);
}

enum jw_status cfr_pool_add_class(struct cfr_pool *pool, struct jw_span name, uint16_t *index,
				  struct jw_err *e)
{
	struct key key = { .tag = CFR_CONSTANT_Class };

	JW_TRY(cfr_pool_add_utf8(pool, name, &key.first, e));
	return find_or_append(pool, &key, index, e);
}

enum jw_status cfr_pool_add_methodref(struct cfr_pool *pool, struct jw_span owner,
				      struct jw_span name, struct jw_span descriptor,
				      uint16_t *index, struct jw_err *e)
{
	struct key type = { .tag = CFR_CONSTANT_NameAndType };
	struct key ref = { .tag = CFR_CONSTANT_Methodref };

	JW_TRY(cfr_pool_add_class(pool, owner, &ref.first, e));
	JW_TRY(cfr_pool_add_utf8(pool, name, &type.first, e));
	JW_TRY(cfr_pool_add_utf8(pool, descriptor, &type.second, e));
	JW_TRY(find_or_append(pool, &type, &ref.second, e));
	return find_or_append(pool, &ref, index, e);
}

enum jw_status cfr_pool_add_long(struct cfr_pool *pool, uint64_t value, uint16_t *index,
				 struct jw_err *e)
{
	JW_TRY(room_for(pool, 2, e));
	jw_put_u1(&pool->added, CFR_CONSTANT_Long);
	jw_put_u8(&pool->added, value);
	JW_TRY(jw_buf_finish(&pool->added, "constant pool", e));
	*index = (uint16_t)pool->next;
	pool->next += 2;
	return JW_OK;
}

struct cfr_pool_mark cfr_pool_mark(const struct cfr_pool *pool)
{
	return (struct cfr_pool_mark){ .bytes = pool->added.n, .next = pool->next };
}

void cfr_pool_rewind(struct cfr_pool *pool, struct cfr_pool_mark mark)
{
	JW_ASSERT(pool->next >= mark.next && pool->added.n >= mark.bytes);
	if (pool->index && pool->index->end > mark.next)
		pool->index->end = mark.next;
	pool->added.n = mark.bytes;
	pool->added.failed = JW_OK;
	pool->next = mark.next;
}

void cfr_pool_put(const struct cfr_pool *pool, struct jw_buf *out)
{
	size_t first = (size_t)pool->start + 2;

	jw_put_u2(out, pool->next);
	jw_put_bytes(out, jw_span_sub(pool->bytes, first, pool->end - first));
	if (pool->added.failed != JW_OK && out->failed == JW_OK)
		out->failed = pool->added.failed;
	jw_put_bytes(out, jw_buf_span(&pool->added));
}
