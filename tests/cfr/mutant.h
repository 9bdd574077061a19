/*
 * mutant.h: a class of which one piece is replaced: what mutate_class.h and mutate_code.h share.
 */
#ifndef JW_TESTS_CFR_MUTANT_H
#define JW_TESTS_CFR_MUTANT_H

#include <string.h>

#include "cfr/class.h"
#include "cfr/desc.h"
#include "tests/draw.h"

/* A class, how chance goes on, and the one piece of it that is replaced. */
struct mutant {
	struct jw_span bytes;
	struct cfr_class cls;
	struct jw_arena *arena;
	uint32_t state;
	size_t at, gone;     /* the piece: its offset and size in `bytes` */
	struct jw_buf comes; /* what comes in its place */
};

uint32_t mutant_draw(struct mutant *m, uint32_t below);

/* The piece is the GONE bytes at P. True: it is to be replaced by what is put. */
bool mutant_replaces(struct mutant *m, const uint8_t *p, size_t gone);

/* An index of the pool whose entry has TAG (0: any); 0 when a few draws find none. */
uint16_t mutant_constant(struct mutant *m, uint8_t tag);

/* One that is like what INDEX names. */
uint16_t mutant_other(struct mutant *m, uint16_t index);

const struct cfr_member *mutant_method(struct mutant *m);

#endif
