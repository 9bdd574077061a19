/*
 * zip.h: reads zip archives (jar, war, ear) as spans of the caller's bytes (APPNOTE 6.3).
 *
 * The archive is an index over bytes that the caller keeps (usually a mapped file). Opening reads
 * the end record and the central directory alone; entries are looked at when asked for. Everything
 * is hostile: offsets, sizes and names are checked; two entries may share a name, and a name is
 * never used as a path.
 *
 *   [bytes before]  { local header | data | data descriptor }*
 *   [ central directory ] [zip64] end | comment
 */
#ifndef JW_BASE_ZIP_H
#define JW_BASE_ZIP_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/unpack.h"

enum { JW_ZIP_STORED = 0, JW_ZIP_DEFLATED = 8 };

struct jw_zip_entry {
	struct jw_span name;    /* raw bytes of the central directory */
	struct jw_span central; /* its whole central header, name, extra and comment included */
	uint64_t local;         /* offset of its local header in the bytes */
	uint64_t packed, size;  /* compressed and uncompressed size (zip64 resolved) */
	uint32_t crc;
	uint16_t method, flags;
};

struct jw_zip {
	struct jw_span bytes;
	struct jw_zip_entry *entries; /* in the order of the central directory */
	size_t count;
	uint64_t start; /* of the archive: bytes before it belong to no entry */
	uint64_t base;  /* base of its offsets: 0, or `start` when they were not adjusted */
	struct jw_span comment;
	bool zip64; /* has a zip64 end record */
	bool trailing; /* bytes come after its end record and comment: `java -jar` refuses such a jar */
};

/* Indexes BYTES. No archive, truncated or damaged: JW_INPUT, saying what is wrong at which offset.
 */
enum jw_status JW_MUST_USE jw_zip_open(struct jw_span bytes, struct jw_arena *arena,
				       struct jw_zip *out, struct jw_err *e);

/* The raw (packed) data of ENTRY, and its whole local record (header, name, extra, data, and data
 * descriptor when there is one). Checks the local header against the central one. */
enum jw_status JW_MUST_USE jw_zip_data(const struct jw_zip *zip, const struct jw_zip_entry *entry,
				       struct jw_span *data, struct jw_span *record,
				       struct jw_err *e);

/* The unpacked bytes of ENTRY appended to OUT, its CRC checked. Over MAX_SIZE, or over MAX_RATIO
 * times the packed size (0: no limit): JW_LIMIT. Encrypted: JW_INPUT; other methods:
 * JW_UNSUPPORTED. These limits are for one entry: zip_work.h has those of all together. */
struct jw_zip_limits {
	uint64_t max_size, max_ratio;
	bool fixed; /* no option lifts them: messages name none */
};
extern const struct jw_zip_limits jw_zip_default_limits; /* 512 MiB, ratio 1000 */
enum jw_status JW_MUST_USE jw_zip_unpack(const struct jw_zip *zip, const struct jw_zip_entry *entry,
					 const struct jw_zip_limits *limits,
					 struct jw_inflater *inflater, struct jw_buf *out,
					 struct jw_err *e);

/* Is ENTRY, by its sizes alone, within LIMITS? JW_LIMIT, with its name, when not. */
enum jw_status JW_MUST_USE jw_zip_check_limits(const struct jw_zip_entry *entry,
					       const struct jw_zip_limits *limits,
					       struct jw_err *e);

/* The last entry of this name, as the JDK finds it; NULL when there is none. Linear. */
const struct jw_zip_entry *jw_zip_find(const struct jw_zip *zip, struct jw_span name);

#endif
