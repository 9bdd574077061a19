/* for getdents64() through syscall() */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier) */

#include "base/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

/* A handler may run at any moment on any thread: names are copied into fixed places, and a place is
 * read only while its state says that it is complete. */
enum { GUARDS = 8 };
enum guard_state { GUARD_FREE, GUARD_FILLING, GUARD_LIVE };
static struct guard {
	atomic_int state;
	char name[PATH_MAX];
} guards[GUARDS];

void jw_guard_add(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < GUARDS && n < PATH_MAX; i++) {
		int free_state = GUARD_FREE;

		if (!atomic_compare_exchange_strong(&guards[i].state, &free_state, GUARD_FILLING))
			continue;
		memcpy(guards[i].name, name, n + 1);
		atomic_store(&guards[i].state, GUARD_LIVE);
		return;
	}
}

void jw_guard_drop(const char *name)
{
	for (size_t i = 0; i < GUARDS; i++)
		if (atomic_load(&guards[i].state) == GUARD_LIVE &&
		    strcmp(guards[i].name, name) == 0)
			atomic_store(&guards[i].state, GUARD_FREE);
}

/* ---- removing, with nothing but system calls ---- */

/* opendir() allocates, so folders are read as the kernel hands them over: records of LENGTH bytes.
 */
enum { LENGTH_AT = 16, NAME_AT = 19, PART = 2048, DEPTH_MAX = 200, PASSES_MAX = 100 };

static void remove_at(int folder, const char *name, int depth);

/* Removes what is in FD; false when there was nothing. */
static int empty(int fd, int depth)
{
	char part[PART];
	long got;
	int found = 0;

	(void)lseek(fd, 0, SEEK_SET);
	while ((got = syscall(SYS_getdents64, fd, part, sizeof(part))) > 0) {
		for (long at = 0; at < got;) {
			const char *name = part + at + NAME_AT;
			uint16_t length;

			memcpy(&length, part + at + LENGTH_AT, sizeof(length));
			at += length;
			if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
				continue;
			found = 1;
			remove_at(fd, name, depth + 1);
		}
	}
	return found;
}

/* Removes NAME in FOLDER: a file, a link (never what it points at), or a folder with all in it. */
static void remove_at(int folder, const char *name, int depth)
{
	if (unlinkat(folder, name, 0) == 0 || (errno != EISDIR && errno != EPERM) ||
	    depth > DEPTH_MAX)
		return;
	(void)fchmodat(folder, name, 0700, 0); /* one that was read-only in the input */
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	/* a file system may lose its place when names are removed during reading: again, until none
	 * is left */
	for (int pass = 0; pass < PASSES_MAX; pass++)
		if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || !empty(fd, depth))
			break;
	(void)unlinkat(folder, name, AT_REMOVEDIR);
	close(fd);
}

void jw_remove_all(const char *name)
{
	remove_at(AT_FDCWD, name, 0);
}

/* ---- steps of other threads ---- */

static atomic_bool in_step, cleaning;

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

void jw_guard_step_begin(void)
{
	atomic_store(&in_step, true);
	if (!atomic_load(&cleaning))
		return;
	atomic_store(&in_step, false);
	for (;;) /* the process is about to end */
		nap();
}

void jw_guard_step_end(void)
{
	atomic_store(&in_step, false);
}

void jw_guard_cleanup(void)
{
	atomic_store(&cleaning, true);
	while (atomic_load(&in_step))
		nap();
	for (size_t i = 0; i < GUARDS; i++)
		if (atomic_load(&guards[i].state) == GUARD_LIVE)
			jw_remove_all(guards[i].name);
}

/* ---- steps that belong together ---- */

void jw_guard_hold(sigset_t *old)
{
	static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		sigaddset(&set, deadly[i]);
	pthread_sigmask(SIG_BLOCK, &set, old);
}

void jw_guard_release(const sigset_t *old)
{
	pthread_sigmask(SIG_SETMASK, old, NULL);
}
