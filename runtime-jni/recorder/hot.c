#include "runtime-jni/recorder/hot.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

enum { PLACES = 2 * RT_HOT_METHODS, DEEPEST = 256 };

/* The calls of one thread that are open, as far as its chunk says. */
struct open_calls {
	struct rt_hot_method *at[DEEPEST];
	uint64_t since[DEEPEST];
	size_t depth, over; /* over: deeper than there is room for */
};

void rt_hot_clear(struct rt_hot *hot)
{
	memset(hot, 0, sizeof(*hot));
}

/* The figures of ID; NULL: there is no room for one more. */
static struct rt_hot_method *find(struct rt_hot *hot, uint64_t id)
{
	size_t at = (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) % PLACES;

	while (hot->methods[at].id && hot->methods[at].id != id)
		at = (at + 1) % PLACES;
	if (!hot->methods[at].id) {
		if (hot->count == RT_HOT_METHODS)
			return NULL;
		hot->count++;
		hot->methods[at].id = id;
	}
	return &hot->methods[at];
}

static void enter(struct open_calls *open, struct rt_hot_method *method, uint64_t tick)
{
	if (open->depth == DEEPEST) {
		open->over++;
		return;
	}
	open->since[open->depth] = tick;
	open->at[open->depth++] = method;
}

/* The innermost call is over at TICK, or the chunk is. */
static void end_call(struct open_calls *open, uint64_t tick)
{
	struct rt_hot_method *method = open->at[--open->depth];

	if (method && tick > open->since[open->depth])
		method->whole += tick - open->since[open->depth];
}

/* Ends calls down to that of METHOD; where it is not open, it was since BEGAN at least. */
static void leave(struct open_calls *open, struct rt_hot_method *method, uint64_t began,
		  uint64_t tick)
{
	size_t depth = open->depth;

	if (open->over) {
		open->over--;
		return;
	}
	while (depth > 0 && open->at[depth - 1] != method)
		depth--;
	if (depth == 0 && method && tick > began)
		method->whole += tick - began;
	while (depth > 0 && open->depth >= depth)
		end_call(open, tick);
}

static bool is_capture(enum jwr_kind kind)
{
	return kind == JWR_OBJECT || kind == JWR_VALUE || kind == JWR_WIDE;
}

/* That a budget may leave out: I/O is always told, since bytes are counted. */
static bool is_wait(uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);

	if (kind == JWR_AWAIT || kind == JWR_AWAITED)
		return jwr_await_what(jwr_word_payload(word)) == JWR_AWAIT_SLEEP;
	return (kind >= JWR_PLACE && kind <= JWR_AWAITED) || kind == JWR_SHORT;
}

/* One record of a chunk that began at BEGAN; BEFORE: the kind of the one before it, where captures count as what they
 * follow. */
static void take(struct rt_hot *hot, struct open_calls *open, const struct jwr_record *r,
		 uint64_t began, enum jwr_kind before, bool after_capture)
{
	enum jwr_kind kind = jwr_word_kind(r->word);
	uint64_t id = jwr_word_payload(r->word);

	if (kind == JWR_SWITCH)
		open->depth = open->over = 0;
	if (is_capture(kind) && before == JWR_ENTER && open->depth && !open->over &&
	    open->at[open->depth - 1])
		open->at[open->depth - 1]->captured = true;
	if (kind < JWR_ENTER || kind > JWR_FAIL || id == 0)
		return;
	struct rt_hot_method *method = find(hot, id);

	if (method)
		method->events++;
	if (method && kind != JWR_ENTER && after_capture)
		method->captured = true;
	if (kind == JWR_ENTER)
		enter(open, method, r->tick);
	else
		leave(open, method, began, r->tick);
}

void rt_hot_chunk(struct rt_hot *hot, const struct jwr_record *records, size_t n)
{
	struct open_calls open = { .depth = 0 };
	enum jwr_kind before = JWR_NONE;
	bool after_capture = false;

	for (size_t i = 0; i < n; i++) {
		const struct jwr_record *r = &records[i];
		struct rt_hot_method *inner = open.depth ? open.at[open.depth - 1] : NULL;

		if (inner && r->tick > records[i - 1].tick)
			inner->ticks += r->tick - records[i - 1].tick;
		take(hot, &open, r, records->tick, before, after_capture);
		hot->waits += is_wait(r->word);
		after_capture = is_capture(jwr_word_kind(r->word));
		if (!after_capture)
			before = jwr_word_kind(r->word);
	}
	while (open.depth)
		end_call(&open, records[n - 1].tick);
	hot->events += n;
}

static double rank_of(const struct rt_hot_method *m)
{
	return (double)m->events * (double)m->events / ((double)m->ticks + 1);
}

static int by_rank(const void *a, const void *b)
{
	const struct rt_hot_method *x = a, *y = b;
	double ranks[] = { rank_of(x), rank_of(y) };

	if (ranks[0] > ranks[1] || ranks[0] < ranks[1])
		return ranks[0] > ranks[1] ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Of the room that there is, what methods get at least, whatever else is recorded. */
#define METHODS_SHARE 0.5

/* So few are no sign of more. */
enum { EVENTS_LEAST = 3 };
/* Of all events: where all that could still go are no more, their methods would be lost for nothing. Most
 * events are then of what stays, such as locks. */
#define LITTLE 0.01

static bool is_small_and_hot(const struct rt_hot_method *m, const struct rt_hot_limits *limits)
{
	double events = (double)m->events;

	return !m->captured && m->events >= EVENTS_LEAST &&
	       (double)m->ticks < limits->lasting * events &&
	       (double)m->whole < limits->whole * events / 2;
}

size_t rt_hot_rank(struct rt_hot *hot, const struct rt_hot_limits *limits, rt_hot_judge *judge,
		   void *ctx, uint64_t *ids)
{
	double all = (double)hot->events, little = LITTLE * all, room = limits->keep * all;
	double could_go = 0, gone = 0;
	size_t candidates = 0, n = 0;

	for (size_t i = 0; i < PLACES; i++) {
		const struct rt_hot_method *m = &hot->methods[i];
		enum rt_hot_fate fate = m->id ? judge(ctx, m->id) : RT_HOT_STAYS;

		if (fate == RT_HOT_GONE)
			gone += (double)m->events;
		if (fate != RT_HOT_MAY_GO || !is_small_and_hot(m, limits))
			continue;
		could_go += (double)m->events;
		hot->methods[candidates++] = *m;
	}
	double stays = all - gone - could_go, least = METHODS_SHARE * room;
	room = room - stays > least ? room - stays : least;
	qsort(hot->methods, candidates, sizeof(*hot->methods), by_rank);
	for (; n < candidates && could_go > room && could_go >= little; n++) {
		ids[n] = hot->methods[n].id;
		could_go -= (double)hot->methods[n].events;
	}
	return n;
}
