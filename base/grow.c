#include "base/grow.h"

#include <string.h>

#include "base/banned.h"

enum { FIRST = 16 };

/* The room for WANTED elements, by doubling ROOM; not above the limit. */
static size_t larger(size_t room, size_t wanted, const struct jw_growth *how)
{
	if (room == 0)
		room = how->first ? how->first : FIRST;
	while (room < wanted)
		room = room > SIZE_MAX / 2 ? wanted : room * 2;
	return how->limit && room > how->limit ? how->limit : room;
}

enum jw_status jw_grow(struct jw_arena *arena, void *list, size_t *room, size_t size, size_t wanted,
		       const struct jw_growth *how, struct jw_err *e)
{
	void *old, *fresh;
	size_t count, bytes;

	if (wanted <= *room)
		return JW_OK;
	if (how->limit && wanted > how->limit)
		return jw_fail(e, JW_LIMIT, "too many %s (limit is %zu)", how->what, how->limit);
	count = larger(*room, wanted, how);
	if (!jw_mul(count, size, &bytes))
		return jw_nomem(e);
	memcpy(&old, list, sizeof(old)); /* whatever it points at: see the macros */
	fresh = arena ? jw_arena_alloc(arena, count, size) : jw_mem_realloc(old, bytes);
	if (!fresh)
		return jw_nomem(e);
	if (arena && *room)
		memcpy(fresh, old, *room * size);
	memcpy(list, &fresh, sizeof(fresh));
	*room = count;
	return JW_OK;
}

void jw_grown(void *list, size_t *room, size_t size, size_t n)
{
	void *old, *fresh;

	if (n == *room || n == 0)
		return;
	memcpy(&old, list, sizeof(old));
	fresh = jw_mem_realloc(old, n * size);
	if (!fresh)
		return;
	memcpy(list, &fresh, sizeof(fresh));
	*room = n;
}
