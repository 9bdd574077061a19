/*
 * tools.h: what a thread needs to unpack and pack entries.
 */
#ifndef JW_WEAVER_TOOLS_H
#define JW_WEAVER_TOOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/zip.h"

struct weave_tools {
	struct jw_inflater *inflater;
	struct libdeflate_compressor *small, *large; /* for entries of such sizes */
};

/* LEVEL: of deflate, 1 to 12; 0: as is best for the time that it takes, by the entry's size and the
 * bytes of all that is in the ARCHIVE. */
enum jw_status JW_MUST_USE weave_tools_open(struct weave_tools *tools, int level, uint64_t archive,
					    struct jw_err *e);
void weave_tools_close(struct weave_tools *tools);

/* What packs an entry of SIZE bytes. */
struct libdeflate_compressor *weave_deflater_for(const struct weave_tools *tools, size_t size);

#endif
