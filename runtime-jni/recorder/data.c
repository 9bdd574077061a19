#include "runtime-jni/recorder/data.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/ring.h"

#include "base/banned.h"

#define SPACE_STEP_LEAST (UINT64_C(1) << 17)
#define SPACE_STEP_MOST  (UINT64_C(16) << 20)

_Static_assert(sizeof(struct jwr_window) + sizeof(struct jwr_chunk) <= JWR_HEADER_SIZE,
	       "the chunk's header is built at the end of the window's header page");
_Static_assert(sizeof(struct jwr_chunk) % sizeof(struct jwr_record) == 0, "records stay aligned");

static struct {
	int fd;
	enum trace_ticks clock;
	struct rt_data_limits limits;
	uint64_t space_step;      /* free space is looked at every so many bytes */
	_Atomic uint64_t end;     /* where the next chunk goes */
	_Atomic uint64_t windows; /* bytes of windows */
	bool rings;               /* chunks go into the ring */
} data = { .fd = -1 };

const char rt_data_size_limit[] = "the recording has reached its size limit (JWEAVE_MAX_SIZE)";

void rt_data_open(int fd, enum trace_ticks clock, struct rt_data_limits limits)
{
	data.fd = fd;
	data.rings = fd < 0;
	data.clock = clock;
	data.limits = limits;
	data.space_step = limits.floor / 8;
	if (data.space_step < SPACE_STEP_LEAST)
		data.space_step = SPACE_STEP_LEAST;
	if (data.space_step > SPACE_STEP_MOST)
		data.space_step = SPACE_STEP_MOST;
	atomic_store(&data.end, 0);
	atomic_store(&data.windows, 0);
}

void rt_data_close(void)
{
	if (data.fd >= 0)
		close(data.fd);
	if (data.rings)
		rt_ring_close();
	data.fd = -1;
}

void rt_data_account(uint64_t bytes)
{
	if (data.rings)
		rt_ring_narrow(bytes);
	else
		atomic_fetch_add(&data.windows, bytes);
}

void rt_data_take_windows(void)
{
	if (data.rings)
		rt_ring_widen();
}

uint64_t rt_data_bytes(void)
{
	return data.rings ? rt_ring_bytes() : atomic_load(&data.end);
}

static const char *space_left(int fd, uint64_t from, uint64_t bytes)
{
	uint64_t floor, free_bytes;
	struct stat st;

	if (from && from / data.space_step == (from + bytes) / data.space_step)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_nlink == 0)
		return "it was removed";
	rt_output_space(fd, &floor, &free_bytes);
	return free_bytes < data.limits.floor ? "the file system is nearly full" : NULL;
}

static const char *reason_of(int failed)
{
	switch (failed) {
	case ENOSPC:
		return "no space left on the device";
	case EDQUOT:
		return "the disk quota is exceeded";
	case EFBIG:
		return "the file is too large for its file system or ulimit -f";
	case EMFILE:
	case ENFILE:
		return "no more files can be opened (ulimit -n)";
	case ENOENT:
		return "it was removed";
	case EIO:
		return "the disk reports an error (EIO)";
	default:
		return "the file system does not take what is written";
	}
}

/* Bytes of the recording that are not chunks. */
static uint64_t others(void)
{
	return atomic_load(&data.windows) + rt_meta_bytes();
}

/* BYTES of the file for one chunk at PLACE. */
static const char *reserve(uint64_t bytes, bool last, struct rt_ring_place *place)
{
	if (data.rings)
		return rt_ring_enter(bytes, place)
			       ? last ? NULL : space_left(place->fd, rt_ring_total() - bytes, bytes)
			       : reason_of(errno);

	uint64_t from = atomic_load_explicit(&data.end, memory_order_relaxed), at, to;

	do {
		at = bytes < JWR_PAGE ? from : (from + JWR_PAGE - 1) / JWR_PAGE * JWR_PAGE;
		to = at + bytes;
		if (to > data.limits.file_bytes)
			return "the limit of file sizes (ulimit -f) is reached";
		if (!last && to + others() > data.limits.max_bytes)
			return rt_data_size_limit;
	} while (!atomic_compare_exchange_weak(&data.end, &from, to));
	*place = (struct rt_ring_place){ NULL, at, data.fd };
	return last ? NULL : space_left(data.fd, at, bytes);
}

static const char *append(const void *chunk, uint64_t bytes, bool last, struct rt_ring_place *place)
{
	uint64_t padded = (bytes + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN;
	const char *why = reserve(padded, last, place);

	if (!why && !jw_write_all_at(place->fd, chunk, bytes, place->offset)) {
		uint32_t none = 0;

		why = reason_of(errno);
		/* a chunk that was cut must not count: its window still does */
		ssize_t n = pwrite(place->fd, &none, sizeof(none), (off_t)place->offset);
		(void)n;
	}
	if (place->segment)
		rt_ring_leave(place);
	return why;
}

const char *rt_data_append(const void *chunk, uint64_t bytes, bool last)
{
	struct rt_ring_place place = { 0 };

	return append(chunk, bytes, last, &place);
}

/* Its chunk's header is right before the records, so that one write takes both. */
static struct jwr_chunk *chunk_of(struct jwr_window *w)
{
	return (struct jwr_chunk *)(void *)((char *)w + JWR_HEADER_SIZE - sizeof(struct jwr_chunk));
}

static struct jwr_chunk head_of(const struct jwr_window *w, uint64_t bytes)
{
	return (struct jwr_chunk){ .magic = JWR_MAGIC,
				   .thread = w->thread,
				   .seq = w->seq,
				   .bytes = (uint32_t)bytes,
				   .began = w->began,
				   .ended = trace_tick_point(data.clock, 1) };
}

/* The records of W in its first BYTES. */
static const char *write_window(struct jwr_window *w, uint64_t bytes, bool last, uint64_t *at)
{
	struct jwr_chunk *chunk = chunk_of(w);
	struct rt_ring_place place = { 0 };

	if (bytes == 0)
		return NULL;
	*chunk = head_of(w, bytes);
	const char *why = append(chunk, sizeof(*chunk) + bytes, last, &place);
	if (at)
		*at = data.rings ? 0 : place.offset + sizeof(*chunk);
	return why;
}

/* How many bytes of records W has. */
static uint64_t bytes_of(const struct jwr_window *w)
{
	uint64_t cursor = __atomic_load_n(&w->cursor, __ATOMIC_ACQUIRE);

	return cursor < JWR_HEADER_SIZE ? 0 : cursor - JWR_HEADER_SIZE;
}

const char *rt_data_write(struct jwr_window *w, uint64_t *at)
{
	return write_window(w, bytes_of(w), false, at);
}

/* The wait that the thread of W tells once it is over, right after BYTES; NULL: none goes on. */
static const struct jwr_record *expected(const struct jwr_window *w, uint64_t bytes)
{
	if (!__atomic_load_n(&w->waits, __ATOMIC_ACQUIRE) ||
	    bytes + sizeof(struct jwr_record) > JWR_RECORDS_SIZE)
		return NULL;
	return (const struct jwr_record *)(const void *)((const char *)w + JWR_HEADER_SIZE + bytes);
}

struct rt_open_wait rt_data_open_wait(const struct jwr_window *w)
{
	const struct jwr_record *r = expected(w, bytes_of(w));

	return r ? (struct rt_open_wait){ r->tick, r->word, 0, -1 } : (struct rt_open_wait){ 0 };
}

/* The first BYTES of W's records, and after them OPEN with its place. Its thread may be storing records there at
 * this very moment: so not in place. False: no memory. */
static bool write_told(const struct jwr_window *w, uint64_t bytes, const struct rt_open_wait *open,
		       const char **why)
{
	const struct jwr_record told[] = {
		{ open->since, jwr_word(JWR_PLACE, open->place) },
		{ open->since, open->word },
	};
	struct jwr_chunk *chunk = jw_mem_alloc(sizeof(*chunk) + bytes + sizeof(told));

	if (!chunk)
		return false;
	*chunk = head_of(w, bytes + sizeof(told));
	memcpy(chunk + 1, (const char *)w + JWR_HEADER_SIZE, bytes);
	memcpy((char *)(chunk + 1) + bytes, told, sizeof(told));
	*why = rt_data_append(chunk, sizeof(*chunk) + bytes + sizeof(told), true);
	jw_mem_free(chunk);
	return true;
}

const char *rt_data_write_last(struct jwr_window *w, const struct rt_open_wait *open)
{
	uint64_t bytes = bytes_of(w);
	const struct jwr_record *r = expected(w, bytes);
	const char *why = NULL;

	if (r && open->since && open->since == r->tick && write_told(w, bytes, open, &why))
		return why;
	return write_window(w, bytes + (r ? sizeof(*r) : 0), true, NULL);
}

size_t rt_data_read(void *out, uint64_t offset, size_t n)
{
	ssize_t got = data.fd < 0 ? 0 : pread(data.fd, out, n, (off_t)offset);

	return got > 0 ? (size_t)got : 0;
}

bool rt_data_has_room(uint64_t bytes)
{
	if (data.rings)
		return rt_ring_may_narrow(bytes);
	uint64_t used = atomic_load(&data.end) + others();

	return used <= data.limits.max_bytes && bytes <= data.limits.max_bytes - used;
}

bool rt_data_take_back(uint64_t at, uint64_t offset, unsigned most, bool (*also)(uint64_t word))
{
	static const uint64_t none = JWR_TAKEN_BACK;
	const size_t word_at = offsetof(struct jwr_record, word);
	struct jwr_record r;

	if (!at || data.fd < 0 ||
	    !jw_write_all_at(data.fd, &none, sizeof(none), at + offset + word_at))
		return false;
	for (unsigned i = 0; i < most; i++) {
		offset += sizeof(r);
		if (offset >= JWR_RECORDS_SIZE ||
		    pread(data.fd, &r, sizeof(r), (off_t)(at + offset)) != (ssize_t)sizeof(r) ||
		    !also(r.word))
			break;
		(void)jw_write_all_at(data.fd, &none, sizeof(none), at + offset + word_at);
	}
	return true;
}

void rt_data_emptied(struct jwr_window *w)
{
	struct jwr_chunk *chunk = chunk_of(w);

	/* in this order: should the process die in between, no record counts twice, and none is
	 * lost */
	__atomic_store_n(&w->cursor, (uint64_t)JWR_HEADER_SIZE, __ATOMIC_RELEASE);
	w->began = chunk->ended;
	__atomic_store_n(&w->seq, w->seq + 1, __ATOMIC_RELEASE);
}
