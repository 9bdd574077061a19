/*
 * checksum.h: XXH64 (Y. Collet), 64 bits over any number of bytes at the speed of memory: tells
 * damage, of which one in 2^64 goes unseen. No protection from who can choose the bytes.
 */
#ifndef JW_BASE_CHECKSUM_H
#define JW_BASE_CHECKSUM_H

#include "base/bytes.h"

/* Of BYTES; SEED: 0, or the checksum of what comes before, so that they chain. */
uint64_t jw_checksum64(struct jw_span bytes, uint64_t seed);

#endif
