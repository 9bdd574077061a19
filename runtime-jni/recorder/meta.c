#define _GNU_SOURCE /* fallocate(); NOLINT(bugprone-reserved-identifier) */
#include "runtime-jni/recorder/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "trace/format/methodmap.h"
#include "trace/format/recording.h"

#include "base/banned.h"

#define AHEAD       65536 /* bytes reserved on disk */
#define PATIENCE_MS 5000

static _Atomic int meta = -1;
static _Atomic unsigned writing; /* threads that may be about to write to it */
static _Atomic bool held;        /* no thread may begin to */
static _Atomic uint64_t bytes;   /* of lines */
static _Atomic bool torn;        /* the last write was cut: the next line begins with a line feed */

static void reserve_ahead(int fd, uint64_t from)
{
#ifdef FALLOC_FL_KEEP_SIZE
	/* may be refused: then the last lines depend on the disk having room */
	int refused = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)from, AHEAD);
	(void)refused;
#endif
}

bool rt_meta_open(int folder, unsigned version)
{
	struct jw_buf line = { 0 };
	int fd = openat(folder, "meta", O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0)
		return false;
	reserve_ahead(fd, 0);
	atomic_store(&bytes, 0);
	atomic_store(&meta, fd);
	rt_meta_begin(&line, "jweave-recording");
	rt_meta_number(&line, version);
	rt_meta_end(&line);
	if (!atomic_load(&torn))
		return true;
	rt_meta_close();
	errno = ENOSPC;
	return false;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

/* False: a line does not get done. */
static bool is_quiet(void)
{
	for (int tries = 0; atomic_load(&writing); tries++) {
		if (tries >= PATIENCE_MS * 10)
			return false;
		nap();
	}
	return true;
}

/* Its number may name another file as soon as it is closed: not before the last line is out. */
void rt_meta_close(void)
{
	int fd = atomic_exchange(&meta, -1);

	if (fd >= 0 && is_quiet()) /* else better never closed */
		close(fd);
}

bool rt_meta_hold(void)
{
	atomic_store(&held, true);
	bool quiet = is_quiet();

	if (!quiet)
		atomic_store(&held, false);
	return quiet;
}

void rt_meta_go_on(void)
{
	atomic_store(&held, false);
}

void rt_meta_moves(int fd, uint64_t size)
{
	int old = atomic_load(&meta);

	reserve_ahead(fd, size);
	atomic_store(&bytes, size);
	if (old < 0 || !atomic_compare_exchange_strong(&meta, &old, fd))
		old = fd; /* it was closed */
	close(old);
}

static void begin_writing(void)
{
	atomic_fetch_add(&writing, 1);
	while (atomic_load(&held)) {
		atomic_fetch_sub(&writing, 1);
		nap();
		atomic_fetch_add(&writing, 1);
	}
}

/* A thread that was writing does so in the parent. */
void rt_meta_silence(void)
{
	int fd = atomic_exchange(&meta, -1);

	atomic_store(&held, false);
	if (fd >= 0)
		close(fd);
}

uint64_t rt_meta_bytes(void)
{
	return atomic_load_explicit(&bytes, memory_order_relaxed);
}

void rt_meta_begin(struct jw_buf *line, const char *item)
{
	if (atomic_exchange(&torn, false))
		jw_put_u1(line, '\n');
	jw_put_str(line, item);
}

void rt_meta_number(struct jw_buf *line, uint64_t value)
{
	jw_put_u1(line, '\t');
	jw_put_dec(line, value);
}

void rt_meta_text(struct jw_buf *line, const char *text)
{
	jw_put_u1(line, '\t');
	trace_put_field(line, jw_span_str(text ? text : ""));
}

void rt_meta_end(struct jw_buf *line)
{
	int saved = errno;
	ssize_t n = -1;

	jw_put_u1(line, '\n');
	begin_writing();
	int fd = atomic_load(&meta);
	if (fd >= 0 && !line->failed) {
		do
			n = write(fd, line->p, line->n);
		while (n < 0 && errno == EINTR);
		atomic_fetch_add(&bytes, n > 0 ? (uint64_t)n : 0);
		if (n >= 0 && (size_t)n < line->n)
			atomic_store(&torn, true);
	}
	atomic_fetch_sub(&writing, 1);
	jw_buf_free(line);
	errno = saved;
}

void rt_meta_item(const char *item, const char *text)
{
	struct jw_buf line = { 0 };

	rt_meta_begin(&line, item);
	rt_meta_text(&line, text);
	rt_meta_end(&line);
}
