#define _GNU_SOURCE /* O_TMPFILE; NOLINT(bugprone-reserved-identifier) */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/memory.h"

#include "base/banned.h"

enum { GATHER = 256 * 1024, PERMISSIONS = 07777 };

/* How much of an output stays in the page cache, and the steps in which it leaves. */
#define KEPT ((uint64_t)64 << 20)
#define STEP ((uint64_t)8 << 20)

#define TEMP_MORE 48 /* bytes that a temporary name has more than the final one */

/* ---- whole files in ---- */

/* Reads FD to its end: for "-" and files of /proc, whose length is not known. */
static enum jw_status read_all(int fd, size_t max, struct jw_file *out, struct jw_err *e)
{
	struct jw_buf all = { 0 };
	enum jw_status status = JW_OK;

	for (;;) {
		jw_buf_reserve(&all, GATHER);
		status = jw_buf_finish(&all, "input", e);
		if (status != JW_OK)
			break;
		ssize_t n = read(fd, all.p + all.n, all.cap - all.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = jw_fail_errno(e, errno, "cannot read");
		if (n <= 0)
			break;
		all.n += (size_t)n;
		if (max && all.n > max) {
			status = jw_fail(e, JW_LIMIT, "too large (limit is %zu bytes)", max);
			break;
		}
	}
	if (status != JW_OK) {
		jw_buf_free(&all);
		return status;
	}
	*out = (struct jw_file){ .bytes = jw_buf_span(&all), .mode = 0644, .memory = all.p };
	return JW_OK;
}

static enum jw_status map_all(int fd, const struct stat *st, size_t max, struct jw_file *out,
			      struct jw_err *e)
{
	struct jw_file file = { .mapped = true, .mode = st->st_mode & PERMISSIONS };

	_Static_assert(sizeof(size_t) >= sizeof(st->st_size), "a file of any size is one span");
	if (max && (uint64_t)st->st_size > max)
		return jw_fail(e, JW_LIMIT, "too large (limit is %zu bytes)", max);
	if (st->st_size > 0) {
		void *p = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (p == MAP_FAILED)
			return jw_fail_errno(e, errno, "cannot map into memory");
		file.bytes = jw_span(p, (size_t)st->st_size);
		file.memory = p;
	}
	*out = file;
	return JW_OK;
}

static enum jw_status read_fd(int fd, const struct stat *st, size_t max, struct jw_file *out,
			      struct jw_err *e)
{
	/* /proc and the like say 0 bytes and have more: read those */
	if (S_ISREG(st->st_mode) && st->st_size > 0 && fd != STDIN_FILENO)
		return map_all(fd, st, max, out, e);
	JW_TRY(read_all(fd, max, out, e));
	if (S_ISREG(st->st_mode))
		out->mode = st->st_mode & PERMISSIONS;
	return JW_OK;
}

static enum jw_status refuse_type(mode_t mode, struct jw_err *e)
{
	if (S_ISDIR(mode))
		return jw_fail(e, JW_INPUT, "is a directory, not a file");
	if (S_ISFIFO(mode))
		return jw_fail(e, JW_INPUT, "is a pipe, not a file (only '-' reads a pipe)");
	return jw_fail(e, JW_INPUT, "is a %s, not a file", S_ISSOCK(mode) ? "socket" : "device");
}

/* PATH cannot be opened, as WHY says. */
static enum jw_status refuse_open(const char *path, int why, struct jw_err *e)
{
	enum jw_status status = why == ENOMEM ? JW_NOMEM : JW_INPUT;
	struct stat st;

	if (why == ENXIO && stat(path, &st) == 0) /* for sockets, and devices that are not there */
		return refuse_type(st.st_mode, e);
	(void)jw_fail_errno(e, why, "cannot open");
	if (e)
		e->status = status;
	return status;
}

/* Opens PATH and fills *ST. */
static enum jw_status open_regular(const char *path, int *fd, struct stat *st, struct jw_err *e)
{
	/* else a pipe would wait for a writer, and a terminal become ours */
	int opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), why = errno;
	enum jw_status status = JW_OK;

	if (opened < 0) {
		status = refuse_open(path, why, e);
	} else if (fstat(opened, st) != 0) {
		why = errno;
		status = jw_fail_errno(e, why, "cannot inspect");
	} else if (!S_ISREG(st->st_mode)) {
		why = S_ISDIR(st->st_mode) ? EISDIR : ENXIO;
		status = refuse_type(st->st_mode, e);
	}
	if (status == JW_OK) {
		*fd = opened;
		return JW_OK;
	}
	if (opened >= 0)
		close(opened);
	errno = why;
	return status;
}

enum jw_status jw_file_fd(const char *path, int *fd, struct jw_err *e)
{
	struct stat st;

	return open_regular(path, fd, &st, e);
}

size_t jw_files_at_once(size_t wanted)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 0;
	struct rlimit more = limit;

	more.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	if (limit.rlim_cur < more.rlim_cur && setrlimit(RLIMIT_NOFILE, &more) == 0)
		limit = more;
	return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
}

static enum jw_status read_standard(size_t max, struct jw_file *out, struct jw_err *e)
{
	struct stat st;

	if (fstat(STDIN_FILENO, &st) != 0)
		return jw_fail_errno(e, errno, "cannot inspect");
	return S_ISDIR(st.st_mode) ? refuse_type(st.st_mode, e)
				   : read_fd(STDIN_FILENO, &st, max, out, e);
}

enum jw_status jw_file_open(const char *path, size_t max, struct jw_file *out, struct jw_err *e)
{
	struct stat st = { 0 };
	int fd = -1;

	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0) {
		if (read_standard(max, out, e) == JW_OK)
			return JW_OK;
		return jw_err_where(e, "standard input");
	}
	enum jw_status status = open_regular(path, &fd, &st, e);
	if (status == JW_OK) {
		status = read_fd(fd, &st, max, out, e);
		close(fd);
	}
	if (status != JW_OK)
		(void)jw_err_where(e, "%s", path);
	return status;
}

void jw_file_close(struct jw_file *f)
{
	if (f->mapped && f->bytes.n)
		munmap(f->memory, f->bytes.n);
	else
		jw_mem_free(f->memory);
	*f = (struct jw_file){ 0 };
}

void jw_file_let_go(const struct jw_file *f, size_t from, size_t to)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t first = (from + page - 1) / page * page, end = to / page * page;

	if (f->mapped && first < end && end <= f->bytes.n)
		(void)madvise((uint8_t *)f->memory + first, end - first, MADV_DONTNEED);
}

bool jw_same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

/* ---- atomic files out ---- */

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
	const char *folder = getenv("TMPDIR");
	char name[PATH_MAX];

	if (!folder || !*folder)
		folder = "/tmp";
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

/* What write() or pwrite() said of *P, of which *N bytes are left: goes on, or is it over? */
static bool wrote(ssize_t done, const void **p, size_t *n)
{
	if (done < 0 && errno == EINTR)
		return true;
	if (done <= 0) {
		errno = done ? errno : ENOSPC;
		return false;
	}
	*p = (const char *)*p + done;
	*n -= (size_t)done;
	return true;
}

bool jw_write_all(int fd, const void *p, size_t n)
{
	while (n)
		if (!wrote(write(fd, p, n), &p, &n))
			return false;
	return true;
}

bool jw_write_all_at(int fd, const void *p, size_t n, uint64_t offset)
{
	const uint64_t end = offset + n;

	while (n)
		if (!wrote(pwrite(fd, p, n, (off_t)(end - n)), &p, &n))
			return false;
	return true;
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

/* Copies what was collected into TO. */
static enum jw_status copy_out(struct jw_out *out, int to, struct jw_err *e)
{
	uint8_t part[16 * 1024];

	for (uint64_t at = 0; at < out->n;) {
		ssize_t n = pread(out->fd, part, sizeof(part), (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return jw_fail_errno(e, n ? errno : EIO, "%s: cannot read back", out->path);
		JW_TRY(write_fd(to, jw_span(part, (size_t)n), out->path, e));
		at += (uint64_t)n;
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
		fd = make_temp(out, st.st_mode & PERMISSIONS, -1);
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

static bool make_folder(const char *path, mode_t mode, bool *made)
{
	struct stat st;

	*made = mkdir(path, mode) == 0;
	if (*made)
		return true;
	int why = errno;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	errno = why == EEXIST ? ENOTDIR : why;
	return false;
}

bool jw_make_folders(const char *path, mode_t mode, bool *made)
{
	char part[PATH_MAX];
	size_t n = strlen(path);
	bool is_new = false;

	if (n >= sizeof(part)) {
		errno = ENAMETOOLONG;
		return false;
	}
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (!make_folder(part, mode, &is_new))
			return false;
	}
	if (made)
		*made = is_new;
	return true;
}
