/*
 * learnt.h: what runs of a program have learnt about it: the small, hot methods that were closed
 * while it ran (runtime-jni/recorder/budget.h). The next run leaves them out when it weaves.
 *
 * A file in the cache, .learnt-KEY, by the digest of the archive (or of the class path), so that
 * another version of the program begins anew. A line a method: class, name and descriptor with TABs
 * between. Nothing in it is trusted: a line that names no method is passed over.
 */
#ifndef JW_CLI_LEARNT_H
#define JW_CLI_LEARNT_H

#include "base/bytes.h"
#include "cli/cache.h"
#include "trace/replay/profile.h"

struct cli_learnt {
	const char *path;                   /* of the file; NULL: there is no place for it */
	struct trace_small_method *methods; /* in the arena */
	size_t count, cap;
	size_t fresh; /* so many of them are not in the file yet */
};

/* What is known of the program with the digest KEY; nothing, when that cannot be read. */
enum jw_status JW_MUST_USE cli_learnt_open(struct cli_learnt *learnt, const struct cli_cache *cache,
					   uint64_t key, struct jw_err *e);
/* One more rule, after others, that leaves them out; nothing when there are none. */
void cli_learnt_put(const struct cli_learnt *learnt, struct jw_buf *rules);
/* METHOD, whose texts live as long as ARENA, was closed. What no rule can say is passed over. */
enum jw_status JW_MUST_USE cli_learnt_add(struct cli_learnt *learnt, struct jw_arena *arena,
					  struct trace_small_method method, struct jw_err *e);
/* Writes the file, if there is something new. */
enum jw_status JW_MUST_USE cli_learnt_save(struct cli_learnt *learnt, struct jw_err *e);
/* Drops what is known. */
void cli_learnt_forget(struct cli_learnt *learnt);
/* Drops what is known of all programs. */
void cli_learnt_forget_all(const struct cli_cache *cache);

/* The digest of the file PATH; false: it cannot be read. */
bool cli_learnt_key(const char *path, uint64_t *key);

#endif
