/*
 * streams.c: see streams.h.
 *
 *     end A   writes  |--- a ---|-- b --|                 sent: where each write ended
 *     end B   reads   |----- 1 -----|-- 2 --|             got: reads that wait for that
 *                               a       b
 *
 * A read may be over before the write is whose bytes it got: it waits until as much is known to be
 * written as it has read.
 */
#include <stdlib.h>
#include <string.h>

#include "base/operations.h"
#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/replay/align.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/between.h"
#include "trace/replay/connections.h"
#include "trace/replay/streams.h"
#include "trace/replay/track.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_OPEN 65536 /* writes, or reads, of one connection that wait for the other end */

/* A write or a read: bytes from BEGIN up to END. */
struct moved {
	uint64_t begin, end;
	struct trace_point point;
};

/* In order; what is before FIRST is gone. */
struct moves {
	struct moved *list; /* owned */
	size_t first, n, cap;
};

/* What one end has moved one way. */
struct way {
	uint64_t at;      /* so much, since the connection was made, as far as records say */
	uint64_t told;    /* bytes, by records */
	uint64_t matched; /* of them: the other end tells of them, too */
	uint64_t untold;  /* of these: since the last arrow */
	bool lost;        /* nobody knows where it is */
	bool missed;      /* somewhere */
	bool known;       /* a record has said so where others were missing */
	struct moves moves;
};

/* One end of a connection; the first field: of its peer, it is known by that. */
struct stream_end {
	struct trace_end end;
	struct way way[TRACE_WAYS];
	struct trace_point made; /* where it was connected or accepted; time 0: unknown */
};

/* Where records of a task are missing: from the first to the last place; none: from > to. */
struct hole {
	uint64_t from, to;
};

struct trace_streams {
	struct trace_world *world;
	struct stream_end **ends; /* by task, then as the channels of its recording; owned */
	struct hole *holes;       /* by task; owned */
	trace_streams_fn tell;
	void *ctx;
	struct trace_socket_bytes *bytes; /* owned */
	const struct jw_operation *write, *connect;
	bool failed; /* no memory */
};

/* ---- where records are missing ---- */

static void widen(struct hole *hole, uint64_t from, uint64_t to)
{
	hole->from = from < hole->from ? from : hole->from;
	hole->to = to > hole->to ? to : hole->to;
}

/* What is missing between pieces of threads of T. */
static struct hole find_hole(const struct trace_task *t)
{
	struct hole hole = { UINT64_MAX, 0 };
	uint32_t hint = 0;

	for (size_t i = 0; i < t->rec.thread_count; i++) {
		const struct trace_thread *th = &t->rec.threads[i];

		for (size_t k = 0; k < th->piece_count; k++) {
			const struct trace_piece *p = &t->rec.pieces[th->piece + k];

			if (k ? p->seq != p[-1].seq + 1 : p->seq > 0)
				widen(&hole, k ? trace_time(t, p[-1].last, &hint) : 0,
				      trace_time(t, p->first, &hint));
			if (!p->whole)
				widen(&hole, trace_time(t, p->first, &hint),
				      trace_time(t, p->window ? p->last : p->high, &hint));
		}
	}
	return hole;
}

/* ---- all ends ---- */

static void open_end(struct trace_streams *s, uint32_t task, size_t channel, struct trace_end ***to)
{
	const struct trace_channel *c = &s->world->tasks[task].rec.channels[channel];
	struct stream_end *out = &s->ends[task][channel];

	if (c->socket && c->named)
		return;
	trace_end_open(s->world, task, c, &out->end);
	for (int i = 0; c->socket && i < TRACE_WAYS; i++)
		out->way[i].at = c->socket->before[i];
	if (out->end.has_two)
		*(*to)++ = &out->end;
}

/* Those of all tasks; LIST, owned by the caller, has those with two ends. */
static bool open_ends(struct trace_streams *s, struct trace_end ***list, size_t *n)
{
	struct trace_world *w = s->world;
	size_t all = 0;

	for (size_t i = 0; i < w->task_count; i++)
		all += w->tasks[i].rec.channel_count;
	*list = jw_mem_zalloc(all + 1, sizeof(struct trace_end *));
	s->ends = jw_mem_zalloc(w->task_count + 1, sizeof(struct stream_end *));
	s->holes = jw_mem_zalloc(w->task_count + 1, sizeof(*s->holes));
	if (!*list || !s->ends || !s->holes)
		return false;
	struct trace_end **to = *list;

	for (uint32_t i = 0; i < w->task_count; i++) {
		size_t count = w->tasks[i].rec.channel_count;

		s->ends[i] = jw_mem_zalloc(count + 1, sizeof(**s->ends));
		if (!s->ends[i])
			return false;
		s->holes[i] = count ? find_hole(&w->tasks[i]) : (struct hole){ UINT64_MAX, 0 };
		for (size_t k = 0; k < count; k++)
			open_end(s, i, k, &to);
	}
	*n = (size_t)(to - *list);
	return true;
}

static void tell_world(void *ctx, const struct trace_point *from, const struct trace_point *to,
		       uint64_t bytes)
{
	trace_arrow_put_bytes(ctx, from, to, bytes);
}

struct trace_streams *trace_streams_new(struct trace_world *world, trace_streams_fn tell, void *ctx)
{
	struct trace_streams *s = jw_mem_zalloc(1, sizeof(*s));
	struct trace_end **list = NULL;
	size_t n = 0;

	if (!s)
		return NULL;
	s->world = world;
	s->tell = tell ? tell : tell_world;
	s->ctx = tell ? ctx : world;
	s->write = jw_operation_find(JW_SPAN_LIT("io/write"));
	s->connect = jw_operation_find(JW_SPAN_LIT("io/connect"));
	s->bytes = jw_mem_zalloc(1, sizeof(*s->bytes));
	s->failed = !s->bytes || !open_ends(s, &list, &n);
	if (!s->failed)
		trace_ends_pair(world, list, n);
	jw_mem_free(list);
	return s;
}

bool trace_streams_failed(const struct trace_streams *s)
{
	return !s || s->failed;
}

bool trace_streams_cross_clocks(const struct trace_streams *s)
{
	for (size_t i = 0; i < s->world->task_count; i++)
		for (size_t k = 0; k < s->world->tasks[i].rec.channel_count; k++) {
			const struct trace_end *end = &s->ends[i][k].end;

			if (end->peer && !trace_ends_on_one_clock(s->world, end, end->peer))
				return true;
		}
	return false;
}

/* ---- what is left ---- */

static struct stream_end *peer_of(const struct stream_end *end)
{
	return (struct stream_end *)end->end.peer;
}

/* Is it known that not all bytes of it were told? */
static bool is_other(const struct stream_end *end)
{
	return end->end.socket->end == TRACE_END_OTHER ||
	       end->end.peer->socket->end == TRACE_END_OTHER;
}

static bool is_missed(const struct stream_end *end)
{
	const struct stream_end *peer = peer_of(end);

	return end->way[0].missed || end->way[1].missed || peer->way[0].missed ||
	       peer->way[1].missed;
}

static enum trace_unmatched reason_of(const struct stream_end *end)
{
	const struct trace_socket *socket = end->end.socket;

	if (socket->family == TRACE_FAMILY_UDP)
		return TRACE_UNMATCHED_DATAGRAM;
	if (socket->family != TRACE_FAMILY_TCP)
		return TRACE_UNMATCHED_OTHER;
	if (!end->end.peer)
		return end->end.unsure ? TRACE_UNMATCHED_UNSURE : TRACE_UNMATCHED_ALONE;
	if (is_other(end))
		return TRACE_UNMATCHED_OTHER_WAY;
	return is_missed(end) ? TRACE_UNMATCHED_MISSING : TRACE_UNMATCHED_OPEN;
}

static bool is_closed(const struct stream_end *end)
{
	return end->end.socket->end_tick != UINT64_MAX ||
	       end->end.peer->socket->end_tick != UINT64_MAX;
}

/* How many bytes that END is told to have written its peer has not read, for good. */
static uint64_t never_read(const struct trace_streams *s, const struct stream_end *end)
{
	const struct way *way = &end->way[TRACE_WRITTEN];
	const struct stream_end *peer = peer_of(end);
	const struct trace_socket *socket = peer->end.socket;
	bool whole = socket->end == TRACE_END_WHOLE;
	uint64_t left = way->told - way->matched;
	uint64_t read = whole ? socket->after[TRACE_READ] : peer->way[TRACE_READ].at;

	if (!is_closed(end) || read >= way->at ||
	    (!whole && s->world->tasks[peer->end.task].gap_count))
		return 0;
	return left < way->at - read ? left : way->at - read;
}

static void count_connection(const struct stream_end *end, struct trace_socket_bytes *out)
{
	if (!end->end.peer || end->end.socket->role == TRACE_ROLE_ACCEPT)
		return; /* of two ends one counts */
	if (is_other(end))
		out->other_way++;
	else if (is_missed(end))
		out->missing++;
}

static void count(const struct trace_streams *s, const struct stream_end *end)
{
	struct trace_socket_bytes *out = s->bytes;
	uint64_t left = 0;

	if (!end->end.socket)
		return;
	for (int i = 0; i < TRACE_WAYS; i++) {
		out->matched += end->way[i].matched;
		left += end->way[i].told - end->way[i].matched;
	}
	if (left) {
		enum trace_unmatched why = reason_of(end);

		out->unmatched[why] += left;
		out->ends[why]++;
		out->unread += why == TRACE_UNMATCHED_OPEN ? never_read(s, end) : 0;
	}
	count_connection(end, out);
}

void trace_streams_finish(struct trace_streams *s, struct trace_socket_bytes *out)
{
	*out = (struct trace_socket_bytes){ 0 };
	if (!s)
		return;
	for (size_t i = 0; s->ends && i < s->world->task_count; i++) {
		size_t n = s->ends[i] ? s->world->tasks[i].rec.channel_count : 0;

		for (size_t k = 0; k < n && s->bytes; k++)
			count(s, &s->ends[i][k]);
		for (size_t k = 0; k < n; k++)
			for (int way = 0; way < TRACE_WAYS; way++)
				jw_mem_free(s->ends[i][k].way[way].moves.list);
	}
	for (size_t i = 0; s->ends && i < s->world->task_count; i++)
		jw_mem_free(s->ends[i]);
	if (s->bytes)
		*out = *s->bytes;
	jw_mem_free(s->bytes);
	jw_mem_free(s->holes);
	jw_mem_free(s->ends);
	jw_mem_free(s);
}

/* ---- arrows ---- */

static void put_arrow(struct trace_streams *s, const struct trace_point *from,
		      const struct trace_point *to, uint64_t bytes)
{
	if (from->time > to->time) {
		uint64_t by = from->time - to->time;

		s->bytes->backwards++;
		if (by > s->bytes->most_backwards)
			s->bytes->most_backwards = by;
	}
	s->tell(s->ctx, from, to, bytes);
}

/* ---- what was moved ---- */

static size_t count_of(const struct moves *m)
{
	return m->n - m->first;
}

static void drop(struct moves *m, size_t n)
{
	m->first += n;
	if (m->first == m->n)
		m->first = m->n = 0;
}

/* Leaves every other one, so that some of each time are left: where clocks of machines differ by
 * seconds, all that one end did in these waits. Each says by itself where it is. */
static void thin(struct moves *m)
{
	size_t n = 0;

	for (size_t i = m->first + 1; i < m->n; i += 2)
		m->list[n++] = m->list[i];
	m->first = 0;
	m->n = n;
}

static void add(struct trace_streams *s, struct moves *m, const struct moved *one)
{
	if (count_of(m) >= MOST_OPEN)
		thin(m);
	if (m->n == m->cap && m->first > m->n / 2) {
		memmove(m->list, m->list + m->first, count_of(m) * sizeof(*m->list));
		m->n -= m->first;
		m->first = 0;
	}
	struct moved *grown = trace_grow(m->list, m->n, &m->cap, sizeof(*grown));

	s->failed |= !grown;
	if (!grown)
		return;
	m->list = grown;
	grown[m->n++] = *one;
}

static uint64_t shared(const struct moved *a, const struct moved *b)
{
	uint64_t begin = a->begin > b->begin ? a->begin : b->begin;
	uint64_t end = a->end < b->end ? a->end : b->end;

	return end > begin ? end - begin : 0;
}

/* Is it known that none of what was written between LIST[I - 1] and the end of READ ends there? */
static bool is_last(const struct moves *sent, size_t i, const struct moved *read)
{
	uint64_t end = sent->list[i - 1].end;

	return end == read->end || (i < sent->n && sent->list[i].begin == end);
}

/* READ, to the way TO, has got all that was written the way FROM up to its end. */
static void settle_one(struct trace_streams *s, struct way *from, struct way *to,
		       const struct moved *read)
{
	struct moves *sent = &from->moves;
	size_t i = sent->first;
	uint64_t matched = 0;

	for (; i < sent->n && sent->list[i].end <= read->end; i++)
		matched += shared(&sent->list[i], read);
	if (i < sent->n) /* the rest of it is read later */
		matched += shared(&sent->list[i], read);
	from->matched += matched;
	from->untold += matched;
	to->matched += matched;
	if (i > sent->first && sent->list[i - 1].end > read->begin && is_last(sent, i, read)) {
		put_arrow(s, &sent->list[i - 1].point, &read->point, from->untold);
		from->untold = 0;
	}
	drop(sent, i - sent->first);
}

/* Reads of TO wait until it is known what was written by FROM. */
static void settle(struct trace_streams *s, struct way *from, struct way *to)
{
	while (count_of(&to->moves) && to->moves.list[to->moves.first].end <= from->at) {
		struct moved read = to->moves.list[to->moves.first];

		drop(&to->moves, 1);
		settle_one(s, from, to, &read);
	}
}

/* May a record of END have been among those that are missing, before TIME? */
static bool is_after_hole(const struct trace_streams *s, const struct stream_end *end,
			  uint64_t time)
{
	const struct hole *hole = &s->holes[end->end.task];

	return time >= hole->from && end->end.begin <= hole->to;
}

/* A record says how much was moved before what is moved at TIME. */
static void take_offset(struct way *way, uint64_t offset, bool known)
{
	way->lost = offset < way->at; /* it never goes back */
	way->known = known;
	if (!way->lost)
		way->at = offset;
}

/* What PAYLOAD tells of was moved at TIME. False: nobody knows where that is. */
static bool advance(const struct trace_streams *s, struct stream_end *end, struct way *way,
		    const struct trace_track *track, uint64_t time, uint64_t payload,
		    struct moved *out)
{
	uint64_t n = jwr_awaited_amount(payload);

	if (track->has_offset)
		take_offset(way, track->offset, time >= s->holes[end->end.task].to);
	*out = (struct moved){ .begin = way->at, .end = way->at + n };
	way->told += n;
	way->lost |= (out->end & 0xffff) != jwr_awaited_mark(payload) ||
		     (!way->known && is_after_hole(s, end, time));
	way->missed |= way->lost;
	if (!way->lost)
		way->at = out->end;
	return !way->lost;
}

static void move(struct trace_streams *s, struct stream_end *end, const struct trace_who *who,
		 uint64_t time, const struct trace_wait *wait, uint64_t payload)
{
	bool writes = wait->value == TRACE_WAIT_WRITE;
	struct way *way = &end->way[writes ? TRACE_WRITTEN : TRACE_READ];
	struct moved one;

	if (!end->end.has_two)
		way->told += jwr_awaited_amount(payload);
	else if (jwr_awaited_amount(payload) &&
		 advance(s, end, way, who->track, time, payload, &one) && end->end.peer &&
		 !is_other(end)) {
		struct way *back = &peer_of(end)->way[writes ? TRACE_READ : TRACE_WRITTEN];

		one.point = (struct trace_point){ writes ? wait->begin : time, who->place,
						  trace_arrow_tag(s->write) };
		if (!back->lost)
			add(s, &way->moves, &one);
		settle(s, writes ? way : back, writes ? back : way);
	}
}

/* ---- who connects ---- */

static void make(struct trace_streams *s, struct stream_end *end, const struct trace_who *who,
		 uint64_t time, const struct trace_wait *wait)
{
	bool connects = wait->value == TRACE_WAIT_CONNECT;
	const struct stream_end *peer = peer_of(end);

	end->made = (struct trace_point){ connects ? wait->begin : time, who->place,
					  trace_arrow_tag(s->connect) };
	if (!peer || !peer->made.time || is_other(end) ||
	    (peer->end.socket->role == TRACE_ROLE_CONNECT) == connects)
		return;
	put_arrow(s, connects ? &end->made : &peer->made, connects ? &peer->made : &end->made, 0);
}

/* ---- what ends ---- */

/* The end that has NUMBER in TASK; NULL: it is no socket. */
static struct stream_end *end_of(const struct trace_streams *s, uint32_t task, uint64_t number)
{
	const struct trace_recording *rec = &s->world->tasks[task].rec;
	const struct trace_channel *c = number ? trace_channel_find(rec, number) : NULL;
	struct stream_end *end = c ? &s->ends[task][c - rec->channels] : NULL;

	return end && end->end.socket ? end : NULL;
}

void trace_streams_ended(struct trace_streams *s, const struct trace_who *who, uint64_t time,
			 const struct trace_wait *wait, uint64_t payload)
{
	unsigned what = jwr_await_what(payload);
	bool moves = what == JWR_AWAIT_READ || what == JWR_AWAIT_WRITE;
	bool makes = what == JWR_AWAIT_CONNECT || what == JWR_AWAIT_ACCEPT;

	if (s->failed || (!moves && !makes))
		return;
	struct stream_end *end =
		end_of(s, who->place.task, moves ? wait->channel : jwr_awaited_amount(payload));

	if (end && moves)
		move(s, end, who, time, wait, payload);
	else if (end && end->end.has_two)
		make(s, end, who, time, wait);
}
