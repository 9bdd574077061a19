/*
 * inflate.h: DEFLATE (RFC 1951) unpacked and CRC-32 without a library.
 *
 * For the runtime library, which reads method maps in jars and must depend on libc alone; the
 * weaver uses libdeflate, which takes half the time (unpack.h chooses).
 */
#ifndef JW_BASE_INFLATE_H
#define JW_BASE_INFLATE_H

#include <stdbool.h>

#include "base/bytes.h"

/* Bits of a code that index the first table, and the most entries that all tables of a code take:
 * the worst complete code of 288 (of 30) symbols needs 1334 (402). */
enum {
	JW_INFLATE_LITERAL_BITS = 10,
	JW_INFLATE_LITERAL_ENTRIES = 1334,
	JW_INFLATE_DISTANCE_BITS = 8,
	JW_INFLATE_DISTANCE_ENTRIES = 402,
};

/* Tables; about 15 KB. For one thread at a time. */
struct jw_inflate {
	uint32_t literals[JW_INFLATE_LITERAL_ENTRIES];
	uint32_t distances[JW_INFLATE_DISTANCE_ENTRIES];
	uint32_t crc[8][256];
};

enum jw_inflated {
	JW_INFLATED,          /* to exactly the bytes asked for */
	JW_INFLATE_DAMAGED,   /* not DEFLATE, or truncated */
	JW_INFLATE_OTHER_SIZE /* unpacks to more bytes, or to fewer */
};

/* Makes S ready; it owns nothing. */
void jw_inflate_init(struct jw_inflate *s);

/* Unpacks BYTES into the N bytes at TO. Bytes after the last block are not looked at. Unless
 * JW_INFLATED, what TO holds is undefined. */
enum jw_inflated JW_MUST_USE jw_inflate(struct jw_inflate *s, struct jw_span bytes, uint8_t *to,
					size_t n);

/* The CRC-32 of BYTES, as in archives. */
uint32_t jw_inflate_crc32(const struct jw_inflate *s, struct jw_span bytes);

#endif
