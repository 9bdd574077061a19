#include "runtime-jni/recorder/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/meta.h"
#include "trace/format/recording.h"

#include "base/banned.h"

#define PARTS         8 /* of the bound: a segment is one, so that so much may be missing of it */
#define SEGMENT_LEAST ((uint64_t)2 * JWR_FULL_CHUNK)
#define SEGMENT_MOST  (UINT64_C(64) << 20)
#define WAIT_MS       2000 /* for a chunk that is being written */

struct rt_ring_segment {
	uint64_t bytes;
	uint64_t number; /* of its file */
	uint64_t mark;   /* bytes of meta when it began */
	unsigned writers;
	int fd; /* -1: complete, and closed */
};

static struct {
	pthread_mutex_t lock;
	int folder;
	uint64_t most, windows;       /* bytes of the recording, and of windows */
	uint64_t segment, file_bytes; /* bytes of one, and of one at the end */
	uint64_t last;                /* number of the latest */
	uint64_t held, total;
	struct rt_ring_segment
		list[RT_RING_SEGMENTS]; /* from `first` on; the last one is appended to */
	unsigned first, count;
} ring = { .lock = PTHREAD_MUTEX_INITIALIZER, .folder = -1 };

static struct rt_ring_segment *at(unsigned i)
{
	return &ring.list[(ring.first + i) % RT_RING_SEGMENTS];
}

static void name_of(const struct rt_ring_segment *s, char name[32])
{
	snprintf(name, 32, JWR_DATA ".%llu", (unsigned long long)s->number);
}

static void settle(struct rt_ring_segment *s)
{
	if (s->writers || s->fd < 0)
		return;
	close(s->fd);
	s->fd = -1;
}

/* The oldest goes. A chunk that is still being written into it goes with it. */
static void drop_first(void)
{
	char name[32];

	name_of(at(0), name);
	unlinkat(ring.folder, name, 0);
	ring.held -= at(0)->bytes;
	settle(at(0));
	ring.first = (ring.first + 1) % RT_RING_SEGMENTS;
	ring.count--;
}

/* Of the whole, what chunks have in any case. */
static uint64_t chunks_least(void)
{
	return ring.most / 4;
}

/* What windows and meta leave, but a quarter where they take more. */
static uint64_t room(void)
{
	uint64_t least = chunks_least(), others = ring.windows + rt_meta_bytes();

	return others < ring.most - least ? ring.most - others : least;
}

static bool has_room(void)
{
	return ring.count < RT_RING_SEGMENTS && ring.held + ring.segment <= room();
}

static bool may_drop_first(void)
{
	return ring.count && !at(0)->writers;
}

/* A fresh segment after the others. */
static bool add_segment(void)
{
	struct rt_ring_segment fresh = { .number = ring.last + 1, .mark = rt_meta_bytes() };
	char name[32];

	if (ring.count)
		settle(at(ring.count - 1));
	while (!has_room() && may_drop_first())
		drop_first();
	if (ring.count == RT_RING_SEGMENTS) {
		errno = EBUSY;
		return false;
	}
	name_of(&fresh, name);
	fresh.fd = openat(ring.folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fresh.fd < 0)
		return false;
	ring.last++;
	*at(ring.count++) = fresh;
	return true;
}

bool rt_ring_open(int folder, uint64_t bytes, uint64_t file_bytes)
{
	ring.folder = folder;
	ring.most = bytes;
	ring.windows = 0;
	ring.file_bytes = file_bytes;
	ring.segment = bytes / PARTS < SEGMENT_MOST ? bytes / PARTS : SEGMENT_MOST;
	if (ring.segment < SEGMENT_LEAST)
		ring.segment = SEGMENT_LEAST;
	if (ring.segment > file_bytes)
		ring.segment = file_bytes;
	return add_segment();
}

void rt_ring_close(void)
{
	pthread_mutex_lock(&ring.lock);
	while (ring.count)
		drop_first();
	if (ring.folder >= 0)
		close(ring.folder);
	ring.folder = -1;
	pthread_mutex_unlock(&ring.lock);
}

void rt_ring_narrow(uint64_t bytes)
{
	pthread_mutex_lock(&ring.lock);
	ring.windows += bytes;
	pthread_mutex_unlock(&ring.lock);
}

bool rt_ring_may_narrow(uint64_t bytes)
{
	pthread_mutex_lock(&ring.lock);
	uint64_t most = ring.most - chunks_least();
	bool may = ring.windows < most && bytes <= most - ring.windows;
	pthread_mutex_unlock(&ring.lock);
	return may;
}

void rt_ring_widen(void)
{
	pthread_mutex_lock(&ring.lock);
	ring.most = UINT64_MAX;
	ring.segment = ring.file_bytes < UINT64_MAX / 2 ? ring.file_bytes : UINT64_MAX / 2;
	pthread_mutex_unlock(&ring.lock);
}

static bool enter(uint64_t bytes, struct rt_ring_place *out)
{
	struct rt_ring_segment *s = ring.count ? at(ring.count - 1) : NULL;

	if (!s || s->fd < 0 || (s->bytes && s->bytes + bytes > ring.segment)) {
		if (!add_segment())
			return false;
		s = at(ring.count - 1);
	}
	*out = (struct rt_ring_place){ s, s->bytes, s->fd };
	s->bytes += bytes;
	s->writers++;
	ring.held += bytes;
	ring.total += bytes;
	return true;
}

/* Would a new segment have to wait for a chunk that is still being written into the oldest? */
static bool is_held_up(uint64_t bytes)
{
	return ring.count && at(ring.count - 1)->bytes + bytes > ring.segment && !has_room() &&
	       !may_drop_first();
}

static void nap(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	pthread_mutex_unlock(&ring.lock);
	nanosleep(&pause, NULL);
	pthread_mutex_lock(&ring.lock);
}

bool rt_ring_enter(uint64_t bytes, struct rt_ring_place *out)
{
	pthread_mutex_lock(&ring.lock);
	for (int tries = 0; tries < WAIT_MS && is_held_up(bytes); tries++)
		nap();
	bool entered = enter(bytes, out);
	pthread_mutex_unlock(&ring.lock);
	return entered;
}

void rt_ring_leave(const struct rt_ring_place *place)
{
	pthread_mutex_lock(&ring.lock);
	place->segment->writers--;
	if (place->segment != at(ring.count - 1))
		settle(place->segment);
	pthread_mutex_unlock(&ring.lock);
}

static bool has_bytes(const struct rt_ring_segment *s)
{
	char name[32];

	name_of(s, name);
	int fd = openat(ring.folder, name, O_RDONLY | O_CLOEXEC);
	bool has = fd >= 0 && lseek(fd, 0, SEEK_END) > 0;

	if (fd >= 0)
		close(fd);
	return has;
}

bool rt_ring_has_bytes(void)
{
	bool has = false;

	pthread_mutex_lock(&ring.lock);
	for (unsigned i = 0; i < ring.count && !has; i++)
		has = has_bytes(at(i));
	pthread_mutex_unlock(&ring.lock);
	return has;
}

uint64_t rt_ring_bytes(void)
{
	pthread_mutex_lock(&ring.lock);
	uint64_t held = ring.held;
	pthread_mutex_unlock(&ring.lock);
	return held;
}

uint64_t rt_ring_total(void)
{
	pthread_mutex_lock(&ring.lock);
	uint64_t total = ring.total;
	pthread_mutex_unlock(&ring.lock);
	return total;
}

void rt_ring_marks(struct rt_ring_marks *out)
{
	pthread_mutex_lock(&ring.lock);
	out->n = ring.count;
	for (unsigned i = 0; i < ring.count; i++)
		out->at[i] = at(i)->mark;
	pthread_mutex_unlock(&ring.lock);
}

void rt_ring_move_marks(uint64_t (*moved)(void *ctx, uint64_t mark), void *ctx)
{
	pthread_mutex_lock(&ring.lock);
	for (unsigned i = 0; i < ring.count; i++)
		at(i)->mark = moved(ctx, at(i)->mark);
	pthread_mutex_unlock(&ring.lock);
}

/* ---- sharing ---- */

static bool copy_file(const char *name, int into)
{
	int from = openat(ring.folder, name, O_RDONLY | O_CLOEXEC);

	return from >= 0 && rt_copy_to(from, into, name, jw_span(NULL, 0));
}

/* Waits, without the lock, until no chunk is being written; the lock is held again then. */
static void wait_for_writers(void)
{
	for (int tries = 0; tries < WAIT_MS; tries++) {
		bool busy = false;

		for (unsigned i = 0; i + 1 < ring.count; i++)
			busy |= at(i)->writers;
		if (!busy)
			return;
		nap();
	}
}

static bool share_one(const struct rt_ring_segment *s, int into)
{
	char name[32];

	name_of(s, name);
	if (s->bytes == 0 || linkat(ring.folder, name, into, name, 0) == 0)
		return true;
	return copy_file(name, into);
}

bool rt_ring_share(int into)
{
	bool shared = true;

	pthread_mutex_lock(&ring.lock);
	/* what is appended from now on goes into another file: a link would see it */
	if (ring.count && at(ring.count - 1)->bytes)
		shared = add_segment();
	wait_for_writers();
	for (unsigned i = 0; shared && i < ring.count; i++)
		if (i + 1 < ring.count)
			shared = share_one(at(i), into);
	pthread_mutex_unlock(&ring.lock);
	return shared;
}

void rt_ring_unshare(int into)
{
	char name[32];

	pthread_mutex_lock(&ring.lock);
	for (unsigned i = 0; i < ring.count; i++) {
		name_of(at(i), name);
		unlinkat(into, name, 0);
	}
	pthread_mutex_unlock(&ring.lock);
}
