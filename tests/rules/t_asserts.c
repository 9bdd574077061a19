/*
 * t_asserts.c: breaks what index.c and literals.c rely on: an assertion notices.
 */
#include "base/memory.h"
#include "rules/index.h"
#include "rules/literals.h"
#include "rules/selector.h"
#include "tests/tap.h"

#include "base/banned.h"

/* An index over three clauses of these rules. */
static void build(void *ctx)
{
	const size_t *of = ctx;
	struct rules_selector any = { 0 };
	struct rules_clause at[3];
	struct rules_clauses list = { .at = at, .n = 3, .room = 3 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	for (size_t i = 0; i < 3; i++)
		at[i] = (struct rules_clause){ .selector = &any, .rule = of[i] };
	ok(rules_index_build(&arena, &list, &e) == JW_OK);
	jw_arena_free(&arena);
}

TEST(clauses_are_in_the_order_of_their_rules)
{
	build((size_t[]){ 0, 0, 1 });
	fails_assert(build, ((size_t[]){ 0, 1, 0 }), "in_order(list)");
}

TEST(excludes_come_after_the_clauses_of_rules)
{
	build((size_t[]){ 0, RULES_NONE, RULES_NONE });
	fails_assert(build, ((size_t[]){ 0, RULES_NONE, 1 }), "in_order(list)");
}

static void build_pieces(void *ctx)
{
	struct rules_pieces pieces = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	ok(rules_pieces_build(ctx, 2, &arena, &pieces, &e) == JW_OK);
	jw_arena_free(&arena);
}

TEST(no_piece_is_empty)
{
	struct jw_span good[] = { JW_SPAN_LIT("ab"), JW_SPAN_LIT("b") };
	struct jw_span bad[] = { JW_SPAN_LIT("ab"), JW_SPAN_LIT("") };

	build_pieces(good);
	fails_assert(build_pieces, bad, "string.n > 0");
}
