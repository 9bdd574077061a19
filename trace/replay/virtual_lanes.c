/*
 * virtual_lanes.c: the virtual threads of one process that are alive, and the lanes they own.
 *
 * A virtual thread owns a lane from its first to its last event: one that nobody had before while
 * there are such, so that it keeps its name; then the lowest that is free, so that few are shared.
 * Two readings of one recording agree. Lanes given back are bits in a tree of words, since there
 * may be as many lanes as Paraver has rows, and a million threads that want one. Threads are found
 * by id, in a hash table with linear probing and backward-shift deletion. Memory is bounded by
 * those alive, never by all.
 */
#include "trace/output.h"
#include "trace/replay/track.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define FIRST_SLOTS 64
#define WORD_BITS   64

_Static_assert(TRACE_MAX_ROWS < WORD_BITS * WORD_BITS * TRACE_FREE_WORDS,
	       "two levels of words have a bit for every lane");

/* Lane LANE was given back, or is taken. */
static void set_free(struct trace_virtuals *v, uint32_t lane, bool is)
{
	uint32_t word = lane / WORD_BITS;
	uint64_t bit = UINT64_C(1) << lane % WORD_BITS;

	v->free[word] = is ? v->free[word] | bit : v->free[word] & ~bit;
	bit = UINT64_C(1) << word % WORD_BITS;
	uint64_t *some = &v->some_free[word / WORD_BITS];
	*some = v->free[word] ? *some | bit : *some & ~bit;
}

/* The lowest lane that somebody gave back; 0: none. */
static uint32_t lowest_free(const struct trace_virtuals *v)
{
	for (uint32_t i = 0; i < TRACE_FREE_WORDS; i++) {
		if (!v->some_free[i])
			continue;
		uint32_t word = i * WORD_BITS + (uint32_t)__builtin_ctzll(v->some_free[i]);

		return word * WORD_BITS + (uint32_t)__builtin_ctzll(v->free[word]);
	}
	return 0;
}

static size_t place(const struct trace_virtuals *v, uint64_t id)
{
	return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 20) & v->mask;
}

bool trace_virtuals_open(struct trace_virtuals *v, uint32_t lanes)
{
	*v = (struct trace_virtuals){
		.slots = jw_mem_zalloc(FIRST_SLOTS, sizeof(struct trace_virtual *)),
		.lanes = jw_mem_zalloc((size_t)lanes + 1, sizeof(*v->lanes)),
		.free = jw_mem_zalloc(lanes / WORD_BITS + 1, sizeof(*v->free)),
		.mask = FIRST_SLOTS - 1,
		.cap = lanes,
	};
	return v->slots && v->lanes && v->free;
}

void trace_virtuals_close(struct trace_virtuals *v)
{
	for (size_t i = 0; v->slots && i <= v->mask; i++) {
		if (!v->slots[i])
			continue;
		trace_track_free(&v->slots[i]->track);
		jw_mem_free(v->slots[i]);
	}
	jw_mem_free(v->slots);
	jw_mem_free(v->lanes);
	jw_mem_free(v->free);
	*v = (struct trace_virtuals){ 0 };
}

struct trace_virtual *trace_virtuals_find(const struct trace_virtuals *v, uint64_t id)
{
	if (!v->slots)
		return NULL;
	for (size_t i = place(v, id); v->slots[i]; i = (i + 1) & v->mask)
		if (v->slots[i]->id == id)
			return v->slots[i];
	return NULL;
}

static void put(struct trace_virtuals *v, struct trace_virtual *one)
{
	size_t i = place(v, one->id);

	while (v->slots[i])
		i = (i + 1) & v->mask;
	v->slots[i] = one;
}

/* Keeps the table at most half full. */
static bool grow(struct trace_virtuals *v)
{
	struct trace_virtual **old = v->slots;
	size_t mask = v->mask;

	if ((v->n + 1) * 2 <= mask + 1)
		return true;
	struct trace_virtual **slots =
		jw_mem_zalloc((mask + 1) * 2, sizeof(struct trace_virtual *));

	if (!slots)
		return false;
	v->slots = slots;
	v->mask = mask * 2 + 1;
	for (size_t i = 0; i <= mask; i++)
		if (old[i])
			put(v, old[i]);
	jw_mem_free(old);
	return true;
}

static uint32_t take_lane(struct trace_virtuals *v, struct trace_virtual *one)
{
	uint32_t lane = v->used < v->cap ? v->used + 1 : lowest_free(v);

	if (!lane) {
		v->without++;
		return 0;
	}
	set_free(v, lane, false);
	v->lanes[lane].owner = one;
	if (v->lanes[lane].owners++ == 0)
		v->lanes[lane].first_id = one->id;
	v->used += lane > v->used;
	return lane;
}

struct trace_virtual *trace_virtuals_add(struct trace_virtuals *v, uint64_t id)
{
	struct trace_virtual *one = v->slots && grow(v) ? jw_mem_zalloc(1, sizeof(*one)) : NULL;

	if (!one)
		return NULL;
	one->id = id;
	one->lane = take_lane(v, one);
	put(v, one);
	v->n++;
	v->total++;
	v->more += one->lane == 0;
	return one;
}

void trace_virtuals_remove(struct trace_virtuals *v, struct trace_virtual *one)
{
	size_t hole = place(v, one->id);

	while (v->slots[hole] != one)
		hole = (hole + 1) & v->mask;
	for (size_t i = (hole + 1) & v->mask; v->slots[i]; i = (i + 1) & v->mask) {
		size_t home = place(v, v->slots[i]->id);

		/* it may move to the hole unless its home is after that */
		if (((i - home) & v->mask) >= ((i - hole) & v->mask)) {
			v->slots[hole] = v->slots[i];
			hole = i;
		}
	}
	v->slots[hole] = NULL;
	v->n--;
	v->more -= one->lane == 0;
	v->changes++;
	if (one->lane) {
		v->lanes[one->lane].owner = NULL;
		set_free(v, one->lane, true);
	}
	trace_track_free(&one->track);
	jw_mem_free(one);
}
