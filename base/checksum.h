/*
 * checksum.h: XXH64 (Y. Collet), 64 bits over any number of bytes at the speed of memory. It
 * detects damage (one case in 2^64 is missed), but does not protect against an attacker who can
 * choose the bytes.
 */
#ifndef JW_BASE_CHECKSUM_H
#define JW_BASE_CHECKSUM_H

#include "base/bytes.h"

/* The checksum of BYTES. SEED: 0, or the checksum of the bytes before these, to chain them. */
uint64_t jw_checksum64(struct jw_span bytes, uint64_t seed);

#endif
