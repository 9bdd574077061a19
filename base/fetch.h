/*
 * fetch.h: data that are needed soon, into the processor's cache.
 */
#ifndef JW_BASE_FETCH_H
#define JW_BASE_FETCH_H

#include <stddef.h>

#define JW_CACHE_LINE 64 /* bytes, of most processors */

/* The line of the cache that P points into. P may point anywhere. */
static inline void jw_fetch(const void *p)
{
	__builtin_prefetch(p);
	/* gcc leaves out calls of functions that do nothing but this: to it they have no effect. */
	__asm__ volatile("");
}

/* All lines of the N bytes from P on; N is not 0. */
static inline void jw_fetch_all(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i += JW_CACHE_LINE)
		jw_fetch((const char *)p + i);
	jw_fetch((const char *)p + n - 1);
}

#endif
