/*
 * stream.c: the records of one thread, in the order in which it wrote them.
 *
 * A stream holds a buffer only from its first to its last record, so that 10,000 threads that lived
 * one after another cost one buffer. Times never fall: a tick that does takes the time before it.
 * With states_only, enters and exits are left out but those that tell something (methodmap.h) or
 * end the flight of an exception, and pieces of nothing else not even read; their ticks count all
 * the same, so that what is left has the times of the other reading, whatever damage says.
 */
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/reader/closings.h"
#include "trace/reader/reader.h"
#include "trace/replay/align.h"
#include "trace/replay/edges.h"
#include "trace/replay/order.h"
#include "trace/replay/states.h"
#include "trace/replay/stream.h"
#include "trace/replay/track.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define AFTER_REST 64u /* records */

void trace_stream_init(struct trace_stream *s, const struct trace_row *row, uint32_t cap,
		       bool states_only, const struct trace_map *map)
{
	*s = (struct trace_stream){ .row = row,
				    .cap = cap,
				    .want = cap,
				    .states_only = states_only && !row->of_vm,
				    .map = map };
	/* whoever parks may be inside of any call */
	s->whole = !s->states_only || trace_map_has_telling_methods(map) ||
		   row->task->rec.tap_count > 0;
}

static void give_back(struct trace_stream *s)
{
	jw_mem_free(s->buf);
	s->buf = NULL;
	s->n = s->at = 0;
}

void trace_stream_rest(struct trace_stream *s)
{
	s->done -= (uint32_t)((s->n - s->at) * sizeof(*s->buf));
	s->want = AFTER_REST < s->cap ? AFTER_REST : s->cap;
	give_back(s);
}

void trace_stream_close(struct trace_stream *s)
{
	give_back(s);
	jw_mem_free(s->calls);
	s->calls = NULL;
	s->calls_cap = s->open = 0;
	s->opened = false;
}

bool trace_stream_first(struct trace_stream *s, uint64_t *time)
{
	const struct trace_thread *t = s->row->thread;

	if (t->events == 0 || (!s->whole && t->states == 0))
		return false;
	*time = trace_time(s->row->task, t->first_tick, &s->hint);
	return true;
}

static bool fill(struct trace_stream *s)
{
	const struct trace_thread *t = s->row->thread;
	const struct trace_recording *rec = &s->row->task->rec;

	while (s->piece < t->piece_count) {
		const struct trace_piece *p = &rec->pieces[t->piece + s->piece];

		if (!s->whole && p->states == 0) {
			s->tick = p->last > s->tick ? p->last : s->tick;
			s->piece++;
			continue;
		}
		size_t want = s->want * sizeof(*s->buf), left = p->bytes - s->done;
		size_t got = trace_piece_read(rec, p, s->buf, want < left ? want : left,
					      p->offset + s->done);

		got -= got % sizeof(*s->buf);
		s->shrunk |= got == 0 && left > 0;
		s->fresh |= s->done == 0;
		s->is_virtual &= s->done > 0; /* a piece begins with the thread itself */
		s->done += (uint32_t)got;
		if (got == 0) {
			s->piece++;
			s->done = 0;
			continue;
		}
		s->low = p->low;
		s->high = p->high;
		s->at = 0;
		s->n = (uint32_t)(got / sizeof(*s->buf));
		s->want = s->want < s->cap / 2 ? s->want * 2 : s->cap;
		return true;
	}
	return false;
}

/* Of calls of methods that are closed by TICK nobody records the end. */
static void forget_closed(struct trace_stream *s, uint64_t tick)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->open; i++)
		if (!trace_closings_has(&s->row->task->rec.closings, s->calls[i], tick))
			s->calls[n++] = s->calls[i];
	s->open = n;
}

/* Is the next edge at TIME, or before? Then it is what comes. */
static bool take_edge(struct trace_stream *s, uint64_t time)
{
	const struct trace_task *t = s->row->task;

	while (s->next_edge < t->edge_count) {
		const struct trace_edge *edge = &t->edges[s->next_edge];

		if (edge->time > time)
			return false;
		s->next_edge++;
		if (!s->started || edge->time < s->time || (edge->row && edge->row != s->row))
			continue; /* nothing can be open, or it is another's */
		s->time = edge->time;
		s->edge = edge;
		if (edge->row)
			return true;
		if (!edge->closes)
			s->open = 0;
		else if (t->closes) /* (damage: a detail, though nothing was closed) */
			forget_closed(s, edge->tick);
		return true;
	}
	return false;
}

static void push(struct trace_stream *s, uint64_t id)
{
	uint64_t *grown = trace_grow(s->calls, s->open, &s->calls_cap, sizeof(*grown));

	if (!grown) {
		s->failed = true;
		return;
	}
	s->calls = grown;
	s->calls[s->open++] = id;
}

/* A call of ID ends, with those in it; none, where no call of it is known. */
static void pop(struct trace_stream *s, uint64_t id)
{
	for (uint32_t n = s->open; n > 0; n--)
		if (s->calls[n - 1] == id) {
			s->open = n - 1;
			return;
		}
}

/* Counts the calls that are open, those that this reading leaves out, too. */
static void count_open(struct trace_stream *s, enum jwr_kind kind, uint64_t payload)
{
	if (kind == JWR_SWITCH)
		s->is_virtual = payload != 0;
	else if (s->is_virtual || kind > JWR_FAIL)
		return;
	else if (s->row->task->closes)
		kind == JWR_ENTER ? push(s, payload) : pop(s, payload);
	else if (kind == JWR_ENTER)
		s->open++;
	else if (s->open)
		s->open--;
}

/* Is it a record of a method that is closed by now? */
static bool is_hidden(struct trace_stream *s, uint64_t word)
{
	const struct trace_closings *c = &s->row->task->rec.closings;

	return c->since && jwr_word_kind(word) <= JWR_FAIL &&
	       trace_closings_hide(c, jwr_word_payload(word), s->tick, &s->detail);
}

/* Is nothing but time to be found out about enters and exits? */
static bool is_plain(const struct trace_stream *s)
{
	const struct trace_task *t = s->row->task;

	return s->started && !s->fresh && !s->states_only && !s->flight && !s->is_virtual &&
	       s->next_edge == t->edge_count && !t->rec.closings.since;
}

static inline uint64_t time_of(const struct trace_task *task, uint64_t tick,
			       struct trace_straight *straight, uint32_t *hint)
{
	if (trace_straight_has(straight, tick))
		return trace_straight_time(straight, tick);
	uint64_t time = trace_time(task, tick, hint);

	*straight = trace_straight_at(task, *hint);
	return time;
}

size_t trace_stream_run(struct trace_stream *s, uint64_t key, size_t most,
			const struct trace_item *item, struct trace_item *out)
{
	/* nothing is in memory, as of a process, which has no row */
	if (s->at == s->n || !is_plain(s))
		return 0;
	const struct trace_task *task = s->row->task;
	uint64_t latest = s->tick, time = s->time, end = s->row->end;
	uint32_t at = s->at, open = s->open;
	size_t n = 0;
	struct trace_straight straight = trace_straight_at(task, s->hint);

	for (; n < most && at < s->n; n++, at++) {
		const struct jwr_record *r = &s->buf[at];
		enum jwr_kind kind = jwr_word_kind(r->word);
		uint64_t tick = trace_hold(r->tick, s->low, s->high);

		if (kind == JWR_NONE || kind > JWR_FAIL)
			break;
		tick = tick > latest ? tick : latest;
		uint64_t now = time_of(task, tick, &straight, &s->hint);

		now = now > end ? end : now;
		now = now > time ? now : time;
		if (trace_key(now) >= key)
			break;
		latest = tick;
		time = now;
		open += kind == JWR_ENTER ? 1 : open ? UINT32_MAX : 0;
		out[n] = (struct trace_item){ trace_key(now), r->word, item->of,
					      open ? item->note : 0 };
	}
	s->tick = latest;
	s->time = time;
	s->at = at;
	s->open = open;
	s->was = n ? JWR_ENTER : s->was; /* or an exit */
	return n;
}

bool trace_stream_next(struct trace_stream *s, uint64_t *word)
{
	s->edge = NULL;
	s->goes_on = TRACE_NO_WAIT;
	s->opened = true;
	if (!s->buf)
		s->buf = jw_mem_alloc(s->cap * sizeof(*s->buf));
	if (!s->buf) {
		s->failed = true;
		return false;
	}
	for (;;) {
		if (s->at == s->n && !fill(s))
			return take_edge(s, s->row->end);
		const struct jwr_record *r = &s->buf[s->at++];

		enum jwr_kind kind = jwr_word_kind(r->word);

		if (kind == JWR_NONE)
			continue;
		uint64_t tick = trace_hold(r->tick, s->low, s->high);

		s->tick = tick > s->tick ? tick : s->tick;
		if (is_hidden(s, r->word))
			continue;
		if (s->states_only && kind <= JWR_FAIL && !s->flight &&
		    !trace_map_telling(s->map, jwr_word_payload(r->word))) {
			count_open(s, kind, jwr_word_payload(r->word));
			s->was = kind;
			continue;
		}
		s->flight = kind == JWR_THROWN ||
			    (s->flight && (kind == JWR_FAIL || trace_is_capture(kind)));
		uint64_t time = trace_time(s->row->task, s->tick, &s->hint);

		/* a file that changes under the reader must not break the order */
		time = time > s->row->end ? s->row->end : time;
		if (take_edge(s, time)) {
			s->at--;
			s->goes_on = trace_wait_begins_by(s->was) ? trace_wait_ended_by(r->word)
								  : TRACE_NO_WAIT;
			return true;
		}
		s->was = kind;
		count_open(s, kind, jwr_word_payload(r->word));
		s->started = true;
		s->time = time > s->time ? time : s->time;
		s->begins = s->fresh;
		s->fresh = false;
		*word = r->word;
		return true;
	}
}
