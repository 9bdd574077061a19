/*
 * grow.h: lists that grow, the one way there is.
 *
 *     struct { struct clause *at; size_t n, room; } list = { 0 };
 *     static const struct jw_growth clauses = { "clauses", 100000 };
 *
 *     JW_TRY(JW_GROW(&list, &clauses, e));      room for one more; sets nothing else
 *     list.at[list.n++] = clause;
 *     jw_mem_free(list.at);                     not when it grows in an arena (JW_GROW_IN)
 *
 * A list is any struct with these three members. Growing doubles the room, so that N elements cost
 * at most N copies; in an arena what was outgrown stays until the arena ends. Pointers to elements
 * are good until the next growth. On failure the list stays as it was. jw_grown() gives back what
 * is not used, of lists of which there are thousands.
 */
#ifndef JW_BASE_GROW_H
#define JW_BASE_GROW_H

#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

struct jw_growth {
	const char *what; /* in the message: "too many clauses (limit is 100000)" */
	size_t limit;     /* elements at most; 0: none */
	size_t first;     /* the room to begin with; 0: 16 */
};

/* LIST: the address of the pointer to the elements, of SIZE bytes each, with room for *ROOM: now
 * for WANTED at least. ARENA NULL: memory to be freed. JW_LIMIT when WANTED passes HOW's limit. */
enum jw_status JW_MUST_USE jw_grow(struct jw_arena *arena, void *list, size_t *room, size_t size,
				   size_t wanted, const struct jw_growth *how, struct jw_err *e);

/* LIST, as above, of N elements will not grow: its room is what these take, if there is memory. */
void jw_grown(void *list, size_t *room, size_t size, size_t n);

#define JW_GROW_IN(arena, list, how, e)                                          \
	((list)->n < (list)->room ? JW_OK                                        \
				  : jw_grow((arena), &(list)->at, &(list)->room, \
					    sizeof(*(list)->at), (list)->n + 1, (how), (e)))
#define JW_GROW(list, how, e) JW_GROW_IN(NULL, list, how, e)

#endif
