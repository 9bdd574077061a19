#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#include "base/banned.h"

#define CHUNK ((size_t)256 << 10) /* what is read at once of a file of unknown length */

/* ---- whole files in ---- */

/* Reads FD to its end: for "-" and files of /proc, whose length is not known. */
static enum jw_status read_all(int fd, size_t max, struct jw_file *out, struct jw_err *e)
{
	struct jw_buf all = { 0 };
	enum jw_status status = JW_OK;

	for (;;) {
		jw_buf_reserve(&all, CHUNK);
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
	struct jw_file file = { .mapped = true, .mode = st->st_mode & JW_PERMISSIONS };

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
		out->mode = st->st_mode & JW_PERMISSIONS;
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

/* The limit before it was raised; none where it was not. */
static struct rlimit files_before;

size_t jw_files_at_once(size_t wanted)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 0;
	struct rlimit more = limit;

	more.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	if (limit.rlim_cur < more.rlim_cur && setrlimit(RLIMIT_NOFILE, &more) == 0) {
		if (!files_before.rlim_max)
			files_before = limit;
		limit = more;
	}
	return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
}

void jw_files_as_before(void)
{
	if (files_before.rlim_max)
		(void)setrlimit(RLIMIT_NOFILE, &files_before);
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

const char *jw_temp_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder == '/' ? folder : "/tmp";
}

bool jw_same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

/* ---- writing and reading ---- */

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

size_t jw_read_at(int fd, void *p, size_t n, uint64_t offset)
{
	size_t done = 0;

	errno = 0;
	while (done < n) {
		ssize_t got = pread(fd, (char *)p + done, n - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		errno = 0;
		done += (size_t)got;
	}
	return done;
}

/* ---- folders ---- */

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

bool jw_is_empty_folder(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool empty = dir != NULL;

	while (empty && (entry = readdir(dir)))
		empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	if (dir)
		closedir(dir);
	return empty;
}
