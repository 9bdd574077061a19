/*
 * usual.c: see usual.h.
 */
#include "trace/slowest/usual.h"

#include <string.h>

#include "base/memory.h"

#include "base/banned.h"

#define SHORT   6 /* below 2^6 ns all are one bucket */
#define EACH    4 /* to each doubling */
#define BUCKETS 160

/* ---- buckets ---- */

static uint32_t bucket_of(uint64_t ns)
{
	if (ns >> SHORT == 0)
		return 0;
	unsigned top = 63 - (unsigned)__builtin_clzll(ns);
	uint32_t bucket = 1 + (top - SHORT) * EACH + ((uint32_t)(ns >> (top - 2)) & (EACH - 1));

	return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static uint64_t middle_of(uint32_t bucket)
{
	if (bucket == 0)
		return UINT64_C(1) << (SHORT - 1);
	unsigned top = SHORT + (bucket - 1) / EACH;
	uint64_t width = UINT64_C(1) << (top - 2);

	return (EACH + (bucket - 1) % EACH) * width + width / 2;
}

static uint64_t median(const struct trace_usual_way *w)
{
	uint64_t below = 0;
	uint32_t bucket = 0;

	for (; bucket < BUCKETS - 1; bucket++) {
		below += w->counts[bucket];
		if (2 * below >= w->calls)
			break;
	}
	return middle_of(bucket);
}

/* ---- ways ---- */

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

static bool begin_counting(struct trace_usual_way *w)
{
	w->counts = jw_mem_zalloc(BUCKETS, sizeof(*w->counts));
	for (size_t i = 0; w->counts && i < TRACE_USUAL_CALLS - 1; i++)
		w->counts[w->first[i]]++;
	w->next = TRACE_USUAL_CALLS;
	return w->counts;
}

bool trace_usual_add(struct trace_usual *u, uint32_t way, uint64_t ns)
{
	struct trace_usual_way *w = &u->ways[way];

	if (w->calls < TRACE_USUAL_CALLS - 1) {
		w->first[w->calls++] = (uint8_t)bucket_of(ns);
		return true;
	}
	if (w->calls == UINT32_MAX || (!w->counts && !begin_counting(w)))
		return w->counts;
	w->counts[bucket_of(ns)]++;
	if (++w->calls >= w->next) {
		w->ns = median(w);
		w->next = w->calls + w->calls / 4 + 1;
	}
	return true;
}

void trace_usual_settle(struct trace_usual *u)
{
	for (size_t i = 0; i < u->tree.n && i < u->room; i++)
		if (u->ways[i].counts)
			u->ways[i].ns = median(&u->ways[i]);
}

uint64_t trace_usual_method(const struct trace_usual *u, uint32_t way)
{
	return trace_usual_is_rest(u, way) ? 0 : u->methods.m[u->tree.at[way].method].id;
}

void trace_usual_free(struct trace_usual *u)
{
	for (size_t i = 0; i < u->room; i++)
		jw_mem_free(u->ways[i].counts);
	jw_mem_free(u->ways);
	trace_tree_free(&u->tree);
	trace_methods_free(&u->methods);
}
