/*
 * cache_seal.c: what of the cache may be run: folders that nobody else could have written to, whose
 * content is what it was when it was made.
 *
 * Permissions keep others out; the checksum in the lock file tells damage (a disk, a program that
 * cleans old files, a machine that stopped). It is no signature, and need not be one: whoever can write to
 * a copy can write to the lock file beside it. XXH64 takes a sixth of the time that the key of the
 * input takes, which is made of its bytes in any case.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "cli/cache.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

enum { SEAL_BYTES = 17, TARGET_MAX = 4096 }; /* 16 hex digits and a line end */

#define OTHERS (S_IWGRP | S_IWOTH)

enum jw_status cli_cache_private(const char *path, bool around, struct jw_err *e)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return jw_fail_errno(e, errno, "cannot inspect the cache folder '%s'", path);
	if (!S_ISDIR(st.st_mode))
		return jw_fail(e, JW_IO, "the cache folder '%s' is not a folder", path);
	if (st.st_uid != geteuid() && !(around && st.st_uid == 0))
		return jw_fail(e, JW_IO,
			       "the cache folder '%s' belongs to user %lu, who could have put any "
			       "code there: set XDG_CACHE_HOME to a folder of your own",
			       path, (unsigned long)st.st_uid);
	/* others cannot move what is yours in a folder like /tmp */
	if (st.st_mode & OTHERS && !(around && st.st_mode & S_ISVTX))
		return jw_fail(e, JW_IO,
			       "others may write to the cache folder '%s', and put any code there: "
			       "chmod go-w it, or set XDG_CACHE_HOME to a folder of your own",
			       path);
	return JW_OK;
}

/* ---- the checksum ---- */

static enum jw_status add_content(const char *full, const struct weave_tree_file *file,
				  uint64_t *sum, struct jw_err *e)
{
	struct jw_file opened;
	char target[TARGET_MAX];

	if (file->type == WEAVE_TREE_LINK) {
		ssize_t n = readlink(full, target, sizeof(target));

		if (n < 0)
			return jw_fail_errno(e, errno, "%s: cannot read the link", full);
		*sum = jw_checksum64(jw_span(target, (size_t)n), *sum);
	}
	if (file->type != WEAVE_TREE_FILE)
		return JW_OK;
	JW_TRY(jw_file_open(full, 0, &opened, e));
	*sum = jw_checksum64(opened.bytes, *sum);
	jw_file_close(&opened);
	return JW_OK;
}

/* What others may write to is closed to them (CLOSE), or is an error. */
static enum jw_status check_mode(const char *full, const struct weave_tree_file *file, bool close,
				 struct jw_err *e)
{
	if (file->type == WEAVE_TREE_LINK)
		return JW_OK;
	if (close && file->mode & OTHERS && chmod(full, file->mode & ~(mode_t)OTHERS) != 0)
		return jw_fail_errno(e, errno, "%s: cannot set its mode", full);
	if (close || (!(file->mode & OTHERS) && file->owner == geteuid()))
		return JW_OK;
	return jw_fail(e, JW_IO,
		       "others may write to '%s' of the cache, and put any code there: remove it "
		       "(jweave run --clean does)",
		       full);
}

/* Of all that is in FOLDER, except its lock. */
static enum jw_status checksum(const char *folder, bool close, uint64_t *out, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct weave_tree tree = { 0 };
	uint64_t sum = 0;
	enum jw_status status = weave_tree_list(folder, &arena, &tree, e);

	for (size_t i = 0; i < tree.count && status == JW_OK; i++) {
		const struct weave_tree_file *file = &tree.files[i];
		const char *full = jw_arena_fmt(&arena, "%s/%s", folder, file->path);
		uint8_t type = (uint8_t)file->type;

		if (jw_span_eq_str(jw_span_str(file->path), CLI_CACHE_LOCK))
			continue;
		status = full ? check_mode(full, file, close, e) : jw_nomem(e);
		sum = jw_checksum64(jw_span(&type, 1), sum);
		sum = jw_checksum64(jw_span_str(file->path), sum);
		if (status == JW_OK)
			status = add_content(full, file, &sum, e);
	}
	jw_arena_free(&arena);
	*out = sum;
	return status;
}

enum jw_status cli_cache_seal(const char *folder, int lock, struct jw_err *e)
{
	char text[SEAL_BYTES + 1];
	uint64_t sum;

	JW_TRY(checksum(folder, true, &sum, e));
	snprintf(text, sizeof(text), "%016llx\n", (unsigned long long)sum);
	if (!jw_write_all(lock, text, SEAL_BYTES))
		return jw_fail_errno(e, errno, "cannot write '%s/" CLI_CACHE_LOCK "'", folder);
	return JW_OK;
}

enum jw_status cli_cache_check(const char *folder, int lock, bool *whole, struct jw_err *e)
{
	char want[SEAL_BYTES + 1], text[SEAL_BYTES + 1];
	struct jw_err damage = { 0 };
	uint64_t sum;

	JW_TRY(cli_cache_private(folder, false, e));
	enum jw_status status = checksum(folder, false, &sum, &damage);
	*whole = false;
	if (status == JW_INPUT) /* a file that cannot be read is damage, too */
		return JW_OK;
	if (status != JW_OK) {
		*e = damage;
		return status;
	}
	snprintf(want, sizeof(want), "%016llx\n", (unsigned long long)sum);
	ssize_t n = pread(lock, text, sizeof(text), 0);
	*whole =
		n == SEAL_BYTES && jw_span_eq(jw_span(text, SEAL_BYTES), jw_span(want, SEAL_BYTES));
	return JW_OK;
}
