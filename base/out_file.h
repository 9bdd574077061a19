/*
 * out_file.h: an output that appears whole or not at all: written to a file without a name in the
 * folder of PATH (a temporary one where the file system has no such files), renamed over PATH by
 * jw_out_commit().
 *
 *     open -> write, patch, insert .. -> commit -> abort (safe after commit, and on {0})
 *
 * Without a commit it is removed, and PATH is as it was. "-" collects in a temporary file and copies
 * to standard output at commit. A live temporary name is also guarded (guard.h).
 */
#ifndef JW_BASE_OUT_FILE_H
#define JW_BASE_OUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "base/status.h"

struct jw_out {
	char *path, *temp; /* owned */
	int fd;
	uint64_t n;           /* bytes written */
	struct jw_buf buffer; /* gathered for the next write */
	bool open, named;     /* TEMP is the name of a file */
};

/* Begins a file of MODE that will be PATH. Call jw_out_abort() at the end in any case.
 * JW_IO: it cannot be made. */
enum jw_status JW_MUST_USE jw_out_open(const char *path, mode_t mode, struct jw_out *out,
				       struct jw_err *e);
/* Appends S; small pieces are buffered. JW_IO: it cannot be written. */
enum jw_status JW_MUST_USE jw_out_write(struct jw_out *out, struct jw_span s, struct jw_err *e);
/* Overwrites bytes that were written (headers whose content is known last). */
enum jw_status JW_MUST_USE jw_out_patch(struct jw_out *out, uint64_t offset, struct jw_span s,
					struct jw_err *e);
/* N bytes (zeros) at OFFSET, up to the end: what was written there moves up, which reads and writes
 * all of it. JW_IO: it cannot be read or written. */
enum jw_status JW_MUST_USE jw_out_insert(struct jw_out *out, uint64_t offset, uint64_t n,
					 struct jw_err *e);
/* Writes what is buffered and gives the file its name; a file of that name is replaced. JW_IO: that
 * failed, and PATH is as it was. */
enum jw_status JW_MUST_USE jw_out_commit(struct jw_out *out, struct jw_err *e);
/* Removes the temporary file; PATH is as it was. Does nothing when OUT is not open. */
void jw_out_abort(struct jw_out *out);

#endif
