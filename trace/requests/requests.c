/*
 * requests.c: see requests.h.
 *
 * Whether a connection was accepted or made is known only when its name is, after all else. Until then what is
 * moved there is taken both ways.
 */
#include "trace/requests/requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/ignore.h"
#include "trace/reader/channels.h"
#include "trace/requests/requests_int.h"

#include "base/banned.h"

enum { LONGEST = 16 }; /* requests of a connection, each way, that may be among the slowest */

/* ---- one connection ---- */

static uint64_t took(const struct turn *t)
{
	return t->end - t->begin;
}

/* Where one of the longest of WAY may be: at the end, or in place of the shortest of LONGEST. NULL: no memory. */
static struct turn *room_for_one(struct way *way)
{
	struct turn *shortest = way->longest;

	if (way->n < LONGEST) {
		if (way->n == way->room) {
			uint32_t room = way->room ? 2 * way->room : 1;
			struct turn *grown = jw_mem_realloc(way->longest, room * sizeof(*grown));

			if (!grown)
				return NULL;
			way->longest = grown;
			way->room = room;
		}
		way->longest[way->n] = (struct turn){ 0 };
		return &way->longest[way->n++];
	}
	for (uint32_t i = 1; i < way->n; i++)
		if (took(&way->longest[i]) < took(shortest))
			shortest = &way->longest[i];
	return shortest;
}

static void keep(struct trace_requests *q, const struct connection *c, int way,
		 const struct turn *t)
{
	const uint64_t numbers[] = { WAYS * (uint64_t)(c - q->connections.at) + (unsigned)way,
				     t->begin,
				     t->answer_begin - t->begin,
				     took(t),
				     t->asker,
				     t->answerer };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		trace_list_put(&q->spool, &q->kept, numbers[i]);
}

/* Does T touch the range, which has all of it (requests.h)? */
static bool is_in_range(const struct trace_requests *q, const struct turn *t)
{
	return t->end >= q->scene->begin && t->begin <= q->scene->end;
}

/* What goes on WAY of C is over; it counts if it was answered. */
static void finish(struct trace_requests *q, struct connection *c, int at)
{
	struct way *way = &c->way[at];
	const struct turn t = way->turn;

	way->turn = (struct turn){ 0 };
	if (!t.answered || !is_in_range(q, &t))
		return;
	struct turn *to = room_for_one(way);

	if (!to || !trace_sketch_add(&way->times, took(&t))) {
		q->failed = true;
		return;
	}
	if (took(&t) >= took(to))
		*to = t;
	way->ns += took(&t);
	way->before += t.begin < q->scene->begin;
	way->after += t.end > q->scene->end;
	if (q->keeps)
		keep(q, c, at, &t);
}

/* ASKED: M is of a request, else of an answer. */
static void take_move(struct trace_requests *q, struct connection *c, int way, const struct move *m,
		      bool asked)
{
	struct turn *t = &c->way[way].turn;

	if (asked && t->answered)
		finish(q, c, way);
	if (asked && !t->open)
		*t = (struct turn){ .open = true,
				    .begin = m->writes ? m->begin : m->end,
				    .asker = m->thread };
	if (asked || !t->open || m->end < t->begin)
		return;
	if (!t->answered) {
		uint64_t begin = m->writes ? m->begin : m->end;

		t->answered = true;
		t->answer_begin = begin > t->begin ? begin : t->begin;
		t->answerer = m->thread;
	}
	t->end = m->end > t->end ? m->end : t->end; /* a trace may have them in no order */
}

static uint32_t hash_of(uint32_t process, uint64_t channel)
{
	return jw_hash_id(channel ^ (uint64_t)process << 40);
}

/* NULL: no memory. */
static struct connection *connection_of(struct trace_requests *q, uint32_t process,
					uint64_t channel)
{
	static const struct jw_growth growth = { "connections", UINT32_MAX, 64 };
	struct jw_lookup_walk w = jw_lookup_walk(&q->connections.lookup, hash_of(process, channel));
	struct jw_err ignored = { 0 };

	while (jw_lookup_next(&w)) {
		struct connection *c = &q->connections.at[w.place];

		if (c->channel == channel && c->process == process)
			return c;
	}
	if (JW_GROW(&q->connections, &growth, &ignored) != JW_OK ||
	    !jw_lookup_add(&q->connections.lookup, hash_of(process, channel), q->connections.n))
		return NULL;
	q->connections.at[q->connections.n] =
		(struct connection){ .channel = channel, .process = process };
	return &q->connections.at[q->connections.n++];
}

static void pass_on(struct trace_requests *q, struct connection *c, const struct move *m)
{
	take_move(q, c, ANSWERS, m, !m->writes);
	take_move(q, c, ASKS, m, m->writes);
}

/* The reads that ended until TIME. */
static void pass_reads(struct trace_requests *q, struct connection *c, uint64_t time)
{
	while (c->read_n && c->reads[0].end <= time) {
		pass_on(q, c, &c->reads[0]);
		c->reads[0] = c->reads[1];
		c->read_n--;
	}
}

static void take_write(struct trace_requests *q, struct connection *c, const struct move *m)
{
	pass_reads(q, c, m->begin);
	pass_on(q, c, m);
	pass_reads(q, c, UINT64_MAX);
}

static void take_read(struct connection *c, const struct move *m)
{
	uint32_t last = c->read_n < 2 ? c->read_n++ : 1;

	c->reads[last] = *m;
}

static void moved(struct trace_requests *q, uint64_t channel, const struct move *m)
{
	struct connection *c = connection_of(q, q->scene->threads[m->thread].process, channel);

	if (!c)
		q->failed = true;
	else if (m->writes)
		take_write(q, c, m);
	else
		take_read(c, m);
}

/* ---- the output ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_requests *q = ctx;

	q->scene = scene;
	q->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*q->lanes));
	return q->lanes ? JW_OK : jw_nomem(e);
}

static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_requests *q = ctx;
	struct lane *lane = &q->lanes[at];

	switch (type) {
	case TRACE_TYPE_CHANNEL:
		*lane = (struct lane){ .channel = value };
		break;
	case TRACE_TYPE_CHANNEL_READ:
	case TRACE_TYPE_CHANNEL_WRITTEN:
		lane->writes = type == TRACE_TYPE_CHANNEL_WRITTEN;
		lane->moved = value;
		break;
	case TRACE_TYPE_CHANNEL_NS:
		if (lane->channel && lane->moved)
			moved(q, lane->channel,
			      &(struct move){ time - (value < time ? value : time), time, at,
					      lane->writes });
		*lane = (struct lane){ 0 };
		break;
	default:
		break;
	}
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_requests *q = ctx;

	return q->failed ? jw_nomem(e) : q->keeps ? trace_spool_status(&q->spool, e) : JW_OK;
}

static void want_threads(struct trace_requests *q, const struct way *way)
{
	for (uint32_t i = 0; i < way->n; i++) {
		trace_want(&q->names, TRACE_NAME_ROW, way->longest[i].asker);
		trace_want(&q->names, TRACE_NAME_ROW, way->longest[i].answerer);
	}
}

static void take_over(void *ctx, uint64_t time)
{
	struct trace_requests *q = ctx;

	q->end = time;
	for (size_t i = 0; i < q->connections.n; i++) {
		struct connection *c = &q->connections.at[i];

		pass_reads(q, c, UINT64_MAX);
		for (int way = 0; way < WAYS; way++) {
			finish(q, c, way);
			want_threads(q, &c->way[way]);
		}
		trace_want(&q->names, TRACE_NAME_CHANNEL, c->channel);
	}
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_requests *q = ctx;

	trace_wanted_take(&q->names, what, number, label);
}

/* ---- the list ---- */

/* A connection with requests, and what it is called. */
struct named {
	const struct connection *of;
	const struct way *way;
	const char *name;
	struct jw_span server;
	bool asks;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	size_t n = x->server.n < y->server.n ? x->server.n : y->server.n;
	int order = compare(x->of->process, y->of->process);

	order = order ? order : x->asks - y->asks;
	order = order ? order : memcmp(x->server.p, y->server.p, n);
	order = order ? order : compare(x->server.n, y->server.n);
	return order ? order : compare(x->of->channel, y->of->channel);
}

static bool same_place(const struct named *a, const struct named *b)
{
	return a->of->process == b->of->process && a->asks == b->asks &&
	       jw_span_eq(a->server, b->server);
}

/* Answers first, then the most time. */
static int by_time(const void *a, const void *b)
{
	const struct trace_request_sum *x = a, *y = b;
	int order = x->asks - y->asks;

	order = order ? order : compare(y->ns, x->ns);
	order = order ? order : strcmp(x->where, y->where);
	return order ? order : compare(x->process, y->process);
}

/* Those whose requests are known, into LIST; how many they are. */
static size_t name_all(struct trace_requests *q, struct named *list)
{
	size_t n = 0;

	for (size_t i = 0; i < q->connections.n; i++) {
		const struct connection *c = &q->connections.at[i];
		const char *name = trace_wanted_text(&q->names, TRACE_NAME_CHANNEL, c->channel);

		if (!name || !trace_is_connection(name))
			continue;
		q->list.connections++;
		bool asks = !trace_is_accepted(name);
		const struct named one = { c, &c->way[asks ? ASKS : ANSWERS], name,
					   trace_connection_server(name), asks };

		if (!one.way->times.n || !one.server.n)
			continue;
		q->list.before += one.way->before;
		q->list.after += one.way->after;
		list[n++] = one;
	}
	if (n > 1)
		qsort(list, n, sizeof(*list), by_place);
	return n;
}

/* N of LIST, at one place, into SUM. */
static bool sum_up(struct trace_requests *q, const struct named *list, size_t n,
		   struct trace_request_sum *sum)
{
	struct trace_sketch times = { 0 };
	uint64_t longest = 0;
	bool good = true;

	sum->process = list->of->process;
	sum->asks = list->asks;
	sum->connections = n;
	for (size_t i = 0; i < n; i++) {
		const struct way *way = list[i].way;

		good = good && trace_sketch_merge(&times, &way->times);
		sum->ns += way->ns;
		for (uint32_t k = 0; k < way->n; k++)
			if (took(&way->longest[k]) >= longest) {
				longest = took(&way->longest[k]);
				sum->longest_begin = way->longest[k].begin;
			}
	}
	sum->where = jw_arena_fmt(q->arena, "%s %.*s", sum->asks ? "to" : "at", (int)list->server.n,
				  (const char *)list->server.p);
	sum->process_name = trace_process_name(q->arena, q->scene, sum->process);
	good = good && trace_sketch_copy(&sum->times, &times, q->arena);
	trace_sketch_free(&times);
	return good && sum->where && sum->process_name;
}

static int by_length(const void *a, const void *b)
{
	const struct trace_request *x = a, *y = b;
	int order = compare(y->end - y->begin, x->end - x->begin);

	order = order ? order : compare(x->begin, y->begin);
	return order ? order : strcmp(x->connection, y->connection);
}

/* The slowest, once they are chosen, have names, and numbers of threads rather than places. */
static bool name_slowest(struct trace_requests *q, struct trace_request *list, size_t n)
{
	const struct trace_scene_thread *threads = q->scene->threads;

	for (struct trace_request *r = list; r < list + n; r++) {
		r->process = threads[r->asker].process;
		r->process_name = trace_wanted_process(&q->names, q->scene, r->asker);
		r->asker_name = trace_wanted_thread(&q->names, q->scene, r->asker);
		r->answerer_name = trace_wanted_thread(&q->names, q->scene, r->answerer);
		if (!r->process_name || !r->asker_name || !r->answerer_name)
			return false;
		r->asker = threads[r->asker].number;
		r->answerer = threads[r->answerer].number;
	}
	return true;
}

static bool list_slowest(struct trace_requests *q, const struct named *list, size_t n)
{
	size_t all = 0, found = 0;

	for (size_t i = 0; i < n; i++)
		all += list[i].way->n;
	struct trace_request *out = JW_NEW_ARRAY(q->arena, struct trace_request, all + 1);

	for (size_t i = 0; out && i < n; i++)
		for (uint32_t k = 0; k < list[i].way->n; k++) {
			const struct turn *p = &list[i].way->longest[k];

			out[found++] = (struct trace_request){ .begin = p->begin,
							       .answer_begin = p->answer_begin,
							       .end = p->end,
							       .asks = list[i].asks,
							       .asker = p->asker,
							       .answerer = p->answerer,
							       .connection = list[i].name };
		}
	if (found > 1)
		qsort(out, found, sizeof(*out), by_length);
	q->list.slowest = out;
	q->list.slowest_count = found < q->most ? found : q->most;
	return out && name_slowest(q, out, q->list.slowest_count);
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_requests *q = ctx;
	struct named *list = jw_mem_zalloc(q->connections.n + 1, sizeof(*list));
	struct trace_request_sum *sums =
		JW_NEW_ARRAY(q->arena, struct trace_request_sum, q->connections.n + 1);
	bool good = list && sums && !q->failed && !q->names.failed;
	size_t n = good ? name_all(q, list) : 0, count = 0;

	(void)names;
	for (size_t i = 0, end; good && i < n; i = end) {
		for (end = i + 1; end < n && same_place(&list[i], &list[end]);)
			end++;
		good = sum_up(q, &list[i], end - i, &sums[count++]);
	}
	if (count > 1)
		qsort(sums, count, sizeof(*sums), by_time);
	q->list.sums = sums;
	q->list.sum_count = count;
	q->list.duration_ns = q->end - q->scene->begin;
	good = good && list_slowest(q, list, n);
	jw_mem_free(list);
	return good ? JW_OK : jw_nomem(e);
}

const struct trace_output trace_requests_output = {
	.in_order = true,
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = trace_ignore_enter,
	.leave = trace_ignore_leave,
	.event = take_event,
	.outside = take_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

struct trace_requests *trace_requests_new(size_t most, struct jw_arena *arena)
{
	struct trace_requests *q = jw_mem_zalloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->arena = arena;
	q->names.arena = arena;
	q->most = most;
	return q;
}

struct trace_request_list trace_requests_list(const struct trace_requests *q)
{
	return q->list;
}

void trace_requests_free(struct trace_requests *q)
{
	if (!q)
		return;
	for (size_t i = 0; i < q->connections.n; i++)
		for (int way = 0; way < WAYS; way++) {
			trace_sketch_free(&q->connections.at[i].way[way].times);
			jw_mem_free(q->connections.at[i].way[way].longest);
		}
	trace_list_free(&q->kept);
	trace_spool_close(&q->spool);
	jw_mem_free(q->connections.at);
	jw_lookup_free(&q->connections.lookup);
	trace_wanted_free(&q->names);
	jw_mem_free(q->lanes);
	jw_mem_free(q);
}
