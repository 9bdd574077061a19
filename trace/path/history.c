/*
 * history.c: see history.h.
 */
#include "trace/path/history.h"

#include <string.h>

#include "trace/reader/reader.h"

#include "base/banned.h"

#define FEW 16 /* keys that are compared one by one */

/* ---- times by key ---- */

static uint32_t hash_of(const struct trace_path_key *k)
{
	return jw_hash_id(((uint64_t)k->thread << 32 | k->method) ^
			  jw_hash_id((uint64_t)k->about << 8 | k->what) * UINT64_C(0x9e3779b1));
}

static bool same(const struct trace_path_key *a, const struct trace_path_key *b)
{
	return a->method == b->method && a->thread == b->thread && a->about == b->about &&
	       a->what == b->what;
}

static struct trace_path_item *find(const struct trace_path_bag *bag,
				    const struct trace_path_key *key)
{
	if (bag->n <= FEW) {
		for (size_t i = bag->n; i-- > 0;) /* what was last is likely */
			if (same(&bag->at[i].key, key))
				return &bag->at[i];
		return NULL;
	}
	for (struct jw_lookup_walk w = jw_lookup_walk(&bag->lookup, hash_of(key));
	     jw_lookup_next(&w);)
		if (same(&bag->at[w.place].key, key))
			return &bag->at[w.place];
	return NULL;
}

/* The last one is found by its hash; when they become many, all are. */
static bool index_last(struct trace_path_bag *bag)
{
	size_t i = bag->n == FEW + 1 ? 0 : bag->n - 1;

	for (; bag->n > FEW && i < bag->n; i++)
		if (!jw_lookup_add(&bag->lookup, hash_of(&bag->at[i].key), i))
			return false;
	return true;
}

bool trace_path_bag_add(struct trace_path_bag *bag, const struct trace_path_key *key, uint64_t ns)
{
	struct trace_path_item *item = find(bag, key);

	if (item) {
		item->ns += ns;
		return true;
	}
	item = trace_grow(bag->at, bag->n, &bag->cap, sizeof(*item));
	if (!item)
		return false;
	bag->at = item;
	item[bag->n++] = (struct trace_path_item){ *key, ns };
	return index_last(bag);
}

void trace_path_bag_clear(struct trace_path_bag *bag)
{
	bag->n = 0;
	jw_lookup_free(&bag->lookup);
}

void trace_path_bag_free(struct trace_path_bag *bag)
{
	jw_mem_free(bag->at);
	jw_lookup_free(&bag->lookup);
	*bag = (struct trace_path_bag){ 0 };
}

static bool add_all(struct trace_path_bag *bag, const struct trace_path_node *node)
{
	for (uint32_t i = 0; i < node->n; i++)
		if (!trace_path_bag_add(bag, &node->items[i].key, node->items[i].ns))
			return false;
	return true;
}

/* ---- nodes ---- */

/* NODE has what is in BAG; false: no memory, it stays as it was. */
static bool fill(struct trace_history *h, struct trace_path_node *node,
		 const struct trace_path_bag *bag)
{
	struct trace_path_item *items = jw_mem_alloc((bag->n + 1) * sizeof(*items));

	if (!items)
		return false;
	if (bag->n)
		memcpy(items, bag->at, bag->n * sizeof(*items));
	jw_mem_free(node->items);
	h->items += bag->n - node->n;
	node->items = items;
	node->n = (uint32_t)bag->n;
	return true;
}

static void free_node(struct trace_history *h, struct trace_path_node *node)
{
	h->nodes--;
	h->items -= node->n;
	jw_mem_free(node->items);
	jw_mem_free(node);
}

/* Had who did WHAT in METHOD (0: outside of all) nothing to do? */
static bool is_idle(uint32_t what, uint32_t method)
{
	return what == TRACE_REPORT_FOR_WORK ||
	       (method == 0 && (what == TRACE_REPORT_WAITING || what == TRACE_REPORT_OTHER));
}

static void add_idle(struct trace_path_node *node)
{
	node->idle = node->before ? node->before->idle : 0;
	for (uint32_t i = 0; i < node->n; i++)
		if (is_idle(node->items[i].key.what, node->items[i].key.method))
			node->idle += node->items[i].ns;
}

/* A node of the times, thread and kind of AS, with what is in BAG, after BEFORE, whose reference it takes; NULL: no memory,
 * and BEFORE keeps it. */
static struct trace_path_node *new_node(struct trace_history *h, const struct trace_path_node *as,
					const struct trace_path_bag *bag,
					struct trace_path_node *before)
{
	struct trace_path_node *node = jw_mem_zalloc(1, sizeof(*node));

	h->failed |= !node;
	if (!node)
		return NULL;
	h->nodes++;
	*node = (struct trace_path_node){ .before = before,
					  .begin = as->begin,
					  .end = as->end,
					  .number = ++h->made,
					  .refs = 1,
					  .thread = as->thread,
					  .kind = as->kind };
	h->failed |= !fill(h, node, bag);
	add_idle(node);
	return node;
}

void trace_history_close(struct trace_history *h, struct trace_path_branch *branch, uint32_t thread,
			 uint64_t time, enum trace_path_kind kind)
{
	const struct trace_path_node as = {
		.begin = branch->since, .end = time, .thread = thread, .kind = kind
	};
	struct trace_path_node *node =
		branch->tail.n ? new_node(h, &as, &branch->tail, branch->node) : NULL;

	if (!node)
		return;
	branch->node = node;
	branch->since = time;
	trace_path_bag_clear(&branch->tail);
}

struct trace_path_node *trace_history_share(struct trace_path_node *node)
{
	if (node)
		node->refs++;
	return node;
}

void trace_history_release(struct trace_history *h, struct trace_path_node *node)
{
	while (node && --node->refs == 0) {
		struct trace_path_node *before = node->before;

		free_node(h, node);
		node = before;
	}
}

bool trace_history_end_wait(struct trace_history *h, struct trace_path_node *node,
			    struct trace_path_node *by, uint64_t made, uint64_t sent)
{
	/* BY comes from nodes up to MADE alone, and waits among them from still older ones: no circle */
	if (made >= node->number || node->n != 1 || sent < node->begin || sent >= node->end)
		return false;
	struct trace_path_item *item = &node->items[0];

	(void)trace_history_share(by);
	trace_history_release(h, node->before);
	node->before = by;
	node->begin = sent;
	node->kind = TRACE_PATH_GOES_ON;
	item->key.what = TRACE_PATH_HAND_OVER;
	item->key.about = 0;
	item->ns = node->end - sent;
	add_idle(node);
	return true;
}

/* NODE is from BEGIN to END, which is a part of it. */
static void shorten(struct trace_path_node *node, uint64_t begin, uint64_t end)
{
	uint64_t left = end - begin;
	double part = (double)left / (double)(node->end - node->begin);

	for (uint32_t i = 0; i < node->n; i++) {
		uint64_t ns = (uint64_t)((double)node->items[i].ns * part);

		node->items[i].ns = i + 1 == node->n || ns > left ? left : ns;
		left -= node->items[i].ns;
	}
	node->begin = begin;
	node->end = end;
	add_idle(node);
}

struct trace_path_node *trace_history_since(struct trace_history *h,
					    const struct trace_path_node *node,
					    struct trace_path_node *by, uint64_t since)
{
	if (!node || node->end <= since)
		return trace_history_share(by);
	struct trace_path_node *before = trace_history_since(h, node->before, by, since);
	const struct trace_path_bag items = { .at = node->items, .n = node->n };
	struct trace_path_node *copy = before ? new_node(h, node, &items, before) : NULL;

	if (copy && copy->begin < since)
		shorten(copy, since, copy->end);
	else if (!copy)
		trace_history_release(h, before);
	return copy;
}

struct trace_path_node *trace_history_until(struct trace_history *h, struct trace_path_node *node,
					    uint64_t time)
{
	if (node->end == time)
		return trace_history_share(node);
	const struct trace_path_bag items = { .at = node->items, .n = node->n };
	struct trace_path_node *before = trace_history_share(node->before);
	struct trace_path_node *copy = new_node(h, node, &items, before);

	if (copy)
		shorten(copy, copy->begin, time);
	else
		trace_history_release(h, before);
	return copy;
}

void trace_history_begin_after(struct trace_history *h, struct trace_path_node *node,
			       struct trace_path_node *before)
{
	trace_history_release(h, node->before);
	node->before = before;
	node->begin = node->end;
	h->items -= node->n;
	node->n = 0;
	add_idle(node);
}

void trace_history_begin(struct trace_history *h, struct trace_path_node *node, uint64_t time)
{
	while (node && node->begin > time)
		node = node->before;
	if (!node)
		return;
	trace_history_release(h, node->before);
	node->before = NULL;
	if (node->begin < time)
		shorten(node, time, node->end);
}

/* ---- fewer of them ---- */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

bool trace_history_is_full(const struct trace_history *h)
{
	return h->nodes > larger(h->node_limit, TRACE_HISTORY_NODES) ||
	       h->items > larger(h->item_limit, TRACE_HISTORY_ITEMS);
}

/* What branches that have parted need may be more than the limits: then these are twice that, so
 * that the work is seldom. */
bool trace_history_is_smaller(struct trace_history *h)
{
	h->node_limit = 2 * h->nodes;
	h->item_limit = 2 * h->items;
	return h->nodes <= TRACE_HISTORY_NODES / 2 && h->items <= TRACE_HISTORY_ITEMS / 2;
}

void trace_history_new_walk(struct trace_history *h)
{
	h->grain = h->grain ? 4 * h->grain : 1024;
	h->walk++;
}

static bool may_join(const struct trace_history *h, const struct trace_path_node *node)
{
	const struct trace_path_node *before = node->before;

	return before && before->refs == 1 && node->end - before->begin <= h->grain;
}

/* Makes one of NODE and those before it, as far as they are short and nobody else comes from them. */
static void join(struct trace_history *h, struct trace_path_node *node)
{
	struct trace_path_bag bag = { 0 };
	bool good = add_all(&bag, node);

	while (good && may_join(h, node)) {
		struct trace_path_node *before = node->before;

		good = add_all(&bag, before);
		if (node->thread != before->thread || before->kind == TRACE_PATH_MIXED)
			node->kind = TRACE_PATH_MIXED;
		else if (node->kind != before->kind && node->kind != TRACE_PATH_MIXED)
			node->kind = TRACE_PATH_RUNS;
		node->begin = before->begin;
		node->before = before->before; /* with its reference */
		free_node(h, before);
	}
	h->failed |= !good || !fill(h, node, &bag);
	trace_path_bag_free(&bag);
}

void trace_history_fold(struct trace_history *h, struct trace_path_node *node)
{
	for (; node && node->seen != h->walk; node = node->before) {
		node->seen = h->walk;
		if (may_join(h, node))
			join(h, node);
	}
}
