/*
 * tree.c: see tree.h.
 */
#include "trace/calls/tree.h"

#include "base/assert.h"
#include "base/fetch.h"
#include "base/grow.h"

#include "base/banned.h"

/* ---- nodes ---- */

static uint32_t hash_of(uint32_t parent, uint32_t method)
{
	uint64_t hash = ((uint64_t)parent << 32 | method) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)((hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

/* It is among the children of PARENT then. */
static uint32_t add(struct trace_tree *t, uint32_t parent, uint32_t method)
{
	static const struct jw_growth how = { "nodes", UINT32_MAX / 4, 256 };
	struct jw_err e;
	uint32_t new = (uint32_t)t->n;

	if (JW_GROW(t, &how, &e) != JW_OK)
		return TRACE_TREE_NONE;
	if (parent != TRACE_TREE_NONE && !jw_lookup_add(&t->lookup, hash_of(parent, method), new))
		return TRACE_TREE_NONE;
	t->at[new] = (struct trace_tree_node){ .method = method,
					       .parent = parent,
					       .first = TRACE_TREE_NONE,
					       .next = TRACE_TREE_NONE,
					       .latest = TRACE_TREE_NONE };
	t->n++;
	if (parent == TRACE_TREE_NONE) {
		t->roots++;
		return new;
	}
	t->at[new].next = t->at[parent].first;
	t->at[parent].first = new;
	t->folded += method == TRACE_TREE_FOLDED;
	return new;
}

static uint32_t find(const struct trace_tree *t, uint32_t parent, uint32_t method)
{
	struct jw_lookup_walk w = jw_lookup_walk(&t->lookup, hash_of(parent, method));

	while (jw_lookup_next(&w))
		if (t->at[w.place].parent == parent && t->at[w.place].method == method)
			return w.place;
	return TRACE_TREE_NONE;
}

uint32_t trace_tree_root(struct trace_tree *t)
{
	return add(t, TRACE_TREE_NONE, TRACE_TREE_ROOT);
}

uint32_t trace_tree_child(struct trace_tree *t, uint32_t parent, uint32_t method)
{
	JW_ASSERT(parent < t->n);
	const struct trace_tree_node *p = &t->at[parent];
	uint32_t limit = t->limit ? t->limit : TRACE_TREE_LIMIT, child = p->latest;

	if (child != TRACE_TREE_NONE && p->latest_method == method)
		return child;
	if (p->method == TRACE_TREE_FOLDED)
		return parent;
	child = find(t, parent, method);
	if (child == TRACE_TREE_NONE && method != TRACE_TREE_FOLDED &&
	    t->n - t->roots - t->folded >= limit)
		return trace_tree_child(t, parent, TRACE_TREE_FOLDED);
	if (child == TRACE_TREE_NONE)
		child = add(t, parent, method);
	if (child != TRACE_TREE_NONE) {
		t->at[parent].latest = child;
		t->at[parent].latest_method = method;
	}
	return child;
}

void trace_tree_fetch(const struct trace_tree *t, uint32_t parent, uint32_t method)
{
	if (t->lookup.slots)
		jw_fetch(&t->lookup.slots[hash_of(parent, method) & t->lookup.mask]);
	jw_fetch(&t->at[parent]);
}

static void add_times(uint64_t to[TRACE_TREE_TIMES], const uint64_t more[TRACE_TREE_TIMES])
{
	for (size_t i = 0; i < TRACE_TREE_TIMES; i++)
		to[i] += more[i];
}

void trace_tree_sum(struct trace_tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < TRACE_TREE_TIMES; k++)
			t->at[i].total[k] = t->at[i].self[k];
	for (size_t i = t->n; i-- > 0;)
		if (t->at[i].parent != TRACE_TREE_NONE)
			add_times(t->at[t->at[i].parent].total, t->at[i].total);
}

void trace_tree_free(struct trace_tree *t)
{
	jw_mem_free(t->at);
	jw_lookup_free(&t->lookup);
	*t = (struct trace_tree){ 0 };
}

/* ---- trees of trees ---- */

bool trace_tree_merge(struct trace_tree *into, const struct trace_tree *more, uint32_t *to)
{
	for (size_t i = 0; i < more->n; i++) {
		const struct trace_tree_node *from = &more->at[i];

		if (from->parent != TRACE_TREE_NONE) {
			to[i] = to[from->parent];
			if (to[i] == TRACE_TREE_NONE)
				continue;
			to[i] = trace_tree_child(into, to[i], from->method);
			if (to[i] == TRACE_TREE_NONE)
				return false;
		}
		if (to[i] == TRACE_TREE_NONE)
			continue;
		struct trace_tree_node *sum = &into->at[to[i]];

		sum->calls += from->calls;
		sum->failed += from->failed;
		add_times(sum->self, from->self);
	}
	return true;
}

/* NODE of TREE, whose method is chosen, and those that led to it, up to the root. */
static bool add_callers(const struct trace_tree *t, uint32_t node, bool outermost,
			struct trace_tree *out)
{
	const struct trace_tree_node *of = &t->at[node];
	uint32_t at = 0; /* the root of OUT */

	for (size_t level = 0; node != TRACE_TREE_NONE && t->at[node].method != TRACE_TREE_ROOT;
	     level++) {
		bool far = level > TRACE_TREE_LEVELS;

		at = trace_tree_child(out, at, far ? TRACE_TREE_FOLDED : t->at[node].method);
		if (at == TRACE_TREE_NONE)
			return false;
		struct trace_tree_node *sum = &out->at[at];

		sum->calls += of->calls;
		sum->failed += of->failed;
		add_times(sum->self, of->self);
		if (outermost)
			add_times(sum->total, of->total);
		if (sum->method == TRACE_TREE_FOLDED) /* it has all that is further away, too */
			break;
		node = t->at[node].parent;
	}
	return true;
}

/* The node after NODE, depth first; those that are left until then are no longer in OPEN. */
static uint32_t next_node(const struct trace_tree *t, uint32_t node, const bool *chosen,
			  size_t methods, uint32_t *open)
{
	if (t->at[node].first != TRACE_TREE_NONE)
		return t->at[node].first;
	while (node != TRACE_TREE_NONE) {
		const struct trace_tree_node *n = &t->at[node];

		if (n->method < methods && chosen[n->method])
			open[n->method]--;
		if (n->next != TRACE_TREE_NONE)
			return n->next;
		node = n->parent;
	}
	return TRACE_TREE_NONE;
}

static bool all_callers(const struct trace_tree *t, const bool *chosen, size_t methods,
			uint32_t *open, struct trace_tree *out)
{
	for (uint32_t root = 0; root < t->n; root++) {
		if (t->at[root].parent != TRACE_TREE_NONE)
			continue;
		for (uint32_t i = root; i != TRACE_TREE_NONE;
		     i = next_node(t, i, chosen, methods, open)) {
			uint32_t method = t->at[i].method;

			if (method >= methods || !chosen[method])
				continue;
			if (!add_callers(t, i, open[method]++ == 0, out))
				return false;
		}
	}
	return true;
}

bool trace_tree_callers(const struct trace_tree *t, const bool *chosen, size_t methods,
			struct trace_tree *out)
{
	uint32_t *open = jw_mem_zalloc(methods + 1, sizeof(*open));
	bool made = open && trace_tree_root(out) == 0 && all_callers(t, chosen, methods, open, out);

	for (uint32_t i = made ? out->at[0].first : TRACE_TREE_NONE; i != TRACE_TREE_NONE;
	     i = out->at[i].next) {
		out->at[0].calls += out->at[i].calls;
		out->at[0].failed += out->at[i].failed;
		add_times(out->at[0].self, out->at[i].self);
		add_times(out->at[0].total, out->at[i].total);
	}
	out->turned = true;
	jw_mem_free(open);
	return made;
}
