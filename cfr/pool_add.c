/*
 * pool_add.c: the appending half of pool.h.
 *
 * A chained hash over the entries that are ever looked for (Utf8, Class, NameAndType, Methodref),
 * made by the first search: most classes of a jar are never woven and never pay for it. Nodes are
 * kept in the order they were made and enter their chain at its head, so that forgetting the
 * newest ones (rewind) pops the chains in reverse. Old entries are entered last to first: of equal
 * ones, the first is found.
 */
#include "cfr/pool.h"

#include <string.h>

#include "base/banned.h"

enum { NONE = 0 }; /* a link to no node: links are 1 + the node's place */

struct node {
	uint32_t hash;
	uint32_t next;  /* in its chain */
	uint32_t index; /* of the pool entry */
	uint32_t at;    /* of its tag, in the class bytes (old) or in `added` */
};

struct cfr_pool_index {
	uint32_t *heads; /* `mask` + 1 of them */
	uint32_t mask;
	struct node *nodes;
	uint32_t used, cap;
	uint32_t old; /* nodes of the input: never forgotten */
};

/* What is looked for: a text (Utf8, or the name of a Class), or two indices. */
struct key {
	uint8_t tag;
	uint16_t first, second;
	struct jw_span text;
};

/* Length and both ends tell names apart well enough; equal hashes are compared in full. */
static uint64_t mix_text(struct jw_span s)
{
	uint64_t head = 0, tail = 0;
	size_t n = s.n < 8 ? s.n : 8;

	if (n) {
		memcpy(&head, s.p, n);
		memcpy(&tail, s.p + (s.n - n), n);
	}
	return head * UINT64_C(0x9e3779b97f4a7c15) ^ tail ^ s.n;
}

static uint32_t hash_key(const struct key *key)
{
	uint64_t h = (uint64_t)key->first << 16 | key->second;

	if (key->tag == CFR_CONSTANT_Utf8 || key->tag == CFR_CONSTANT_Class)
		h = mix_text(key->text);
	h = (h + key->tag) * UINT64_C(0xd6e8feb86659fd93);
	return (uint32_t)(h >> 32);
}

static struct jw_span node_bytes(const struct cfr_pool *pool, const struct node *node)
{
	struct jw_span s = node->index < pool->count ? pool->bytes : jw_buf_span(&pool->added);

	return jw_span_sub(s, node->at, SIZE_MAX);
}

/* The text of the Utf8 that starts S. */
static struct jw_span utf8_text(struct jw_span s)
{
	return jw_span_sub(s, 3, jw_span_u2(s, 1));
}

/* The text of a Utf8, old or added. Indices of the added nodes rise with their place. */
static struct jw_span any_utf8(const struct cfr_pool *pool, uint32_t name)
{
	const struct cfr_pool_index *index = pool->index;
	uint32_t low = index->old, high = index->used;

	if (name < pool->count)
		return cfr_pool_utf8(pool, name);
	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (index->nodes[middle].index <= name)
			low = middle;
		else
			high = middle;
	}
	return utf8_text(node_bytes(pool, &index->nodes[low]));
}

static bool node_is(const struct cfr_pool *pool, const struct node *node, const struct key *key)
{
	struct jw_span s = node_bytes(pool, node);

	if (jw_span_u1(s, 0) != key->tag)
		return false;
	if (key->tag == CFR_CONSTANT_Utf8)
		return jw_span_eq(utf8_text(s), key->text);
	if (key->tag == CFR_CONSTANT_Class)
		return jw_span_eq(any_utf8(pool, jw_span_u2(s, 1)), key->text);
	return jw_span_u2(s, 1) == key->first && jw_span_u2(s, 3) == key->second;
}

static uint32_t find(const struct cfr_pool *pool, const struct key *key, uint32_t hash)
{
	const struct cfr_pool_index *index = pool->index;
	uint32_t link = index->heads[hash & index->mask];

	for (; link != NONE; link = index->nodes[link - 1].next) {
		const struct node *node = &index->nodes[link - 1];

		if (node->hash == hash && node_is(pool, node, key))
			return node->index;
	}
	return 0;
}

static void enter(struct cfr_pool_index *index, uint32_t place)
{
	struct node *node = &index->nodes[place];
	uint32_t *head = &index->heads[node->hash & index->mask];

	node->next = *head;
	*head = place + 1;
}

/* Room for one more node, and heads enough for all. */
static enum jw_status make_room(struct cfr_pool_index *index, struct jw_err *e)
{
	if (index->used < index->cap)
		return JW_OK;
	uint32_t cap = index->cap * 2;
	struct node *nodes = jw_mem_realloc(index->nodes, cap * sizeof(*nodes));
	if (!nodes)
		return jw_nomem(e);
	index->nodes = nodes;
	uint32_t *heads = jw_mem_zalloc(cap, sizeof(*heads));
	if (!heads)
		return jw_nomem(e);
	jw_mem_free(index->heads);
	index->heads = heads;
	index->mask = cap - 1;
	index->cap = cap;
	for (uint32_t i = 0; i < index->used; i++)
		enter(index, i);
	return JW_OK;
}

static void index_free(struct cfr_pool_index *index)
{
	if (index) {
		jw_mem_free(index->heads);
		jw_mem_free(index->nodes);
		jw_mem_free(index);
	}
}

static struct cfr_pool_index *index_new(uint32_t wanted)
{
	struct cfr_pool_index *index = jw_mem_zalloc(1, sizeof(*index));

	if (!index)
		return NULL;
	for (index->cap = 64; index->cap < wanted;)
		index->cap *= 2;
	index->mask = index->cap - 1;
	index->heads = jw_mem_zalloc(index->cap, sizeof(*index->heads));
	index->nodes = jw_mem_alloc(index->cap * sizeof(*index->nodes));
	if (index->heads && index->nodes)
		return index;
	index_free(index);
	return NULL;
}

/* The key of the old entry I; false for the kinds that are never looked for. */
static bool old_key(const struct cfr_pool *pool, uint32_t i, struct key *key)
{
	struct jw_span s = cfr_pool_entry(pool, i);

	*key = (struct key){ .tag = cfr_pool_tag(pool, i) };
	switch (key->tag) {
	case CFR_CONSTANT_Utf8:
		key->text = cfr_pool_utf8(pool, i);
		return true;
	case CFR_CONSTANT_Class:
		key->text = cfr_pool_class(pool, i);
		return true;
	case CFR_CONSTANT_NameAndType:
	case CFR_CONSTANT_Methodref:
		key->first = jw_span_u2(s, 0);
		key->second = jw_span_u2(s, 2);
		return true;
	default:
		return false;
	}
}

static enum jw_status ensure_index(struct cfr_pool *pool, struct jw_err *e)
{
	struct key key;

	if (pool->index)
		return JW_OK;
	struct cfr_pool_index *index = index_new(pool->count + pool->count / 4);
	if (!index)
		return jw_nomem(e);
	for (uint32_t i = pool->count; i-- > 1;) {
		if (!old_key(pool, i, &key))
			continue;
		index->nodes[index->used] =
			(struct node){ .hash = hash_key(&key), .index = i, .at = pool->at[i] };
		enter(index, index->used++);
	}
	index->old = index->used;
	pool->index = index;
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
static enum jw_status append(struct cfr_pool *pool, const struct key *key, uint32_t hash,
			     uint16_t *index, struct jw_err *e)
{
	struct cfr_pool_index *all = pool->index;
	size_t at = pool->added.n;

	JW_TRY(room_for(pool, 1, e));
	JW_TRY(make_room(all, e));
	put_key(&pool->added, key);
	JW_TRY(jw_buf_finish(&pool->added, "constant pool", e));
	all->nodes[all->used] =
		(struct node){ .hash = hash, .index = pool->next, .at = (uint32_t)at };
	enter(all, all->used++);
	*index = (uint16_t)pool->next++;
	return JW_OK;
}

static enum jw_status find_or_append(struct cfr_pool *pool, const struct key *key, uint16_t *index,
				     struct jw_err *e)
{
	uint32_t hash = hash_key(key), found = find(pool, key, hash);

	if (!found)
		return append(pool, key, hash, index, e);
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
	JW_TRY(ensure_index(pool, e));
	return find_or_append(pool, &key, index, e);
}

enum jw_status cfr_pool_add_class(struct cfr_pool *pool, struct jw_span name, uint16_t *index,
				  struct jw_err *e)
{
	struct key key = { .tag = CFR_CONSTANT_Class, .text = name };

	JW_TRY(ensure_index(pool, e));
	uint32_t hash = hash_key(&key), found = find(pool, &key, hash);
	if (!found) {
		JW_TRY(cfr_pool_add_utf8(pool, name, &key.first, e));
		return append(pool, &key, hash, index, e);
	}
	*index = (uint16_t)found;
	return JW_OK;
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
	struct cfr_pool_index *index = pool->index;

	while (index && index->used > index->old &&
	       index->nodes[index->used - 1].index >= mark.next) {
		struct node *newest = &index->nodes[--index->used];

		index->heads[newest->hash & index->mask] = newest->next;
	}
	pool->added.n = mark.bytes;
	pool->added.failed = JW_OK;
	pool->next = mark.next;
}
