#include "base/memory.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_BLOCK 0 /* one block per object: see memory.h */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_BLOCK 0
#endif
#endif
#ifndef ARENA_BLOCK
#define ARENA_BLOCK ((size_t)64 * 1024)
#endif

static _Thread_local long allocations_left = -1;
static _Thread_local bool allocation_failed;

bool jw_mem_fail_after(long n)
{
	bool failed = allocation_failed;

	allocations_left = n;
	allocation_failed = false;
	return failed;
}

/* No object here is a terabyte: a size like that is a damaged length, which malloc would refuse and
 * a sanitizer report as a bug. */
static const uint64_t LARGEST = UINT64_C(1) << 39;

static bool must_fail(size_t n)
{
	if ((uint64_t)n > LARGEST)
		return true;
	if (allocations_left < 0)
		return false;
	if (allocations_left > 0) {
		allocations_left--;
		return false;
	}
	allocation_failed = true;
	return true;
}

/* glibc keeps more and more of what is freed, up to 32 MB at a time, unless it is told how much. */
void jw_mem_return_large(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

bool jw_add(size_t a, size_t b, size_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

bool jw_mul(size_t a, size_t b, size_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

void *jw_mem_alloc(size_t n)
{
	return must_fail(n) ? NULL : malloc(n ? n : 1);
}

void *jw_mem_zalloc(size_t count, size_t size)
{
	size_t n;

	if (!jw_mul(count, size, &n) || must_fail(n))
		return NULL;
	return calloc(count ? count : 1, size ? size : 1);
}

void *jw_mem_realloc(void *p, size_t n)
{
	return must_fail(n) ? NULL : realloc(p, n ? n : 1);
}

void jw_mem_free(void *p)
{
	free(p);
}

struct jw_arena_block {
	struct jw_arena_block *older;
	size_t used, size;
	alignas(max_align_t) uint8_t bytes[];
};

static size_t block_of(const struct jw_arena *a)
{
	return ARENA_BLOCK && a->block ? a->block : ARENA_BLOCK;
}

static struct jw_arena_block *add_block(struct jw_arena *a, size_t n)
{
	size_t least = block_of(a), size = n > least ? n : least, all;

	if (!jw_add(size, sizeof(struct jw_arena_block), &all))
		return NULL;
	struct jw_arena_block *block = jw_mem_alloc(all);
	if (!block)
		return NULL;
	*block = (struct jw_arena_block){ .older = a->blocks, .size = size };
	a->blocks = block;
	return block;
}

void *jw_arena_alloc(struct jw_arena *a, size_t count, size_t size)
{
	struct jw_arena_block *block = a->blocks;
	size_t n, room;

	if (!jw_mul(count, size, &n) || !jw_add(n, alignof(max_align_t) - 1, &room))
		return NULL;
	room -= room % alignof(max_align_t);
	if (!block || room > block->size - block->used)
		block = add_block(a, room);
	if (!block)
		return NULL;
	void *p = block->bytes + block->used;
	block->used += room;
	a->total += room;
	return memset(p, 0, n);
}

char *jw_arena_fmt(struct jw_arena *a, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	char *text = n < 0 ? NULL : jw_arena_alloc(a, (size_t)n + 1, 1);
	if (text)
		vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return text;
}

void jw_arena_free(struct jw_arena *a)
{
	while (a->blocks) {
		struct jw_arena_block *older = a->blocks->older;

		jw_mem_free(a->blocks);
		a->blocks = older;
	}
	a->total = 0;
}

void jw_arena_reset(struct jw_arena *a)
{
	struct jw_arena_block *keep = ARENA_BLOCK && a->blocks ? a->blocks : NULL;

	if (keep) {
		a->blocks = keep->older;
		keep->older = NULL;
	}
	jw_arena_free(a);
	if (keep && keep->size > 4 * block_of(a)) {
		jw_mem_free(keep); /* one huge class must not hold its memory for the whole jar */
		keep = NULL;
	}
	if (keep)
		keep->used = 0;
	a->blocks = keep;
}
