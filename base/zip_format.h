/*
 * zip_format.h: the numbers of the ZIP format (PKWARE's APPNOTE.TXT, sections 4.3 and 4.4) that its
 * reader (zip.h) and its writer (weaver/archive/zip_out.h) share, and its headers taken apart.
 */
#ifndef JW_BASE_ZIP_FORMAT_H
#define JW_BASE_ZIP_FORMAT_H

#include "base/bytes.h"

enum {
	/* what a record begins with */
	JW_ZIP_SIG_LOCAL = 0x04034b50,
	JW_ZIP_SIG_CENTRAL = 0x02014b50,
	JW_ZIP_SIG_END = 0x06054b50,
	JW_ZIP_SIG_END64 = 0x06064b50,
	JW_ZIP_SIG_LOCATOR64 = 0x07064b50,
	JW_ZIP_SIG_DESCRIPTOR = 0x08074b50,

	JW_ZIP_EXTRA_ZIP64 = 0x0001, /* id of an extra field */
	JW_ZIP_FLAG_ENCRYPTED = 1 << 0,
	JW_ZIP_FLAG_DESCRIPTOR = 1 << 3, /* sizes and checksum come after the data */
	JW_ZIP_FLAG_UTF8 = 1 << 11,
};

/* Where fields begin in a record, and how long it is without what has a length of its own. */
enum {
	JW_ZIP_LOCAL_FLAGS = 6,         /* 2 bytes */
	JW_ZIP_LOCAL_METHOD = 8,        /* 2 */
	JW_ZIP_LOCAL_CRC = 14,          /* 4 */
	JW_ZIP_LOCAL_PACKED = 18,       /* 4 */
	JW_ZIP_LOCAL_SIZE = 22,         /* 4 */
	JW_ZIP_LOCAL_NAME_LENGTH = 26,  /* 2 */
	JW_ZIP_LOCAL_EXTRA_LENGTH = 28, /* 2 */
	JW_ZIP_LOCAL_BYTES = 30,

	JW_ZIP_CENTRAL_FLAGS = 8,           /* 2 */
	JW_ZIP_CENTRAL_METHOD = 10,         /* 2 */
	JW_ZIP_CENTRAL_TIME = 12,           /* 4: date << 16 | time */
	JW_ZIP_CENTRAL_CRC = 16,            /* 4 */
	JW_ZIP_CENTRAL_PACKED = 20,         /* 4 */
	JW_ZIP_CENTRAL_SIZE = 24,           /* 4 */
	JW_ZIP_CENTRAL_NAME_LENGTH = 28,    /* 2 */
	JW_ZIP_CENTRAL_EXTRA_LENGTH = 30,   /* 2 */
	JW_ZIP_CENTRAL_COMMENT_LENGTH = 32, /* 2 */
	JW_ZIP_CENTRAL_LOCAL = 42,          /* 4: offset of the local header */
	JW_ZIP_CENTRAL_BYTES = 46,

	JW_ZIP_END_COUNT = 10,          /* 2 */
	JW_ZIP_END_SIZE = 12,           /* 4 */
	JW_ZIP_END_OFFSET = 16,         /* 4 */
	JW_ZIP_END_COMMENT_LENGTH = 20, /* 2 */
	JW_ZIP_END_BYTES = 22,

	JW_ZIP_END64_COUNT = 32,  /* 8 */
	JW_ZIP_END64_SIZE = 40,   /* 8 */
	JW_ZIP_END64_OFFSET = 48, /* 8 */
	JW_ZIP_END64_BYTES = 56,

	JW_ZIP_LOCATOR64_END = 8, /* 8: offset of the zip64 end record */
	JW_ZIP_LOCATOR64_BYTES = 20,
};

/* A local header (4.3.7) or a central one (4.3.12) taken apart: its fixed part, and what follows. */
struct jw_zip_local {
	struct jw_span fixed, name, extra;
};
struct jw_zip_central {
	struct jw_span fixed, name, extra, comment;
};

/* Takes the header at C, signature and all; false, and a bad C, when it is cut. */
bool jw_zip_take_local(struct jw_cur *c, struct jw_zip_local *out);
bool jw_zip_take_central(struct jw_cur *c, struct jw_zip_central *out);

#endif
