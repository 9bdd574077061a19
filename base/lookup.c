#include "base/lookup.h"

#include "base/assert.h"

#include "base/banned.h"

enum { FIRST_SLOTS = 64 };

static void put(struct jw_lookup *lookup, struct jw_lookup_slot slot)
{
	size_t at = slot.hash & lookup->mask;

	while (lookup->slots[at].place)
		at = (at + 1) & lookup->mask;
	lookup->slots[at] = slot;
}

static bool make_room(struct jw_lookup *lookup)
{
	size_t old = lookup->slots ? lookup->mask + 1 : 0, count = old ? old * 2 : FIRST_SLOTS;
	struct jw_lookup larger = { .mask = count - 1, .n = lookup->n };

	if ((lookup->n + 1) * 2 <= old)
		return true;
	larger.slots = jw_mem_zalloc(count, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < old; i++)
		if (lookup->slots[i].place)
			put(&larger, lookup->slots[i]);
	jw_mem_free(lookup->slots);
	*lookup = larger;
	return true;
}

bool jw_lookup_add(struct jw_lookup *lookup, uint32_t hash, size_t place)
{
	JW_ASSERT(place < UINT32_MAX);
	if (!make_room(lookup))
		return false;
	put(lookup, (struct jw_lookup_slot){ hash, (uint32_t)place + 1 });
	lookup->n++;
	return true;
}

void jw_lookup_free(struct jw_lookup *lookup)
{
	jw_mem_free(lookup->slots);
	*lookup = (struct jw_lookup){ 0 };
}
