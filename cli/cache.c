#include "cli/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "base/settings.h"
#include "cli/paths.h"
#include "cli/safe_text.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

#define LIMIT         (UINT64_C(1) << 30)
#define STALE         60 /* seconds after which a folder goes whose maker has made no lock in it */
#define REMOVED_AGAIN "the cache folder '%s' is removed again and again"
#define SPARE         32 /* files that may be open beside locks */
#define TEMP          ".tmp"
#define TRIES_MAX     8 /* of a key that others remove and make meanwhile */
#define ROOT_TRIES_MAX \
	200 /* of folders, of which a --clean may remove one before the next is made */

/* ---- where ---- */

static enum jw_status make_folder(const char *path, bool around, struct jw_err *e)
{
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return jw_fail(e, JW_IO,
			       "cannot make the cache folder '%s' (%s): set XDG_CACHE_HOME to a "
			       "folder of your own",
			       path, strerror(errno));
	return cli_cache_private(path, around, e);
}

/* Can the user make folders in CACHE, a folder that is in PARENT or could be? Else errno says why. (What is
 * there and is no folder will be refused.) */
static bool can_make(const char *cache, const char *parent)
{
	bool there = cli_exists(cache);

	return (there && !cli_is_folder(cache)) || access(there ? cache : parent, W_OK | X_OK) == 0;
}

/* No class path can name what is in such a folder. */
static bool has_colon(const char *folder)
{
	return strchr(folder, ':') != NULL;
}

const char *cli_cache_around(struct jw_arena *arena, const char *folder)
{
	const char *slash = strrchr(folder, '/');

	return jw_arena_fmt(arena, "%.*s", slash == folder ? 1 : (int)(slash - folder), folder);
}

/* The folder that the cache is in, and the caches of others. Users that have no home, or may not
 * write there, as in many containers, have one among the temporary files, and so has who names one
 * that cannot be made or be on a path, which is refused. */
static enum jw_status find_base(struct cli_cache *cache, const char **out, struct jw_err *e)
{
	struct jw_arena *arena = cache->arena;
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *temp = has_colon(jw_temp_folder()) ? "/tmp" : jw_temp_folder();
	bool own = base && *base == '/'; /* a relative one is to be ignored */

	if (!own)
		base = jw_arena_fmt(arena, "%s/.cache", home ? home : "");
	const char *parent = base ? cli_cache_around(arena, base) : NULL;
	if (!parent)
		return jw_nomem(e);
	bool usable = *base == '/' && (own || (home && *home == '/')) && can_make(base, parent);
	if (own && !usable)
		cache->why = strerror(errno);
	else if (usable && has_colon(base))
		cache->why = "a colon in its path can be on no class path";
	if (cache->why)
		cache->refused = base;
	*out = base;
	cache->own_base = !usable || cache->refused;
	if (cache->own_base)
		*out = jw_arena_fmt(arena, "%s" CLI_CACHE_TEMP "%lu", temp,
				    (unsigned long)geteuid());
	return *out ? JW_OK : jw_nomem(e);
}

bool cli_cache_look(struct cli_cache *cache, struct jw_arena *arena)
{
	struct jw_err ignored = { 0 };
	const char *base = NULL;

	*cache = (struct cli_cache){ .arena = arena };
	if (find_base(cache, &base, &ignored) != JW_OK)
		return false;
	cache->root = jw_arena_fmt(arena, "%s" JW_CACHE_OWN JW_CACHE_RUN, base);
	return cache->root && cli_is_folder(cache->root);
}

static enum jw_status make_root(struct cli_cache *cache, struct jw_err *e)
{
	const char *own = cli_cache_around(cache->arena, cache->root);
	const char *base = own ? cli_cache_around(cache->arena, own) : NULL;
	const char *const folders[] = { base, own, cache->root };
	size_t made = 0;

	if (!base)
		return jw_nomem(e);
	for (int i = 0; i < ROOT_TRIES_MAX && made < 3; i++) {
		const struct timespec pause = { .tv_nsec = i * 10000L };

		if (i) /* a longer one each time: else both may go on in step */
			nanosleep(&pause, NULL);
		*e = (struct jw_err){ 0 };
		for (made = 0; made < 3; made++)
			if (make_folder(folders[made], made == 0, e) != JW_OK)
				break;
	}
	return made == 3 ? JW_OK : e->status;
}

enum jw_status cli_cache_open(struct cli_cache *cache, struct jw_arena *arena, struct jw_err *e)
{
	const char *base = NULL;

	*cache = (struct cli_cache){ .arena = arena };
	JW_TRY(find_base(cache, &base, e));
	cache->root = jw_arena_fmt(arena, "%s" JW_CACHE_OWN JW_CACHE_RUN, base);
	return cache->root ? make_root(cache, e) : jw_nomem(e);
}

void cli_cache_close(struct cli_cache *cache)
{
	for (size_t i = 0; i < cache->lock_count; i++)
		close(cache->locks[i]);
	cache->lock_count = 0;
}

bool cli_cache_limit(uint64_t *limit)
{
	static const char units[] = "KMGT";
	const char *text = getenv("JWEAVE_CACHE_SIZE");
	char *end;

	*limit = LIMIT;
	if (!text || !*text)
		return true;
	if (*text < '0' || *text > '9')
		return false;
	uint64_t n = strtoull(text, &end, 10);
	char upper = (char)(*end & ~0x20);
	const char *unit = upper ? strchr(units, upper) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (*end && (!unit || end[1]))
		return false;
	*limit = n > UINT64_MAX >> shift ? UINT64_MAX : n << shift;
	return true;
}

/* ---- names ---- */

/* PATH, and what no other process adds to it, also one that has the same number in another container: a folder that is
 * not whole. */
static const char *temp_name(struct jw_arena *arena, const char *path)
{
	static unsigned count;
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return jw_arena_fmt(arena, "%s.%ld.%llx%09lx%x" TEMP, path, (long)getpid(),
			    (unsigned long long)now.tv_sec, (unsigned long)now.tv_nsec, count++);
}

static bool is_temp(const char *name)
{
	return cli_ends(name, TEMP);
}

/* ---- locks ---- */

/* FD stays open. Where no more files may be open, the copy is in use without a lock: then this run removes none. */
static enum jw_status keep_lock(struct cli_cache *cache, int fd, struct jw_err *e)
{
	size_t wanted = (size_t)fd + SPARE;

	if (jw_files_at_once(wanted) < wanted) {
		cache->crowded = true;
		close(fd);
		return JW_OK;
	}
	if (cache->lock_count == cache->lock_room) {
		size_t room = cache->lock_room ? 2 * cache->lock_room : 32;
		int *locks = JW_NEW_ARRAY(cache->arena, int, room);

		if (!locks) {
			close(fd);
			return jw_nomem(e);
		}
		if (cache->lock_count)
			memcpy(locks, cache->locks, cache->lock_count * sizeof(*locks));
		cache->locks = locks;
		cache->lock_room = room;
	}
	cache->locks[cache->lock_count++] = fd;
	return JW_OK;
}

/* Is the open FD still the file PATH? */
static bool is_still(int fd, const char *path)
{
	struct stat open_one, named;

	return fstat(fd, &open_one) == 0 && stat(path, &named) == 0 &&
	       open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

/* Opens LOCK, shared; *FD is -1 when there is none. */
static enum jw_status open_lock(const char *lock, int *fd, struct jw_err *e)
{
	struct jw_err why = { 0 };

	if (jw_file_fd(lock, fd, &why) != JW_OK) {
		*fd = -1;
		return errno == ENOENT ? JW_OK : jw_fail(e, JW_IO, "'%s': %s", lock, why.text);
	}
	/* a file system without locks: only a trim at the same moment could hurt */
	(void)flock(*fd, LOCK_SH);
	return JW_OK;
}

/* FOLDER, of which FD is the open LOCK (-1: it has none), is damaged: it goes, unless another run
 * was faster. */
static enum jw_status discard(struct cli_cache *cache, const char *folder, const char *lock, int fd,
			      struct jw_err *e)
{
	const char *gone = temp_name(cache->arena, folder);
	int root = gone ? open(cache->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	enum jw_status status = JW_OK;

	if (!gone)
		return jw_nomem(e);
	/* no two at once, so that neither removes what the other has made anew */
	if (root < 0)
		return jw_fail_errno(e, errno, "cannot open '%s'", cache->root);
	(void)flock(root, LOCK_EX);
	if (fd >= 0 ? is_still(fd, lock) : cli_exists(folder) && !cli_exists(lock)) {
		cache->damaged++;
		if (rename(folder, gone) != 0)
			status = jw_fail_errno(e, errno, "'%s' is damaged, and cannot be removed",
					       folder);
	}
	close(root);
	if (status == JW_OK)
		jw_remove_all(gone);
	return status;
}

/* FD is the open LOCK of FOLDER: *OUT is that, in use, when it may be; else NULL: it was damaged, or
 * another run has taken it away. Takes FD. */
static enum jw_status use_folder(struct cli_cache *cache, const char *folder, const char *lock,
				 int fd, const char **out, struct jw_err *e)
{
	bool whole = false;
	enum jw_status status = cli_cache_check(folder, fd, &whole, e);

	if (status == JW_OK && whole) {
		utimensat(AT_FDCWD, folder, NULL, 0);
		*out = folder;
		return keep_lock(cache, fd, e);
	}
	if (status == JW_OK) {
		status = discard(cache, folder, lock, fd, e);
	} else if (!is_still(fd, lock)) {
		/* its files went away while they were looked at */
		*e = (struct jw_err){ 0 };
		status = JW_OK;
	}
	close(fd);
	return status;
}

enum jw_status cli_cache_find(struct cli_cache *cache, const char *key, const char **out,
			      struct jw_err *e)
{
	const char *folder = jw_arena_fmt(cache->arena, "%s/%s", cache->root, key);
	const char *lock = folder ? jw_arena_fmt(cache->arena, "%s/" CLI_CACHE_LOCK, folder) : NULL;

	*out = NULL;
	if (!lock)
		return jw_nomem(e);
	for (int i = 0; i < TRIES_MAX; i++) {
		int fd;

		JW_TRY(open_lock(lock, &fd, e));
		if (fd < 0)
			return cli_exists(folder) ? discard(cache, folder, lock, fd, e) : JW_OK;
		if (!is_still(fd, lock)) {
			close(fd);
			continue;
		}
		JW_TRY(use_folder(cache, folder, lock, fd, out, e));
		if (*out)
			return JW_OK;
	}
	return JW_OK;
}

/* *MADE: PATH, with a lock that says that this process lives; false: another one took it for a dead one's. */
static enum jw_status make_temp(struct cli_cache *cache, const char *path, bool *made,
				struct jw_err *e)
{
	const char *lock = jw_arena_fmt(cache->arena, "%s/" CLI_CACHE_LOCK, path);

	if (!lock)
		return jw_nomem(e);
	*made = mkdir(path, 0700) == 0;
	if (!*made && errno == ENOENT) { /* a --clean has removed the cache meanwhile */
		JW_TRY(make_root(cache, e));
		*made = mkdir(path, 0700) == 0;
	}
	if (!*made)
		return jw_fail_errno(e, errno, "cannot make the cache folder '%s'", path);
	jw_guard_add(path);
	int fd = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), why = errno;
	if (fd >= 0)
		(void)flock(fd, LOCK_SH);
	*made = fd >= 0 && is_still(fd, lock);
	if (*made) {
		cache->making = fd;
		return JW_OK;
	}
	if (fd >= 0)
		close(fd);
	jw_remove_all(path);
	jw_guard_drop(path);
	return fd >= 0 || why == ENOENT ? JW_OK : jw_fail_errno(e, why, "cannot make '%s'", lock);
}

enum jw_status cli_cache_begin(struct cli_cache *cache, const char *key, const char **temp,
			       struct jw_err *e)
{
	const char *folder = jw_arena_fmt(cache->arena, "%s/%s", cache->root, key);

	for (int i = 0; i < TRIES_MAX && folder; i++) {
		const char *path = temp_name(cache->arena, folder);
		bool made = false;

		if (!path)
			return jw_nomem(e);
		JW_TRY(make_temp(cache, path, &made, e));
		if (made) {
			*temp = path;
			return JW_OK;
		}
	}
	return folder ? jw_fail(e, JW_IO, REMOVED_AGAIN, folder) : jw_nomem(e);
}

/* TEMP is no longer this process's. */
static void end_making(struct cli_cache *cache, const char *temp)
{
	close(cache->making);
	jw_guard_drop(temp);
}

void cli_cache_abandon(struct cli_cache *cache, const char *temp)
{
	jw_remove_all(temp);
	end_making(cache, temp);
}

/* TEMP, sealed, to FOLDER, which *OUT is. */
static enum jw_status put_in_place(struct cli_cache *cache, const char *key, const char *temp,
				   const char *folder, const char **out, struct jw_err *e)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		bool moved = rename(temp, folder) == 0;

		if (!moved && errno != EEXIST && errno != ENOTEMPTY)
			return jw_fail_errno(e, errno, "cannot make '%s'", folder);
		JW_TRY(cli_cache_find(cache, key, out, e));
		if (*out) {
			if (!moved)
				jw_remove_all(temp);
			return JW_OK;
		}
	}
	return jw_fail(e, JW_IO, REMOVED_AGAIN, folder);
}

enum jw_status cli_cache_commit(struct cli_cache *cache, const char *key, const char *temp,
				const char **out, struct jw_err *e)
{
	const char *folder = jw_arena_fmt(cache->arena, "%s/%s", cache->root, key);
	enum jw_status status = folder ? cli_cache_seal(temp, cache->making, e) : jw_nomem(e);

	if (status == JW_OK)
		status = put_in_place(cache, key, temp, folder, out, e);
	if (status == JW_OK)
		end_making(cache, temp);
	else
		cli_cache_abandon(cache, temp);
	return status;
}

/* ---- trim ---- */

struct folder {
	const char *name;
	time_t used;
	uint64_t bytes;
};

static uint64_t size_of(const char *path, struct jw_arena *arena)
{
	struct weave_tree tree = { 0 };
	struct jw_err ignored = { 0 };
	uint64_t bytes = 4096; /* the folder itself, so that empty ones count */

	if (weave_tree_list(path, arena, &tree, &ignored) == JW_OK)
		for (size_t i = 0; i < tree.count; i++)
			bytes += tree.files[i].size;
	return bytes;
}

/* Oldest first. */
static int by_use(const void *a, const void *b)
{
	const struct folder *x = a, *y = b;

	if (x->used != y->used)
		return x->used < y->used ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The folders of the cache, into LIST (of struct folder). */
static void list_folders(struct cli_cache *cache, struct jw_arena *arena, struct jw_buf *list)
{
	DIR *dir = opendir(cache->root);
	const struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		const char *path = jw_arena_fmt(arena, "%s/%s", cache->root, entry->d_name);
		struct folder folder = { .name = jw_arena_str(arena, jw_span_str(entry->d_name)) };

		if (entry->d_name[0] == '.' || !path || !folder.name || lstat(path, &st) != 0)
			continue;
		folder.used = st.st_mtime;
		folder.bytes = size_of(path, arena);
		jw_put_bytes(list, jw_span(&folder, sizeof(folder)));
	}
	if (dir)
		closedir(dir);
}

/* Removes the folder PATH, which has no lock: one that a run had begun to make, or to remove, and that none will end. */
static bool remove_unlocked(const char *path, const struct folder *folder)
{
	if (!is_temp(folder->name) || time(NULL) - folder->used <= STALE)
		return false;
	jw_remove_all(path);
	return true;
}

/* Removes the folder unless a run uses it, or makes it. */
static bool remove_folder(struct cli_cache *cache, const struct folder *folder,
			  struct jw_arena *arena)
{
	const char *path = jw_arena_fmt(arena, "%s/%s", cache->root, folder->name);
	const char *lock = path ? jw_arena_fmt(arena, "%s/" CLI_CACHE_LOCK, path) : NULL;
	const char *gone = lock ? temp_name(arena, path) : NULL;

	if (!gone)
		return false;
	struct jw_err ignored = { 0 };
	int fd;
	if (jw_file_fd(lock, &fd, &ignored) != JW_OK)
		return remove_unlocked(path, folder);
	bool ours = flock(fd, LOCK_EX | LOCK_NB) == 0 && rename(path, gone) == 0;
	if (ours)
		jw_remove_all(gone);
	close(fd);
	return ours;
}

uint64_t cli_cache_trim(struct cli_cache *cache, uint64_t limit, size_t *kept)
{
	struct jw_arena arena = { 0 };
	struct jw_buf list = { 0 };
	uint64_t all = 0, removed = 0;

	if (cache->crowded)
		return 0;
	list_folders(cache, &arena, &list);
	struct folder *folders = (struct folder *)(void *)list.p;
	size_t count = list.failed == JW_OK ? list.n / sizeof(*folders) : 0, left = count;
	if (count)
		qsort(folders, count, sizeof(*folders), by_use);
	for (size_t i = 0; i < count; i++)
		all += folders[i].bytes;
	for (size_t i = 0; i < count; i++) {
		if (!is_temp(folders[i].name) && limit && all - removed <= limit)
			continue;
		if (!remove_folder(cache, &folders[i], &arena))
			continue;
		removed += folders[i].bytes;
		left--;
	}
	if (kept)
		*kept = left;
	jw_buf_free(&list);
	jw_arena_free(&arena);
	return removed;
}
