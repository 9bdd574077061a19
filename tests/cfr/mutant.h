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

static inline uint32_t mutant_draw(struct mutant *m, uint32_t below)
{
	return draw(&m->state, below);
}

/* The piece is what lies at P, GONE bytes. True: it is to be replaced by what is put. */
static inline bool mutant_replaces(struct mutant *m, const uint8_t *p, size_t gone)
{
	m->at = (size_t)(p - m->bytes.p);
	m->gone = gone;
	return true;
}

/* An index of the pool whose entry has TAG (0: any); 0 when a few draws find none. */
static inline uint16_t mutant_constant(struct mutant *m, uint8_t tag)
{
	for (int i = 0; i < 64; i++) {
		uint16_t index = (uint16_t)mutant_draw(m, m->cls.pool.count);
		uint8_t found = cfr_pool_tag(&m->cls.pool, index);

		if (found != 0 && (tag == 0 || found == tag))
			return index;
	}
	return 0;
}

/* What a Utf8 is used for, by its looks; other constants are all alike. */
static inline int mutant_kind(const struct mutant *m, uint16_t index)
{
	struct jw_span text = cfr_pool_utf8(&m->cls.pool, index);

	if (text.n == 0)
		return 0;
	if (text.p[0] == '(' || text.p[0] == '<' || text.p[0] == '[')
		return text.p[0];
	if (cfr_desc_field_ok(text))
		return 'I';
	return memchr(text.p, '/', text.n) || memchr(text.p, ';', text.n) ? '/' : 'n';
}

/* One that is like what INDEX names. */
static inline uint16_t mutant_other(struct mutant *m, uint16_t index)
{
	uint8_t tag = cfr_pool_tag(&m->cls.pool, index);

	for (int i = 0; i < 32; i++) {
		uint16_t other = mutant_constant(m, tag);

		if (other != index && mutant_kind(m, other) == mutant_kind(m, index))
			return other;
	}
	return index;
}

static inline const struct cfr_member *mutant_method(struct mutant *m)
{
	if (m->cls.method_count == 0)
		return NULL;
	return &m->cls.methods[mutant_draw(m, m->cls.method_count)];
}

#endif
