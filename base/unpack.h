/*
 * unpack.h: unpacks entries of archives: with libdeflate where the build defines JW_LIBDEFLATE, as
 * for all programs; else with inflate.c, as in the runtime library, which depends on libc alone.
 * jw_inflater_new() and jw_inflater_free() are in zip.h.
 */
#ifndef JW_BASE_UNPACK_H
#define JW_BASE_UNPACK_H

#include "base/bytes.h"
#include "base/inflate.h"
#include "base/zip.h"

/* Unpacks DATA into the N bytes at TO (may be NULL when N is 0). Unless JW_INFLATED, what TO holds
 * is undefined. */
enum jw_inflated JW_MUST_USE jw_inflater_run(struct jw_inflater *inflater, struct jw_span data,
					     uint8_t *to, size_t n);

/* The CRC-32 of BYTES. */
uint32_t jw_inflater_crc32(const struct jw_inflater *inflater, struct jw_span bytes);

#endif
