/*
 * zip_reader.h: the entries of an archive, read by libzip with zlib.
 *
 * `jweave verify` judges what jweave has written, so it reads with neither base/zip.c nor
 * libdeflate: an error that the writer and our own reader share is seen here.
 *
 *     cli_zip_find_directory(), and the count of its entries is within limits (zip_directory.h)
 *     cli_zip_open() ... entries, cli_zip_same_data(), cli_zip_unpack() ... cli_zip_close()
 *
 * libzip takes memory for each entry, not for what is in it.
 */
#ifndef JW_CLI_ZIP_READER_H
#define JW_CLI_ZIP_READER_H

#include "base/memory.h"
#include "base/zip.h"
#include "cli/zip_directory.h"

struct cli_zip_entry {
	struct cli_zip_header header;
	uint64_t packed, size;
	uint32_t crc;
	uint16_t method;
	bool encrypted;
};

struct cli_zip {
	const struct cli_zip_directory *directory;
	struct zip *libzip;
	struct cli_zip_entry *entries;
	size_t count;
};

/* Opens what has DIRECTORY, which must outlive it. JW_INPUT: libzip refuses it, with its reason. */
enum jw_status JW_MUST_USE cli_zip_open(const struct cli_zip_directory *directory,
					struct jw_arena *arena, struct cli_zip *out,
					struct jw_err *e);
void cli_zip_close(struct cli_zip *zip); /* also a {0} one */

/* Are the packed bytes of entry I of A those of entry J of B, which are as many? *FAILED: which could
 * not be read. */
enum jw_status JW_MUST_USE cli_zip_same_data(const struct cli_zip *a, size_t i,
					     const struct cli_zip *b, size_t j, bool *same,
					     const struct cli_zip **failed, struct jw_err *e);

/* The unpacked bytes of entry I in place of what OUT had, their size and checksum found right. */
enum jw_status JW_MUST_USE cli_zip_unpack(const struct cli_zip *zip, size_t i,
					  const struct jw_zip_limits *limits, struct jw_buf *out,
					  struct jw_err *e);

#endif
