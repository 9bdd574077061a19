/*
 * order.c: see order_int.h.
 *
 *     gathered     [ source 3: 50 60 70 ][ source 1: 55 58 90 ] ...      what each has, up to END
 *     sorted       50 55 58 60 | 70 90                                   by key, then by source
 *                              ^ the least that any source has still to give
 *
 * END is where the first source has given `most`: so no source gives much that has to wait, however
 * much denser its items are than before. `most` follows from how many came together.
 */
#include "trace/order_int.h"

#include <string.h>

#include "base/banned.h"

#define FEW        ((size_t)4096) /* a window with fewer costs more than it has to */
#define MANY       ((size_t)16384)
#define ALL_WAIT   ((size_t)1 << 18) /* at most so many wait, but LEAST of each source */
#define LEAST      16
#define MOST       512
#define DIGIT      11 /* bits, at most */
#define FIRST_ROOM 1024
#define SHORT      48 /* sorted by insertion */

bool trace_order_open(struct trace_order *o, size_t sources, trace_fill_fn fill, void *ctx)
{
	*o = (struct trace_order){
		.most = LEAST,
		.sources = sources,
		.fill = fill,
		.ctx = ctx,
		.waiting = jw_mem_zalloc(sources + 1, sizeof(*o->waiting)),
	};
	return trace_heap_open(&o->heap, sources) && o->waiting;
}

void trace_order_close(struct trace_order *o)
{
	jw_mem_free(o->items);
	jw_mem_free(o->spare);
	jw_mem_free(o->waiting);
	trace_heap_free(&o->heap);
	*o = (struct trace_order){ 0 };
}

void trace_order_source(struct trace_order *o, uint32_t of, uint64_t key)
{
	trace_heap_put(&o->heap, key, of);
}

void trace_order_begin(struct trace_order *o)
{
	trace_heap_order(&o->heap);
}

/* ---- gathering ---- */

/* Room for MORE items. */
static bool grow(struct trace_order *o, size_t more)
{
	size_t room = o->room ? o->room : FIRST_ROOM;

	if (o->n + more <= o->room)
		return true;
	while (room < o->n + more)
		room *= 2;
	struct trace_item *spare = jw_mem_realloc(o->spare, room * sizeof(*spare));

	o->spare = spare ? spare : o->spare;
	struct trace_item *items = jw_mem_realloc(o->items, room * sizeof(*items));

	o->items = items ? items : o->items;
	if (!spare || !items)
		return false;
	o->room = room;
	return true;
}

static void gather(struct trace_order *o)
{
	const struct trace_heap_entry *first = o->heap.at;
	uint64_t end = TRACE_NO_KEY, next;

	o->least =
		o->heap.n && (!o->n || first->key < o->items[0].key) ? first->key : o->items[0].key;
	o->highest = o->n ? o->items[o->n - 1].key : 0;
	while (o->heap.n && first->key < end) {
		uint32_t of = (uint32_t)first->of, there = o->waiting[of];
		size_t most = there < o->most ? o->most - there : 0, n = 0;

		if (!grow(o, most)) {
			o->failed = true;
			return;
		}
		next = first->key;
		if (most)
			n = o->fill(o->ctx, of, end, most, &o->items[o->n], &next);
		o->n += n;
		if (n && o->items[o->n - 1].key > o->highest)
			o->highest = o->items[o->n - 1].key;
		o->waiting[of] += (uint32_t)n;
		if (n == most)
			end = next;
		if (next == TRACE_NO_KEY)
			trace_heap_drop(&o->heap);
		else
			trace_heap_settle(&o->heap, next);
	}
}

/* ---- sorting ---- */

static bool before(const struct trace_item *a, const struct trace_item *b)
{
	return a->key != b->key ? a->key < b->key : a->of < b->of;
}

static void insert(struct trace_item *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct trace_item one = items[i];
		size_t at = i;

		for (; at > 0 && before(&one, &items[at - 1]); at--)
			items[at] = items[at - 1];
		items[at] = one;
	}
}

struct digit {
	uint64_t least; /* of all keys */
	unsigned shift, bits;
};

static inline size_t value_of(const struct digit *d, const struct trace_item *item, bool source)
{
	uint64_t number = source ? item->of : item->key - d->least;

	return (size_t)(number >> d->shift) & (((size_t)1 << d->bits) - 1);
}

/* Items by one digit, those of one value as they were: from `items` to `spare`, which change
 * places. */
static inline void sort_digit(struct trace_order *o, struct digit d, bool source)
{
	const struct trace_item *from = o->items, *end = from + o->n;
	struct trace_item *to = o->spare;
	uint32_t at[1 << DIGIT];
	uint32_t sum = 0;

	memset(at, 0, sizeof(*at) << d.bits);
	for (const struct trace_item *item = from; item < end; item++)
		at[value_of(&d, item, source)]++;
	for (size_t i = 0; i < (size_t)1 << d.bits; i++) {
		uint32_t count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (const struct trace_item *item = from; item < end; item++)
		to[at[value_of(&d, item, source)]++] = *item;
	o->spare = o->items;
	o->items = to;
}

static unsigned bits_of(uint64_t number)
{
	return 64 - (unsigned)__builtin_clzll(number | 1);
}

/* By source, or by key, numbers from 0 to HIGHEST. Of few items digits are short, to have few
 * values. */
static void sort_digits(struct trace_order *o, bool source, uint64_t highest)
{
	unsigned bits = bits_of(highest), digit = bits_of(o->n) < DIGIT ? bits_of(o->n) : DIGIT;
	unsigned passes = (bits + digit - 1) / digit;

	for (unsigned i = 0; i < passes; i++) {
		unsigned from = bits * i / passes, to = bits * (i + 1) / passes;
		struct digit d = { o->least, from, to - from };

		if (source)
			sort_digit(o, d, true);
		else
			sort_digit(o, d, false);
	}
}

/* Are they in order as they are, since one source has given all of them? */
static bool is_sorted(const struct trace_order *o)
{
	size_t i = 1;

	while (i < o->n && !before(&o->items[i], &o->items[i - 1]))
		i++;
	return i >= o->n;
}

/* By key; then items of one key by source, which are few, else all are sorted by both. */
static void sort(struct trace_order *o)
{
	uint64_t range = o->highest - o->least;

	if (is_sorted(o))
		return;
	if (o->n <= SHORT) {
		insert(o->items, o->n);
		return;
	}
	sort_digits(o, false, range);
	for (size_t i = 0, end; i < o->n; i = end) {
		for (end = i + 1; end < o->n && o->items[end].key == o->items[i].key;)
			end++;
		if (end - i > SHORT) {
			sort_digits(o, true, o->sources);
			sort_digits(o, false, range);
			return;
		}
		if (end - i > 1)
			insert(&o->items[i], end - i);
	}
}

/* ---- windows ---- */

/* What was taken goes, what had to wait comes to the front. */
static void forget_window(struct trace_order *o)
{
	for (size_t i = 0; i < o->taken; i++)
		o->waiting[o->items[i].of]--;
	o->n -= o->taken;
	if (o->n)
		memmove(o->items, o->items + o->taken, o->n * sizeof(*o->items));
	o->taken = 0;
}

/* How many stand before what any source has still to give. Of the source that gives next all do. */
static size_t before_next(const struct trace_order *o)
{
	const struct trace_heap_entry *next = o->heap.at;
	size_t low = 0, high = o->heap.n ? o->n : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct trace_item *item = &o->items[middle];

		if (item->key < next->key || (item->key == next->key && item->of <= next->of))
			low = middle + 1;
		else
			high = middle;
	}
	return o->heap.n ? low : o->n;
}

static void adapt(struct trace_order *o)
{
	size_t limit = ALL_WAIT / (o->heap.n + 1);

	limit = limit < LEAST ? LEAST : limit > MOST ? MOST : limit;
	if (o->n < FEW)
		o->most *= 2;
	else if (o->n > MANY)
		o->most /= 2;
	o->most = o->most < LEAST ? LEAST : o->most > limit ? (uint32_t)limit : o->most;
}

size_t trace_order_next(struct trace_order *o)
{
	forget_window(o);
	while (!o->taken && (o->heap.n || o->n)) {
		gather(o);
		if (o->failed)
			return 0;
		sort(o);
		o->taken = before_next(o);
		adapt(o);
	}
	return o->taken;
}
