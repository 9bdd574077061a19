/*
 * make_zip.h: archives made byte by byte, so that a test can spoil any field.
 */
#ifndef JW_TESTS_BASE_MAKE_ZIP_H
#define JW_TESTS_BASE_MAKE_ZIP_H

#include <libdeflate.h>
#include <string.h>

#include "base/bytes.h"
#include "base/zip.h"

enum { MADE_DESCRIPTOR = 1 << 3 };

struct made_zip {
	struct jw_buf bytes, central;
	size_t count;
	size_t base; /* subtracted from all offsets: bytes before an archive that is not adjusted */
};

struct made_entry {
	const char *name;
	struct jw_span data; /* as stored */
	uint64_t size;       /* unpacked */
	uint32_t crc;
	uint16_t method, flags;
	struct jw_span local_extra, central_extra;
	struct jw_span descriptor; /* written after the data */
	bool zip64;                /* sizes and offset in a zip64 extra field */
};

uint32_t made_crc(struct jw_span s);

void made_le8(struct jw_buf *b, uint64_t v);

void made_add(struct made_zip *z, const struct made_entry *e);

/* The directory names its entry at FROM, the last one, again. */
void made_again(struct made_zip *z, size_t from);

void made_store(struct made_zip *z, const char *name, const char *text);

/* Deflates TEXT to PACKED. */
void made_pack(struct jw_span text, struct jw_buf *packed);

void made_deflate(struct made_zip *z, const char *name, struct jw_span text);

/* Directory, zip64 records when ZIP64, end record with COUNT and COMMENT. */
struct jw_span made_finish(struct made_zip *z, size_t count, const char *comment, bool zip64);

void made_free(struct made_zip *z);

#endif
