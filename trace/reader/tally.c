/*
 * tally.c: see tally.h. A hash table with linear probing, at most half full.
 */
#include "trace/reader/tally.h"

#include "base/memory.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define FIRST_SLOTS 64

/* The slot of A and B: theirs, or the free one where they would stand. */
static size_t place(const struct trace_tally *t, uint64_t a, uint64_t b)
{
	uint64_t hash = (a * UINT64_C(0x9e3779b97f4a7c15) + b) * UINT64_C(0xbf58476d1ce4e5b9);
	size_t at = (size_t)(hash >> 20) & t->mask;

	while (t->slots[at]) {
		const struct trace_sum *sum = &t->sums[t->slots[at] - 1];

		if (sum->a == a && sum->b == b)
			break;
		at = (at + 1) & t->mask;
	}
	return at;
}

static bool grow(struct trace_tally *t)
{
	size_t count = t->slots ? (t->mask + 1) * 2 : FIRST_SLOTS;

	if (t->slots && (t->n + 1) * 2 <= t->mask + 1)
		return true;
	uint32_t *slots = jw_mem_zalloc(count, sizeof(*slots));

	if (!slots)
		return false;
	jw_mem_free(t->slots);
	t->slots = slots;
	t->mask = count - 1;
	for (size_t i = 0; t->sums && i < t->n; i++)
		t->slots[place(t, t->sums[i].a, t->sums[i].b)] = (uint32_t)i + 1;
	return true;
}

struct trace_sum *trace_tally_find(const struct trace_tally *t, uint64_t a, uint64_t b)
{
	uint32_t found = t->slots ? t->slots[place(t, a, b)] : 0;

	return found ? &t->sums[found - 1] : NULL;
}

struct trace_sum *trace_tally_at(struct trace_tally *t, uint64_t a, uint64_t b)
{
	struct trace_sum *found = trace_tally_find(t, a, b);

	if (found)
		return found;
	if (t->n >= UINT32_MAX / 4 || !grow(t))
		return NULL;
	struct trace_sum *grown = trace_grow(t->sums, t->n, &t->cap, sizeof(*grown));

	if (!grown)
		return NULL;
	t->sums = grown;
	t->sums[t->n] = (struct trace_sum){ .a = a, .b = b };
	t->slots[place(t, a, b)] = (uint32_t)++t->n;
	return &t->sums[t->n - 1];
}

void trace_tally_free(struct trace_tally *t)
{
	jw_mem_free(t->sums);
	jw_mem_free(t->slots);
	*t = (struct trace_tally){ 0 };
}
