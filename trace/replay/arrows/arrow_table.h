/*
 * arrow_table.h: entries by kind and number. Cost: a step in a hash table; what may go goes when
 * there are too many.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_TABLE_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_entry {
	uint64_t key;
	uint32_t space; /* keys of one kind, of one task */
	struct trace_entry *next;
};

struct trace_table {
	struct trace_entry **slots; /* owned, with all entries */
	size_t mask, n, limit;
	bool (*may_go)(const struct trace_entry *e); /* when there are too many */
	bool failed;                                 /* no memory */
};

struct trace_entry *trace_table_find(const struct trace_table *t, uint32_t space, uint64_t key);
/* Adds a key that is not there, an entry of SIZE bytes; NULL: no memory. */
void *trace_table_add(struct trace_table *t, uint32_t space, uint64_t key, size_t size);
void trace_table_remove(struct trace_table *t, struct trace_entry *e);
/* Removes all that may go. */
void trace_table_sweep(struct trace_table *t);
void trace_table_free(struct trace_table *t);

#endif
