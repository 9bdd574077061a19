/*
 * Where the cache of `jweave run` is, what of it is in use, and what is left of a run that was killed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "cli/cache.h"
#include "cli/paths.h"
#include "cli/signals.h"
#include "tests/tap.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct cli_cache cache;

/* The folder that the cache is in, by these variables (NULL: not set). */
static const char *place(const char *xdg, const char *home, const char *temp)
{
	static const char end[] = "/jweave/run-1";
	const char *const names[] = { "XDG_CACHE_HOME", "HOME", "TMPDIR" };
	const char *const values[] = { xdg, home, temp };

	for (int i = 0; i < 3; i++)
		if (values[i])
			setenv(names[i], values[i], 1);
		else
			unsetenv(names[i]);
	(void)cli_cache_look(&cache, &arena);
	size_t n = strlen(cache.root) - strlen(end);
	is_str(cache.root + n, end);
	return jw_arena_str(&arena, jw_span(cache.root, n));
}

TEST(places)
{
	char own[64], colon[] = "/tmp/jweave:cache-XXXXXX";
	const char *home = mkdtemp(colon);

	ok(home != NULL);
	is_str(place("/tmp/cache", "/nowhere", "/t"), "/tmp/cache");
	ok(!cache.refused);
	snprintf(own, sizeof(own), "/t/jweave-cache-%lu", (unsigned long)geteuid());
	is_str(place("relative", "/no:where", "/t"), own);
	ok(!cache.refused); /* there is none */
	is_str(place("/nowhere/cache", "/nowhere", "/t"), own);
	is_str(cache.refused, "/nowhere/cache");
	is_str(cache.why, "No such file or directory");

	/* on no class path */
	is_str(place("/x/ca:che", "/nowhere", "/t"), own);
	is_str(cache.refused, "/x/ca:che");
	is_str(place(NULL, home, "/t"), own);
	ok(cache.refused && strncmp(cache.refused, home, strlen(home)) == 0);
	snprintf(own, sizeof(own), "/tmp/jweave-cache-%lu", (unsigned long)geteuid());
	is_str(place("/x/ca:che", "/nowhere", "/t:t"), own);
	rmdir(home);
	jw_arena_free(&arena);
}

/* A cache of this test's own. */
static const char *new_cache(char room[])
{
	struct jw_err e = { 0 };

	cache = (struct cli_cache){ 0 };
	ok(mkdtemp(room) != NULL);
	setenv("XDG_CACHE_HOME", room, 1);
	is_int(cli_cache_open(&cache, &arena, &e), JW_OK);
	return cache.root;
}

static void end_cache(const char *room)
{
	cli_cache_close(&cache);
	jw_remove_all(room);
	jw_arena_free(&arena);
}

static const char *begun(const char *key)
{
	struct jw_err e = { 0 };
	const char *temp = NULL;

	is_int(cli_cache_begin(&cache, key, &temp, &e), JW_OK);
	return temp;
}

static const char *committed(const char *key, const char *temp)
{
	struct jw_err e = { 0 };
	const char *folder = NULL;

	is_int(cli_cache_commit(&cache, key, temp, &folder, &e), JW_OK);
	is_str(e.text, "");
	return folder;
}

/* Two that have the same number, in two containers, make the same. */
TEST(made_by_two)
{
	char room[] = "/tmp/jweave-cache-XXXXXX";

	new_cache(room);
	const char *one = begun("k");
	struct cli_cache mine = cache;
	const char *other = begun("k");

	ok(strcmp(one, other) != 0 && cli_is_folder(one) && cli_is_folder(other));
	const char *folder = committed("k", other);
	ok(folder != NULL && !cli_exists(other));
	size_t locks = cache.lock_count;
	cache.making = mine.making;
	is_str(committed("k", one), folder);
	ok(!cli_exists(one) && cache.lock_count == locks + 1);
	cli_cache_abandon(&cache, begun("l"));
	size_t kept = 0;
	(void)cli_cache_trim(&cache, 0, &kept);
	is_int(kept, 1);
	end_cache(room);
}

/* What a process was making when it ended goes, and what one makes stays. */
TEST(maker_gone)
{
	char room[] = "/tmp/jweave-cache-XXXXXX";
	size_t kept = 0;

	new_cache(room);
	const char *mine = begun("mine");
	pid_t pid = fork();
	if (pid == 0) {
		(void)begun("its");
		_exit(0);
	}
	ok(pid > 0 && waitpid(pid, NULL, 0) == pid);
	pid = fork();
	if (pid == 0) { /* a signal leaves nothing */
		jw_guard_drop(mine);
		cli_signals_catch();
		const char *temp = begun("another");
		size_t n = strlen(room);
		if (symlink(temp, jw_arena_fmt(&arena, "%.*s/of", (int)n, room)) != 0)
			_exit(1);
		raise(SIGTERM);
		_exit(1);
	}
	int how;
	ok(pid > 0 && waitpid(pid, &how, 0) == pid && WIFSIGNALED(how));
	const char *link = jw_arena_fmt(&arena, "%s/of", room);
	ok(access(link, F_OK) != 0 && unlink(link) == 0);
	ok(cli_cache_trim(&cache, UINT64_MAX, &kept) > 0);
	is_int(kept, 1);
	ok(cli_is_folder(mine));
	ok(committed("mine", mine) != NULL);
	end_cache(room);
}

/* Another one cleans: a cache is made all the same. A folder that the user has named stays. */
TEST(cleaned_while_it_is_made)
{
	char room[] = "/tmp/jweave-cache-XXXXXX";
	struct jw_err e = { 0 };

	new_cache(room);
	pid_t pid = fork();
	while (pid == 0)
		(void)cli_cache_clean(&cache);
	size_t opened = 0;
	for (int i = 0; i < 2000; i++)
		opened += cli_cache_open(&cache, &arena, &e) == JW_OK;
	is_int((long)opened, 2000);
	is_str(e.text, "");
	ok(pid > 0 && kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	ok(cli_cache_open(&cache, &arena, &e) == JW_OK);
	const char *root = cache.root;
	is_int((long)cli_cache_clean(&cache), 0);
	ok(!cli_exists(root) && cli_is_folder(room));
	end_cache(room);
}

/* More copies in use than files may be open, by the limit that may be raised, and by the one that may not. */
TEST(many_in_use)
{
	enum { MANY = 80 };
	char room[] = "/tmp/jweave-cache-XXXXXX", key[8];
	struct rlimit before, few;

	ok(getrlimit(RLIMIT_NOFILE, &before) == 0);
	for (int hard = 0; hard < 2; hard++) {
		memcpy(room + strlen(room) - 6, "XXXXXX", 6);
		new_cache(room);
		few = before;
		few.rlim_cur = 64;
		if (hard)
			few.rlim_max = 64;
		ok(setrlimit(RLIMIT_NOFILE, &few) == 0);
		for (int i = 0; i < MANY; i++) {
			snprintf(key, sizeof(key), "k%d", i);
			ok(committed(key, begun(key)) != NULL);
		}
		ok(hard ? cache.crowded && cache.lock_count < MANY : cache.lock_count == MANY);
		size_t kept = 0;
		is_int(cli_cache_trim(&cache, 0, &kept), 0);
		is_int(kept, hard ? 0 : MANY); /* (it does not look) */
		jw_files_as_before();
		ok(getrlimit(RLIMIT_NOFILE, &few) == 0 && few.rlim_cur == 64);
		cli_cache_close(&cache);
		cli_cache_look(&cache, &arena);
		if (!hard)
			ok(setrlimit(RLIMIT_NOFILE, &before) == 0);
		ok(cli_cache_trim(&cache, 0, &kept) > 0 && kept == 0);
		end_cache(room);
	}
}
