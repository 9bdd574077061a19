/*
 * t_order.c: many sources as one, against a sort of all that they have.
 */
#include "tests/tap.h"
#include "trace/replay/order.h"

#include <stdlib.h>

#include "base/banned.h"

#define SOURCES 3000

/* What source OF has: from FROM to TO of all items, in time. */
struct given {
	struct trace_item *items; /* by source, then by key; as they were made */
	size_t n;
	size_t from[SOURCES], to[SOURCES];
	size_t most, widest; /* that a call asked for; sources */
};

static uint64_t random_state;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static size_t fill(void *ctx, uint32_t of, uint64_t end, size_t most, struct trace_item *out,
		   uint64_t *next)
{
	struct given *g = ctx;
	size_t n = 0;

	g->most = most > g->most ? most : g->most;
	while (n < most && g->from[of] < g->to[of] && g->items[g->from[of]].key < end)
		out[n++] = g->items[g->from[of]++];
	*next = g->from[of] < g->to[of] ? g->items[g->from[of]].key : TRACE_NO_KEY;
	return n;
}

/* How keys rise: 0: by up to STEP; else in bursts, STEP between them. */
static struct given *make(size_t sources, size_t each, uint64_t step, unsigned burst)
{
	struct given *g = calloc(1, sizeof(*g));

	g->items = calloc(sources * each + 1, sizeof(*g->items));
	g->widest = sources;
	for (size_t of = 0; of < sources; of++) {
		uint64_t key = burst ? next_random() % (step * 3 + 1) : 0;

		g->from[of] = g->n;
		for (size_t i = 0; i < each; i++) {
			if (!burst)
				key += next_random() % (step + 1);
			else if (next_random() % burst == 0)
				key += next_random() % (step + 1);
			else
				key += next_random() % 3;
			g->items[g->n] = (struct trace_item){ key, g->n, (uint32_t)of, 7 };
			g->n++;
		}
		g->to[of] = g->n;
	}
	return g;
}

/* The word is the number of the item, so that all are different. */
static int by_all(const void *a, const void *b)
{
	const struct trace_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->word < y->word ? -1 : x->word > y->word;
}

/* The first place where the order is another one; the count: none. */
static size_t first_wrong(struct given *g)
{
	struct trace_order o;
	struct trace_item *want = calloc(g->n + 1, sizeof(*want));
	size_t at = 0, wrong = g->n;

	for (size_t i = 0; i < g->n; i++)
		want[i] = g->items[i];
	qsort(want, g->n, sizeof(*want), by_all);
	if (!trace_order_open(&o, g->widest, fill, g))
		abort();
	for (size_t of = g->widest; of-- > 0;)
		if (g->from[of] < g->to[of])
			trace_order_source(&o, (uint32_t)of, g->items[g->from[of]].key);
	trace_order_begin(&o);
	for (size_t n; (n = trace_order_next(&o));)
		for (size_t i = 0; i < n; i++, at++)
			if (wrong == g->n && (at >= g->n || by_all(&o.items[i], &want[at]) != 0 ||
					      o.items[i].of != want[at].of))
				wrong = at;
	if (at != g->n)
		wrong = at;
	trace_order_close(&o);
	free(want);
	return wrong;
}

static bool in_order(size_t sources, size_t each, uint64_t step, unsigned burst)
{
	struct given *g = make(sources, each, step, burst);
	size_t wrong = first_wrong(g), n = g->n;

	if (wrong != n)
		tap_note("item %zu of %zu", wrong, n);
	free(g->items);
	free(g);
	return wrong == n;
}

TEST(items_come_by_key_and_then_by_source)
{
	random_state = 88172645463325252u;
	ok(in_order(1, 0, 10, 0));
	ok(in_order(1, 1, 10, 0));
	ok(in_order(1, 50000, 1000, 0));
	ok(in_order(2, 30000, 1000, 0));
	ok(in_order(100, 1000, 2000, 0));
	ok(in_order(3000, 30, 5000, 0));
	ok(in_order(3000, 1, 5000, 0));
	ok(in_order(20, 500, UINT64_C(1) << 44, 0)); /* far apart */
	ok(in_order(300, 200, 1, 0));                /* many of one key */
	ok(in_order(300, 200, 0, 0));                /* all */
	ok(in_order(50, 3000, 1 << 20, 700));        /* bursts */
	ok(in_order(2000, 60, 1 << 16, 20));
}

TEST(any_few_sources)
{
	bool all = true;

	random_state = 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 300 && all; i++) {
		size_t sources = 1 + next_random() % 9, each = next_random() % 400;
		uint64_t step = UINT64_C(1) << next_random() % 20;

		all = in_order(sources, each, step, (unsigned)(next_random() % 3) * 9);
	}
	ok(all);
}

TEST(one_that_is_denser_than_before_waits_for_the_others)
{
	random_state = 1;
	struct given *g = make(2, 40000, 1000, 0);

	for (size_t i = 10000; i < 40000; i++) /* source 0: dense from here on */
		g->items[i].key = g->items[10000].key + (i - 10000) / 8;
	is_int((long long)first_wrong(g), (long long)g->n);
	ok(g->most <= 512); /* at once, of any source */
	free(g->items);
	free(g);
}

TEST(no_memory)
{
	bool told = false;

	random_state = 7;
	for (long n = 0; n < 200; n++) {
		struct given *g = make(20, 300, 100, 0);
		struct trace_order o;
		size_t taken = 0;

		jw_mem_fail_after(n);
		bool opened = trace_order_open(&o, g->widest, fill, g);

		for (uint32_t of = 0; opened && of < g->widest; of++)
			trace_order_source(&o, of, g->items[g->from[of]].key);
		if (opened)
			trace_order_begin(&o);
		for (size_t window; opened && (window = trace_order_next(&o));)
			taken += window;
		told = jw_mem_fail_after(-1);
		bool is_well = !told ? taken == g->n : !opened || o.failed;

		trace_order_close(&o);
		free(g->items);
		free(g);
		if (!is_well) {
			tap_note("allocation %ld", n);
			ok(is_well);
			return;
		}
		if (!told)
			break;
	}
	ok(!told); /* every allocation that can fail did */
}

static void take_all(void *ctx)
{
	(void)first_wrong(ctx);
}

/* A source whose keys fall: what comes late cannot be put in order any more. */
TEST(a_source_whose_keys_fall_is_a_mistake)
{
	random_state = 5;
	struct given *g = make(2, 100000, 1000, 0);

	g->items[g->n - 1].key = 0;
	fails_assert(take_all, g, "is_in_order");
	free(g->items);
	free(g);
}
