/*
 * connections.c: see connections.h.
 *
 *     same addresses ->  1. on one clock, where no third network has them: by when they were there
 *                        2. others: by when, by the bytes that they moved, and in order
 *
 * Where clocks differ by seconds, "when" is rough. TCP does not use the same addresses and ports
 * again at once, so that seconds matter little.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/reader/reader.h"
#include "trace/replay/align.h"
#include "trace/replay/connections.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define NEAR     64                    /* connections of the same addresses, one after the other */
#define SLACK_NS UINT64_C(30000000000) /* by which clocks of several machines may differ */

/* ---- what is known of one ---- */

static bool has_two(const struct trace_socket *s)
{
	return s->family == TRACE_FAMILY_TCP && s->role != TRACE_ROLE_LISTEN && s->address[0][0] &&
	       s->address[1][0];
}

void trace_end_open(const struct trace_world *w, uint32_t task, const struct trace_channel *c,
		    struct trace_end *out)
{
	const struct trace_task *t = &w->tasks[task];
	const struct trace_socket *s = c->socket;
	uint32_t hint = 0;

	*out = (struct trace_end){ .socket = s, .task = task, .next = UINT64_MAX };
	if (!s)
		return;
	out->has_two = has_two(s);
	out->begin = trace_time(t, s->tick, &hint);
	out->over = s->end_tick == UINT64_MAX ? UINT64_MAX : trace_time(t, s->end_tick, &hint);
}

static const struct trace_task *task_of(const struct trace_world *w, const struct trace_end *end)
{
	return &w->tasks[end->task];
}

bool trace_ends_on_one_clock(const struct trace_world *w, const struct trace_end *x,
			     const struct trace_end *y)
{
	return trace_on_one_clock(task_of(w, x), task_of(w, y));
}

static bool on_one_machine(const struct trace_world *w, const struct trace_end *x,
			   const struct trace_end *y)
{
	const struct trace_recording *a = &task_of(w, x)->rec, *b = &task_of(w, y)->rec;

	return x->task == y->task || (a->boot.id[0] && strcmp(a->boot.id, b->boot.id) == 0);
}

/* Is it known that their addresses mean the same? */
static bool in_one_network(const struct trace_world *w, const struct trace_end *x,
			   const struct trace_end *y)
{
	return on_one_machine(w, x, y) &&
	       task_of(w, x)->rec.net_namespace == task_of(w, y)->rec.net_namespace;
}

/* Does the address mean another place in each network? */
static bool is_local(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
	       strncmp(address, "169.254.", 8) == 0 || strncmp(address, "fe80:", 5) == 0;
}

static bool may_see(const struct trace_world *w, const struct trace_end *x,
		    const struct trace_end *y)
{
	return in_one_network(w, x, y) ||
	       !(is_local(x->socket->address[0]) || is_local(x->socket->address[1]));
}

/* ---- the same addresses ---- */

/* Its own address first, or last: so both ends of one connection are the same. */
static int lower_of(const struct trace_socket *s)
{
	int order = strcmp(s->address[0], s->address[1]);

	if (order == 0)
		order = s->port[0] < s->port[1] ? -1 : s->port[0] > s->port[1];
	return order > 0;
}

static int compare_addresses(const struct trace_socket *x, const struct trace_socket *y)
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

static int by_begin(const struct trace_end *x, const struct trace_end *y)
{
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->socket->tick < y->socket->tick ? -1 : x->socket->tick > y->socket->tick;
}

static int by_addresses(const void *a, const void *b)
{
	const struct trace_end *x = *(struct trace_end *const *)a,
			       *y = *(struct trace_end *const *)b;
	int order = compare_addresses(x->socket, y->socket);

	return order ? order : by_begin(x, y);
}

/* The two sides apart, each in time. */
static int by_side(const void *a, const void *b)
{
	const struct trace_end *x = *(struct trace_end *const *)a,
			       *y = *(struct trace_end *const *)b;
	int sides[] = { lower_of(x->socket), lower_of(y->socket) };

	return sides[0] != sides[1] ? sides[0] - sides[1] : by_begin(x, y);
}

/* ---- what may belong together ---- */

static bool roles_fit(const struct trace_socket *x, const struct trace_socket *y)
{
	return lower_of(x) != lower_of(y) &&
	       (x->role == TRACE_ROLE_LATE || y->role == TRACE_ROLE_LATE || x->role != y->role);
}

/* Has READER, which closed its end, read no more than WRITER has written? */
static bool reads_fit(const struct trace_socket *reader, const struct trace_socket *writer)
{
	return reader->end != TRACE_END_WHOLE || writer->end != TRACE_END_WHOLE ||
	       reader->after[TRACE_READ] <= writer->after[TRACE_WRITTEN];
}

static bool bytes_fit(const struct trace_socket *x, const struct trace_socket *y)
{
	return reads_fit(x, y) && reads_fit(y, x);
}

static uint64_t over_of(const struct trace_end *x)
{
	return x->over < x->next ? x->over : x->next;
}

/* Was X there when Y began, or SLACK before? */
static bool reaches(const struct trace_end *x, const struct trace_end *y, uint64_t slack)
{
	return over_of(x) == UINT64_MAX || over_of(x) + slack >= y->begin;
}

static bool overlap(const struct trace_end *x, const struct trace_end *y, uint64_t slack)
{
	return reaches(x, y, slack) && reaches(y, x, slack);
}

/* One that is accepted may have been connected, and closed, long ago: not where the next one was
 * connected before it was over, since the kernel has but one with these addresses. */
static bool waited(const struct trace_end *x, const struct trace_end *y, uint64_t slack)
{
	const struct trace_end *first = by_begin(x, y) < 0 ? x : y, *then = first == x ? y : x;

	return first->socket->role == TRACE_ROLE_CONNECT &&
	       then->socket->role == TRACE_ROLE_ACCEPT &&
	       (first->next == UINT64_MAX || first->next + slack >= over_of(then)) &&
	       bytes_fit(x->socket, y->socket);
}

static void pair(struct trace_end *x, struct trace_end *y)
{
	x->peer = y;
	y->peer = x;
}

/* In LIST, of N with the same addresses, in time: what follows each on its side. */
static void find_next(const struct trace_world *w, struct trace_end **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && k <= i + NEAR; k++)
			if (lower_of(list[i]->socket) == lower_of(list[k]->socket) &&
			    in_one_network(w, list[i], list[k]) &&
			    trace_ends_on_one_clock(w, list[i], list[k])) {
				list[i]->next = list[k]->begin;
				break;
			}
}

/* ---- 1. on one clock, in one network, or in two that alone have these addresses ---- */

/* Is each side of LIST, of N with the same addresses, in one network, on one clock? */
static bool are_of_two(const struct trace_world *w, struct trace_end **list, size_t n)
{
	const struct trace_end *first[2] = { NULL, NULL };

	for (size_t i = 0; i < n; i++) {
		const struct trace_end **one = &first[lower_of(list[i]->socket)];

		if (!*one)
			*one = list[i];
		if (!in_one_network(w, *one, list[i]) ||
		    !trace_ends_on_one_clock(w, first[0] ? first[0] : *one, list[i]))
			return false;
	}
	return true;
}

struct near {
	const struct trace_world *world;
	struct trace_end **list;
	bool of_two; /* no third network has these addresses */
};

static bool are_near(const struct near *near, const struct trace_end *x, const struct trace_end *y)
{
	const struct trace_world *w = near->world;

	if (!roles_fit(x->socket, y->socket) || !trace_ends_on_one_clock(w, x, y))
		return false;
	return in_one_network(w, x, y) ||
	       (near->of_two && may_see(w, x, y) && bytes_fit(x->socket, y->socket));
}

/* The end before number I that it belongs to, the nearest; NULL: none. OPEN: both were there at
 * one time. */
static struct trace_end *find_before(const struct near *near, size_t i, bool open)
{
	size_t last = i > NEAR ? i - NEAR : 0;
	struct trace_end *y = near->list[i];

	for (size_t k = i; k-- > last;) {
		struct trace_end *x = near->list[k];

		if (!x->peer && are_near(near, x, y) && (open ? overlap(x, y, 0) : waited(x, y, 0)))
			return x;
	}
	return NULL;
}

static void pair_near(const struct trace_world *w, struct trace_end **list, size_t n)
{
	const struct near near = { w, list, are_of_two(w, list, n) };

	for (int open = 1; open >= 0; open--)
		for (size_t i = 1; i < n; i++) {
			struct trace_end *peer = list[i]->peer ? NULL : find_before(&near, i, open);

			if (peer)
				pair(peer, list[i]);
		}
}

/* ---- 2. of several networks, machines, or time namespaces ---- */

static bool may_pair(const struct trace_world *w, const struct trace_end *x,
		     const struct trace_end *y, bool whenever)
{
	bool one_clock = trace_ends_on_one_clock(w, x, y);

	if (!roles_fit(x->socket, y->socket) || !bytes_fit(x->socket, y->socket) ||
	    (one_clock && in_one_network(w, x, y)) || !may_see(w, x, y))
		return false;
	if (one_clock)
		return overlap(x, y, 0) || waited(x, y, 0);
	return whenever || overlap(x, y, SLACK_NS) || waited(x, y, SLACK_NS);
}

static int by_pair(const void *a, const void *b)
{
	const struct trace_clock_pair *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->high < y->high ? -1 : x->high > y->high;
}

void trace_strangers_sort(struct trace_strangers *s, size_t n)
{
	s->n = n;
	if (n > 1)
		qsort(s->pairs, n, sizeof(*s->pairs), by_pair);
}

static bool are_strangers(const struct trace_world *w, const struct trace_end *x,
			  const struct trace_end *y)
{
	const struct trace_strangers *s = w->strangers;
	const struct trace_task *a = task_of(w, x)->leader, *b = task_of(w, y)->leader;

	if (!s || !s->n || !a || !b)
		return false;
	uint32_t i = (uint32_t)(a - w->tasks), k = (uint32_t)(b - w->tasks);
	struct trace_clock_pair pair = { i < k ? i : k, i < k ? k : i };

	return bsearch(&pair, s->pairs, s->n, sizeof(pair), by_pair);
}

/* As many on both sides, and each fits the one with its number? Of each side one clock has to say
 * which is first. */
static bool fit_in_order(const struct trace_world *w, struct trace_end **a, struct trace_end **b,
			 size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!may_pair(w, a[i], b[i], true) || !trace_ends_on_one_clock(w, a[0], a[i]) ||
		    !trace_ends_on_one_clock(w, b[0], b[i]))
			return false;
	return n > 0 && !are_strangers(w, a[0], b[0]);
}

/* How many of LIST[0..N) may be the peer of X; *OUT is one. */
static size_t count_peers(const struct trace_world *w, const struct trace_end *x,
			  struct trace_end **list, size_t n, struct trace_end **out)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (may_pair(w, x, list[i], false)) {
			found++;
			*out = list[i];
		}
	return found;
}

/* Those of A for which there is but one of B, and the other way round. */
static void pair_sure(const struct trace_world *w, struct trace_end **a, size_t a_n,
		      struct trace_end **b, size_t b_n)
{
	struct trace_end *peer = NULL, *back = NULL;

	for (size_t i = 0; i < a_n; i++) {
		size_t found = count_peers(w, a[i], b, b_n, &peer);

		if (found == 1 && count_peers(w, peer, a, a_n, &back) == 1)
			pair(a[i], peer);
		else
			a[i]->unsure = found > 0;
	}
	for (size_t i = 0; i < b_n; i++)
		b[i]->unsure = !b[i]->peer && count_peers(w, b[i], a, a_n, &back) > 0;
}

static void pair_far(const struct trace_world *w, struct trace_end **list, size_t n)
{
	size_t left = 0, lower = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i]->peer)
			continue;
		struct trace_end *one = list[i];

		list[i] = list[left];
		list[left++] = one;
	}
	if (left < 2)
		return;
	qsort(list, left, sizeof(struct trace_end *), by_side);
	while (lower < left && lower_of(list[lower]->socket) == 0)
		lower++;
	if (lower * 2 == left && fit_in_order(w, list, list + lower, lower)) {
		for (size_t i = 0; i < lower; i++)
			pair(list[i], list[lower + i]);
	} else if (lower <= NEAR && left - lower <= NEAR) {
		pair_sure(w, list, lower, list + lower, left - lower);
	} else {
		for (size_t i = 0; i < left && lower && lower < left; i++)
			list[i]->unsure = true;
	}
}

void trace_ends_pair(const struct trace_world *w, struct trace_end **list, size_t n)
{
	if (n > 1)
		qsort(list, n, sizeof(struct trace_end *), by_addresses);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (compare_addresses(list[from]->socket, list[to]->socket) != 0)
				break;
		find_next(w, list + from, to - from);
		pair_near(w, list + from, to - from);
		pair_far(w, list + from, to - from);
	}
}
