/*
 * zip_work.h: how much work the archives of one input may make in all.
 *
 * The limits of zip.h are for one entry. Nested archives multiply: ten copies of the archive below,
 * six levels deep, are a million archives in 48 KB. So code that opens nested archives counts what
 * they hold. Each limit has a fixed part, which the smallest input may use, and a part in
 * proportion to the input's size: 100 bytes of a real archive never name two entries, and classes
 * compress to a third, so no real one comes close.
 *
 * Count in the order of the archive, on one thread: then the error, and what it names, is the same
 * for any number of threads.
 */
#ifndef JW_BASE_ZIP_WORK_H
#define JW_BASE_ZIP_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* X(name, for any input, input bytes for one more, or: more for each input byte, what it is) */
#define JW_ZIP_WORK_LIST(X)                                     \
	X(ARCHIVES, 4096, 4096, 1, "archives inside archives")  \
	X(ENTRIES, 131072, 16, 1, "entries of archives in all") \
	X(BYTES, 67108864, 1, 32, "bytes to unpack and to add in all")

enum jw_zip_work_kind {
#define JW_ZIP_WORK_ENUM(name, any, per, more, text) JW_ZIP_WORK_##name,
	JW_ZIP_WORK_LIST(JW_ZIP_WORK_ENUM)
#undef JW_ZIP_WORK_ENUM
		JW_ZIP_WORK_COUNT
};

struct jw_zip_work {
	uint64_t input; /* bytes of it */
	bool fixed;     /* no option lifts the limits: messages name none */
	uint64_t done[JW_ZIP_WORK_COUNT];
};

/* The limit of KIND for an input of this many bytes. */
uint64_t jw_zip_work_limit(enum jw_zip_work_kind kind, uint64_t input);

/* Counts N more of KIND. JW_LIMIT when that is over the limit. */
enum jw_status JW_MUST_USE jw_zip_work_add(struct jw_zip_work *work, enum jw_zip_work_kind kind,
					   uint64_t n, struct jw_err *e);

#endif
