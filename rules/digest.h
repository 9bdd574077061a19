/*
 * digest.h: a fingerprint of everything that can change a verdict.
 */
#ifndef JW_RULES_DIGEST_H
#define JW_RULES_DIGEST_H

#include "rules/rules.h"

struct rules_source;

/* Of FIRST and all sources after it, and of OPTIONS; 16 hexadecimal digits and a zero to OUT. Their
 * `open` is true afterwards. */
void rules_digest_make(struct rules_source *first, const struct rules_options *options,
		       char out[17]);

#endif
