/*
 * literals.c: see literals.h.
 *
 * The strings make a trie. `fail` of a node is the node of the longest proper suffix of its string
 * that the trie has; `hit` is the first node on the way along `fail`, itself included, where a
 * string ends, and `next` of that node the one after it.
 */
#include "rules/literals.h"

#include "base/assert.h"

#include "base/banned.h"

enum { ROOT = 0, NO_STRING = -1 };

struct rules_piece_edge {
	uint32_t from, to; /* to == ROOT: an empty place, since no edge leads there */
	uint8_t byte;
};

struct rules_piece_node {
	uint32_t fail, hit, parent, depth;
	int32_t string; /* that ends here */
	uint8_t byte;   /* of the edge from the parent */
};

static size_t place_of(const struct rules_piece_edge *edges, size_t mask, uint32_t from,
		       uint8_t byte)
{
	size_t at = (((size_t)from << 8 | byte) * 0x9e3779b97f4a7c15u >> 20) & mask;

	while (edges[at].to != ROOT && (edges[at].from != from || edges[at].byte != byte))
		at = (at + 1) & mask;
	return at;
}

static uint32_t child(const struct rules_pieces *p, uint32_t from, uint8_t byte)
{
	return p->edges[place_of(p->edges, p->mask, from, byte)].to;
}

/* ---- building ---- */

/* Puts STRING into the trie; NODE_COUNT grows. */
static void insert(struct rules_piece_edge *edges, size_t mask, struct rules_piece_node *nodes,
		   uint32_t *node_count, struct jw_span string, size_t index)
{
	uint32_t node = ROOT;

	JW_ASSERT(string.n > 0); /* else every text has it, at its root */
	for (size_t i = 0; i < string.n; i++) {
		size_t at = place_of(edges, mask, node, string.p[i]);

		if (edges[at].to == ROOT) {
			edges[at] = (struct rules_piece_edge){ node, *node_count, string.p[i] };
			nodes[*node_count] = (struct rules_piece_node){ .parent = node,
									.depth = (uint32_t)i + 1,
									.string = NO_STRING,
									.byte = string.p[i] };
			++*node_count;
		}
		node = edges[at].to;
	}
	nodes[node].string = (int32_t)index;
}

/* The longest suffix of NODE's string: the parent's suffixes, tried longest first. */
static void link_node(const struct rules_pieces *p, struct rules_piece_node *nodes, uint32_t node)
{
	struct rules_piece_node *n = &nodes[node];
	uint32_t from = n->parent, to = ROOT;

	while (from != ROOT && to == ROOT) {
		from = nodes[from].fail;
		to = child(p, from, n->byte);
	}
	n->fail = to;
	n->hit = n->string == NO_STRING ? nodes[to].hit : node;
}

/* The nodes in the order of their depth, so that suffixes are linked before what ends with them. */
static enum jw_status link_all(const struct rules_pieces *p, struct rules_piece_node *nodes,
			       uint32_t count, uint32_t deepest, struct jw_err *e)
{
	uint32_t *order = jw_mem_zalloc(count, sizeof *order);
	uint32_t *start = jw_mem_zalloc((size_t)deepest + 2, sizeof *start);

	if (order && start) {
		for (uint32_t i = 0; i < count; i++)
			start[nodes[i].depth + 1]++;
		for (uint32_t d = 0; d <= deepest; d++)
			start[d + 1] += start[d];
		for (uint32_t i = 0; i < count; i++)
			order[start[nodes[i].depth]++] = i;
		for (uint32_t i = 1; i < count; i++)
			link_node(p, nodes, order[i]);
	}
	enum jw_status status = order && start ? JW_OK : jw_nomem(e);
	jw_mem_free(order);
	jw_mem_free(start);
	return status;
}

enum jw_status rules_pieces_build(const struct jw_span *strings, size_t count,
				  struct jw_arena *arena, struct rules_pieces *out,
				  struct jw_err *e)
{
	size_t bytes = 0, room = 64, longest = 0;
	uint32_t node_count = 1;

	*out = (struct rules_pieces){ 0 };
	for (size_t i = 0; i < count; i++) {
		bytes += strings[i].n;
		longest = strings[i].n > longest ? strings[i].n : longest;
	}
	if (count == 0)
		return JW_OK;
	if (bytes >= INT32_MAX)
		return jw_fail(e, JW_LIMIT, "the patterns of the rules have %zu bytes in all",
			       bytes);
	while (room < bytes * 2)
		room *= 2;
	struct rules_piece_edge *edges = JW_NEW_ARRAY(arena, struct rules_piece_edge, room);
	struct rules_piece_node *nodes = JW_NEW_ARRAY(arena, struct rules_piece_node, bytes + 1);
	if (!edges || !nodes)
		return jw_nomem(e);
	nodes[ROOT].string = NO_STRING;
	for (size_t i = 0; i < count; i++)
		insert(edges, room - 1, nodes, &node_count, strings[i], i);
	*out = (struct rules_pieces){ edges, room - 1, nodes };
	return link_all(out, nodes, node_count, (uint32_t)longest, e);
}

/* ---- walking ---- */

struct rules_pieces_walk rules_pieces_walk(const struct rules_pieces *pieces, struct jw_span text)
{
	if (!pieces->nodes)
		text.n = 0;
	return (struct rules_pieces_walk){ .pieces = pieces, .text = text };
}

static uint32_t advance(const struct rules_pieces *p, uint32_t node, uint8_t byte)
{
	uint32_t to = child(p, node, byte);

	while (to == ROOT && node != ROOT) {
		node = p->nodes[node].fail;
		to = child(p, node, byte);
	}
	return to;
}

bool rules_pieces_next(struct rules_pieces_walk *w, size_t *index)
{
	const struct rules_piece_node *nodes = w->pieces->nodes;

	while (w->hit == ROOT) {
		if (w->pos == w->text.n)
			return false;
		w->node = advance(w->pieces, w->node, w->text.p[w->pos++]);
		w->hit = nodes[w->node].hit;
	}
	*index = (size_t)nodes[w->hit].string;
	w->hit = nodes[nodes[w->hit].fail].hit;
	return true;
}
