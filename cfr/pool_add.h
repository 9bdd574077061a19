/*
 * pool_add.h: appends to a constant pool.
 *
 * New entries are gathered after the old ones; cfr_pool_put() writes both. A pool that is full
 * (65,535 slots; long and double take two) makes an add fail with JW_LIMIT, and is left as it was.
 * Close a pool that was appended to.
 */
#ifndef JW_CFR_POOL_ADD_H
#define JW_CFR_POOL_ADD_H

#include "cfr/pool.h"

/* The index of an entry equal to the one asked for: an old one, one added before, or a new one. The
 * first call makes the index; each passes over one byte for each entry. JW_LIMIT: pool full. A
 * Class is found by the first Utf8 of its name. */
enum jw_status JW_MUST_USE cfr_pool_add_utf8(struct cfr_pool *pool, struct jw_span text,
					     uint16_t *index, struct jw_err *e);
enum jw_status JW_MUST_USE cfr_pool_add_class(struct cfr_pool *pool, struct jw_span name,
					      uint16_t *index, struct jw_err *e);
enum jw_status JW_MUST_USE cfr_pool_add_methodref(struct cfr_pool *pool, struct jw_span owner,
						  struct jw_span name, struct jw_span descriptor,
						  uint16_t *index, struct jw_err *e);
/* Always a new entry: ids are unique, a search would find nothing. */
enum jw_status JW_MUST_USE cfr_pool_add_long(struct cfr_pool *pool, uint64_t value, uint16_t *index,
					     struct jw_err *e);

/* Forgets what was added since MARK = cfr_pool_mark(): a method that failed leaves nothing. */
struct cfr_pool_mark {
	size_t bytes;
	uint32_t next;
};
struct cfr_pool_mark cfr_pool_mark(const struct cfr_pool *pool);
void cfr_pool_rewind(struct cfr_pool *pool, struct cfr_pool_mark mark);

/* Writes constant_pool_count and all entries. */
void cfr_pool_put(const struct cfr_pool *pool, struct jw_buf *out);

/* Frees what was added, and the index of it; safe on {0}. */
void cfr_pool_close(struct cfr_pool *pool);

#endif
