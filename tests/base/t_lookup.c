#include "base/lookup.h"

#include "tests/tap.h"

#include "base/banned.h"

static size_t find(const struct jw_lookup *lookup, const uint64_t *ids, uint64_t id)
{
	for (struct jw_lookup_walk w = jw_lookup_walk(lookup, jw_hash_id(id)); jw_lookup_next(&w);)
		if (ids[w.place] == id)
			return w.place;
	return SIZE_MAX;
}

TEST(lookup_finds_what_was_added)
{
	enum { COUNT = 5000 };
	static uint64_t ids[COUNT];
	struct jw_lookup lookup = { 0 };
	bool found = true;

	ok(find(&lookup, ids, 1) == SIZE_MAX);
	for (size_t i = 0; i < COUNT; i++) {
		ids[i] = i % 2 ? tap_random() : i << 20;
		found &= jw_lookup_add(&lookup, jw_hash_id(ids[i]), i);
	}
	for (size_t i = 0; i < COUNT; i++)
		found &= find(&lookup, ids, ids[i]) == i;
	ok(found);
	ok(find(&lookup, ids, 12345) == SIZE_MAX);
	is_int(lookup.n, COUNT);
	ok((lookup.mask + 1) >= 2 * lookup.n);
	jw_lookup_free(&lookup);
	ok(!lookup.slots && lookup.n == 0);
}

TEST(lookup_walks_all_of_one_hash)
{
	struct jw_lookup lookup = { 0 };
	size_t seen = 0, sum = 0;

	for (size_t i = 0; i < 100; i++)
		ok(jw_lookup_add(&lookup, i % 10 ? 77 : 78, i)); /* neighbours */
	for (struct jw_lookup_walk w = jw_lookup_walk(&lookup, 78); jw_lookup_next(&w); seen++)
		sum += w.place;
	is_int(seen, 10);
	is_int(sum, 450);
	jw_lookup_free(&lookup);
}

TEST(lookup_without_memory_adds_nothing)
{
	struct jw_lookup lookup = { 0 };

	for (size_t i = 0; i < 32; i++)
		ok(jw_lookup_add(&lookup, (uint32_t)i, i));
	jw_mem_fail_after(0);
	ok(!jw_lookup_add(&lookup, 32, 32));
	jw_mem_fail_after(-1);
	is_int(lookup.n, 32);
	struct jw_lookup_walk w = jw_lookup_walk(&lookup, 31);
	ok(jw_lookup_next(&w) && w.place == 31);
	jw_lookup_free(&lookup);
}

static void add_too_far(void *ctx)
{
	(void)jw_lookup_add(ctx, 0, UINT32_MAX);
}

TEST(lookup_asserts_that_a_place_fits)
{
	struct jw_lookup lookup = { 0 };

	fails_assert(add_too_far, &lookup, "place < UINT32_MAX");
}
