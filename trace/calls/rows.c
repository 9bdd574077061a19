/*
 * rows.c: see rows.h.
 */
#include "trace/calls/rows.h"

#include <stdlib.h>

#include "base/grow.h"

#include "base/banned.h"

struct ranked {
	uint64_t ns;
	uint32_t node;
};

/* While rows are made. */
struct maker {
	const struct trace_tree *tree;
	struct jw_arena *arena;
	struct trace_tree_rows *out;
	bool *shown;     /* by node */
	uint32_t *heavy; /* by node: the one that it passes nearly all of its time on to, or none */
	bool *chained;   /* by node: in a chain */
	uint64_t *calls, *fails; /* by node: with all below it */
	struct ranked *children; /* of one node */
	struct {
		struct trace_tree_row *at;
		size_t n, room;
	} left; /* to be shown, the next one last */
};

/* The largest first; a caller before what it calls. */
static int by_total(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Is NODE between one that passes its time on to it, and one that it passes it on to? */
static bool is_between(const struct maker *m, uint32_t root, uint32_t node)
{
	uint32_t parent = m->tree->at[node].parent;

	return parent != root && m->heavy[node] != TRACE_TREE_NONE && m->heavy[parent] == node;
}

/* The chains below ROOT: all that is below it is marked as shown. */
static void find_chains(struct maker *m, uint32_t root)
{
	const struct trace_tree *t = m->tree;

	for (uint32_t i = root; i < t->n; i++)
		m->heavy[i] = TRACE_TREE_NONE;
	for (uint32_t i = root + 1; i < t->n; i++) {
		uint32_t parent = t->at[i].parent;

		if (m->shown[i] && parent != root && t->at[i].method < TRACE_TREE_FOLDED &&
		    (double)trace_tree_ns(t->at[i].total) * 100 >
			    (double)trace_tree_ns(t->at[parent].total) * TRACE_TREE_PASSED)
			m->heavy[parent] = i;
	}
	for (uint32_t i = root + 1; i < t->n; i++) {
		size_t n = 0;

		if (!m->shown[i] || !is_between(m, root, i) || is_between(m, root, t->at[i].parent))
			continue;
		for (uint32_t k = i; is_between(m, root, k); k = m->heavy[k])
			n++;
		for (uint32_t k = i; n >= TRACE_TREE_CHAIN && is_between(m, root, k);
		     k = m->heavy[k])
			m->chained[k] = true;
	}
}

/* Which nodes are shown: with a node its callers are, as they are not smaller. */
static bool choose(struct maker *m, uint32_t root, uint64_t least_ns, size_t most, bool chains)
{
	const struct trace_tree *t = m->tree;
	struct ranked *all = jw_mem_zalloc(t->n + 1, sizeof(*all));
	size_t n = 0;

	if (!all)
		return false;
	m->shown[root] = true; /* first: marks all that are below it */
	for (uint32_t i = root + 1; i < t->n; i++) {
		uint32_t parent = t->at[i].parent;

		m->shown[i] = parent != TRACE_TREE_NONE && m->shown[parent];
		if (m->shown[i])
			all[n++] = (struct ranked){ trace_tree_ns(t->at[i].total), i };
	}
	if (chains)
		find_chains(m, root);
	if (n > 1)
		qsort(all, n, sizeof(*all), by_total);
	for (size_t i = 0, counted = 0; i < n; i++) {
		bool shows = counted < most && all[i].ns >= least_ns;

		m->shown[all[i].node] = shows;
		m->out->shown += shows;
		counted += shows && !m->chained[all[i].node];
	}
	m->out->all = n;
	jw_mem_free(all);
	return true;
}

static void sum_calls(struct maker *m)
{
	const struct trace_tree *t = m->tree;

	for (size_t i = t->n; i-- > 0;) {
		uint32_t parent = t->at[i].parent;

		m->calls[i] += t->at[i].calls;
		m->fails[i] += t->at[i].failed;
		if (parent == TRACE_TREE_NONE || t->turned)
			continue;
		m->calls[parent] += m->calls[i];
		m->fails[parent] += m->fails[i];
	}
}

static enum jw_status push(struct maker *m, const struct trace_tree_row *row, struct jw_err *e)
{
	static const struct jw_growth how = { "lines", 0, 64 };

	JW_TRY(JW_GROW(&m->left, &how, e));
	m->left.at[m->left.n++] = *row;
	return JW_OK;
}

/* CHILD and all below it, of which nothing is shown, is part of FOLD. */
static void fold(const struct maker *m, uint32_t child, struct trace_tree_row *fold)
{
	const struct trace_tree_node *n = &m->tree->at[child];

	fold->folded++;
	fold->calls += m->calls[child];
	fold->failed += m->fails[child];
	for (size_t i = 0; i < TRACE_TREE_TIMES; i++) {
		fold->self[i] += m->tree->turned ? n->self[i] : n->total[i];
		fold->total[i] += n->total[i];
	}
}

/* ROW of a node, or of the chain that it begins: all but the last have calls beside it, which are the chain's. */
static void take_chain(const struct maker *m, struct trace_tree_row *row)
{
	const struct trace_tree_node *n = &m->tree->at[row->node];
	uint32_t last = row->node;

	row->calls = n->calls;
	row->failed = n->failed;
	for (size_t i = 0; i < TRACE_TREE_TIMES; i++) {
		row->self[i] = n->self[i];
		row->total[i] = n->total[i];
	}
	if (!m->chained[row->node])
		return;
	for (row->chain = 1; m->chained[m->heavy[last]]; row->chain++)
		last = m->heavy[last];
	row->node = last;
	for (size_t i = 0; i < TRACE_TREE_TIMES; i++)
		row->self[i] =
			row->total[i] - m->tree->at[last].total[i] + m->tree->at[last].self[i];
}

/* What NODE calls is to be shown, at LEVEL. */
static enum jw_status push_children(struct maker *m, uint32_t node, uint32_t level,
				    struct jw_err *e)
{
	struct trace_tree_row rest = { .node = TRACE_TREE_NONE, .level = level, .parent = node };
	size_t n = 0;

	for (uint32_t i = m->tree->at[node].first; i != TRACE_TREE_NONE; i = m->tree->at[i].next) {
		if (m->shown[i])
			m->children[n++] =
				(struct ranked){ trace_tree_ns(m->tree->at[i].total), i };
		else
			fold(m, i, &rest);
	}
	if (n > 1)
		qsort(m->children, n, sizeof(*m->children), by_total);
	if (rest.folded)
		JW_TRY(push(m, &rest, e));
	while (n-- > 0) {
		struct trace_tree_row row = { .node = m->children[n].node,
					      .level = level,
					      .parent = node };

		take_chain(m, &row);
		JW_TRY(push(m, &row, e));
	}
	return JW_OK;
}

static enum jw_status make(struct maker *m, uint32_t root, struct jw_err *e)
{
	static const struct jw_growth how = { "lines", 0, 64 };

	sum_calls(m);
	JW_TRY(push_children(m, root, 0, e));
	while (m->left.n) {
		struct trace_tree_row row = m->left.at[--m->left.n];

		JW_TRY(JW_GROW_IN(m->arena, m->out, &how, e));
		m->out->at[m->out->n++] = row;
		if (row.node != TRACE_TREE_NONE)
			JW_TRY(push_children(m, row.node, row.level + 1, e));
	}
	return JW_OK;
}

enum jw_status trace_tree_rows(const struct trace_tree *tree, uint32_t root, uint64_t least_ns,
			       size_t most, bool chains, struct jw_arena *arena,
			       struct trace_tree_rows *out, struct jw_err *e)
{
	struct maker m = { .tree = tree, .arena = arena, .out = out };
	enum jw_status status;

	*out = (struct trace_tree_rows){ 0 };
	m.shown = jw_mem_zalloc(tree->n + 1, sizeof(*m.shown));
	m.heavy = jw_mem_zalloc(tree->n + 1, sizeof(*m.heavy));
	m.chained = jw_mem_zalloc(tree->n + 1, sizeof(*m.chained));
	m.calls = jw_mem_zalloc(tree->n + 1, sizeof(*m.calls));
	m.fails = jw_mem_zalloc(tree->n + 1, sizeof(*m.fails));
	m.children = jw_mem_zalloc(tree->n + 1, sizeof(*m.children));
	status = m.shown && m.heavy && m.chained && m.calls && m.fails && m.children &&
				 choose(&m, root, least_ns, most, chains)
			 ? make(&m, root, e)
			 : jw_nomem(e);
	jw_mem_free(m.shown);
	jw_mem_free(m.heavy);
	jw_mem_free(m.chained);
	jw_mem_free(m.calls);
	jw_mem_free(m.fails);
	jw_mem_free(m.children);
	jw_mem_free(m.left.at);
	return status;
}
