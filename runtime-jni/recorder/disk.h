/*
 * disk.h: the places of a recording on disk: names that do not exist yet, and the rules of how
 * much may be written (size cap, free-space floor, ulimit -f).
 */
#ifndef RT_DISK_H
#define RT_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "runtime-jni/recorder/config.h"

struct rt_recorder_names {
	const char *shown;  /* name without suffix, as the user gave it (and a suffix -N) */
	const char *base;   /* the same, absolute */
	const char *folder; /* base.jwr */
};

/* Creates the folder NAME.jwr for the NAME of CONFIG (without a .prv, .prv.gz or .jwr at its end; in a
 * folder FOLDER/, which must be there, the default name); where it, or the trace it would become,
 * exists already, NAME-1, NAME-2... Nothing is overwritten. *FD is the open folder. */
enum jw_status JW_MUST_USE rt_output_create(const struct rt_config *config, struct jw_arena *arena,
					    struct rt_recorder_names *out, int *fd,
					    struct jw_err *e);

/* NAME, with the working directory in front unless it is absolute; NULL: no memory. */
char *rt_absolute(const char *name, struct jw_arena *arena);

/* The host's name, fit for a file name. */
void rt_host_name(char *out, size_t size);

/* The free-space floor of the file system of FD (1 GiB, or 5 % of it where that is less), and what
 * is free there now. Where the system does not say: 0 and UINT64_MAX. */
void rt_output_space(int fd, uint64_t *floor, uint64_t *free_bytes);

/* Are there BYTES free on the file system of FD, above the floor? */
bool rt_output_has_space(int fd, uint64_t bytes);

/* How many more files the process can open (ulimit -n); a large number where that is not known. */
uint64_t rt_output_files_left(void);

/* Makes the file NAME in INTO of what FROM has from its position on (-1: nothing), and TAIL after it.
 * Closes FROM. False: errno. */
bool rt_copy_to(int from, int into, const char *name, struct jw_span tail);

/* ulimit -f; UINT64_MAX: none. */
uint64_t rt_output_file_limit(void);

#endif
