/*
 * spool.h: lists of numbers that may be longer than memory should hold.
 *
 *     put, put, ...     written once, whole, at their ends
 *     get, get, ...     then read from the beginning, as often as need be
 */
#ifndef JW_TRACE_REPLAY_SPOOL_H
#define JW_TRACE_REPLAY_SPOOL_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_SPOOL_BLOCK 4096 /* bytes, unless there are thousands of lists */

/* Where lists grow that may be longer than memory should hold. */
struct trace_spool {
	char *folder;     /* owned */
	uint8_t **blocks; /* owned, with what they point to: those below `memory` */
	size_t room;
	uint32_t block;        /* bytes of one */
	uint64_t memory;       /* so many blocks stay in memory */
	uint64_t count;        /* numbers given to blocks */
	int fd;                /* the others; -1: none yet */
	enum jw_status status; /* the first failure: JW_NOMEM, or JW_IO with errno in `error` */
	int error;
};

/* A list of numbers in a spool, to be read when it is whole; {0}: empty. */
struct trace_list {
	uint8_t *tail; /* owned */
	uint32_t n, cap;
	uint64_t block_count, first, next;
};

/* A place in one; {0}: its beginning. */
struct trace_list_at {
	const uint8_t *p;
	uint8_t *buf; /* owned */
	uint32_t at, n;
	uint64_t done, next;
};

/* A spool beside the output BASE ("": where temporary files go); IN_MEMORY: bytes that it keeps in
 * memory, 0: 8 MiB. {0} may be closed, too. */
enum jw_status JW_MUST_USE trace_spool_open(struct trace_spool *spool, const char *base,
					    size_t in_memory, struct jw_err *e);
/* LISTS of them grow, or are read, side by side: of thousands the blocks are smaller, since each holds one
 * in memory. Before the first put. */
void trace_spool_share(struct trace_spool *spool, size_t lists);
void trace_spool_close(struct trace_spool *spool);
/* The first failure of any list. */
enum jw_status JW_MUST_USE trace_spool_status(const struct trace_spool *spool, struct jw_err *e);
void trace_list_put(struct trace_spool *spool, struct trace_list *list, uint64_t number);
/* The next number; false: there is none, or the spool has failed. */
bool trace_list_get(struct trace_spool *spool, const struct trace_list *list,
		    struct trace_list_at *at, uint64_t *number);
void trace_list_end(struct trace_list_at *at);
void trace_list_free(struct trace_list *list);

#endif
