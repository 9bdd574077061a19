/*
 * apart.c: see apart.h.
 */
#include "trace/replay/apart.h"

#include "base/grow.h"
#include "base/memory.h"
#include "trace/format/methodmap.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/changes.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/dispatch.h"
#include "trace/replay/pass.h"
#include "trace/replay/states.h"
#include "trace/replay/timeline.h"
#include "trace/replay/wait_events.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* ---- arrows by receiver ---- */

struct trace_apart_arrow {
	struct trace_shown_arrow arrow;
	uint32_t next; /* 1 + a place, of the same queue or of free ones; 0: none */
};

struct trace_apart_queue {
	uint32_t first, last; /* 1 + a place; 0: none */
	size_t seen;          /* of those of its row: as many as its waits are past */
};

/* Arrows by receiver. */
struct trace_apart_arrows {
	struct trace_apart_arrow *at;     /* owned: those that wait, and free room */
	struct trace_apart_queue *queues; /* owned; by order of rows */
	size_t n, room;                   /* of `at` */
	size_t waiting;
	uint32_t free;   /* 1 + a place; 0: none */
	uint64_t states; /* that were told, by bit */
};

bool trace_apart_open(struct trace_pass *p)
{
	struct trace_apart_arrows *all = jw_mem_zalloc(1, sizeof(*all));

	p->told.apart = all;
	if (all)
		all->queues = jw_mem_zalloc(p->world->shown_count + 1, sizeof(*all->queues));
	return all && all->queues;
}

void trace_apart_free(struct trace_apart_arrows *all)
{
	if (!all)
		return;
	jw_mem_free(all->at);
	jw_mem_free(all->queues);
	jw_mem_free(all);
}

/* Room for one; 1 + its place. 0: no memory. */
static uint32_t new_place(struct trace_apart_arrows *all)
{
	static const struct jw_growth growth = { "arrows", UINT32_MAX / 4, 64 };
	uint32_t place = all->free;

	if (place) {
		all->free = all->at[place - 1].next;
		return place;
	}
	if (jw_grow(NULL, &all->at, &all->room, sizeof(*all->at), all->n + 1, &growth, NULL) !=
	    JW_OK)
		return 0;
	return (uint32_t)++all->n;
}

static void put(struct trace_pass *p, const struct trace_shown_arrow *arrow)
{
	struct trace_apart_arrows *all = p->told.apart;
	uint32_t place = new_place(all);
	struct trace_apart_queue *queue = &all->queues[arrow->to];

	p->failed |= !place;
	if (!place)
		return;
	all->at[place - 1] = (struct trace_apart_arrow){ .arrow = *arrow };
	if (queue->last)
		all->at[queue->last - 1].next = place;
	else
		queue->first = place;
	queue->last = place;
	all->waiting++;
}

/* Arrows that are sent before TIME are with their receivers. */
static void sort_out(struct trace_pass *p, uint64_t time)
{
	struct trace_shown_arrow arrow;

	while (trace_arrows_next(p->world) < time)
		if (trace_arrows_take(p->world, &arrow))
			put(p, &arrow);
}

uint64_t trace_apart_until(struct trace_pass *p, uint64_t key)
{
	uint64_t next;

	while ((next = trace_arrows_next(p->world)) < key / 2 + 1 &&
	       p->told.apart->waiting < TRACE_APART_ARROWS)
		sort_out(p, next + 1);
	return next < key / 2 + 1 ? trace_key(next) : key;
}

/* Those to ROW that are sent before TIME are told. */
static void tell_arrows(struct trace_pass *p, const struct trace_row *row, uint64_t time)
{
	struct trace_apart_arrows *all = p->told.apart;
	struct trace_apart_queue *queue = &all->queues[row->order];

	while (queue->first && all->at[queue->first - 1].arrow.sent < time) {
		uint32_t place = queue->first;
		struct trace_apart_arrow *one = &all->at[place - 1];

		trace_arrow_tell(&one->arrow, p->told.output, p->told.ctx);
		queue->first = one->next;
		queue->last = queue->first ? queue->last : 0;
		one->next = all->free;
		all->free = place;
		all->waiting--;
	}
}

void trace_apart_reaches(struct trace_pass *p, const struct trace_row *row, uint64_t key,
			 bool record)
{
	uint64_t time = key / 2 + (record || key % 2);

	if (row->hidden)
		return;
	trace_wait_events_of(p, row, key);
	sort_out(p, time);
	tell_arrows(p, row, time);
}

void trace_apart_waits(struct trace_pass *p, const struct trace_row *row, uint64_t time)
{
	struct trace_apart_queue *queue = &p->told.apart->queues[row->order];

	while (queue->seen < row->seen.n && row->seen.at[queue->seen] <= time)
		queue->seen++;
}

_Static_assert(TRACE_CHANGE_MASK < 64, "there is a bit for each state");

void trace_apart_state(struct trace_pass *p, uint32_t state)
{
	p->told.apart->states |= UINT64_C(1) << state;
}

bool trace_apart_knows_state(const struct trace_pass *p, const struct trace_row *row)
{
	return p->told.apart->states >> p->told.states.list[row->order].state & 1;
}

uint64_t trace_apart_calm(const struct trace_pass *p, const struct trace_row *row)
{
	const struct trace_apart_arrows *all = p->told.apart;
	uint32_t first = all->queues[row->order].first;
	uint64_t time = trace_arrows_next(p->world);

	if (p->told.waits.rows[row->order].due)
		return 0;
	if (first && all->at[first - 1].arrow.sent < time)
		time = all->at[first - 1].arrow.sent;
	return time < UINT64_MAX / 2 ? trace_key(time) : UINT64_MAX;
}

void trace_apart_end(struct trace_pass *p)
{
	sort_out(p, UINT64_MAX);
	for (size_t i = 0; i < p->world->shown_count; i++) {
		trace_wait_events_of(p, p->world->shown[i], UINT64_MAX);
		tell_arrows(p, p->world->shown[i], UINT64_MAX);
	}
}

/* ---- what is its own ---- */

/* Was R seen to have what another thread waits for, between the change of its own waits before and ITEM? Who hears
 * that asks whether it had to wait for it, too, until then. */
static bool was_seen(const struct trace_pass *p, const struct trace_runner *r,
		     const struct trace_item *item)
{
	const struct trace_row *row = r->stream.row;
	size_t seen = p->told.apart->queues[row->order].seen;

	return seen < row->seen.n && row->seen.at[seen] <= item->key / 2;
}

/* Has the class of OBJECT its number? */
static bool knows_class(const struct trace_pass *p, const struct trace_runner *r, uint64_t object)
{
	return !object || trace_class_is_known(p, r->stream.row->task, object);
}

/* May the thread of R begin to wait for OBJECT, at the place that it has just told? */
static bool may_wait(const struct trace_pass *p, const struct trace_runner *r, uint64_t object)
{
	return knows_class(p, r, object) &&
	       (!r->track.place || trace_place_is_known(p, r->stream.row->task, r->track.place));
}

/* What an AWAITED ends tells its channel. */
static bool knows_channels(const struct trace_pass *p, const struct trace_runner *r)
{
	const struct trace_waits *waits = &r->track.waits;

	for (uint8_t i = 0; i < waits->n; i++)
		if (waits->at[i].channel &&
		    !trace_channel_is_known(p, r->stream.row->task, waits->at[i].channel))
			return false;
	return true;
}

bool trace_apart_is_own(const struct trace_pass *p, const struct trace_runner *r,
			const struct trace_item *item)
{
	enum jwr_kind kind = jwr_word_kind(item->word);
	uint64_t payload = jwr_word_payload(item->word);

	if (trace_is_of_wait(kind) && was_seen(p, r, item))
		return false;
	switch (kind) {
	case JWR_ENTER:
		return !trace_map_telling(p->map, payload) && trace_timeline_knows(p, item->word);
	case JWR_EXIT:
	case JWR_FAIL:
		return !trace_map_telling(p->map, payload);
	case JWR_CONTENDED:
	case JWR_WAIT:
	case JWR_PARK:
		return may_wait(p, r, payload);
	case JWR_AWAIT:
		return may_wait(p, r, 0);
	case JWR_AWAITED:
		return knows_channels(p, r);
	case JWR_ALLOC:
		return trace_class_is_named(p, r->stream.row->task, payload);
	case JWR_ENTERED:
	case JWR_WAITED:
	case JWR_EXPIRED:
	case JWR_PARKED:
	case JWR_PLACE:
	case JWR_OFFSET:
	case JWR_WIDE:
	case JWR_UNPARK:
	case JWR_WAKE:
	case JWR_INTERRUPT:
	case JWR_START:
	case JWR_CONTEXT:
	case JWR_SHORT:
		return true;
	default:
		return false;
	}
}
