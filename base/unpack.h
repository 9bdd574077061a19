/*
 * unpack.h: unpacks entries of archives: with libdeflate where the build defines JW_LIBDEFLATE, as
 * for all programs; else with inflate.c, as in the runtime library, which depends on libc alone.
 */
#ifndef JW_BASE_UNPACK_H
#define JW_BASE_UNPACK_H

#include "base/bytes.h"
#include "base/inflate.h"

struct jw_inflater; /* one per thread */

/* NULL: no memory. NULL may be freed, too. */
struct jw_inflater *jw_inflater_new(void);
void jw_inflater_free(struct jw_inflater *inflater);

/* Unpacks DATA into the N bytes at TO (may be NULL when N is 0). Unless JW_INFLATED, what TO holds
 * is undefined. */
enum jw_inflated JW_MUST_USE jw_inflater_run(struct jw_inflater *inflater, struct jw_span data,
					     uint8_t *to, size_t n);

/* The CRC-32 of BYTES. */
uint32_t jw_inflater_crc32(const struct jw_inflater *inflater, struct jw_span bytes);

#endif
