/*
 * lookup.h: finds elements of a list by a hash: of ids, of pairs, of names.
 *
 *     struct jw_lookup lookup = { 0 };          next to the list; knows its places 0, 1, 2, ...
 *
 *     for (struct jw_lookup_walk w = jw_lookup_walk(&lookup, jw_hash_id(id)); jw_lookup_next(&w);)
 *             if (list.at[w.place].id == id)
 *                     return &list.at[w.place];
 *     ...
 *     if (!jw_lookup_add(&lookup, jw_hash_id(id), list.n))     false: no memory, nothing is added
 *
 * A table of { hash, place } with linear probing, at most half full: 16 to 32 bytes an element.
 * What it finds has the same 32 bits of hash; whether it is the element, the caller compares.
 * Nothing is ever removed.
 */
#ifndef JW_BASE_LOOKUP_H
#define JW_BASE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct jw_lookup_slot {
	uint32_t hash, place; /* place + 1; 0: free */
};

/* {0}: empty. */
struct jw_lookup {
	struct jw_lookup_slot *slots; /* owned */
	size_t mask, n;
};

struct jw_lookup_walk {
	const struct jw_lookup *lookup;
	size_t at; /* the next slot */
	uint32_t hash, place;
};

/* The hash of an ID. Multiplicative: ids in a row get slots far apart. */
static inline uint32_t jw_hash_id(uint64_t id)
{
	return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static inline struct jw_lookup_walk jw_lookup_walk(const struct jw_lookup *lookup, uint32_t hash)
{
	return (struct jw_lookup_walk){ lookup, hash & lookup->mask, hash, 0 };
}

/* The next place with that hash, as W->place; false: there is no other. */
static inline bool jw_lookup_next(struct jw_lookup_walk *w)
{
	const struct jw_lookup_slot *slots = w->lookup->slots;

	while (slots && slots[w->at].place) {
		struct jw_lookup_slot slot = slots[w->at];

		w->at = (w->at + 1) & w->lookup->mask;
		if (slot.hash == w->hash) {
			w->place = slot.place - 1;
			return true;
		}
	}
	return false;
}

/* PLACE (below UINT32_MAX) has HASH. False: no memory. */
bool jw_lookup_add(struct jw_lookup *lookup, uint32_t hash, size_t place);

void jw_lookup_free(struct jw_lookup *lookup);

#endif
