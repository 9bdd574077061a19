/*
 * recording_files.c: the files of a recording: where they are, and those that are open.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

/* Opens PATH; *FD is -1 where that fails, and errno says why. What is there and is no regular file
 * is an error: whoever reads it might never end. */
static enum jw_status open_file(const char *path, int *fd, struct jw_err *e)
{
	struct jw_err why = { 0 };
	const char *slash = strrchr(path, '/');

	if (jw_file_fd(path, fd, &why) == JW_OK)
		return JW_OK;
	*fd = -1;
	if (errno != EISDIR && errno != ENXIO)
		return JW_OK;
	return jw_fail(e, JW_INPUT, "'%s' %s", slash ? slash + 1 : path, why.text);
}

enum jw_status trace_file_in(const char *folder, const char *name, int *fd, struct jw_err *e)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

	*fd = -1;
	errno = ENAMETOOLONG;
	return n < 0 || (size_t)n >= sizeof(path) ? JW_OK : open_file(path, fd, e);
}

/* The windows lie where meta says; a recording that was moved has them in its folder, if at all. */
enum jw_status trace_file_windows(const struct trace_recording *rec, int *fd, struct jw_err *e)
{
	*fd = -1;
	if (rec->windows_path[0] == '/')
		JW_TRY(open_file(rec->windows_path, fd, e));
	else if (rec->windows_path[0])
		JW_TRY(trace_file_in(rec->path, rec->windows_path, fd, e));
	return *fd >= 0 ? JW_OK : trace_file_in(rec->path, "windows", fd, e);
}

/* Of a summary, the file beside `windows`; -1: there is none. */
enum jw_status trace_file_tables(const struct trace_recording *rec, int *fd, struct jw_err *e)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s." JWR_TABLES, rec->windows_path);

	*fd = -1;
	if (n > 0 && (size_t)n < sizeof(path) && rec->windows_path[0] == '/')
		JW_TRY(open_file(path, fd, e));
	return *fd >= 0 ? JW_OK : trace_file_in(rec->path, JWR_TABLES, fd, e);
}

void trace_recording_rest(struct trace_recording *rec)
{
	for (size_t i = 0; i < rec->file_count; i++)
		close(rec->files[i].fd);
	if (rec->windows_fd >= 0)
		close(rec->windows_fd);
	for (size_t i = 0; i < rec->file_count; i++)
		rec->files[i].fd = -1;
	rec->windows_fd = -1;
	rec->resting = true;
}

/* Opens the file of records NUMBER again; -1: it is gone. */
static int open_data(const struct trace_recording *rec, uint64_t number)
{
	struct jw_err ignored = { 0 };
	char name[32] = JWR_DATA;
	int fd = -1;

	if (number)
		snprintf(name, sizeof(name), JWR_DATA ".%llu", (unsigned long long)number);
	return trace_file_in(rec->path, name, &fd, &ignored) == JW_OK ? fd : -1;
}

static int open_windows(const struct trace_recording *rec)
{
	struct jw_err ignored = { 0 };
	int fd = -1;

	return trace_file_windows(rec, &fd, &ignored) == JW_OK ? fd : -1;
}

/* Of the chunk that window P became, where it is in FD from FROM on, N bytes AT after its first. */
static size_t read_chunk(int fd, uint64_t from, const struct trace_piece *p, void *out, size_t n,
			 uint64_t at)
{
	uint64_t records;

	return fd >= 0 && trace_chunk_find(fd, from, p, &records)
		       ? jw_read_at(fd, out, n, records + at)
		       : 0;
}

/* The same, wherever it is: after what was whole before, or in a later file of a ring. */
static size_t read_moved(const struct trace_recording *rec, const struct trace_piece *p, void *out,
			 size_t n, uint64_t at)
{
	uint64_t last = 0;
	size_t got = 0;

	for (size_t i = 0; i < rec->file_count && !got; i++) {
		const struct trace_data_file *f = &rec->files[i];
		int fd = rec->resting ? open_data(rec, f->number) : f->fd;

		got = read_chunk(fd, f->settled, p, out, n, at);
		if (rec->resting && fd >= 0)
			close(fd);
		last = f->number;
	}
	for (int fd; rec->ring && !got && (fd = open_data(rec, ++last)) >= 0; close(fd))
		got = read_chunk(fd, 0, p, out, n, at);
	return got;
}

static size_t read_window(const struct trace_recording *rec, const struct trace_piece *p, void *out,
			  size_t n, uint64_t offset)
{
	int fd = rec->resting ? open_windows(rec) : rec->windows_fd;
	size_t got = fd < 0 ? 0 : jw_read_at(fd, out, n, offset);
	bool there = fd >= 0 && trace_window_has(fd, p);

	if (rec->resting && fd >= 0)
		close(fd);
	return there ? got : read_moved(rec, p, out, n, offset - p->offset);
}

size_t trace_piece_read(const struct trace_recording *rec, const struct trace_piece *p, void *out,
			size_t n, uint64_t offset)
{
	if (p->window)
		return read_window(rec, p, out, n, offset);
	if (!rec->resting)
		return jw_read_at(rec->files[p->file].fd, out, n, offset);
	int fd = open_data(rec, rec->files[p->file].number);
	if (fd < 0)
		return 0;
	size_t got = jw_read_at(fd, out, n, offset);

	close(fd);
	return got;
}
