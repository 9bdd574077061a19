/*
 * sums_table.h: the sums of one thread (trace/format/recording.h, "Summary"): a hash table of rows
 * by key, and the stack of open calls, in memory that others provide. Knows no recorder, no lock,
 * no file.
 *
 *     key -> rows[hash] -> linear probing                at most 3/4 full
 *     enter: push a frame, calls + 1, open + 1
 *     exit:  pop it; own + (time - inner); total + time unless the method is still open below
 *
 * The owner alone changes a table. Whoever else wants its figures (a dump, the end of the process)
 * sets `limit` to zero, so that the owner's next event takes the slow path, and copies it under
 * `version`, which is odd while the owner is at it. Stores are in program order: kill -9 leaves a
 * table of which at most the one call is half counted that was just being entered or left.
 */
#ifndef RT_SUMS_TABLE_H
#define RT_SUMS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format/recording.h"

struct rt_table {
	struct jwr_sums *head;
	struct jwr_row *rows;
	struct jwr_frame *frames;
	unsigned shift;     /* of the hash: 64 - log2 of the number of rows */
	uint32_t used;      /* rows that have a key */
	uint32_t row_count; /* a power of two */
	uint32_t frame_count;
	uint64_t over; /* enters beyond the deepest stack that there may be */
};

/* ---- the hot path ---- */

/* NOLINTNEXTLINE(readability-non-const-parameter): it is stored to */
static inline void rt_table_set(uint64_t *field, uint64_t value)
{
	__atomic_store_n(field, value, __ATOMIC_RELEASE); /* a plain store on x86 */
}

/* Around every change. */
static inline void rt_table_open(struct jwr_sums *head)
{
	__atomic_store_n(&head->version, head->version + 1, __ATOMIC_RELAXED);
}

static inline void rt_table_shut(struct jwr_sums *head)
{
	rt_table_set(&head->version, head->version + 1);
}

/* The row of KEY; NULL: there is none. */
struct jwr_row *rt_table_find(const struct rt_table *t, uint64_t key);

static inline struct jwr_row *rt_table_home(const struct rt_table *t, uint64_t key)
{
	return &t->rows[key * UINT64_C(0x9e3779b97f4a7c15) >> t->shift];
}

/* The row of KEY if a call of it may begin now; NULL: it needs the slow path. */
static inline struct jwr_row *rt_table_ready(const struct rt_table *t, uint64_t key)
{
	if (__builtin_expect(t->head->depth >= __atomic_load_n(&t->head->limit, __ATOMIC_RELAXED),
			     0))
		return NULL;
	struct jwr_row *row = rt_table_home(t, key);

	return __builtin_expect(row->key == key, 1) ? row : rt_table_find(t, key);
}

/* A call of ROW, which is ready, begins at NOW. */
static inline void rt_table_push(struct rt_table *t, struct jwr_row *row, uint64_t now)
{
	struct jwr_sums *head = t->head;
	struct jwr_frame *f = &t->frames[head->depth];

	rt_table_open(head);
	rt_table_set(&f->key, row->key);
	rt_table_set(&f->enter, now);
	rt_table_set(&f->inner, 0);
	__atomic_store_n(&f->row, (uint32_t)(row - t->rows), __ATOMIC_RELEASE);
	rt_table_set(&row->calls, row->calls + 1);
	__atomic_store_n(&row->open, row->open + 1, __ATOMIC_RELEASE);
	rt_table_set(&head->depth, head->depth + 1);
	rt_table_set(&head->last, now);
	rt_table_shut(head);
}

/* The innermost call ends at NOW. */
static inline void rt_table_pop(struct rt_table *t, uint64_t now, bool failed)
{
	struct jwr_sums *head = t->head;
	struct jwr_frame *f = &t->frames[head->depth - 1];
	struct jwr_row *row = &t->rows[f->row];
	uint64_t time = now > f->enter ? now - f->enter : 0;

	rt_table_open(head);
	rt_table_set(&row->own, row->own + (time > f->inner ? time - f->inner : 0));
	__atomic_store_n(&row->open, row->open - 1, __ATOMIC_RELEASE);
	if (!row->open)
		rt_table_set(&row->total, row->total + time);
	if (time > row->longest)
		rt_table_set(&row->longest, time);
	if (failed)
		rt_table_set(&row->fails, row->fails + 1);
	if (head->depth > 1)
		rt_table_set(&f[-1].inner, f[-1].inner + time);
	rt_table_set(&head->depth, head->depth - 1);
	rt_table_set(&head->last, now);
	rt_table_shut(head);
}

/* May the innermost call end by the exit of KEY, without the slow path? */
static inline bool rt_table_ends(const struct rt_table *t, uint64_t key)
{
	uint64_t depth = t->head->depth - 1; /* of an empty stack: above every limit */

	return __builtin_expect(depth < __atomic_load_n(&t->head->limit, __ATOMIC_RELAXED) &&
					t->frames[depth].key == key,
				1);
}

/* ---- the rest ---- */

/* A table with HEAD, and memory for ROWS rows (a power of two, all zero) and FRAMES frames. */
void rt_table_init(struct rt_table *t, struct jwr_sums *head, struct jwr_row *rows,
		   uint32_t row_count, struct jwr_frame *frames, uint32_t frame_count);

/* A new row for KEY, which has none; NULL: the table is full. */
struct jwr_row *rt_table_add(struct rt_table *t, uint64_t key);

/* Moves the rows to ROWS (all zero), COUNT of them, twice as many or more, whose place is PLACE. */
void rt_table_move_rows(struct rt_table *t, void *rows, uint32_t count, uint64_t place);
/* Likewise the stack. */
void rt_table_move_frames(struct rt_table *t, void *frames, uint32_t count, uint64_t place);
typedef void (*rt_table_move_fn)(struct rt_table *t, void *to, uint32_t count, uint64_t place);

/* Empties the rows, which have been written out; those of open calls stay, at zero. */
void rt_table_clear(struct rt_table *t);

/* An exit of KEY at NOW that is not that of the innermost call: ends calls down to it, or none if
 * it is not open. */
void rt_table_unwind(struct rt_table *t, uint64_t key, uint64_t now, bool failed);

/* As the DEPTH with PAYLOAD says, others have ended: so they do at NOW. */
void rt_table_keep(struct rt_table *t, uint64_t payload, uint64_t now);

/* Ends all calls, and waits, at NOW: since recording was paused (CUT), or since there is no more.
 */
void rt_table_close(struct rt_table *t, uint64_t now, bool cut);

/* NS more of what ROW stands for, which is no call: a wait, a pause. */
void rt_table_add_time(struct rt_table *t, struct jwr_row *row, uint64_t time, bool failed);

/* A wait (or a contention) of KEY begins at NOW. It ends by rt_table_wait_ends(), which gives its
 * key and since when it was; 0: no wait of KIND is open. */
void rt_table_wait_begins(struct rt_table *t, uint64_t key, uint64_t now);
uint64_t rt_table_wait_ends(struct rt_table *t, enum jwr_kind kind, uint64_t *since);

/* Copies T, whose owner may be at work, into OUT, over HEAD, ROWS and FRAMES of the same sizes;
 * false: it was changed meanwhile. */
bool rt_table_copy(const struct rt_table *t, struct rt_table *out, struct jwr_sums *head,
		   struct jwr_row *rows, struct jwr_frame *frames);

/* The rows that say something, into OUT, which has room for all; how many. */
uint32_t rt_table_pack(const struct rt_table *t, struct jwr_row *out);

#endif
