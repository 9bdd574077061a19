/*
 * ring.h: chunks in a ring: segments data.1, data.2, ... of which the oldest are removed, so that
 * what was logged last is there, within a bound. In place of the one file "data" (data.h).
 *
 *     data.7 | data.8 | data.9 | data.10 <- chunks are appended here
 *     ^ removed when there is no room for data.11
 *
 * A segment is never written over: whoever reads one, or has a link to it, has whole chunks.
 */
#ifndef RT_RING_H
#define RT_RING_H

#include <stdbool.h>
#include <stdint.h>

struct rt_ring_segment;

struct rt_ring_place {
	struct rt_ring_segment *segment;
	uint64_t offset;
	int fd;
};

/* In FOLDER, an open directory that belongs to this module from now on, with at most BYTES (windows
 * are accounted for by rt_ring_narrow()), FILE_BYTES in one file. False: errno. */
bool rt_ring_open(int folder, uint64_t bytes, uint64_t file_bytes);
void rt_ring_close(void);

/* Windows take BYTES more, as does meta by itself. A quarter of the whole is always left for chunks. */
void rt_ring_narrow(uint64_t bytes);

/* May windows take BYTES more? They have three quarters of the whole. */
bool rt_ring_may_narrow(uint64_t bytes);

/* Nothing is removed any more: what comes now has had its room, as windows. */
void rt_ring_widen(void);

/* Room for a chunk of BYTES; to be left after it was written. False: errno. Takes a lock. */
bool rt_ring_enter(uint64_t bytes, struct rt_ring_place *out);
void rt_ring_leave(const struct rt_ring_place *place);

/* Is there a byte in one of its files? What did not fit on the disk counts as held, too. */
bool rt_ring_has_bytes(void);

/* Bytes that the ring holds now, and that it held in all. */
uint64_t rt_ring_bytes(void);
uint64_t rt_ring_total(void);

#define RT_RING_SEGMENTS 64

/* How long meta was when each segment began, the oldest first. */
struct rt_ring_marks {
	uint64_t at[RT_RING_SEGMENTS];
	unsigned n;
};

void rt_ring_marks(struct rt_ring_marks *out);

/* meta became another file, which tells the length already: each mark is what MOVED makes of it. */
void rt_ring_move_marks(uint64_t (*moved)(void *ctx, uint64_t mark), void *ctx);

/* Gives the folder INTO every segment as it is now: a link, or a copy. False: errno. */
bool rt_ring_share(int into);

/* Removes from the folder INTO what rt_ring_share() may have put there. */
void rt_ring_unshare(int into);

#endif
