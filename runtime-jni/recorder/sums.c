#include "runtime-jni/recorder/sums.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/grow.h"
#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/state.h"

#include "base/banned.h"

#define PATIENCE_TRIES 2000 /* of 0.1 ms, for a thread that lost its processor in mid-change */

static struct jwr_sums nothing;
static struct jwr_row no_rows[2];
static struct jwr_frame no_frames[1];
struct rt_table rt_no_table = {
	.head = &nothing, .rows = no_rows, .row_count = 2, .shift = 63, .frames = no_frames
};

/* ---- pauses ---- */

static struct {
	pthread_mutex_t lock;
	uint64_t *ticks; /* owned */
	size_t n, cap;
} pauses = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Where there is no memory the latest one stands for it. */
static void remember(uint64_t tick)
{
	static const struct jw_growth growth = { .what = "pauses" };

	if (jw_grow(NULL, &pauses.ticks, &pauses.cap, sizeof(*pauses.ticks), pauses.n + 1, &growth,
		    NULL) == JW_OK)
		pauses.ticks[pauses.n++] = tick;
}

void rt_sums_pause(uint64_t tick)
{
	pthread_mutex_lock(&pauses.lock);
	remember(tick);
	atomic_fetch_add(&rt_recorder.pauses, 1);
	pthread_mutex_unlock(&pauses.lock);
}

uint64_t rt_sums_pause_tick(uint64_t number)
{
	uint64_t tick;

	pthread_mutex_lock(&pauses.lock);
	if (pauses.n == 0)
		tick = trace_tick_now(rt_recorder.clock);
	else
		tick = pauses.ticks[number < pauses.n ? number : pauses.n - 1];
	pthread_mutex_unlock(&pauses.lock);
	return tick;
}

/* ---- memory ---- */

static struct jwr_row *window_rows(struct jwr_window *w)
{
	return (struct jwr_row *)(void *)((char *)w + JWR_HEADER_SIZE);
}

static struct jwr_frame *window_frames(struct jwr_window *w)
{
	return (struct jwr_frame *)(void *)((char *)w + JWR_FRAMES_AT);
}

void rt_sums_own(struct rt_slot *slot)
{
	static const uint32_t rows = 1u << JWR_WINDOW_ROWS_LOG,
			      frames = 1u << JWR_WINDOW_FRAMES_LOG;
	struct jwr_window *w = slot->window;

	if (slot->table.used) /* a fresh window is all zero */
		memset(window_rows(w), 0, rows * sizeof(struct jwr_row));
	w->sums = (struct jwr_sums){
		.rows = slot->anonymous ? 0 : jwr_place(JWR_HEADER_SIZE, JWR_WINDOW_ROWS_LOG),
		.frames = slot->anonymous ? 0 : jwr_place(JWR_FRAMES_AT, JWR_WINDOW_FRAMES_LOG),
		.pauses = atomic_load(&rt_recorder.pauses),
		.last = trace_tick_now(rt_recorder.clock),
	};
	rt_table_init(&slot->table, &w->sums, window_rows(w), rows, window_frames(w), frames);
	slot->virtuals = NULL;
}

void rt_sums_disown(struct rt_slot *slot)
{
	rt_tables_give(&slot->rows);
	rt_tables_give(&slot->frames);
}

/* For COUNT entries of SIZE; false: it may not be. */
static bool take_more(uint64_t count, size_t size, struct rt_tables_piece *out)
{
	uint64_t grew = 0;

	if (!rt_data_has_room(count * size))
		return false;
	pthread_mutex_lock(&rt_recorder.lock);
	bool taken = rt_state_now() == RT_RUN && rt_tables_take(count * size, out, &grew);
	pthread_mutex_unlock(&rt_recorder.lock);
	rt_data_account(grew);
	if (taken && !out->place)
		rt_note_anonymous(ENOSPC);
	return taken;
}

static void swap(struct rt_tables_piece *old, struct rt_tables_piece fresh)
{
	pthread_mutex_lock(&rt_recorder.lock);
	rt_tables_give(old);
	*old = fresh;
	pthread_mutex_unlock(&rt_recorder.lock);
}

static uint64_t place_in(const struct rt_tables_piece *piece, uint32_t count)
{
	return piece->place ? piece->place | (unsigned)__builtin_ctz(count) : 0;
}

/* MOVE of the table of SLOT, with memory for COUNT entries of SIZE in the place of OLD; false: it may not be. */
static bool move_to_more(struct rt_slot *slot, struct rt_tables_piece *old, uint32_t count,
			 size_t size, rt_table_move_fn move)
{
	struct rt_tables_piece piece;

	if (!take_more(count, size, &piece))
		return false;
	bool locked = rt_slot_lock(slot, RT_END_PATIENCE_MS), moves = locked && !slot->done;

	if (moves)
		move(&slot->table, piece.p, count, place_in(&piece, count));
	if (locked)
		rt_slot_unlock(slot);
	if (moves)
		swap(old, piece);
	else
		swap(&piece, (struct rt_tables_piece){ 0 });
	return moves;
}

static bool more_rows(struct rt_slot *slot)
{
	uint32_t count = slot->table.row_count * 2;

	return count <= RT_SUMS_ROWS &&
	       move_to_more(slot, &slot->rows, count, sizeof(struct jwr_row), rt_table_move_rows);
}

static bool more_frames(struct rt_slot *slot)
{
	uint32_t count = slot->table.frame_count * 2;

	return count <= RT_SUMS_FRAMES &&
	       move_to_more(slot, &slot->frames, count, sizeof(struct jwr_frame),
			    rt_table_move_frames);
}

/* ---- writing ---- */

/* The chunk of T in memory of its own; NULL: there is none. */
static struct jwr_sums_chunk *chunk_of(const struct jwr_window *w, const struct rt_table *t,
				       size_t *bytes)
{
	struct jwr_sums_chunk *chunk = jw_mem_alloc(sizeof(*chunk) + t->used * sizeof(*t->rows));

	if (!chunk)
		return NULL;
	*chunk = (struct jwr_sums_chunk){ .magic = JWR_SUMS_MAGIC,
					  .thread = w->thread,
					  .seq = w->seq,
					  .began = w->began,
					  .ended = trace_tick_point(rt_recorder.clock, 1),
					  .odds = t->head->odds };
	chunk->rows = rt_table_pack(t, (struct jwr_row *)(void *)(chunk + 1));
	*bytes = sizeof(*chunk) + chunk->rows * sizeof(*t->rows);
	return chunk;
}

static bool says_something(const struct jwr_sums_chunk *chunk)
{
	static const struct jwr_odds none;

	return chunk->rows || memcmp(&chunk->odds, &none, sizeof(none)) != 0;
}

static const char no_memory[] = "no memory to write a table out";

static const char *write_table(const struct jwr_window *w, const struct rt_table *t, bool last)
{
	size_t bytes;
	struct jwr_sums_chunk *chunk = chunk_of(w, t, &bytes);
	const char *why = NULL;

	if (!chunk)
		return no_memory;
	if (says_something(chunk))
		why = rt_data_append(chunk, bytes, last);
	jw_mem_free(chunk);
	return why;
}

/* The table that may not grow becomes a chunk, and begins anew. */
static bool spill(struct rt_slot *slot)
{
	struct jwr_window *w = slot->window;

	if (!rt_slot_lock(slot, RT_END_PATIENCE_MS))
		return false;
	const char *why = slot->done ? NULL : write_table(w, &slot->table, false);
	bool room = !slot->done && !why;

	if (room) { /* in this order: should the process die in between, no row counts twice */
		rt_table_clear(&slot->table);
		w->began = trace_tick_point(rt_recorder.clock, 1);
		__atomic_store_n(&w->seq, w->seq + 1, __ATOMIC_RELEASE);
	}
	rt_slot_unlock(slot);
	if (why)
		rt_stop(why);
	return room;
}

struct jwr_row *rt_sums_row(struct rt_slot *slot, uint64_t key)
{
	struct jwr_row *row = rt_table_find(&slot->table, key);

	if (!row)
		row = rt_table_add(&slot->table, key);
	if (!row && (more_rows(slot) || spill(slot)))
		row = rt_table_add(&slot->table, key);
	return row;
}

/* ---- copies, for others than the owner ---- */

struct copy {
	struct rt_table table;
	struct jwr_sums head;
	void *rows, *frames; /* owned */
};

static void free_copy(struct copy *c)
{
	jw_mem_free(c->rows);
	jw_mem_free(c->frames);
}

/* A copy of the table of SLOT, which is locked, as it is between two events. The owner may be in
 * the middle of one; its next one waits, or is none any more. */
static bool make_copy(const struct rt_slot *slot, struct copy *c)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	const struct rt_table *t = &slot->table;

	*c = (struct copy){ .rows = jw_mem_alloc(t->row_count * sizeof(struct jwr_row)),
			    .frames = jw_mem_alloc(t->frame_count * sizeof(struct jwr_frame)) };
	if (!c->rows || !c->frames)
		return false;
	for (int i = 0; i < PATIENCE_TRIES; i++, nanosleep(&pause, NULL)) {
		if (!rt_table_copy(t, &c->table, &c->head, c->rows, c->frames))
			continue;
		c->table.used = t->row_count / 4 * 3 + JWR_WAITS; /* at most */
		return true;
	}
	return false;
}

/* What is open in C ends now, or did when recording was paused. */
static void close_copy(struct copy *c)
{
	uint64_t seen = c->head.pauses, now = trace_tick_now(rt_recorder.clock);
	bool cut = seen < atomic_load(&rt_recorder.pauses);

	rt_table_close(&c->table, cut ? rt_sums_pause_tick(seen) : now, cut);
}

const char *rt_sums_finish(struct rt_slot *slot, bool last)
{
	/* or its thread is in the middle of a change: so it is at the end alone, when nobody asks
	 */
	const char *why = no_memory;
	struct copy c;

	if (make_copy(slot, &c)) {
		close_copy(&c);
		why = write_table(slot->window, &c.table, last);
	}
	free_copy(&c);
	return why;
}

/* Padded, as in `data`. */
static bool append_chunk(const struct jwr_window *w, const struct rt_table *t, int fd)
{
	static const char zeros[JWR_ALIGN];
	size_t bytes;
	struct jwr_sums_chunk *chunk = chunk_of(w, t, &bytes);
	bool written =
		chunk && (!says_something(chunk) ||
			  (jw_write_all(fd, chunk, bytes) &&
			   jw_write_all(fd, zeros, (JWR_ALIGN - bytes % JWR_ALIGN) % JWR_ALIGN)));

	if (!chunk)
		errno = ENOMEM;
	jw_mem_free(chunk);
	return written;
}

bool rt_sums_copy_out(struct rt_slot *slot, int fd, uint32_t *left_out)
{
	uint64_t *limit = &slot->window->sums.limit, before;
	struct copy c = { 0 };
	bool written = true;

	if (!rt_slot_lock(slot, RT_END_PATIENCE_MS))
		return true; /* it is being written out */
	before = __atomic_exchange_n(limit, 0, __ATOMIC_SEQ_CST);
	if (!slot->done && make_copy(slot, &c)) {
		close_copy(&c);
		written = append_chunk(slot->window, &c.table, fd);
	} else if (!slot->done && c.rows && c.frames) {
		*left_out += 1;
	} else if (!slot->done) {
		errno = ENOMEM;
		written = false;
	}
	if (!slot->done && rt_state_now() == RT_RUN)
		__atomic_store_n(limit, before, __ATOMIC_RELAXED);
	rt_slot_unlock(slot);
	free_copy(&c);
	return written;
}

/* ---- the slow path ---- */

/* What was open in T when recording was paused, before the LATEST of pauses, ended there. False:
 * there was no pause since the latest event. */
static bool catch_up(struct rt_table *t, uint64_t latest)
{
	struct jwr_sums *head = t->head;

	if (head->pauses == latest)
		return false;
	rt_table_close(t, rt_sums_pause_tick(head->pauses), true);
	rt_table_set(&head->pauses, latest);
	return true;
}

/* Lets the hot path of SLOT go on, where it was stopped: by a pause that is over, or a dump. False:
 * it stays so. */
static bool go_on(struct rt_slot *slot)
{
	struct rt_table *t = &slot->table;
	struct jwr_sums *head = t->head;
	uint64_t limit = t->over ? 0 : t->frame_count;

	if (__atomic_load_n(&head->limit, __ATOMIC_RELAXED) == limit &&
	    head->pauses == atomic_load(&rt_recorder.pauses))
		return true;
	pthread_mutex_lock(&rt_recorder.lock);
	uint64_t now = atomic_load(&rt_recorder.pauses);
	bool runs = rt_recording_now();

	if (runs && catch_up(t, now))
		limit = t->frame_count;
	if (runs)
		__atomic_store_n(&head->limit, limit, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&rt_recorder.lock);
	return runs;
}

static bool enter(struct rt_slot *slot, uint64_t key)
{
	struct rt_table *t = &slot->table;
	struct jwr_row *row = rt_sums_row(slot, key);

	if (!row)
		return false;
	if (t->over || (t->head->depth >= t->frame_count && !more_frames(slot))) {
		rt_table_open(t->head);
		rt_table_set(&row->calls, row->calls + 1);
		rt_table_set(&t->head->odds.deep, t->head->odds.deep + 1);
		rt_table_shut(t->head);
		t->over++;
	} else {
		rt_table_push(t, row, trace_tick_now(rt_recorder.clock));
	}
	return go_on(slot);
}

static bool leave(struct rt_slot *slot, uint64_t key, bool failed)
{
	struct rt_table *t = &slot->table;
	uint64_t now = trace_tick_now(rt_recorder.clock), depth = t->head->depth;

	if (t->over) {
		t->over--;
		return go_on(slot);
	}
	if (depth && t->frames[depth - 1].key == key)
		rt_table_pop(t, now, failed);
	else
		rt_table_unwind(t, key, now, failed);
	return true;
}

/* What each kind of record begins or ends; 0: no wait. */
static const struct {
	uint8_t of;
	bool begins;
} waits[] = {
	[JWR_CONTENDED] = { JWR_CONTENDED, true }, [JWR_ENTERED] = { JWR_CONTENDED, false },
	[JWR_WAIT] = { JWR_WAIT, true },           [JWR_WAITED] = { JWR_WAIT, false },
	[JWR_EXPIRED] = { JWR_WAIT, false },       [JWR_GC_BEGIN] = { JWR_GC_BEGIN, true },
	[JWR_GC_END] = { JWR_GC_BEGIN, false },    [JWR_PARK] = { JWR_PARK, true },
	[JWR_PARKED] = { JWR_PARK, false },        [JWR_AWAIT] = { JWR_AWAIT, true },
	[JWR_AWAITED] = { JWR_AWAIT, false },
};

static bool is_of_wait(enum jwr_kind kind)
{
	return kind < sizeof(waits) / sizeof(*waits) && waits[kind].of;
}

bool rt_sums_begins_wait(enum jwr_kind kind)
{
	return is_of_wait(kind) && waits[kind].begins;
}

/* Futures and queues make an object for each park: of one class, they are one row. So is what is
 * awaited, of whichever connection or file. */
uint64_t rt_sums_wait_key(enum jwr_kind kind, uint64_t object, uint64_t depth)
{
	if (kind == JWR_AWAIT)
		return jwr_word(kind, jwr_await_what(object));
	if (kind != JWR_PARK)
		return jwr_word(kind, object);
	return jwr_word(depth ? JWR_PARK : JWR_PARKED,
			object & JWR_OBJECT_THREAD ? 0 : object & ~(uint64_t)JWR_HASH_MASK);
}

static uint64_t wait_ends(struct rt_table *t, enum jwr_kind of, uint64_t *since)
{
	uint64_t key = rt_table_wait_ends(t, of, since);

	return !key && of == JWR_PARK ? rt_table_wait_ends(t, JWR_PARKED, since) : key;
}

void rt_sums_wait(struct rt_slot *slot, enum jwr_kind kind, uint64_t payload, uint64_t now)
{
	struct rt_table *t = &slot->table;
	bool begins = rt_sums_begins_wait(kind);
	uint64_t since, key = begins ? rt_sums_wait_key(kind, payload, t->head->depth)
				     : wait_ends(t, waits[kind].of, &since);
	struct jwr_row *row = key ? rt_sums_row(slot, key) : NULL;

	if (!row)
		return;
	if (begins)
		rt_table_wait_begins(t, key, now);
	else
		rt_table_add_time(t, row, now > since ? now - since : 0, kind == JWR_EXPIRED);
}

bool rt_sums_alloc(struct rt_slot *slot, uint64_t payload)
{
	uint64_t bytes = jwr_alloc_bytes(payload);
	struct jwr_row *row = rt_sums_row(slot, jwr_word(JWR_ALLOC, payload - bytes));

	if (row)
		rt_table_add_time(&slot->table, row, bytes, false);
	return row;
}

static bool own_event(struct rt_slot *slot, enum jwr_kind kind, uint64_t payload)
{
	uint64_t key = jwr_word(JWR_ENTER, payload);

	if (!go_on(slot))
		return false;
	rt_tls.table = &slot->table;
	if (kind == JWR_ENTER)
		return enter(slot, key);
	if (kind == JWR_EXIT || kind == JWR_FAIL)
		return leave(slot, key, kind == JWR_FAIL);
	if (kind == JWR_ALLOC)
		return rt_sums_alloc(slot, payload);
	if (kind == JWR_DEPTH) {
		rt_table_keep(&slot->table, payload, trace_tick_now(rt_recorder.clock));
		return true;
	}
	rt_sums_wait(slot, kind, payload, trace_tick_now(rt_recorder.clock));
	return true;
}

/* Captures, and events of the program's own, are no part of sums. */
static bool is_added_up(enum jwr_kind kind)
{
	return kind == JWR_ENTER || kind == JWR_EXIT || kind == JWR_FAIL || kind == JWR_ALLOC ||
	       kind == JWR_DEPTH || is_of_wait(kind);
}

void rt_sums_event(enum jwr_kind kind, uint64_t payload, uint64_t tick)
{
	struct rt_slot *slot = rt_tls.slot;
	int saved = errno;

	if (!is_added_up(kind))
		return;
	if (!slot)
		slot = rt_attach();
	bool counts = slot && slot->window != &slot->none && rt_state_now() == RT_RUN;

	if (counts && rt_tls.mounted)
		counts = rt_sums_virtual(slot, kind, payload, tick);
	else if (counts)
		counts = own_event(slot, kind, payload);
	if (!counts && !rt_paused())
		rt_count_lost(slot);
	errno = saved;
}

/* The VM's threads, which take turns here, wait for no lock of the recorder. */
void rt_sums_vm_event(struct rt_slot *slot, enum jwr_kind kind, uint64_t now)
{
	if (slot->window == &slot->none)
		return;
	(void)catch_up(&slot->table, atomic_load(&rt_recorder.pauses));
	rt_sums_wait(slot, kind, 0, now);
}
