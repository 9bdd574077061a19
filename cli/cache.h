/*
 * cache.h: what `jweave run` has woven, kept by content, shared by any number of runs at once.
 *
 *     XDG_CACHE_HOME/jweave/run-1/KEY/                                 KEY: 32 hex digits
 *         .lock     held (shared) by every run that uses the folder; the checksum of the rest
 *         NAME      the woven jar or folder; none: nothing in the input is woven
 *     XDG_CACHE_HOME/jweave/run-1/KEY.PID.TIME.tmp/   being made; renamed when it is whole. Its maker holds its lock:
 *                                                     once nobody does, it goes. So do folders that are being removed
 *
 * Without XDG_CACHE_HOME: ~/.cache. TMPDIR/jweave-cache-UID where either cannot be made, or has a colon
 * in its path, as copies are on class paths.
 *
 * A folder that is there is whole and never changes; what has changed all the same is damaged, and
 * made anew. All of it belongs to the user and can be written to by nobody else: code is run from
 * it. The time of change of a folder says when it was last used; the least recently used go when
 * the cache passes its limit, but none that is in use.
 */
#ifndef JW_CLI_CACHE_H
#define JW_CLI_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

#define CLI_CACHE_KEY  33 /* digits and the end */
#define CLI_CACHE_LOCK ".lock"
#define CLI_CACHE_TEMP "/jweave-cache-" /* and the user's number, in TMPDIR */

struct cli_cache {
	struct jw_arena *arena;
	const char *root;
	bool own_base; /* the folder that it is in is among temporary files, and for nothing else */
	/* the folder that it would be in, which the user has named, and why it is not; NULL: it is there */
	const char *refused, *why;
	int *locks; /* one for each folder in use */
	size_t lock_count, lock_room;
	bool crowded;   /* ... but of some, since no more files may be open */
	int making;     /* the lock of the folder that is being made, one at a time */
	size_t damaged; /* folders that were removed, since they had changed */
};

/* Finds the cache's place and makes it. JW_IO when there is none, or others could write to it. */
enum jw_status JW_MUST_USE cli_cache_open(struct cli_cache *cache, struct jw_arena *arena,
					  struct jw_err *e);
/* The same, to look at what is there: makes nothing; false: there is no cache. */
bool cli_cache_look(struct cli_cache *cache, struct jw_arena *arena);
/* The folder that FOLDER, an absolute path, is in; NULL: no memory. */
const char *cli_cache_around(struct jw_arena *arena, const char *folder);
/* Lets go of what was in use. */
void cli_cache_close(struct cli_cache *cache);

/* The folder of KEY, in use from now on, or NULL in *OUT when there is none. One that is damaged is
 * removed; in one that others could write to there may be anything: JW_IO. */
enum jw_status JW_MUST_USE cli_cache_find(struct cli_cache *cache, const char *key,
					  const char **out, struct jw_err *e);
/* An empty folder to make KEY's content in, up to a commit, or until it is abandoned. A signal that ends the process
 * removes it. */
enum jw_status JW_MUST_USE cli_cache_begin(struct cli_cache *cache, const char *key,
					   const char **temp, struct jw_err *e);
/* TEMP becomes the folder of KEY (or goes, when another run was faster, or it fails); *OUT is in use. */
enum jw_status JW_MUST_USE cli_cache_commit(struct cli_cache *cache, const char *key,
					    const char *temp, const char **out, struct jw_err *e);
/* TEMP goes. */
void cli_cache_abandon(struct cli_cache *cache, const char *temp);

/* Removes the least recently used down to LIMIT bytes (0: all), and what crashed runs left. Returns
 * the bytes that went; *KEPT (may be NULL): the folders that are left. */
uint64_t cli_cache_trim(struct cli_cache *cache, uint64_t limit, size_t *kept);

/* ---- cache_clean.c ---- */

/* What --clean removes besides: programs that a plugin of Maven or Gradle has unpacked and no process runs, and
 * folders that are empty, also that of CACHE. Returns the bytes that went. */
uint64_t cli_cache_clean(struct cli_cache *cache);

/* ---- cache_seal.c ---- */

/* JW_IO, naming PATH, unless it is a folder that belongs to the user and nobody else can write to.
 * AROUND: the cache is in it; it may be root's, and one like /tmp. */
enum jw_status JW_MUST_USE cli_cache_private(const char *path, bool around, struct jw_err *e);
/* Writes the checksum of FOLDER to its LOCK, and closes to others what is in it. */
enum jw_status JW_MUST_USE cli_cache_seal(const char *folder, int lock, struct jw_err *e);
/* *WHOLE: FOLDER is as it was then. JW_IO as above. */
enum jw_status JW_MUST_USE cli_cache_check(const char *folder, int lock, bool *whole,
					   struct jw_err *e);

/* ---- */

/* *LIMIT: JWEAVE_CACHE_SIZE (bytes, or with K, M, G, T), or 1 GiB. False: it is something else, and the limit 1 GiB. */
bool cli_cache_limit(uint64_t *limit);

#endif
