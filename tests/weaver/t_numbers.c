/* The numbers of methods (numbers.c): who has which, by the archive's directory alone. */
#include <string.h>

#include "tests/tap.h"
#include "trace/format/recording.h"
#include "weaver/archive/numbers.h"

#include "base/banned.h"

static struct jw_err e;

/* Shares the numbers of an archive of COUNT entries, of these names and sizes, for UNIT. */
static void share(struct weave_unit *unit, struct jw_zip_entry *entries, size_t count)
{
	struct jw_zip zip = { .entries = entries, .count = count };

	unit->own = JW_SPAN_LIT("jweave/a123456/P");
	is_int(weave_numbers_share(unit, &zip, &e), JW_OK);
}

static struct jw_zip_entry entry(const char *name, uint64_t size)
{
	return (struct jw_zip_entry){ .name = jw_span_str(name), .size = size };
}

TEST(a_class_has_a_share_by_its_size)
{
	struct jw_arena arena = { 0 };
	struct weave_archive_job job = { 0 };
	struct weave_unit unit = { .arena = &arena, .job = &job };
	struct jw_zip_entry entries[] = { entry("META-INF/MANIFEST.MF", 1000),
					  entry("A.class", 320), entry("text", 5000),
					  entry("b/B.class", 640) };

	share(&unit, entries, 4);
	is_int(weave_numbers_of(&unit, 0).count, 0);
	is_int(weave_numbers_of(&unit, 1).first, 0);
	is_int(weave_numbers_of(&unit, 1).count, 10);
	is_int(weave_numbers_of(&unit, 2).count, 0);
	is_int(weave_numbers_of(&unit, 3).first, 10);
	is_int(weave_numbers_of(&unit, 3).count, 20);
	is_span(weave_numbers_of(&unit, 3).owner, unit.own);
	ok(jw_span_ends(unit.shares, JW_SPAN_LIT("\tjweave/a123456/P\t30 \n")));
	jw_arena_free(&arena);
}

TEST(shares_follow_each_other_and_end_below_65536)
{
	enum { MANY = 5000 };
	static struct jw_zip_entry entries[MANY];
	const uint64_t sizes[] = { 0, 1, 300, 4000, 70000, UINT64_MAX, UINT32_MAX };
	struct jw_arena arena = { 0 };
	struct weave_archive_job job = { 0 };
	struct weave_unit unit = { .arena = &arena, .job = &job };
	uint32_t next = 0;
	bool follow = true;

	for (size_t kinds = 1; kinds <= sizeof(sizes) / sizeof(*sizes); kinds++) {
		for (size_t i = 0; i < MANY; i++)
			entries[i] = entry("A.class", sizes[i % kinds]);
		share(&unit, entries, MANY);
		next = 0;
		for (size_t i = 0; i < MANY; i++) {
			struct weave_numbers n = weave_numbers_of(&unit, i);

			follow &= n.first == next || n.count == 0;
			next += n.count;
		}
		ok(follow);
		ok(next <= UINT16_MAX + 1);
	}
	ok(next > UINT16_MAX / 2); /* and they are used */
	jw_arena_free(&arena);
}

TEST(an_archive_without_classes_has_none)
{
	struct jw_arena arena = { 0 };
	struct weave_archive_job job = { 0 };
	struct weave_unit unit = { .arena = &arena, .job = &job };
	struct jw_zip_entry entries[] = { entry("text", 5000) };

	is_int(weave_numbers_of(&unit, 0).count, 0);
	share(&unit, entries, 1);
	is_int(weave_numbers_of(&unit, 0).count, 0);
	share(&unit, entries, 0);
	jw_arena_free(&arena);
}

TEST(what_is_pushed_is_signed_and_makes_the_id_again)
{
	const uint64_t space = UINT64_C(0xfedcba9876);
	uint64_t base = jwr_number_base(space);

	for (uint32_t n = 0; n <= UINT16_MAX; n++) {
		uint64_t id = jwr_method_id(space, (uint16_t)n);
		int16_t pushed = (int16_t)jwr_pushed_number(id);

		if (base + (uint64_t)(int64_t)pushed != id ||
		    jwr_pushed_number((uint16_t)pushed) != n) {
			is_int(n, -1);
			return;
		}
	}
	ok(true);
}
