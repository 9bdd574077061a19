/*
 * usual.c: see usual.h.
 */
#include "trace/slowest/usual.h"

#include <string.h>

#include "base/memory.h"

#include "base/banned.h"

static bool make_room(struct trace_usual *u)
{
	size_t room = u->room ? u->room * 2 : 256;

	if (u->tree.n <= u->room)
		return true;
	struct trace_usual_way *grown = jw_mem_realloc(u->ways, room * sizeof(*grown));

	if (!grown)
		return false;
	memset(grown + u->room, 0, (room - u->room) * sizeof(*grown));
	u->ways = grown;
	u->room = room;
	return true;
}

uint32_t trace_usual_way(struct trace_usual *u, uint32_t caller, uint64_t method)
{
	uint32_t number = trace_methods_number(&u->methods, method);

	if (caller == TRACE_TREE_NONE)
		caller = u->tree.n ? 0 : trace_tree_root(&u->tree);
	if (caller == TRACE_TREE_NONE || number == TRACE_NO_METHOD)
		return TRACE_TREE_NONE;
	uint32_t way = trace_tree_child(&u->tree, caller, number);

	return way != TRACE_TREE_NONE && make_room(u) ? way : TRACE_TREE_NONE;
}

static void find_median(struct trace_usual_way *w)
{
	w->ns = trace_sketch_at(&w->took, 500);
}

/* (The median of calls that are kept as they are means to sort them: it is found at each doubling of
 * their number, later whenever there are a quarter more.) */
bool trace_usual_add(struct trace_usual *u, uint32_t way, uint64_t ns)
{
	struct trace_usual_way *w = &u->ways[way];

	if (!trace_sketch_add(&w->took, ns))
		return false;
	if (w->took.n >= TRACE_USUAL_CALLS && w->took.n >= w->next) {
		find_median(w);
		w->next = w->took.n + (trace_sketch_is_exact(&w->took) ? w->took.n : w->took.n / 4);
	}
	return true;
}

void trace_usual_settle(struct trace_usual *u)
{
	for (size_t i = 0; i < u->tree.n && i < u->room; i++)
		if (u->ways[i].took.n >= TRACE_USUAL_CALLS)
			find_median(&u->ways[i]);
}

uint64_t trace_usual_method(const struct trace_usual *u, uint32_t way)
{
	return trace_usual_is_rest(u, way) ? 0 : u->methods.m[u->tree.at[way].method].id;
}

void trace_usual_free(struct trace_usual *u)
{
	for (size_t i = 0; i < u->room; i++)
		trace_sketch_free(&u->ways[i].took);
	jw_mem_free(u->ways);
	trace_tree_free(&u->tree);
	trace_methods_free(&u->methods);
}
