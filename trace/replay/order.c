/*
 * order.c: see order.h.
 *
 *     fresh    [ source 3: 50 60 70 ][ source 1: 55 58 90 ] ..    what each has, up to an end
 *     sorted     50 55 58 60 | 70 90                               by key, then by source
 *                            ^ the least that any source has still to give
 *     left       what had to wait, in order; the next window takes from both
 *
 * The end is `reach` ahead, and nearer where a source has given all that it may: so little has to
 * wait, however much denser than before its items are.
 */
#include <string.h>

#include "base/assert.h"
#include "base/grow.h"
#include "trace/replay/heap.h"
#include "trace/replay/order.h"

#include "base/banned.h"

/* A window with fewer than so many for each source costs more than it has to; one of more than TIMES
 * these has other data out of the processor's cache. What sources have next is in no cache where there
 * are thousands of them: then there are some of each at least. */
#define FEW_EACH   ((size_t)16)
#define SOME_EACH  ((size_t)4)
#define LEAST_FEW  ((size_t)1024)
#define MOST_FEW   ((size_t)16384)
#define TIMES      4
#define ALL_WAIT   ((size_t)1 << 17) /* at most so many wait, but LEAST of each source */
#define MANY_WAIT  (ALL_WAIT / 2)    /* from so many on each source has its share of ALL_WAIT */
#define LEAST      16
#define MOST       512
#define FARTHEST   (UINT64_C(1) << 60)
#define DIGIT      11 /* bits, at most */
#define FIRST_ROOM 1024
#define SHORT      48 /* sorted by insertion */

bool trace_order_open(struct trace_order *o, size_t sources, trace_fill_fn fill, void *ctx)
{
	*o = (struct trace_order){
		.reach = 1,
		.until = TRACE_NO_KEY,
		.sources = sources,
		.fill = fill,
		.ctx = ctx,
		.waiting = jw_mem_zalloc(sources + 1, sizeof(*o->waiting)),
	};
	return trace_heap_open(&o->heap, sources) && o->waiting;
}

void trace_order_close(struct trace_order *o)
{
	jw_mem_free(o->fresh.at);
	jw_mem_free(o->left.at);
	jw_mem_free(o->spare.at);
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

static bool room_for(struct trace_items *list, size_t n)
{
	static const struct jw_growth items = { .what = "items", .first = FIRST_ROOM };

	return jw_grow(NULL, &list->at, &list->room, sizeof(*list->at), n, &items, NULL) == JW_OK;
}

/* At most so many of one source at once: a window ends where one has given all that it may, so sources
 * have their share alone only once many items are there. */
static size_t most_of_one(const struct trace_order *o)
{
	size_t there = o->fresh.n + o->left.n - o->left_from, share = ALL_WAIT / (o->heap.n + 1);

	if (there < MANY_WAIT)
		return MOST;
	return share < LEAST ? LEAST : share > MOST ? MOST : share;
}

/* What source OF has below END. Returns what END is then. */
static uint64_t gather_from(struct trace_order *o, uint32_t of, size_t most, uint64_t end)
{
	struct trace_items *fresh = &o->fresh;
	size_t room = o->waiting[of] < most ? most - o->waiting[of] : 0, n = 0;
	uint64_t next = o->heap.at[0].key;

	if (!room_for(fresh, fresh->n + room)) {
		o->failed = true;
		return 0;
	}
	if (room)
		n = o->fill(o->ctx, of, end, room, &fresh->at[fresh->n], &next);
	fresh->n += n;
	if (n && fresh->at[fresh->n - 1].key > o->highest)
		o->highest = fresh->at[fresh->n - 1].key;
	o->waiting[of] += (uint32_t)n;
	if (next == TRACE_NO_KEY)
		trace_heap_drop(&o->heap);
	else
		trace_heap_settle(&o->heap, next);
	if (n < room || next >= end)
		return end;
	o->cut = true;
	return next;
}

static void gather(struct trace_order *o)
{
	const struct trace_heap_entry *first = o->heap.at;

	o->fresh.n = 0;
	o->cut = false;
	o->highest = o->least = o->heap.n ? first->key : 0;
	uint64_t end = o->reach < o->until - o->least ? o->least + o->reach : o->until;

	while (o->heap.n && first->key < end)
		end = gather_from(o, (uint32_t)first->of, most_of_one(o), end);
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

static void swap(struct trace_items *a, struct trace_items *b)
{
	struct trace_items kept = *a;

	*a = *b;
	*b = kept;
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

/* Items by one digit, those of one value as they were: from `fresh` to `spare`, which change
 * places. */
static inline void sort_digit(struct trace_order *o, struct digit d, bool source)
{
	const struct trace_item *from = o->fresh.at, *end = from + o->fresh.n;
	struct trace_item *to = o->spare.at;
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
	o->spare.n = o->fresh.n;
	swap(&o->fresh, &o->spare);
}

static unsigned bits_of(uint64_t number)
{
	return 64 - (unsigned)__builtin_clzll(number | 1);
}

/* By source, or by key, numbers from 0 to HIGHEST. Of few items digits are short, to have few
 * values. */
static void sort_digits(struct trace_order *o, bool source, uint64_t highest)
{
	unsigned bits = bits_of(highest), digit = bits_of(o->fresh.n);

	digit = digit < DIGIT ? digit : DIGIT;
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

	while (i < o->fresh.n && !before(&o->fresh.at[i], &o->fresh.at[i - 1]))
		i++;
	return i >= o->fresh.n;
}

/* By key; then items of one key by source, which are few, else all are sorted by both. */
static void sort(struct trace_order *o)
{
	uint64_t range = o->highest - o->least;

	if (is_sorted(o))
		return;
	if (o->fresh.n <= SHORT) {
		insert(o->fresh.at, o->fresh.n);
		return;
	}
	sort_digits(o, false, range);
	for (size_t i = 0, end; i < o->fresh.n; i = end) {
		for (end = i + 1; end < o->fresh.n && o->fresh.at[end].key == o->fresh.at[i].key;)
			end++;
		if (end - i > SHORT) {
			sort_digits(o, true, o->sources);
			sort_digits(o, false, range);
			return;
		}
		if (end - i > 1)
			insert(&o->fresh.at[i], end - i);
	}
}

/* ---- windows ---- */

/* Where item INDEX of LIST is, or would be; a list that never had any has no address to count from.
 */
static const struct trace_item *item_at(const struct trace_items *list, size_t index)
{
	return index ? list->at + index : list->at;
}

/* How many of ITEMS stand before what any source has still to give. Of the source that gives next
 * all do. */
static size_t before_next(const struct trace_order *o, const struct trace_item *items, size_t n)
{
	const struct trace_heap_entry *next = o->heap.at;
	size_t low = 0, high = o->heap.n ? n : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct trace_item *item = &items[middle];

		if (item->key < next->key || (item->key == next->key && item->of <= next->of))
			low = middle + 1;
		else
			high = middle;
	}
	return o->heap.n ? low : n;
}

/* Two that are in order, as one. */
static void merge(const struct trace_item *a, size_t a_n, const struct trace_item *b, size_t b_n,
		  struct trace_item *out)
{
	while (a_n && b_n) {
		bool second = before(b, a);

		*out++ = second ? *b : *a;
		b += second;
		b_n -= second;
		a += !second;
		a_n -= !second;
	}
	if (a_n)
		memcpy(out, a, a_n * sizeof(*a));
	if (b_n)
		memcpy(out, b, b_n * sizeof(*b));
}

/* The window is what comes first of both; the rest has to wait. False: no memory. */
static bool split(struct trace_order *o)
{
	struct trace_items *fresh = &o->fresh, *left = &o->left, *spare = &o->spare;
	const struct trace_item *first_left = item_at(left, o->left_from);
	size_t from_fresh = before_next(o, fresh->at, fresh->n);
	size_t from_left = before_next(o, first_left, left->n - o->left_from);
	size_t fresh_waits = fresh->n - from_fresh, left_n = left->n - o->left_from;

	o->items = fresh->at;
	o->taken = from_fresh + from_left;
	if (!from_left && !fresh_waits)
		return true;
	if (!room_for(spare, fresh->n + left_n))
		return false;
	merge(first_left, from_left, fresh->at, from_fresh, spare->at);
	o->left_from += from_left;
	o->items = spare->at;
	if (!fresh_waits)
		return true;
	spare->n = fresh->n + left_n; /* the window, and what has to wait after it */
	merge(item_at(left, o->left_from), left_n - from_left, item_at(fresh, from_fresh),
	      fresh_waits, spare->at + o->taken);
	o->left_from = o->taken;
	swap(left, spare);
	return true;
}

/* How far the next window may reach. Where a source has given all that it may, it is the one from
 * which the next window begins, so that no more than this one's length is of use. */
static void adapt(struct trace_order *o, size_t gathered)
{
	size_t few = o->sources * FEW_EACH, some = o->sources * SOME_EACH;
	size_t most = some > MOST_FEW ? some : MOST_FEW;

	few = few < LEAST_FEW ? LEAST_FEW : few > most ? most : few;
	uint64_t length =
		o->heap.n && o->heap.at[0].key > o->least ? o->heap.at[0].key - o->least : 1;

	if (o->cut)
		o->reach = length;
	else if (gathered < few && o->reach < FARTHEST)
		o->reach *= 2;
	else if (gathered > TIMES * few)
		o->reach = o->reach / 2 + 1;
}

/* Does the window go on where the one before ended, by key and, of equal keys, by source? */
static bool is_in_order(const struct trace_order *o)
{
	uint64_t before = o->told;

	for (size_t i = 0; i < o->taken; i++) {
		const struct trace_item *item = &o->items[i];

		if (item->key < before ||
		    (i && item->key == before && item->of < o->items[i - 1].of))
			return false;
		before = item->key;
	}
	return true;
}

void trace_order_taken(struct trace_order *o)
{
	for (size_t i = 0; i < o->taken; i++)
		o->waiting[o->items[i].of]--;
	o->taken = 0;
}

size_t trace_order_next(struct trace_order *o)
{
	trace_order_taken(o);
	while (!o->taken && (o->heap.n || o->left_from < o->left.n)) {
		gather(o);
		if (o->failed || !room_for(&o->spare, o->fresh.n)) {
			o->failed = true;
			return 0;
		}
		sort(o);
		o->failed = !split(o);
		adapt(o, o->fresh.n);
	}
	JW_ASSERT(o->failed || is_in_order(o));
	if (o->taken)
		o->told = o->items[o->taken - 1].key;
	return o->failed ? 0 : o->taken;
}
