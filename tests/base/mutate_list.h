/*
 * mutate_list.h: lists of entries (archive_list.h) changed by entries and their fields.
 */
#ifndef JW_TESTS_BASE_MUTATE_LIST_H
#define JW_TESTS_BASE_MUTATE_LIST_H

#include "tests/base/archive_list.h"
#include "tests/draw.h"

void mutate_bytes(struct jw_buf *bytes, uint32_t *state);

/* ---- lists ---- */

/* Puts the content of ENTRY, no list, to OUT, with one change. */
typedef void mutate_content(const struct list_entry *entry, struct jw_buf *out, uint32_t *state);

void mutate_list(struct jw_span list, uint8_t used, mutate_content *content, struct jw_buf *out,
		 uint32_t *state);

#endif
