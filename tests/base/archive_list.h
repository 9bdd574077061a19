/*
 * archive_list.h: archives as lists of entries, so that checksums, sizes and places are right
 * whatever the entries are, and how such a list is changed.
 *
 * An entry of a list:
 *
 *     kind | length (2 bytes) | content
 *
 * kind: 0..15: its name, below; LIST_DEFLATED; LIST_NESTED: the content is such a list, an archive
 * inside; LIST_ODD: the content begins with a byte of LIST_ODD_... and what that says follows, each
 * with its length in a byte before it. The bit of LIST_ODD and the one above it mean something else
 * in the first entry of the outermost list: how the archive is used.
 */
#ifndef JW_TESTS_BASE_ARCHIVE_LIST_H
#define JW_TESTS_BASE_ARCHIVE_LIST_H

#include <stdio.h>
#include <string.h>

#include "tests/base/make_zip.h"

enum { LIST_DEFLATED = 16, LIST_NESTED = 32, LIST_ODD = 64 };
enum { LIST_DEPTH_MAX = 3, LIST_ENTRIES_MAX = 64, LIST_FIELDS = 3 };

enum {
	/* fields: what follows */
	LIST_ODD_LOCAL = 1,   /* the extra field of the local record */
	LIST_ODD_CENTRAL = 2, /* that of the directory */
	LIST_ODD_NAME = 4,    /* its name */
	/* the entry */
	LIST_ODD_DESCRIPTOR = 8, /* size and checksum come after the data */
	LIST_ODD_ZIP64 = 16,     /* ... in a zip64 field of the directory */
	LIST_ODD_ENCRYPTED = 32,
	/* the archive */
	LIST_ODD_END64 = 64, /* a zip64 end record */
	/* of the first entry: bytes before it, and a comment at the end; any other: the directory
	 * names it twice */
	LIST_ODD_AROUND = 128
};

extern const char *const list_names[16];

struct list_entry {
	uint8_t kind, odd;
	struct jw_span field[LIST_FIELDS]; /* by bit of ODD */
	struct jw_span content;
};

/* The next entry of a list; USED: bits of its kind that are not about it. False: the end. */
bool list_next(struct jw_cur *c, uint8_t used, struct list_entry *out);

/* The opposite. What is too long for its length is cut. */
void list_put(struct jw_buf *out, uint8_t used, const struct list_entry *entry);

/* Puts the archive that LIST is to OUT. */
void list_build(struct jw_span list, unsigned depth, uint8_t used, struct jw_buf *out);

#endif
