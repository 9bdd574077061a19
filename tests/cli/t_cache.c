/*
 * Where the cache of `jweave run` is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cache.h"
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
