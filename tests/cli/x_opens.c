/*
 * x_opens.c: opens and asks about files by every name that a C library has for that.
 *
 *     opens WORDS... FILE   (the last word counts: overlay.sh has `jweave run` start it as a java)
 *
 * A line for each name: "open BYTES" is what can be read, "stat BYTES SECONDS" what is said. Then what must be the
 * original: opened to write, by another program, and by a link of another name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/banned.h"

typedef void any(void);
typedef int opens(const char *path, int flags, ...);
typedef int opens_at(int folder, const char *path, int flags, ...);
typedef int stats(const char *path, struct stat *out);
typedef int stats_at(int folder, const char *path, struct stat *out, int flags);
typedef int xstats(int version, const char *path, struct stat *out);
typedef int xstats_at(int version, int folder, const char *path, struct stat *out, int flags);

/* The function NAME; NULL: this C library has none. */
static any *find(const char *name)
{
	any *function = NULL;
	void *found = dlsym(RTLD_DEFAULT, name);

	memcpy(&function, &found, sizeof(function)); /* POSIX allows it, ISO C has no cast for it */
	return function;
}

static long long size_of(int fd)
{
	long long bytes = 0;
	char part[4096];

	for (ssize_t n; (n = read(fd, part, sizeof(part))) > 0;)
		bytes += n;
	close(fd);
	return fd < 0 ? -1 : bytes;
}

static void open_all(const char *path)
{
	static const char *const names[] = { "open", "open64", "__open_2", "__open64_2" };
	static const char *const at[] = { "openat", "openat64", "__openat_2", "__openat64_2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		opens *function = (opens *)find(names[i]);

		if (function)
			printf("open %lld\n", size_of(function(path, O_RDONLY | O_CLOEXEC)));
	}
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		opens_at *function = (opens_at *)find(at[i]);

		if (function)
			printf("open %lld\n",
			       size_of(function(AT_FDCWD, path, O_RDONLY | O_CLOEXEC)));
	}
}

static void put(int result, const struct stat *st)
{
	printf("stat %lld %lld\n", result ? -1 : (long long)st->st_size, (long long)st->st_mtime);
}

static void stat_all(const char *path)
{
	static const char *const names[] = { "stat", "stat64", "lstat", "lstat64" };
	static const char *const x[] = { "__xstat", "__xstat64", "__lxstat", "__lxstat64" };
	static const char *const at[] = { "fstatat", "fstatat64" };
	static const char *const xat[] = { "__fxstatat", "__fxstatat64" };
	enum { VERSION = sizeof(long) == 8 && sizeof(void *) == 8 }; /* x86-64 */
	struct stat st = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (find(names[i]))
			put(((stats *)find(names[i]))(path, &st), &st);
	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++)
		if (find(x[i]))
			put(((xstats *)find(x[i]))(VERSION, path, &st), &st);
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++)
		if (find(at[i]))
			put(((stats_at *)find(at[i]))(AT_FDCWD, path, &st, 0), &st);
	for (size_t i = 0; i < sizeof(xat) / sizeof(*xat); i++)
		if (find(xat[i]))
			put(((xstats_at *)find(xat[i]))(VERSION, AT_FDCWD, path, &st, 0), &st);
#ifdef STATX_SIZE
	struct statx sx = { 0 };
	st.st_size = statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &sx) ? -1 : (off_t)sx.stx_size;
	st.st_mtime = sx.stx_mtime.tv_sec;
	put(0, &st);
#endif
}

static void others(const char *path)
{
	printf("write %lld\n", size_of(open(path, O_RDWR | O_CLOEXEC)));
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		execlp("wc", "wc", "-c", path, (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	if (symlink(path, "called-otherwise") == 0) {
		printf("link %lld\n", size_of(open("called-otherwise", O_RDONLY | O_CLOEXEC)));
		unlink("called-otherwise");
	}
	printf("none %d\n", open("/nowhere/app.jar", O_RDONLY | O_CLOEXEC));
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	open_all(argv[argc - 1]);
	stat_all(argv[argc - 1]);
	others(argv[argc - 1]);
	return 0;
}
