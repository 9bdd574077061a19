/*
 * mutate_archive.h: archives of classes, as lists of entries (archive_list.h), changed also by what
 * the entries are.
 */
#ifndef JW_TESTS_CLI_MUTATE_ARCHIVE_H
#define JW_TESTS_CLI_MUTATE_ARCHIVE_H

#include "cfr/class.h"
#include "tests/base/mutate_list.h"
#include "tests/cfr/mutate_class.h"
#include "tests/trace/mutate_lines.h"

/* A mutate_content. */
void mutate_jar_entry(const struct list_entry *entry, struct jw_buf *out, uint32_t *state);

/* LIST with its entries in two folders and an archive beside them, to OUT. The first entry, which
 * says how the list is used and so can have no other name, becomes data by which no archive is
 * told. USED as for list_next(). */
void mutate_into_folders(struct jw_span list, uint8_t used, struct jw_buf *out, uint32_t *state);

#endif
