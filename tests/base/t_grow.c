#include "base/grow.h"

#include <string.h>

#include "tests/tap.h"

#include "base/banned.h"

struct numbers {
	uint32_t *at;
	size_t n, room;
};

static const struct jw_growth hundred = { "numbers", 100, 4 };

static enum jw_status add(struct numbers *list, struct jw_arena *arena, uint32_t number,
			  struct jw_err *e)
{
	JW_TRY(JW_GROW_IN(arena, list, &hundred, e));
	list->at[list->n++] = number;
	return JW_OK;
}

static void fill(struct numbers *list, struct jw_arena *arena)
{
	struct jw_err e = { 0 };
	bool same = true;

	for (uint32_t i = 0; i < 100; i++)
		ok(add(list, arena, i * i, &e) == JW_OK);
	for (uint32_t i = 0; i < 100; i++)
		same &= list->at[i] == i * i;
	ok(same);
	is_int(list->room, 100);
	is_int(add(list, arena, 0, &e), JW_LIMIT);
	is_str(e.text, "too many numbers (limit is 100)");
	is_int(list->n, 100);
}

TEST(grow_doubles_up_to_the_limit)
{
	struct numbers list = { 0 };
	struct jw_err e = { 0 };

	ok(add(&list, NULL, 0, &e) == JW_OK);
	is_int(list.room, 4);
	while (list.n < 5)
		ok(add(&list, NULL, 0, &e) == JW_OK);
	is_int(list.room, 8);
	list.n = 0;
	fill(&list, NULL);
	jw_mem_free(list.at);
}

TEST(grow_in_an_arena)
{
	struct numbers list = { 0 };
	struct jw_arena arena = { 0 };

	fill(&list, &arena);
	jw_arena_free(&arena);
}

TEST(grow_to_a_number_wanted)
{
	static const struct jw_growth how = { .what = "numbers" };
	struct numbers list = { 0 };
	struct jw_err e = { 0 };

	ok(jw_grow(NULL, &list.at, &list.room, sizeof(*list.at), 1000, &how, &e) == JW_OK);
	is_int(list.room, 1024);
	memset(list.at, 0, 1000 * sizeof(*list.at));
	is_int(jw_grow(NULL, &list.at, &list.room, SIZE_MAX / 2, 2000, &how, &e), JW_NOMEM);
	is_int(list.room, 1024);
	jw_mem_free(list.at);
}

TEST(grow_without_memory_changes_nothing)
{
	struct numbers list = { 0 };
	struct jw_err e = { 0 };

	while (list.n < 4)
		ok(add(&list, NULL, 7, &e) == JW_OK);
	jw_mem_fail_after(0);
	is_int(add(&list, NULL, 8, &e), JW_NOMEM);
	jw_mem_fail_after(-1);
	is_int(list.n, 4);
	is_int(list.at[3], 7);
	ok(add(&list, NULL, 8, &e) == JW_OK);
	jw_mem_free(list.at);
}

TEST(grown_lists_give_back_their_room)
{
	struct numbers list = { 0 };
	struct jw_err e = { 0 };

	jw_grown(&list.at, &list.room, sizeof(*list.at), list.n); /* nothing */
	is_int(list.room, 0);
	while (list.n < 20)
		ok(add(&list, NULL, 7, &e) == JW_OK);
	jw_mem_fail_after(0);
	jw_grown(&list.at, &list.room, sizeof(*list.at), list.n);
	jw_mem_fail_after(-1);
	is_int(list.room, 32); /* there was no memory for that: it keeps it */
	jw_grown(&list.at, &list.room, sizeof(*list.at), list.n);
	is_int(list.room, 20);
	is_int(list.at[19], 7);
	ok(add(&list, NULL, 8, &e) == JW_OK); /* and may grow all the same */
	is_int(list.at[20], 8);
	jw_mem_free(list.at);
}
