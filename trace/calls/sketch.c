/*
 * sketch.c: see sketch.h.
 */
#include "trace/calls/sketch.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/fetch.h"

#include "base/banned.h"

#define BITS   5 /* 32 buckets to each doubling; room grows by so many */
#define EACH   (1u << BITS)
#define LINEAR (1u << (BITS + 1)) /* below, a bucket is 1 ns */

/* ---- buckets ---- */

static uint32_t bucket_of(uint64_t ns)
{
	if (ns < LINEAR)
		return (uint32_t)ns;
	unsigned top = 63 - (unsigned)__builtin_clzll(ns); /* 2^top <= ns */
	unsigned shift = top - BITS;

	return shift * EACH + (uint32_t)(ns >> shift);
}

/* The shortest duration of BUCKET, and how many there are in it. */
static uint64_t least_of(uint32_t bucket, uint64_t *width)
{
	unsigned shift = bucket < LINEAR ? 0 : bucket / EACH - 1;

	*width = UINT64_C(1) << shift;
	return shift ? (uint64_t)(EACH + bucket % EACH) << shift : bucket;
}

static uint64_t middle_of(uint32_t bucket)
{
	uint64_t width, least = least_of(bucket, &width);

	return least + (width - 1) / 2;
}

/* Room for the buckets from LOW to HIGH, whole doublings of them. */
static bool make_room(struct trace_sketch *s, uint32_t low, uint32_t high)
{
	uint32_t first = low / EACH * EACH, end = (high / EACH + 1) * EACH;

	if (s->room && s->first < first)
		first = s->first;
	if (s->room && s->first + s->room > end)
		end = s->first + s->room;
	uint64_t *grown = jw_mem_zalloc(end - first, sizeof(*grown));

	if (!grown)
		return false;
	if (s->room)
		memcpy(grown + (s->first - first), s->at, s->room * sizeof(*grown));
	jw_mem_free(s->at);
	s->at = grown;
	s->first = first;
	s->room = end - first;
	return true;
}

static bool count(struct trace_sketch *s, uint64_t ns, uint64_t times)
{
	uint32_t bucket = bucket_of(ns);

	if ((bucket < s->first || bucket - s->first >= s->room) && !make_room(s, bucket, bucket))
		return false;
	s->at[bucket - s->first] += times;
	return true;
}

/* What was kept as it is becomes counts. */
static bool begin_counting(struct trace_sketch *s)
{
	struct trace_sketch counts = { 0 };

	if (!make_room(&counts, bucket_of(s->least), bucket_of(s->most)))
		return false;
	for (size_t i = 0; i < s->n; i++)
		counts.at[bucket_of(s->at[i]) - counts.first]++;
	jw_mem_free(s->at);
	s->at = counts.at;
	s->first = counts.first;
	s->room = counts.room;
	return true;
}

/* ---- adding ---- */

static bool keep(struct trace_sketch *s, uint64_t ns)
{
	if (s->n == s->room) {
		uint32_t room = s->room ? s->room * 2 : 4;
		uint64_t *grown = jw_mem_realloc(s->at, room * sizeof(*grown));

		if (!grown)
			return false;
		s->at = grown;
		s->room = room;
	}
	s->at[s->n] = ns;
	return true;
}

static void span(struct trace_sketch *s, uint64_t least, uint64_t most)
{
	s->least = s->n == 0 || least < s->least ? least : s->least;
	s->most = s->n == 0 || most > s->most ? most : s->most;
}

bool trace_sketch_add(struct trace_sketch *s, uint64_t ns)
{
	if (s->n == TRACE_SKETCH_EXACT && !begin_counting(s))
		return false;
	if (!(s->n < TRACE_SKETCH_EXACT ? keep(s, ns) : count(s, ns, 1)))
		return false;
	span(s, ns, ns);
	s->n++;
	return true;
}

void trace_sketch_fetch(const struct trace_sketch *s, uint64_t ns)
{
	uint32_t bucket = bucket_of(ns);

	if (s->n > TRACE_SKETCH_EXACT && bucket >= s->first && bucket - s->first < s->room)
		jw_fetch(&s->at[bucket - s->first]);
}

bool trace_sketch_merge(struct trace_sketch *s, const struct trace_sketch *more)
{
	if (trace_sketch_is_exact(more)) {
		for (size_t i = 0; i < more->n; i++)
			if (!trace_sketch_add(s, more->at[i]))
				return false;
		return true;
	}
	if (trace_sketch_is_exact(s) && s->n && !begin_counting(s))
		return false;
	for (uint32_t i = 0; i < more->room; i++)
		if (more->at[i] && !count(s, middle_of(more->first + i), more->at[i]))
			return false;
	span(s, more->least, more->most);
	s->n += more->n;
	return true;
}

bool trace_sketch_copy(struct trace_sketch *to, const struct trace_sketch *from,
		       struct jw_arena *arena)
{
	size_t count = trace_sketch_is_exact(from) ? from->n : from->room;
	uint64_t *at = JW_NEW_ARRAY(arena, uint64_t, count + 1);

	if (!at)
		return false;
	if (count)
		memcpy(at, from->at, count * sizeof(*at));
	*to = *from;
	to->at = at;
	to->room = (uint32_t)count;
	return true;
}

void trace_sketch_free(struct trace_sketch *s)
{
	jw_mem_free(s->at);
	*s = (struct trace_sketch){ 0 };
}

/* ---- asking ---- */

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The duration at place RANK, from 1, of those that are kept as they are. */
static uint64_t exact_at(const struct trace_sketch *s, uint64_t rank)
{
	uint64_t sorted[TRACE_SKETCH_EXACT];

	memcpy(sorted, s->at, s->n * sizeof(*sorted));
	qsort(sorted, s->n, sizeof(*sorted), by_size);
	return sorted[rank - 1];
}

uint64_t trace_sketch_at(const struct trace_sketch *s, unsigned mille)
{
	JW_ASSERT(mille <= 1000);
	if (s->n == 0)
		return 0;
	/* (n / 1000 first: n times 1000 may be too much) */
	uint64_t rank = s->n / 1000 * mille + (s->n % 1000 * mille + 999) / 1000, seen = 0;

	rank = rank ? rank : 1;
	if (trace_sketch_is_exact(s))
		return exact_at(s, rank);
	if (rank == s->n)
		return s->most;
	for (uint32_t i = 0; i < s->room; i++) {
		seen += s->at[i];
		if (seen >= rank) {
			uint64_t ns = middle_of(s->first + i);

			return ns < s->least ? s->least : ns > s->most ? s->most : ns;
		}
	}
	return s->most;
}

uint64_t trace_sketch_below(const struct trace_sketch *s, uint64_t ns)
{
	uint64_t below = 0;

	if (trace_sketch_is_exact(s)) {
		for (size_t i = 0; i < s->n; i++)
			below += s->at[i] < ns;
		return below;
	}
	if (ns > s->most)
		return s->n;
	if (ns <= s->least)
		return 0;
	for (uint32_t i = 0; i < s->room && middle_of(s->first + i) < ns; i++)
		below += s->at[i];
	return below;
}
