/*
 * slow_kept.c: see slow_kept.h.
 */
#include "trace/slowest/slow_kept.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/reader/reader.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

/* ---- the longest ---- */

/* Is A told after B? Of equal ones the first that ended is kept. */
static bool is_less(const struct trace_slow_kept *a, const struct trace_slow_kept *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->begin > b->begin;
}

static void swap(struct trace_slow_kept **a, struct trace_slow_kept **b)
{
	struct trace_slow_kept *c = *a;

	*a = *b;
	*b = c;
}

static void sink(struct trace_slow_heap *h)
{
	for (size_t i = 0, least;; i = least) {
		least = i;
		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < h->n; child++)
			if (is_less(h->at[child], h->at[least]))
				least = child;
		if (least == i)
			return;
		swap(&h->at[i], &h->at[least]);
	}
}

static void rise(struct trace_slow_heap *h)
{
	for (size_t i = h->n - 1; i > 0 && is_less(h->at[i], h->at[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&h->at[i], &h->at[(i - 1) / 2]);
}

bool trace_slow_heap_new(struct trace_slow_heap *h, size_t most)
{
	h->most = most;
	h->at = jw_mem_zalloc(most + 1, sizeof(struct trace_slow_kept *));
	return h->at;
}

void trace_slow_heap_add(struct trace_slow_heap *h, struct trace_slow_kept *taken)
{
	if (h->n == h->most) {
		jw_mem_free(h->at[0]);
		h->at[0] = taken;
		sink(h);
	} else {
		h->at[h->n++] = taken;
		rise(h);
	}
}

static int longest_first(const void *a, const void *b)
{
	const struct trace_slow_kept *x = *(const struct trace_slow_kept *const *)a;
	const struct trace_slow_kept *y = *(const struct trace_slow_kept *const *)b;

	if (x->little_else != y->little_else)
		return x->little_else ? 1 : -1;
	return is_less(x, y) ? 1 : -is_less(y, x);
}

void trace_slow_heap_sort(struct trace_slow_heap *h)
{
	if (h->n > 1)
		qsort(h->at, h->n, sizeof(struct trace_slow_kept *), longest_first);
}

static void free_all(struct trace_slow_kept **at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		jw_mem_free(at[i]);
	jw_mem_free(at);
}

void trace_slow_heap_free(struct trace_slow_heap *h)
{
	free_all(h->at, h->n);
	*h = (struct trace_slow_heap){ 0 };
}

/* ---- unusual ones ---- */

static int by_over(const void *a, const void *b)
{
	const struct trace_slow_kept *x = *(const struct trace_slow_kept *const *)a;
	const struct trace_slow_kept *y = *(const struct trace_slow_kept *const *)b;

	if (x->over != y->over)
		return x->over < y->over ? 1 : -1;
	return is_less(x, y) ? 1 : -is_less(y, x);
}

/* Only those N that are the longest over stay. */
static void cut(struct trace_slow_pool *p, size_t n)
{
	if (p->n > 1)
		qsort(p->at, p->n, sizeof(struct trace_slow_kept *), by_over);
	while (p->n > n || (p->n && p->at[p->n - 1]->over == 0))
		jw_mem_free(p->at[--p->n]);
}

static bool put(struct trace_slow_pool *p, struct trace_slow_kept *taken)
{
	struct trace_slow_kept **grown =
		trace_grow(p->at, p->n, &p->room, sizeof(struct trace_slow_kept *));

	if (!grown) {
		jw_mem_free(taken);
		return false;
	}
	p->at = grown;
	grown[p->n++] = taken;
	return true;
}

/* The first of its kind is none. */
static bool is_first(const struct trace_slow_kept *k, const struct trace_usual *usual)
{
	return trace_usual_is_first(usual, k->way, k->begin);
}

static void measure(struct trace_slow_kept *k, const struct trace_usual *usual)
{
	k->over = is_first(k, usual)
			  ? 0
			  : trace_slow_over(k->ns - k->idle, trace_usual_ns(usual, k->way));
}

/* Those of `seldom` that are no longer so become known. */
static bool move_known(struct trace_slow_unusual *u, const struct trace_usual *usual)
{
	size_t n = 0;
	bool good = true;

	for (size_t i = 0; i < u->seldom.n; i++) {
		struct trace_slow_kept *k = u->seldom.at[i];

		if (!trace_usual_ns(usual, k->way)) {
			k->over = is_first(k, usual) ? 0 : k->over;
			u->seldom.at[n++] = k;
			continue;
		}
		measure(k, usual);
		good = put(&u->known, k) && good;
	}
	u->seldom.n = n;
	return good;
}

/* There are too many: half of them stay. */
static bool make_fewer(struct trace_slow_unusual *u, const struct trace_usual *usual)
{
	size_t most = TRACE_SLOW_ROOM + 2 * u->most;
	bool good = true;

	if (u->known.n < most && u->seldom.n < most)
		return true;
	good = move_known(u, usual);
	for (size_t i = 0; i < u->known.n; i++)
		measure(u->known.at[i], usual);
	struct trace_slow_pool *pools[] = { &u->known, &u->seldom };

	for (size_t i = 0; i < 2; i++) {
		size_t before = pools[i]->n;

		cut(pools[i], most / 2);
		if (before > most / 2 && pools[i]->n == most / 2)
			pools[i]->floor = pools[i]->at[most / 2 - 1]->over;
	}
	return good;
}

bool trace_slow_unusual_add(struct trace_slow_unusual *u, struct trace_slow_kept *taken,
			    const struct trace_usual *usual)
{
	bool known = trace_usual_ns(usual, taken->way) != 0;

	return put(known ? &u->known : &u->seldom, taken) && make_fewer(u, usual);
}

/* By thread, callers before what they call. */
static int by_place(const void *a, const void *b)
{
	const struct trace_slow_kept *x = *(const struct trace_slow_kept *const *)a;
	const struct trace_slow_kept *y = *(const struct trace_slow_kept *const *)b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->stack_all < y->stack_all ? -1 : x->stack_all > y->stack_all;
}

/* Does A go on until B is over, on its thread? */
static bool is_around(const struct trace_slow_kept *a, const struct trace_slow_kept *b)
{
	return a->at == b->at && a->stack_all < b->stack_all && b->begin < a->begin + a->ns;
}

/* Callers come first, so that what is in a call is still as it was. */
static void drop_explained(struct trace_slow_pool *p, unsigned percent)
{
	for (size_t i = 0; i < p->n; i++) {
		struct trace_slow_kept *outer = p->at[i];
		uint64_t inner = 0;

		for (size_t k = i + 1; k < p->n && is_around(outer, p->at[k]); k++)
			if (p->at[k]->over > inner)
				inner = p->at[k]->over;
		if ((double)inner * 100 >= (double)outer->over * percent)
			outer->over = 0;
	}
}

bool trace_slow_unusual_choose(struct trace_slow_unusual *u, const struct trace_usual *usual,
			       unsigned percent)
{
	bool good = move_known(u, usual);

	for (size_t i = 0; i < u->known.n; i++)
		measure(u->known.at[i], usual);
	cut(&u->known, u->known.n);
	if (u->known.n > 1)
		qsort(u->known.at, u->known.n, sizeof(struct trace_slow_kept *), by_place);
	drop_explained(&u->known, percent);
	cut(&u->known, u->most);
	return good;
}

bool trace_slow_is_trifle(const struct trace_slow_pool *unusual,
			  const struct trace_slow_heap *others)
{
	uint64_t over = unusual->n ? unusual->at[0]->over : UINT64_MAX;

	return over < TRACE_SLOW_TRIFLE && others->n &&
	       others->at[0]->ns / TRACE_SLOW_TIMES >= over;
}

void trace_slow_unusual_free(struct trace_slow_unusual *u)
{
	free_all(u->known.at, u->known.n);
	free_all(u->seldom.at, u->seldom.n);
	*u = (struct trace_slow_unusual){ 0 };
}
