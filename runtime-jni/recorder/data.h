/*
 * data.h: the file of chunks. A window becomes one chunk by one pwrite at an offset that is
 * reserved by an atomic add, so that threads never wait for each other. No lock.
 */
#ifndef RT_DATA_H
#define RT_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/format/tick.h"
#include "trace/format/recording.h"

struct rt_data_limits {
	uint64_t max_bytes;  /* of chunks, windows and meta together */
	uint64_t floor;      /* free bytes that must remain on the file system */
	uint64_t file_bytes; /* of one file (ulimit -f) */
};

/* Begins with the open file FD, which from now on belongs to this module; -1: with the ring, which
 * is open (ring.h). */
void rt_data_open(int fd, enum trace_ticks clock, struct rt_data_limits limits);
void rt_data_close(void);

/* Windows take BYTES more of what may be written. */
void rt_data_account(uint64_t bytes);

/* The recording ends: windows become chunks, which take their room. */
void rt_data_take_windows(void);

/*
 * Writes the records of W out as a chunk. NULL: done, or nothing to do; else why not, as words for
 * the user. W keeps its records: its owner calls rt_data_emptied() next to go on with it; whoever
 * finishes the recording must not, since the owner may be storing a record at this very moment. AT gets
 * where its records lie in the file; 0: in the ring.
 */
const char *rt_data_write(struct jwr_window *w, uint64_t *at);

/* A wait of which its thread tells once it is over (rt_expect_late). */
struct rt_open_wait {
	uint64_t since, word; /* tick and word of its record; 0: there is none */
	uint32_t place;       /* where its thread is; 0: unknown */
	int fd;               /* what it waits for the bytes of; -1: nothing */
};

/* The one that the thread of W is in. */
struct rt_open_wait rt_data_open_wait(const struct jwr_window *w);

/* The same of the last chunk of W, for which the size cap and the floor do not hold: its bytes were accounted for
 * when the window was made. The wait that its thread is in comes last, as OPEN if it is that one. */
const char *rt_data_write_last(struct jwr_window *w, const struct rt_open_wait *open);

/* Makes the record that is OFFSET bytes after AT (of rt_data_write) one of kind NONE, and then those
 * right after it for whose word ALSO is true, at most MOST. False: it could not be done. */
bool rt_data_take_back(uint64_t at, uint64_t offset, unsigned most, bool (*also)(uint64_t word));

/* Makes W empty after rt_data_write(): cursor back, next seq. By the owner, if there was anything.
 */
void rt_data_emptied(struct jwr_window *w);

/* Appends BYTES of a chunk that was built elsewhere; else as rt_data_write(). LAST: the size cap and the
 * floor do not hold. */
const char *rt_data_append(const void *chunk, uint64_t bytes, bool last);

/* Reads up to N bytes of the chunks at OFFSET, below rt_data_bytes(), into OUT; how many. What is
 * just being written reads as it is. Of a ring nothing. */
size_t rt_data_read(void *out, uint64_t offset, size_t n);

/* May windows and tables take BYTES more, within the size cap? In a ring they have three quarters of it. */
bool rt_data_has_room(uint64_t bytes);

/* That there is none, as words for the user. */
extern const char rt_data_size_limit[];

/* Bytes of chunks that are there. */
uint64_t rt_data_bytes(void);

#endif
