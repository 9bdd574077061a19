/*
 * tally.c: see tally.h.
 */
#include "trace/reader/tally.h"

#include "base/memory.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

static uint32_t hash_of(uint64_t a, uint64_t b)
{
	uint64_t hash = (a * UINT64_C(0x9e3779b97f4a7c15) + b) * UINT64_C(0xbf58476d1ce4e5b9);

	return (uint32_t)(hash >> 20);
}

struct trace_sum *trace_tally_find(const struct trace_tally *t, uint64_t a, uint64_t b)
{
	struct jw_lookup_walk w = jw_lookup_walk(&t->lookup, hash_of(a, b));

	while (jw_lookup_next(&w)) {
		struct trace_sum *sum = &t->sums[w.place];

		if (sum->a == a && sum->b == b)
			return sum;
	}
	return NULL;
}

struct trace_sum *trace_tally_at(struct trace_tally *t, uint64_t a, uint64_t b)
{
	struct trace_sum *found = trace_tally_find(t, a, b);

	if (found)
		return found;
	struct trace_sum *grown = trace_grow(t->sums, t->n, &t->cap, sizeof(*grown));

	if (!grown)
		return NULL;
	t->sums = grown;
	if (t->n >= UINT32_MAX / 4 || !jw_lookup_add(&t->lookup, hash_of(a, b), t->n))
		return NULL;
	t->sums[t->n++] = (struct trace_sum){ .a = a, .b = b };
	return &t->sums[t->n - 1];
}

void trace_tally_free(struct trace_tally *t)
{
	jw_mem_free(t->sums);
	jw_lookup_free(&t->lookup);
	*t = (struct trace_tally){ 0 };
}
