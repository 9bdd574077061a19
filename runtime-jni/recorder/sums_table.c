#include "runtime-jni/recorder/sums_table.h"

#include <string.h>

#include "base/banned.h"

_Static_assert(offsetof(struct jwr_window, sums) == JWR_SUMS_AT, "part of the format");
_Static_assert(sizeof(struct jwr_row) == 64 && sizeof(struct jwr_frame) == 32,
	       "parts of the format");
_Static_assert((sizeof(struct jwr_row) << JWR_WINDOW_ROWS_LOG) +
			       (sizeof(struct jwr_frame) << JWR_WINDOW_FRAMES_LOG) ==
		       JWR_RECORDS_SIZE,
	       "a window is as large as one of records");

void rt_table_init(struct rt_table *t, struct jwr_sums *head, struct jwr_row *rows,
		   uint32_t row_count, struct jwr_frame *frames, uint32_t frame_count)
{
	*t = (struct rt_table){
		.head = head,
		.rows = rows,
		.row_count = row_count,
		.shift = 64 - (unsigned)__builtin_ctz(row_count),
		.frames = frames,
		.frame_count = frame_count,
	};
}

/* Where the row of KEY is, or would be put. */
static struct jwr_row *place_of(const struct rt_table *t, uint64_t key)
{
	size_t mask = t->row_count - 1, at = (size_t)(rt_table_home(t, key) - t->rows);

	while (t->rows[at].key && t->rows[at].key != key)
		at = (at + 1) & mask;
	return &t->rows[at];
}

struct jwr_row *rt_table_find(const struct rt_table *t, uint64_t key)
{
	struct jwr_row *row = place_of(t, key);

	return row->key ? row : NULL;
}

struct jwr_row *rt_table_add(struct rt_table *t, uint64_t key)
{
	if (t->used >= t->row_count / 4 * 3)
		return NULL;
	struct jwr_row *row = place_of(t, key);

	rt_table_open(t->head);
	rt_table_set(&row->key, key);
	t->used++;
	rt_table_shut(t->head);
	return row;
}

/* ---- moving ---- */

static void point_frames(struct rt_table *t)
{
	for (uint64_t i = 0; i < t->head->depth; i++)
		__atomic_store_n(&t->frames[i].row,
				 (uint32_t)(place_of(t, t->frames[i].key) - t->rows),
				 __ATOMIC_RELEASE);
}

void rt_table_move_rows(struct rt_table *t, void *rows, uint32_t count, uint64_t place)
{
	const struct jwr_row *old = t->rows;
	uint32_t old_count = t->row_count;

	rt_table_open(t->head);
	t->rows = rows;
	t->row_count = count;
	t->shift = 64 - (unsigned)__builtin_ctz(count);
	for (uint32_t i = 0; i < old_count; i++)
		if (old[i].key)
			*place_of(t, old[i].key) = old[i];
	rt_table_set(&t->head->rows, place); /* from now on these count: all at once */
	point_frames(t);
	rt_table_shut(t->head);
}

void rt_table_move_frames(struct rt_table *t, void *frames, uint32_t count, uint64_t place)
{
	rt_table_open(t->head);
	memcpy(frames, t->frames, t->head->depth * sizeof(*t->frames));
	t->frames = frames;
	t->frame_count = count;
	rt_table_set(&t->head->frames, place);
	rt_table_shut(t->head);
}

static struct jwr_row *put_back(struct rt_table *t, uint64_t key)
{
	struct jwr_row *row = place_of(t, key);

	t->used += !row->key;
	row->key = key;
	return row;
}

void rt_table_clear(struct rt_table *t)
{
	rt_table_open(t->head);
	memset(t->rows, 0, t->row_count * sizeof(*t->rows));
	t->used = 0;
	t->head->odds = (struct jwr_odds){ 0 };
	for (uint64_t i = 0; i < t->head->depth; i++) {
		struct jwr_frame *f = &t->frames[i];
		struct jwr_row *row = put_back(t, f->key);

		row->open++;
		f->row = (uint32_t)(row - t->rows);
	}
	for (uint64_t i = 0; i < t->head->wait_count; i++)
		(void)put_back(t, t->head->waits[i].key);
	rt_table_shut(t->head);
}

/* ---- ends ---- */

static void count_odd(struct rt_table *t, uint64_t *counter)
{
	rt_table_open(t->head);
	rt_table_set(counter, *counter + 1);
	rt_table_shut(t->head);
}

void rt_table_unwind(struct rt_table *t, uint64_t key, uint64_t now, bool failed)
{
	const struct jwr_row *row = rt_table_find(t, key);
	struct jwr_odds *odds = &t->head->odds;

	if (!row || !row->open) {
		count_odd(t, t->head->pauses ? &odds->headless : &odds->lone);
		return;
	}
	for (; t->frames[t->head->depth - 1].key != key;
	     count_odd(t, &odds->inferred)) /* it is there */
		rt_table_pop(t, now, false);
	rt_table_pop(t, now, failed);
}

void rt_table_keep(struct rt_table *t, uint64_t payload, uint64_t now)
{
	uint64_t d = t->head->depth;

	while (d && !jwr_depth_is_of(payload, jwr_word_payload(t->frames[d - 1].key)))
		d--;
	if (!d)
		return;
	const struct jwr_row *row = &t->rows[t->frames[d - 1].row];

	if (row->open >= payload >> 32)
		t->over = 0;
	for (; row->open > payload >> 32; count_odd(t, &t->head->odds.inferred))
		rt_table_pop(t, now, true);
}

void rt_table_close(struct rt_table *t, uint64_t now, bool cut)
{
	struct jwr_odds *odds = &t->head->odds;

	for (t->over = 0; t->head->depth; count_odd(t, cut ? &odds->cut : &odds->inferred))
		rt_table_pop(t, now, false);
	while (t->head->wait_count) {
		uint64_t at = t->head->wait_count - 1, since = t->head->waits[at].since;
		struct jwr_row *row = rt_table_find(t, t->head->waits[at].key);

		rt_table_set(&t->head->wait_count, at);
		if (row)
			rt_table_add_time(t, row, now > since ? now - since : 0, false);
	}
}

void rt_table_add_time(struct rt_table *t, struct jwr_row *row, uint64_t time, bool failed)
{
	rt_table_open(t->head);
	rt_table_set(&row->calls, row->calls + 1);
	rt_table_set(&row->total, row->total + time);
	rt_table_set(&row->own, row->own + time);
	if (time > row->longest)
		rt_table_set(&row->longest, time);
	if (failed)
		rt_table_set(&row->fails, row->fails + 1);
	rt_table_shut(t->head);
}

/* ---- waits ---- */

void rt_table_wait_begins(struct rt_table *t, uint64_t key, uint64_t now)
{
	struct jwr_sums *head = t->head;

	if (head->wait_count == JWR_WAITS) /* ends were lost */
		return;
	rt_table_open(head);
	rt_table_set(&head->waits[head->wait_count].key, key);
	rt_table_set(&head->waits[head->wait_count].since, now);
	rt_table_set(&head->wait_count, head->wait_count + 1);
	rt_table_set(&head->last, now);
	rt_table_shut(head);
}

uint64_t rt_table_wait_ends(struct rt_table *t, enum jwr_kind kind, uint64_t *since)
{
	struct jwr_sums *head = t->head;

	for (uint64_t i = head->wait_count; i-- > 0;) {
		if (jwr_word_kind(head->waits[i].key) != kind)
			continue;
		*since = head->waits[i].since;
		rt_table_open(head);
		rt_table_set(&head->wait_count, i);
		rt_table_shut(head);
		return head->waits[i].key;
	}
	return 0;
}

/* ---- copies ---- */

/* Word by word: the owner may be storing. */
static void copy_words(void *to, const void *from, size_t bytes)
{
	uint64_t *out = to;
	const uint64_t *in = from;

	for (size_t i = 0; i < bytes / sizeof(*in); i++)
		out[i] = __atomic_load_n(&in[i], __ATOMIC_ACQUIRE);
}

bool rt_table_copy(const struct rt_table *t, struct rt_table *out, struct jwr_sums *head,
		   struct jwr_row *rows, struct jwr_frame *frames)
{
	uint64_t before = __atomic_load_n(&t->head->version, __ATOMIC_ACQUIRE);

	copy_words(head, t->head, sizeof(*head));
	if (head->depth > t->frame_count)
		return false;
	copy_words(rows, t->rows, t->row_count * sizeof(*rows));
	copy_words(frames, t->frames, head->depth * sizeof(*frames));
	rt_table_init(out, head, rows, t->row_count, frames, t->frame_count);
	return before % 2 == 0 && __atomic_load_n(&t->head->version, __ATOMIC_RELAXED) == before;
}

uint32_t rt_table_pack(const struct rt_table *t, struct jwr_row *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->row_count; i++) {
		const struct jwr_row *row = &t->rows[i];

		if (row->key && (row->calls || row->total || row->own || row->fails))
			out[n++] = *row;
	}
	return n;
}
