#include "runtime-jni/recorder/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "runtime-jni/recorder/archives.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/meta_trim.h"
#include "runtime-jni/recorder/ring.h"
#include "runtime-jni/recorder/state.h"
#include "runtime-jni/recorder/sums.h"
#include "trace/format/fields.h"

#include "base/banned.h"

#define NAMES_TRIED 10000
#define PATIENCE_MS 200 /* for a thread that is writing its window out: it is a chunk then */

/* ---- windows ---- */

struct copying {
	int fd;
	bool failed;
	struct jwr_window *copy; /* owned */
	uint32_t left_out;       /* tables of a summary, in the middle of a change */
};

/* The owner may be storing records, after the cursor that is read here; it cannot empty the window, nor set the cursor
 * back, while `busy` is held. */
static void copy_window(void *ctx, struct rt_slot *slot)
{
	struct copying *c = ctx;
	const struct jwr_window *w = slot->window;

	if (c->failed || w == &slot->none || !atomic_load(&slot->owned))
		return;
	if (!rt_slot_lock(slot, PATIENCE_MS))
		return;
	uint64_t cursor = __atomic_load_n(&w->cursor, __ATOMIC_ACQUIRE);
	bool live = !slot->done && __atomic_load_n(&w->magic, __ATOMIC_ACQUIRE) == JWR_MAGIC &&
		    cursor >= JWR_HEADER_SIZE && cursor <= JWR_WINDOW_SIZE;
	if (live) {
		uint32_t waits = __atomic_load_n(&w->waits, __ATOMIC_ACQUIRE) &&
				 cursor + sizeof(struct jwr_record) <= JWR_WINDOW_SIZE;

		memset(c->copy, 0, JWR_WINDOW_SIZE);
		*c->copy = (struct jwr_window){ .cursor = cursor,
						.limit = JWR_WINDOW_FULL,
						.magic = JWR_MAGIC,
						.thread = w->thread,
						.seq = w->seq,
						.waits = waits,
						.lost = __atomic_load_n(&w->lost, __ATOMIC_RELAXED),
						.began = w->began };
		memcpy((char *)c->copy + JWR_HEADER_SIZE, (const char *)w + JWR_HEADER_SIZE,
		       cursor - JWR_HEADER_SIZE + waits * sizeof(struct jwr_record));
	}
	rt_slot_unlock(slot);
	if (live)
		c->failed = !jw_write_all(c->fd, c->copy, JWR_WINDOW_SIZE);
}

static bool copy_windows(int into)
{
	struct copying c = {
		.fd = openat(into, "windows", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666),
		.copy = jw_mem_alloc(JWR_WINDOW_SIZE),
	};

	c.failed = c.fd < 0 || !c.copy;
	pthread_mutex_lock(&rt_recorder.lock); /* no slot comes or goes */
	if (!c.failed)
		rt_slots_each(copy_window, &c);
	pthread_mutex_unlock(&rt_recorder.lock);
	int failed = errno;
	jw_mem_free(c.copy);
	if (c.fd >= 0)
		close(c.fd);
	errno = failed;
	return !c.failed;
}

/* ---- the rest ---- */

/* The file NAME of the recording, and TAIL after it; one that is not there is only TAIL. */
static bool copy_text(const char *name, int into, struct jw_span tail)
{
	char path[4096];

	snprintf(path, sizeof(path), "%.4000s/%s", rt_recorder.names.folder, name);
	int from = open(path, O_RDONLY | O_CLOEXEC);
	if (from < 0 && tail.n == 0)
		return true;
	return rt_copy_to(from, into, name, tail);
}

/* Its windows lie beside it; its clock is known up to now; LEFT_OUT threads are not in it. */
static bool copy_meta(int into, uint32_t left_out)
{
	struct jwr_clock_point now = trace_tick_point(rt_recorder.clock, 9);
	struct jw_buf tail = { 0 };

	jw_put_fmt(&tail,
		   "\nwindows\twindows\nclock-point\t%llu\t%llu\t%llu\n"
		   "cpu\t%llu\t%llu\nend\t%llu\tdump\n",
		   (unsigned long long)now.tick, (unsigned long long)now.mono_ns,
		   (unsigned long long)now.wall_ns, (unsigned long long)now.tick,
		   (unsigned long long)rt_process_cpu(), (unsigned long long)now.tick);
	if (left_out)
		jw_put_fmt(&tail,
			   "note\tthis dump lacks %u of the threads, stopped in the middle of a "
			   "change\n",
			   left_out);
	bool copied = !tail.failed && copy_text("meta", into, jw_buf_span(&tail));
	jw_buf_free(&tail);
	return copied;
}

/* ---- sums ---- */

#define NOW JWR_DATA ".1"

static void copy_table(void *ctx, struct rt_slot *slot)
{
	struct copying *c = ctx;

	if (!c->failed && slot->window != &slot->none && atomic_load(&slot->owned))
		c->failed = !rt_sums_copy_out(slot, c->fd, &c->left_out);
}

/* The tables that are at work, then those that have been written out: one that is in between is in
 * both, under one number. */
static bool copy_sums(int into, uint32_t *left_out)
{
	struct copying c = {
		.fd = openat(into, NOW, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666),
	};

	c.failed = c.fd < 0;
	pthread_mutex_lock(&rt_recorder.lock); /* no slot comes or goes */
	if (!c.failed)
		rt_slots_each(copy_table, &c);
	pthread_mutex_unlock(&rt_recorder.lock);
	int failed = errno;
	if (c.fd >= 0)
		close(c.fd);
	errno = failed;
	*left_out = c.left_out;
	return !c.failed && copy_text(JWR_DATA, into, (struct jw_span){ 0 });
}

/* windows before chunks: one that is written out in between is in both, never in neither */
static bool copy_what_is_logged(int into, uint32_t *left_out)
{
	return rt_recorder.mode == RT_MODE_SUMMARY ? copy_sums(into, left_out)
						   : copy_windows(into) && rt_ring_share(into);
}

static void remove_dump(const char *path, int folder)
{
	static const char *const parts[] = /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma) */
		{ "windows", "meta", JWR_DATA, NOW, JWR_REGIONS };

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		unlinkat(folder, parts[i], 0);
	rt_ring_unshare(folder);
	rt_archives_remove(folder);
	rmdir(path);
}

/* A fresh folder; -1: errno. */
static int create(char *path, size_t size)
{
	for (unsigned i = 1; i <= NAMES_TRIED; i++) {
		int n = snprintf(path, size, "%s-dump-%u.jwr", rt_recorder.names.base, i);

		if (n < 0 || (size_t)n >= size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		if (mkdir(path, 0777) == 0)
			return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

const char *rt_dump(char *path, size_t size)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	const char *why = NULL;
	uint32_t left_out = 0;

	pthread_mutex_lock(&one);
	bool all_named = rt_trim_pause();
	int folder = create(path, size);
	if (folder < 0 || !copy_what_is_logged(folder, &left_out) ||
	    !copy_text(JWR_REGIONS, folder, (struct jw_span){ 0 }) ||
	    !copy_meta(folder, left_out)) {
		why = strerror(errno);
		if (folder >= 0)
			remove_dump(path, folder);
	}
	if (all_named)
		rt_trim_go_on();
	if (!why)
		rt_archives_share(folder);
	if (folder >= 0)
		close(folder);
	pthread_mutex_unlock(&one);
	return why;
}
