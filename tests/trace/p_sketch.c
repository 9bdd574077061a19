/*
 * p_sketch.c: durations in a sketch: what it says of any number of them, against a sorted list.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/calls/sketch.h"

#include "base/banned.h"

#define MANY 20000

static uint64_t list[MANY];

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Durations of up to BITS bits, each size as likely as any other. */
static uint64_t any(unsigned bits)
{
	unsigned size = tap_below(bits + 1);

	return size ? tap_random() >> (64 - size) : 0;
}

/* N durations in S and in the list, which is sorted. */
static void fill(struct trace_sketch *s, size_t n, unsigned bits)
{
	*s = (struct trace_sketch){ 0 };
	for (size_t i = 0; i < n; i++) {
		list[i] = any(bits);
		if (!trace_sketch_add(s, list[i]))
			ok(!"memory");
	}
	qsort(list, n, sizeof(*list), by_size);
}

static bool is_near(uint64_t got, uint64_t want)
{
	uint64_t off = got > want ? got - want : want - got;

	return (double)off <= (double)want * TRACE_SKETCH_ERROR;
}

/* The Nth of a thousand, as its definition says. */
static uint64_t at(size_t n, unsigned mille)
{
	size_t rank = (n * mille + 999) / 1000;

	return list[rank ? rank - 1 : 0];
}

static size_t wrong_of(const struct trace_sketch *s, size_t n)
{
	size_t wrong = 0;

	for (unsigned mille = 0; mille <= 1000; mille++) {
		uint64_t want = at(n, mille), got = trace_sketch_at(s, mille);

		wrong += n <= TRACE_SKETCH_EXACT ? got != want : !is_near(got, want);
	}
	return wrong + (trace_sketch_at(s, 1000) != list[n - 1]) + (s->least != list[0]) +
	       (s->n != n);
}

TEST(every_thousandth_is_within_the_error)
{
	static const unsigned bits[] = { 3, 6, 7, 20, 34, 63, 64 };

	for (size_t b = 0; b < sizeof(bits) / sizeof(*bits); b++) {
		for (unsigned round = 0; round < 20; round++) {
			struct trace_sketch s;
			size_t n = 1 + tap_below(round % 4 ? MANY : 2 * TRACE_SKETCH_EXACT);

			fill(&s, n, bits[b]);
			is_int(wrong_of(&s, n), 0);
			trace_sketch_free(&s);
		}
	}
}

TEST(a_few_are_exact_and_one_more_is_near)
{
	for (size_t n = TRACE_SKETCH_EXACT - 1; n <= TRACE_SKETCH_EXACT + 1; n++) {
		struct trace_sketch s;

		fill(&s, n, 40);
		is_int(trace_sketch_is_exact(&s), n <= TRACE_SKETCH_EXACT);
		is_int(wrong_of(&s, n), 0);
		trace_sketch_free(&s);
	}
}

TEST(durations_below_a_border_are_counted)
{
	for (unsigned round = 0; round < 50; round++) {
		struct trace_sketch s;
		size_t n = 1 + tap_below(MANY), low = 0, high = 0;
		uint64_t border = any(40);

		fill(&s, n, 40);
		for (size_t i = 0; i < n; i++) { /* those near it may be on either side */
			low += list[i] < border && !is_near(list[i], border);
			high += list[i] < border || is_near(list[i], border);
		}
		ok(trace_sketch_below(&s, border) >= low);
		ok(trace_sketch_below(&s, border) <= high);
		is_int(trace_sketch_below(&s, UINT64_MAX), n);
		is_int(trace_sketch_below(&s, 0), 0);
		trace_sketch_free(&s);
	}
}

/* In any parts, some of them exact: as near as one sketch of all. */
TEST(merged_sketches_say_what_one_would)
{
	for (unsigned round = 0; round < 20; round++) {
		struct trace_sketch all = { 0 };
		size_t n = 0;

		for (unsigned part = 0; part < 5; part++) {
			struct trace_sketch s = { 0 };
			size_t count = tap_below(part % 2 ? 2000 : 100);

			for (size_t i = 0; i < count; i++) {
				list[n] = any(34);
				ok(trace_sketch_add(&s, list[n++]));
			}
			ok(trace_sketch_merge(&all, &s));
			trace_sketch_free(&s);
		}
		qsort(list, n, sizeof(*list), by_size);
		is_int(wrong_of(&all, n), 0);
		trace_sketch_free(&all);
	}
}

TEST(a_copy_in_an_arena_says_the_same)
{
	struct jw_arena arena = { 0 };

	for (size_t n = 0; n < 1000; n += 50) {
		struct trace_sketch s, copy;

		fill(&s, n, 40);
		ok(trace_sketch_copy(&copy, &s, &arena));
		for (unsigned mille = 0; mille <= 1000; mille += 10)
			is_int(trace_sketch_at(&copy, mille), trace_sketch_at(&s, mille));
		trace_sketch_free(&s);
	}
	jw_arena_free(&arena);
}

TEST(without_memory_nothing_is_counted)
{
	struct trace_sketch s = { 0 };

	for (size_t i = 0; i < 1000; i++) {
		uint64_t ns = UINT64_C(1) << i % 64, before = s.n;

		jw_mem_fail_after(0);
		bool added = trace_sketch_add(&s, ns);

		if (jw_mem_fail_after(-1)) {
			ok(!added);
			is_int(s.n, before);
			ok(trace_sketch_add(&s, ns));
		}
	}
	is_int(s.n, 1000);
	is_int(trace_sketch_at(&s, 1000), INT64_MIN);
	trace_sketch_free(&s);
}
