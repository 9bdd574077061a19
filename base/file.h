/*
 * file.h: whole files in, and what else is asked of the file system; outputs are in out_file.h.
 */
#ifndef JW_BASE_FILE_H
#define JW_BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "base/status.h"

#define JW_PERMISSIONS 07777 /* those bits of a mode */

/* A whole file, mapped or read; `bytes` live until jw_file_close(). */
struct jw_file {
	struct jw_span bytes;
	bool mapped;
	mode_t mode;  /* permission bits, for an output that replaces it */
	void *memory; /* owned; what `bytes` point at */
};

/* Maps PATH, a regular file ("-" and /dev/stdin read standard input, whatever that is, to its end
 * into memory). A file over MAX bytes (0: no limit) is JW_LIMIT. Missing, unreadable, a directory,
 * pipe, socket or device: JW_INPUT with the reason. Never waits. */
enum jw_status JW_MUST_USE jw_file_open(const char *path, size_t max, struct jw_file *out,
					struct jw_err *e);
void jw_file_close(struct jw_file *f);

/* The same, as the descriptor *FD. On failure errno says why, too: ENXIO for a pipe, socket or
 * device; E does not name PATH. */
enum jw_status JW_MUST_USE jw_file_fd(const char *path, int *fd, struct jw_err *e);

/* How many files this process may have open, where it wants WANTED: its limit (ulimit -n) is raised
 * to that, as far as it may be. */
size_t jw_files_at_once(size_t wanted);
/* The limit as it was: for a program that is started. Between fork() and exec(). */
void jw_files_as_before(void);

/* Bytes FROM up to TO of F are not needed now: whole pages of a mapped file leave the process, and
 * are read from the file again if they are needed after all. Never fails. */
void jw_file_let_go(const struct jw_file *f, size_t from, size_t to);

/* Writes all N bytes of P to FD, at its position or at OFFSET. False: errno says why; ENOSPC where
 * the kernel writes nothing and gives no reason. Safe on the threads of a JVM: allocates nothing.
 */
bool jw_write_all(int fd, const void *p, size_t n);
bool jw_write_all_at(int fd, const void *p, size_t n, uint64_t offset);

/* Reads up to N bytes of FD at OFFSET into P. Returns how many; fewer: errno says why, 0 at the end of the
 * file. */
size_t jw_read_at(int fd, void *p, size_t n, uint64_t offset);

/* Makes the folder PATH and those that it is in, with MODE, where they are missing. *MADE (or NULL):
 * PATH was not there before. False: errno says why; ENOTDIR where a file has such a name. Safe on
 * the threads of a JVM: allocates nothing. */
bool jw_make_folders(const char *path, mode_t mode, bool *made);

/* Is PATH a folder with nothing in it? */
bool jw_is_empty_folder(const char *path);

/* The folder for temporary files: TMPDIR, else (or if it is relative) /tmp. */
const char *jw_temp_folder(void);

/* Do A and B name the same existing file (device and inode)? */
bool jw_same_file(const char *a, const char *b);

#endif
