/*
 * memory.h: where memory comes from.
 *
 * Lifetimes have names: a session (the command), a jar, a class. Each has an arena; its parts are
 * never freed one by one. jw_mem_*() wrap malloc, so that tests can make any allocation fail:
 * jw_mem_fail_after(n) lets n more succeed and fails the next.
 * Built with the address sanitizer, an arena gives each object a block of its own, so that the
 * sanitizer sees its bounds.
 */
#ifndef JW_BASE_MEMORY_H
#define JW_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* malloc, calloc (zeroed), realloc and free; NULL when there is no memory, or a test wants it. */
void *jw_mem_alloc(size_t n);
void *jw_mem_zalloc(size_t count, size_t size);
void *jw_mem_realloc(void *p, size_t n);
void jw_mem_free(void *p);

/* From now on large blocks are given back to the system as soon as they are freed, and grow without
 * being copied. Where lists grow long that saves a fifth of the memory; where many are short-lived
 * it costs time. */
void jw_mem_return_large(void);

/* Lets N more allocations of this thread succeed, then fails the next one; N < 0: never fail.
 * Returns whether one has failed since the last call. For tests. */
bool jw_mem_fail_after(long n);

/* Sizes, checked: false, leaving *OUT alone, when the result does not fit. */
bool jw_add(size_t a, size_t b, size_t *out) JW_MUST_USE;
bool jw_mul(size_t a, size_t b, size_t *out) JW_MUST_USE;

struct jw_arena_block;

/* {0} is a valid empty arena. Not shared between threads. */
struct jw_arena {
	struct jw_arena_block *blocks; /* newest first */
	size_t total;                  /* bytes allocated from it, for limits and reports */
	size_t block;                  /* size of a block, at least; 0: 64 KB */
};

/* COUNT objects of SIZE bytes, zeroed, aligned for any type; NULL when there is no memory. */
void *jw_arena_alloc(struct jw_arena *a, size_t count, size_t size);
#define JW_NEW(arena, type)              ((type *)jw_arena_alloc((arena), 1, sizeof(type)))
#define JW_NEW_ARRAY(arena, type, count) ((type *)jw_arena_alloc((arena), (count), sizeof(type)))

/* Formatted text in the arena; NULL when there is no memory. */
char *jw_arena_fmt(struct jw_arena *a, const char *fmt, ...) JW_PRINTF(2, 3);

/* Frees everything; reset keeps one block for the next use. */
void jw_arena_free(struct jw_arena *a);
void jw_arena_reset(struct jw_arena *a);

#endif
