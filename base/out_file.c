#define _GNU_SOURCE /* O_TMPFILE; NOLINT(bugprone-reserved-identifier) */
#include "base/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "base/memory.h"

#include "base/banned.h"

#define GATHER ((size_t)256 << 10) /* bytes of a write, at least */

/* How much of an output stays in the page cache, and the steps in which it leaves. */
#define KEPT ((uint64_t)64 << 20)
#define STEP ((uint64_t)8 << 20)

#define TEMP_MORE 48 /* bytes that a temporary name has more than the final one */

/* Where PATH really is: an output through a symbolic link replaces the file, not the link. */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL);
	char *copy = jw_mem_alloc(strlen(real ? real : path) + 1);

	if (copy)
		memcpy(copy, real ? real : path, strlen(real ? real : path) + 1);
	free(real); /* of libc's malloc */
	return copy;
}

/* Gives the file FROM the name NAME. Without a /proc it cannot. */
static int name_file(int from, const char *name)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", from);
	return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? from : -1;
}

/* Creates NAME or, when FROM is a file, gives it that name; no signal comes between that and its
 * guard. -1 with errno: failed. */
static int make_guarded(const char *name, mode_t mode, int from)
{
	sigset_t old;

	jw_guard_hold(&old);
	int fd = from >= 0 ? name_file(from, name)
			   : open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	int error = errno;

	if (fd >= 0)
		jw_guard_add(name);
	jw_guard_release(&old);
	errno = error;
	return fd;
}

/* The length of the folder of PATH, with the slash. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* ".NAME.PID-N.tmp" in the folder of PATH: a new file, or FROM, as above. The kernel applies the
 * umask to MODE, as for any new file. -1: errno. */
static int make_temp(struct jw_out *out, mode_t mode, int from)
{
	static atomic_uint serial;
	size_t folder = folder_length(out->path);
	const char *name = out->path + folder;

	for (int tries = 0; tries < 100; tries++) {
		/* a name may be as long as the file system allows: ours takes its beginning only */
		snprintf(out->temp, strlen(out->path) + TEMP_MORE, "%.*s.%.100s.%ld-%u.tmp",
			 (int)folder, out->path, name, (long)getpid(),
			 atomic_fetch_add(&serial, 1));
		int fd = make_guarded(out->temp, mode, from);

		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Where the file system can do that, the file has no name until it is complete: a process that is
 * killed leaves nothing. */
static int open_unnamed(struct jw_out *out, mode_t mode)
{
	snprintf(out->temp, strlen(out->path) + TEMP_MORE, "%.*s.", (int)folder_length(out->path),
		 out->path);
	return open(out->temp, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

static enum jw_status create_temp(struct jw_out *out, mode_t mode, struct jw_err *e)
{
	out->temp = jw_mem_alloc(strlen(out->path) + TEMP_MORE);
	if (!out->temp)
		return jw_nomem(e);
	out->fd = open_unnamed(out, mode);
	out->named = out->fd < 0;
	if (out->named)
		out->fd = make_temp(out, mode, -1);
	if (out->fd >= 0)
		return JW_OK;
	return jw_fail_errno(e, errno, "%s: cannot create a file there", out->path);
}

/* A temporary file without a name, for outputs that cannot be renamed into place. */
static enum jw_status create_nameless(struct jw_out *out, struct jw_err *e)
{
	const char *folder = jw_temp_folder();
	char name[PATH_MAX];
	int n = snprintf(name, sizeof(name), "%s/jweave-XXXXXX", folder);
	if (n < 0 || (size_t)n >= sizeof(name))
		return jw_fail(e, JW_IO,
			       "TMPDIR is too long: set it to a folder with a shorter name");
	out->fd = mkstemp(name);
	if (out->fd < 0)
		return jw_fail_errno(e, errno, "%s: cannot create a temporary file", folder);
	unlink(name);
	fcntl(out->fd, F_SETFD, FD_CLOEXEC);
	return JW_OK;
}

enum jw_status jw_out_open(const char *path, mode_t mode, struct jw_out *out, struct jw_err *e)
{
	struct jw_out made = { .fd = -1 };
	enum jw_status status;
	struct stat st;

	if (!*path)
		return jw_fail(e, JW_IO, "the name of the output is empty");
	bool standard = strcmp(path, "-") == 0, exists = !standard && stat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return jw_fail(e, JW_IO, "%s: is a directory, not a file", path);
	/* a pipe or device (/dev/null) is written to, never replaced */
	bool special = exists && !S_ISREG(st.st_mode);
	made.path = resolve(path);
	if (!made.path)
		return jw_nomem(e);
	if (standard || special)
		status = create_nameless(&made, e);
	else
		status = create_temp(&made, mode & 0777, e);
	made.open = status == JW_OK;
	if (status != JW_OK) {
		jw_mem_free(made.path);
		jw_mem_free(made.temp);
		return status;
	}
	*out = made;
	return JW_OK;
}

static enum jw_status write_fd(int fd, struct jw_span s, const char *path, struct jw_err *e)
{
	if (jw_write_all(fd, s.p, s.n))
		return JW_OK;
	return fd == STDOUT_FILENO ? jw_fail_stdout(e, errno, "%s: cannot write", path)
				   : jw_fail_errno(e, errno, "%s: cannot write", path);
}

static enum jw_status flush(struct jw_out *out, struct jw_err *e)
{
	enum jw_status status = write_fd(out->fd, jw_buf_span(&out->buffer), out->path, e);

	jw_buf_clear(&out->buffer);
	return status;
}

/* OUT was BEFORE bytes long. Gigabytes of pages that are never read again would evict those of
 * other programs, and finding free pages costs more than writing to them: five times as much where
 * a virtual machine gives free memory back to its host. So pages are recycled, in steps: the first
 * sync_file_range() of a step starts to write it, without waiting; the second drops the pages that
 * are on the disk by then. */
static void give_back_pages(const struct jw_out *out, uint64_t before)
{
	uint64_t from = before / STEP * STEP, length = out->n / STEP * STEP - from;

	if (length == 0 || !out->temp)
		return;
	posix_fadvise(out->fd, (off_t)from, (off_t)length, POSIX_FADV_DONTNEED);
	if (from >= KEPT)
		posix_fadvise(out->fd, (off_t)(from - KEPT), (off_t)length, POSIX_FADV_DONTNEED);
}

enum jw_status jw_out_write(struct jw_out *out, struct jw_span s, struct jw_err *e)
{
	if (!out->open)
		return jw_bug(e, "write to an output that is not open");
	if (s.n >= GATHER - out->buffer.n)
		JW_TRY(flush(out, e));
	if (s.n >= GATHER)
		JW_TRY(write_fd(out->fd, s, out->path, e));
	else
		jw_put_bytes(&out->buffer, s);
	out->n += s.n;
	give_back_pages(out, out->n - s.n);
	return jw_buf_finish(&out->buffer, out->path, e);
}

enum jw_status jw_out_patch(struct jw_out *out, uint64_t offset, struct jw_span s, struct jw_err *e)
{
	if (!out->open || s.n > out->n || offset > out->n - s.n)
		return jw_bug(e, "patch past the end of the output");
	JW_TRY(flush(out, e));
	if (!jw_write_all_at(out->fd, s.p, s.n, offset))
		return jw_fail_errno(e, errno, "%s: cannot write", out->path);
	return JW_OK;
}

static enum jw_status read_back(const struct jw_out *out, uint8_t *p, size_t n, uint64_t offset,
				struct jw_err *e)
{
	if (jw_read_at(out->fd, p, n, offset) == n)
		return JW_OK;
	return jw_fail_errno(e, errno ? errno : EIO, "%s: cannot read back", out->path);
}

/* From the end on, so that nothing is overwritten before it has moved. */
static enum jw_status move_up(struct jw_out *out, uint8_t *piece, uint64_t offset, uint64_t by,
			      struct jw_err *e)
{
	for (uint64_t at = out->n; at > offset;) {
		size_t n = at - offset < GATHER ? (size_t)(at - offset) : GATHER;

		at -= n;
		JW_TRY(read_back(out, piece, n, at, e));
		if (!jw_write_all_at(out->fd, piece, n, at + by))
			return jw_fail_errno(e, errno, "%s: cannot write", out->path);
	}
	return JW_OK;
}

static enum jw_status write_zeros(struct jw_out *out, uint8_t *piece, uint64_t offset, uint64_t n,
				  struct jw_err *e)
{
	memset(piece, 0, GATHER);
	while (n) {
		size_t part = n < GATHER ? (size_t)n : GATHER;

		if (!jw_write_all_at(out->fd, piece, part, offset))
			return jw_fail_errno(e, errno, "%s: cannot write", out->path);
		offset += part;
		n -= part;
	}
	return JW_OK;
}

enum jw_status jw_out_insert(struct jw_out *out, uint64_t offset, uint64_t n, struct jw_err *e)
{
	if (!out->open || offset > out->n)
		return jw_bug(e, "insert past the end of the output");
	JW_TRY(flush(out, e));
	uint8_t *piece = jw_mem_alloc(GATHER);

	if (!piece)
		return jw_nomem(e);
	enum jw_status status = move_up(out, piece, offset, n, e);

	if (status == JW_OK)
		status = write_zeros(out, piece, offset, n, e);
	jw_mem_free(piece);
	out->n += n;
	if (status == JW_OK && lseek(out->fd, (off_t)out->n, SEEK_SET) < 0)
		status = jw_fail_errno(e, errno, "%s: cannot write", out->path);
	return status;
}

/* Copies what was collected into TO. */
static enum jw_status copy_out(struct jw_out *out, int to, struct jw_err *e)
{
	uint8_t part[16 * 1024];

	for (uint64_t at = 0; at < out->n;) {
		size_t n = out->n - at < sizeof(part) ? (size_t)(out->n - at) : sizeof(part);

		JW_TRY(read_back(out, part, n, at, e));
		JW_TRY(write_fd(to, jw_span(part, n), out->path, e));
		at += n;
	}
	return JW_OK;
}

static enum jw_status deliver(struct jw_out *out, struct jw_err *e)
{
	if (strcmp(out->path, "-") == 0)
		return copy_out(out, STDOUT_FILENO, e);
	int to = open(out->path, O_WRONLY | O_CLOEXEC);
	if (to < 0)
		return jw_fail_errno(e, errno, "%s: cannot open", out->path);
	enum jw_status status = copy_out(out, to, e);
	if (close(to) != 0 && status == JW_OK)
		status = jw_fail_errno(e, errno, "%s: cannot write", out->path);
	return status;
}

/* Gives a name to a file that had none; where that is not possible, copies it. */
static enum jw_status give_temp_name(struct jw_out *out, struct jw_err *e)
{
	struct stat st;
	int fd = make_temp(out, 0, out->fd);

	out->named = fd >= 0;
	if (out->named)
		return JW_OK;
	if (fstat(out->fd, &st) == 0)
		fd = make_temp(out, st.st_mode & JW_PERMISSIONS, -1);
	if (fd < 0)
		return jw_fail_errno(e, errno, "%s: cannot create a file there", out->path);
	out->named = true;
	enum jw_status status = copy_out(out, fd, e);
	close(out->fd);
	out->fd = fd;
	return status;
}

enum jw_status jw_out_commit(struct jw_out *out, struct jw_err *e)
{
	if (!out->open)
		return jw_bug(e, "commit of an output that is not open");
	enum jw_status status = flush(out, e);
	if (status == JW_OK && !out->temp)
		status = deliver(out, e);
	else if (status == JW_OK && !out->named)
		status = give_temp_name(out, e);
	/* network file systems and quotas may say only now that there was no room */
	if (close(out->fd) != 0 && status == JW_OK)
		status = jw_fail_errno(e, errno, "%s: cannot write", out->path);
	out->fd = -1;
	if (status == JW_OK && out->temp && rename(out->temp, out->path) != 0)
		status = jw_fail_errno(e, errno, "%s: cannot give the new file this name",
				       out->path);
	if (status == JW_OK && out->temp) {
		jw_guard_drop(out->temp);
		jw_mem_free(out->temp);
		out->temp = NULL;
	}
	jw_out_abort(out);
	return status;
}

void jw_out_abort(struct jw_out *out)
{
	if (out->open && out->fd >= 0)
		close(out->fd);
	if (out->temp && out->named) {
		unlink(out->temp);
		jw_guard_drop(out->temp);
	}
	jw_mem_free(out->temp);
	jw_mem_free(out->path);
	jw_buf_free(&out->buffer);
	*out = (struct jw_out){ .fd = -1 };
}
