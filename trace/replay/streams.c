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
#include "trace/replay/streams.h"
#include "trace/replay/track.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_OPEN 65536 /* writes, or reads, of one connection that wait for the other end */
#define NEAR      64    /* connections of the same addresses, one after the other */

/* A write or a read: bytes up to END, the first of a read at BEGIN. */
struct moved {
	uint64_t begin, end;
	struct trace_point point;
};

/* In order; what is before FIRST is gone. */
struct moves {
	struct moved *list; /* owned */
	size_t first, n, cap;
};

/* One end of a connection. */
struct end {
	const struct trace_socket *socket; /* NULL: none that has two ends */
	struct end *peer;                  /* NULL: it was not recorded */
	uint32_t task;
	uint64_t begin, over;      /* times */
	uint64_t at[TRACE_WAYS];   /* so much was moved, as far as records say */
	bool missed[TRACE_WAYS];   /* some records are */
	struct moves sent, got;    /* what it has written; what its peer has read of that */
	struct trace_point made;   /* where it was connected or accepted; time 0: unknown */
};

struct trace_streams {
	struct trace_world *world;
	struct end **ends; /* by task, then as the channels of its recording; owned */
	const struct jw_operation *write, *connect;
	bool failed; /* no memory */
};

/* ---- both ends of connections ---- */

/* Its own address first, or last: so both ends of one connection are the same. */
static int lower_of(const struct trace_socket *s)
{
	int order = strcmp(s->address[0], s->address[1]);

	if (order == 0)
		order = s->port[0] < s->port[1] ? -1 : s->port[0] > s->port[1];
	return order > 0;
}

static int compare_ends(const struct trace_socket *x, const struct trace_socket *y)
{
	int lower[] = { lower_of(x), lower_of(y) };

	for (int i = 0; i < 2; i++) {
		int order = strcmp(x->address[lower[0] ^ i], y->address[lower[1] ^ i]);
		uint16_t px = x->port[lower[0] ^ i], py = y->port[lower[1] ^ i];

		if (order != 0)
			return order;
		if (px != py)
			return px < py ? -1 : 1;
	}
	return 0;
}

static int by_addresses(const void *a, const void *b)
{
	const struct end *x = *(struct end *const *)a, *y = *(struct end *const *)b;
	int order = compare_ends(x->socket, y->socket);

	if (order != 0)
		return order;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static bool is_loopback(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* May both be in one network, where their addresses mean the same? */
static bool see_each_other(const struct trace_streams *s, const struct end *x, const struct end *y)
{
	const struct trace_recording *a = &s->world->tasks[x->task].rec,
				     *b = &s->world->tasks[y->task].rec;

	if (x->task == y->task)
		return true;
	if (!a->boot.id[0] || strcmp(a->boot.id, b->boot.id) != 0)
		return false;
	return a->net_namespace == b->net_namespace || !is_loopback(x->socket->address[0]);
}

/* BEFORE was seen first: is it the other end of ONE, which has the same addresses? One that was
 * accepted may have been connected, and closed, long ago. */
static bool is_peer(const struct trace_streams *s, const struct end *before, const struct end *one)
{
	const struct trace_socket *x = before->socket, *y = one->socket;
	bool late = x->role == TRACE_ROLE_CONNECT && y->role == TRACE_ROLE_ACCEPT;

	return !before->peer && lower_of(x) != lower_of(y) && see_each_other(s, before, one) &&
	       (before->over >= one->begin || late);
}

static void pair_all(struct trace_streams *s, struct end **list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t near = i > NEAR ? i - NEAR : 0;

		for (size_t k = i; k-- > near;) {
			if (compare_ends(list[k]->socket, list[i]->socket) != 0)
				break;
			if (is_peer(s, list[k], list[i])) {
				list[k]->peer = list[i];
				list[i]->peer = list[k];
				break;
			}
		}
	}
}

/* ---- all ends ---- */

static bool has_two_ends(const struct trace_channel *c)
{
	return c->socket && c->socket->family == TRACE_FAMILY_TCP &&
	       c->socket->role != TRACE_ROLE_LISTEN && c->socket->address[0][0] &&
	       c->socket->address[1][0];
}

static void open_end(const struct trace_task *t, uint32_t task, const struct trace_channel *c,
		     struct end *out)
{
	const struct trace_socket *socket = c->socket;
	uint32_t hint = 0;

	out->socket = socket;
	out->task = task;
	out->begin = trace_time(t, socket->tick, &hint);
	out->over = socket->end_tick == UINT64_MAX ? UINT64_MAX
						   : trace_time(t, socket->end_tick, &hint);
	for (int i = 0; i < TRACE_WAYS; i++)
		out->at[i] = socket->before[i];
}

/* Those of all tasks; LIST, owned by the caller, has those with two ends. */
static bool open_ends(struct trace_streams *s, struct end ***list, size_t *n)
{
	struct trace_world *w = s->world;
	size_t all = 0;

	for (size_t i = 0; i < w->task_count; i++)
		all += w->tasks[i].rec.channel_count;
	*list = jw_mem_zalloc(all + 1, sizeof(struct end *));
	s->ends = jw_mem_zalloc(w->task_count + 1, sizeof(struct end *));
	for (uint32_t i = 0; *list && s->ends && i < w->task_count; i++) {
		const struct trace_recording *rec = &w->tasks[i].rec;

		s->ends[i] = jw_mem_zalloc(rec->channel_count + 1, sizeof(**s->ends));
		if (!s->ends[i])
			return false;
		for (size_t k = 0; k < rec->channel_count; k++) {
			if (!has_two_ends(&rec->channels[k]))
				continue;
			open_end(&w->tasks[i], i, &rec->channels[k], &s->ends[i][k]);
			(*list)[(*n)++] = &s->ends[i][k];
		}
	}
	return *list && s->ends;
}

struct trace_streams *trace_streams_new(struct trace_world *world)
{
	struct trace_streams *s = jw_mem_zalloc(1, sizeof(*s));
	struct end **list = NULL;
	size_t n = 0;

	if (!s)
		return NULL;
	s->world = world;
	s->write = jw_operation_find(JW_SPAN_LIT("io/write"));
	s->connect = jw_operation_find(JW_SPAN_LIT("io/connect"));
	s->failed = !open_ends(s, &list, &n);
	if (!s->failed && n > 1)
		qsort(list, n, sizeof(struct end *), by_addresses);
	if (!s->failed)
		pair_all(s, list, n);
	jw_mem_free(list);
	return s;
}

bool trace_streams_failed(const struct trace_streams *s)
{
	return !s || s->failed;
}

/* Is it known that not all bytes of it were told? */
static bool is_other(const struct end *end)
{
	return end->socket->end == TRACE_END_OTHER || end->peer->socket->end == TRACE_END_OTHER;
}

static void count(struct trace_streams *s, const struct end *end)
{
	if (!end->socket || !end->peer || end->socket->role == TRACE_ROLE_ACCEPT)
		return; /* of two ends one counts */
	if (is_other(end))
		s->world->streams.other++;
	else if (end->missed[0] || end->missed[1] || end->peer->missed[0] || end->peer->missed[1])
		s->world->streams.missed++;
}

void trace_streams_free(struct trace_streams *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->ends && i < s->world->task_count; i++) {
		size_t n = s->ends[i] ? s->world->tasks[i].rec.channel_count : 0;

		for (size_t k = 0; k < n; k++)
			count(s, &s->ends[i][k]);
		for (size_t k = 0; k < n; k++) {
			jw_mem_free(s->ends[i][k].sent.list);
			jw_mem_free(s->ends[i][k].got.list);
		}
	}
	for (size_t i = 0; s->ends && i < s->world->task_count; i++)
		jw_mem_free(s->ends[i]);
	jw_mem_free(s->ends);
	jw_mem_free(s);
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

static void add(struct trace_streams *s, struct moves *m, const struct moved *one)
{
	if (count_of(m) >= MOST_OPEN)
		drop(m, 1);
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

/* READ, by the peer of FROM, has got all that FROM has written up to its end. */
static void settle_one(struct trace_streams *s, struct end *from, const struct moved *read)
{
	struct moves *sent = &from->sent;
	size_t whole = 0;

	while (whole < count_of(sent) && sent->list[sent->first + whole].end <= read->end)
		whole++;
	if (whole && sent->list[sent->first + whole - 1].end > read->begin)
		trace_arrow_put(s->world, &sent->list[sent->first + whole - 1].point, &read->point);
	drop(sent, whole);
}

static void settle(struct trace_streams *s, struct end *from)
{
	while (count_of(&from->got) &&
	       from->got.list[from->got.first].end <= from->at[TRACE_WRITTEN]) {
		struct moved read = from->got.list[from->got.first];

		drop(&from->got, 1);
		settle_one(s, from, &read);
	}
}

/* N bytes were moved by END that way. False: nobody knows any longer where that is. */
static bool advance(struct end *end, int way, const struct trace_track *track, uint64_t n,
		    uint64_t mark, struct moved *out)
{
	if (track->has_offset)
		end->at[way] = track->offset;
	out->begin = end->at[way];
	out->end = end->at[way] += n;
	end->missed[way] |= (out->end & 0xffff) != mark;
	return !end->missed[way];
}

static void move(struct trace_streams *s, struct end *end, const struct trace_who *who,
		 uint64_t time, const struct trace_wait *wait, uint64_t payload)
{
	bool writes = wait->value == TRACE_WAIT_WRITE;
	uint64_t n = jwr_awaited_amount(payload);
	struct moved one;

	if (!n || !advance(end, writes ? TRACE_WRITTEN : TRACE_READ, who->track, n,
			   jwr_awaited_mark(payload), &one))
		return;
	if (!end->peer || is_other(end))
		return;
	one.point = (struct trace_point){ writes ? wait->begin : time, who->place,
					  trace_arrow_tag(s->write) };
	struct end *from = writes ? end : end->peer;

	add(s, writes ? &from->sent : &from->got, &one);
	settle(s, from);
}

/* ---- who connects ---- */

static void make(struct trace_streams *s, struct end *end, const struct trace_who *who,
		 uint64_t time, const struct trace_wait *wait)
{
	bool connects = wait->value == TRACE_WAIT_CONNECT;

	end->made = (struct trace_point){ connects ? wait->begin : time, who->place,
					  trace_arrow_tag(s->connect) };
	if (!end->peer || !end->peer->made.time || is_other(end) ||
	    (end->peer->socket->role == TRACE_ROLE_CONNECT) == connects)
		return;
	trace_arrow_put(s->world, connects ? &end->made : &end->peer->made,
			connects ? &end->peer->made : &end->made);
}

/* ---- what ends ---- */

/* The end that has NUMBER in TASK; NULL: none that has two. */
static struct end *end_of(const struct trace_streams *s, uint32_t task, uint64_t number)
{
	const struct trace_recording *rec = &s->world->tasks[task].rec;
	const struct trace_channel *c = number ? trace_channel_find(rec, number) : NULL;
	struct end *end = c ? &s->ends[task][c - rec->channels] : NULL;

	return end && end->socket ? end : NULL;
}

void trace_streams_ended(struct trace_streams *s, const struct trace_who *who, uint64_t time,
			 const struct trace_wait *wait, uint64_t payload)
{
	bool moves = wait->value == TRACE_WAIT_READ || wait->value == TRACE_WAIT_WRITE;
	bool makes = wait->value == TRACE_WAIT_CONNECT || wait->value == TRACE_WAIT_ACCEPT ||
		     wait->value == TRACE_WAIT_FOR_REQUESTS;

	if (s->failed || (!moves && !makes))
		return;
	struct end *end = end_of(s, who->place.task,
				 moves ? wait->channel : jwr_awaited_amount(payload));

	if (end && moves)
		move(s, end, who, time, wait, payload);
	else if (end)
		make(s, end, who, time, wait);
}
