/*
 * faults.c: a library to preload, which makes system calls fail as a bad disk, a full one or
 * another user would; tests run as root, whom no mode of a file stops.
 *
 *	JW_FAULT="CALL:ERRNO:PATH[:N] ..."
 *
 * CALL fails with ERRNO (a number) for what has PATH in its name (PATH$: at its end; *PATH: a
 * pattern of the whole), from the N-th such call on (1); N!: the N-th alone. Calls on descriptors
 * are judged by the name after the descriptor, rename by "FROM>TO", memory by the library that
 * asks for it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/banned.h"

enum { FAULTS = 8 };

static struct fault {
	char call[16], path[200];
	int error;
	unsigned from, seen;
	int once;
} faults[FAULTS];
static int count = -1;

/* Below JW_FAULT: no malloc, since libc may call us before it is ready. */
static void read_faults(void)
{
	const char *at = getenv("JW_FAULT");

	for (count = 0; at && *at && count < FAULTS; at += strspn(at, " ")) {
		struct fault *f = &faults[count];
		int used = 0;

		f->from = 1;
		if (sscanf(at, "%15[^:]:%d:%199[^: ]%n", f->call, &f->error, f->path, &used) < 3)
			return;
		at += used;
		if (*at == ':')
			f->from = (unsigned)strtoul(at + 1, (char **)&at, 10);
		f->once = *at == '!';
		at += f->once;
		count++;
	}
}

static int names(const struct fault *f, const char *path)
{
	size_t n = strlen(f->path), all = strlen(path);

	if (f->path[0] == '*')
		return fnmatch(f->path, path, 0) == 0;
	if (n == 0 || f->path[n - 1] != '$')
		return strstr(path, f->path) != NULL;
	return all >= n - 1 && strncmp(path + all - (n - 1), f->path, n - 1) == 0;
}

static int strikes(const char *call, const char *path)
{
	if (count < 0)
		read_faults();
	for (int i = 0; i < count; i++) {
		struct fault *f = &faults[i];

		if (strcmp(f->call, call) != 0 || !names(f, path) || ++f->seen < f->from ||
		    (f->once && f->seen > f->from))
			continue;
		errno = f->error;
		return 1;
	}
	return 0;
}

static int strikes_fd(const char *call, int fd)
{
	char link[64], path[PATH_MAX];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = 0;
	return strikes(call, path);
}

static int strikes_two(const char *call, const char *from, const char *to)
{
	char both[2 * PATH_MAX];

	snprintf(both, sizeof(both), "%s>%s", from, to);
	return strikes(call, both);
}

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* CALL(PARAMETERS) fails when CONDITION, else it is libc's. */
#define WRAP(type, name, parameters, arguments, condition, failed) \
	type name parameters                                       \
	{                                                          \
		static __typeof__(&(name)) real;                   \
                                                                   \
		if (condition)                                     \
			return failed;                             \
		if (!real)                                         \
			real = REAL(name);                         \
		return real arguments;                             \
	}

WRAP(int, fstat, (int fd, struct stat *st), (fd, st), strikes_fd("fstat", fd), -1)
WRAP(int, stat, (const char *path, struct stat *st), (path, st), strikes("stat", path), -1)
WRAP(int, lstat, (const char *path, struct stat *st), (path, st), strikes("lstat", path), -1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), strikes("mkdir", path), -1)
WRAP(int, access, (const char *path, int mode), (path, mode), strikes("access", path), -1)
WRAP(int, chmod, (const char *path, mode_t mode), (path, mode), strikes("chmod", path), -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), strikes_two("rename", from, to),
     -1)
WRAP(int, symlink, (const char *to, const char *path), (to, path), strikes("symlink", path), -1)
WRAP(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), strikes_fd("pread", fd),
     -1)
WRAP(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at),
     strikes_fd("pwrite", fd), -1)
WRAP(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), strikes_fd("write", fd), -1)
WRAP(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at),
     (p, n, prot, flags, fd, at), fd >= 0 && strikes_fd("mmap", fd), MAP_FAILED)
WRAP(DIR *, opendir, (const char *path), (path), strikes("opendir", path), NULL)
WRAP(char *, realpath, (const char *path, char *out), (path, out), strikes("realpath", path), NULL)
WRAP(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags),
     strikes_fd("send", fd), -1)
WRAP(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags),
     strikes_fd("recv", fd), -1)

/* "crowd:N:PATH" is no error, but a folder that holds N entries: its first one, again and again. */
static int crowd(struct dirent ***names, int found, int wanted)
{
	struct dirent **all = realloc(*names, (size_t)wanted * sizeof(*all));

	if (!all)
		return found;
	*names = all;
	for (; found < wanted; found++) {
		all[found] = malloc(all[0]->d_reclen);
		if (!all[found])
			break;
		memcpy(all[found], all[0], all[0]->d_reclen);
	}
	return found;
}

int scandir(const char *path, struct dirent ***names, int (*filter)(const struct dirent *),
	    int (*order)(const struct dirent **, const struct dirent **))
{
	static __typeof__(&scandir) real;

	if (strikes("scandir", path))
		return -1;
	if (!real)
		real = REAL(scandir);
	int found = real(path, names, filter, order);
	return found > 0 && strikes("crowd", path) ? crowd(names, found, errno) : found;
}

/* Memory that the library PATH asks for; the others get theirs. No call of libc's here that asks
 * for memory itself. */
static int strikes_memory(const void *caller)
{
	Dl_info who;

	for (int i = 0; i < count; i++)
		if (strcmp(faults[i].call, "memory") == 0)
			return dladdr(caller, &who) && strikes("memory", who.dli_fname);
	return 0;
}

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t size);

void *malloc(size_t n)
{
	return strikes_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t count_of, size_t size)
{
	return strikes_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(count_of, size);
}

/* libc calls itself for a link that it follows: only what the program reads fails */
ssize_t readlink(const char *path, char *out, size_t n)
{
	static __typeof__(&readlink) real;

	if (strncmp(path, "/proc/", 6) != 0 && strikes("readlink", path))
		return -1;
	if (!real)
		real = REAL(readlink);
	return real(path, out, n);
}

WRAP(int, linkat, (int from_in, const char *from, int in, const char *name, int flags),
     (from_in, from, in, name, flags), strikes("linkat", name), -1)

/* Files without a name are refused, as by a network file system, but where links are what fails. */
static int refuses_unnamed(int flags)
{
	if ((flags & O_TMPFILE) != O_TMPFILE || count < 0)
		return 0;
	for (int i = 0; i < count; i++)
		if (strcmp(faults[i].call, "linkat") == 0)
			return 0;
	errno = EOPNOTSUPP;
	return 1;
}

/* The bit of O_TMPFILE that no other flag has. */
#define TMPFILE (O_TMPFILE & ~O_DIRECTORY)

/* The opening calls take a mode where they may create; open64 is what the JDK's libraries call. */
#define WRAP_OPEN(name, params, args)                               \
	int name params                                             \
	{                                                           \
		static __typeof__(&name) real;                      \
		mode_t mode = 0;                                    \
                                                                    \
		if (flags & (O_CREAT | TMPFILE)) {                  \
			va_list more;                               \
                                                                    \
			va_start(more, flags);                      \
			mode = va_arg(more, mode_t);                \
			va_end(more);                               \
		}                                                   \
		if (strikes(#name, path) || refuses_unnamed(flags)) \
			return -1;                                  \
		if (!real)                                          \
			real = REAL(name);                          \
		return real args;                                   \
	}

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

/* Not an error, but a disk without room. */
int fstatvfs(int fd, struct statvfs *fs)
{
	static __typeof__(&fstatvfs) real;
	int full = strikes_fd("fstatvfs", fd);

	if (!real)
		real = REAL(fstatvfs);
	int failed = real(fd, fs);
	if (full)
		fs->f_bfree = fs->f_bavail = 0;
	return failed;
}
