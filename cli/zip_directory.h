/*
 * zip_directory.h: where in a file an archive is, and what its directory names.
 *
 *   [start script] { local header | data }* [ central directory ] [zip64] end | comment | [tail]
 *                  ^base                    ^central
 *
 * `jweave verify` needs this beside libzip (zip_reader.h): to count entries before libzip allocates
 * anything for them, to hand it the part of the file that is the archive, and to see names past a 0
 * byte. It shares no code with base/zip.c, which what is judged was written with.
 *
 * Finding a directory allocates nothing and takes time linear in the directory.
 */
#ifndef JW_CLI_ZIP_DIRECTORY_H
#define JW_CLI_ZIP_DIRECTORY_H

#include "base/bytes.h"
#include "base/status.h"

struct cli_zip_directory {
	struct jw_span bytes;   /* the whole file */
	size_t base;            /* where its offsets count from */
	struct jw_span central; /* the central directory */
	size_t count;           /* of its headers, whatever the end record claims */
};

/* JW_INPUT, saying why, when BYTES have no directory or a damaged one. */
enum jw_status JW_MUST_USE cli_zip_find_directory(struct jw_span bytes,
						  struct cli_zip_directory *out, struct jw_err *e);

struct cli_zip_header {
	struct jw_span fixed; /* what is before the name (4.3.12 of PKWARE's APPNOTE.TXT) */
	struct jw_span name;
};

/* The next header of a directory; false at the end, or where there is none. */
bool cli_zip_next_header(struct jw_cur *c, struct cli_zip_header *out);

/* Do A and B have the same time, date and external attributes? */
bool cli_zip_same_metadata(const struct cli_zip_header *a, const struct cli_zip_header *b);

uint32_t cli_zip_crc(const struct cli_zip_header *header);

/* JW_INPUT: there is no local header where HEADER says, or it names another compression (some
 * readers look at one of the two, some at the other). */
enum jw_status JW_MUST_USE cli_zip_check_local(const struct cli_zip_directory *directory,
					       const struct cli_zip_header *header,
					       struct jw_err *e);

#endif
