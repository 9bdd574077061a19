/* Arenas, and allocations that fail when told to. */
#include "base/memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "tests/tap.h"

#include "base/banned.h"

TEST(objects_are_zeroed_aligned_and_apart)
{
	struct jw_arena a = { 0 };
	uint8_t *last[200];
	size_t sizes[200], dirty = 0, crooked = 0, broken = 0;

	for (size_t i = 0; i < 200; i++) {
		sizes[i] = tap_below(i % 10 ? 100 : 100000) + 1;
		last[i] = JW_NEW_ARRAY(&a, uint8_t, sizes[i]);
		if (!ok(last[i] != NULL))
			return;
		for (size_t k = 0; k < sizes[i]; k++)
			dirty += last[i][k] != 0;
		crooked += (uintptr_t)last[i] % alignof(max_align_t) != 0;
		memset(last[i], (int)i, sizes[i]);
	}
	for (size_t i = 0; i < 200; i++)
		for (size_t k = 0; k < sizes[i]; k++)
			broken += last[i][k] != (uint8_t)i;
	is_int(dirty, 0);
	is_int(crooked, 0);
	is_int(broken, 0);
	ok(a.total >= 200);
	jw_arena_free(&a);
	is_int(a.total, 0);
	ok(a.blocks == NULL);
}

TEST(sizes_that_overflow_give_nothing)
{
	struct jw_arena a = { 0 };

	ok(jw_arena_alloc(&a, SIZE_MAX, 2) == NULL);
	ok(jw_arena_alloc(&a, SIZE_MAX, 1) == NULL);
	ok(jw_arena_alloc(&a, SIZE_MAX - 64, 1) == NULL);
	ok(jw_mem_zalloc(SIZE_MAX, 2) == NULL && jw_mem_alloc(SIZE_MAX) == NULL);
	ok(jw_arena_alloc(&a, 0, 8) != NULL);
	jw_arena_free(&a);
}

TEST(text_in_an_arena)
{
	struct jw_arena a = { 0 };

	is_str(jw_arena_str(&a, jw_span_str("some text")), "some text");
	is_str(jw_arena_str(&a, (struct jw_span){ 0 }), "");
	is_str(jw_arena_fmt(&a, "%d and %s", 7, "more"), "7 and more");
	jw_arena_free(&a);
}

/* The same memory serves the next class; what a huge one took is given back. */
TEST(reset_keeps_one_block_of_common_size)
{
	struct jw_arena a = { 0 };

	ok(JW_NEW_ARRAY(&a, char, 1000) != NULL);
	ok(JW_NEW_ARRAY(&a, char, 1000000) != NULL);
	jw_arena_reset(&a);
	is_int(a.total, 0);
	ok(a.blocks == NULL);
	for (int i = 0; i < 50; i++)
		ok(JW_NEW_ARRAY(&a, char, 10000) != NULL);
	jw_arena_reset(&a);
	is_int(a.total, 0);
	char *p = JW_NEW_ARRAY(&a, char, 10);
	ok(p && p[0] == 0 && p[9] == 0);
	jw_arena_free(&a);
	jw_arena_reset(&a); /* of an empty one */
	ok(a.blocks == NULL);
}

TEST(allocations_fail_when_told)
{
	struct jw_arena a = { 0 };
	void *p;

	jw_mem_fail_after(2);
	ok((p = jw_mem_alloc(10)) != NULL);
	ok((p = jw_mem_realloc(p, 20)) != NULL);
	ok(jw_mem_zalloc(1, 1) == NULL);
	ok(jw_mem_realloc(p, 30) == NULL);
	ok(jw_arena_alloc(&a, 1, 1) == NULL);
	ok(jw_arena_str(&a, jw_span_str("x")) == NULL);
	ok(jw_arena_fmt(&a, "x") == NULL);
	ok(jw_mem_fail_after(-1));
	ok(!jw_mem_fail_after(-1));
	jw_mem_free(p);
	p = jw_mem_alloc(0);
	ok(p != NULL);
	jw_mem_free(p);
	p = jw_mem_zalloc(0, 0);
	ok(p != NULL);
	jw_mem_free(p);
}
