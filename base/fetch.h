/*
 * fetch.h: data that are needed soon, into the processor's cache.
 */
#ifndef JW_BASE_FETCH_H
#define JW_BASE_FETCH_H

/* The line of the cache that P points into. P may point anywhere. */
static inline void jw_fetch(const void *p)
{
	__builtin_prefetch(p);
	/* gcc leaves out calls of functions that do nothing but this: to it they have no effect. */
	__asm__ volatile("");
}

#endif
