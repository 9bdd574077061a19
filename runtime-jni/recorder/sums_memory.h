/*
 * sums_memory.h: memory for what has outgrown a window in a summary: pieces of the file `tables`,
 * allocated on disk before they are mapped, as windows are (slots.h), or anonymous memory where
 * that is refused. A piece that was given back is kept for the next one of its size.
 */
#ifndef RT_SUMS_MEMORY_H
#define RT_SUMS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct rt_tables_piece {
	void *p; /* NULL: none */
	uint64_t bytes;
	uint64_t place; /* JWR_IN_TABLES and the offset (recording.h); 0: anonymous */
};

/* PATH: of the file, which is made when it is first needed; NULL: anonymous memory from the start.
 * FILE_BYTES: what it may grow to. Not thread-safe, as all below: the recorder's mutex is held. */
void rt_tables_open(const char *path, uint64_t file_bytes);

/* BYTES, a power of two of at least a page, all zero. *GREW: what is mapped more than before.
 * False: no memory. */
bool rt_tables_take(uint64_t bytes, struct rt_tables_piece *out, uint64_t *grew);

/* Nobody uses PIECE any more ({0}: nothing to do). */
void rt_tables_give(struct rt_tables_piece *piece);

/* Removes the file. */
void rt_tables_remove(void);

#endif
