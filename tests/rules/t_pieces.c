/* t_pieces.c: every occurrence of every string, and none else, as a naive search finds them. */
#include "rules/literals.h"
#include "tests/tap.h"

#include <string.h>

#include "base/banned.h"

enum { MAX_STRINGS = 40, MAX_TEXT = 60 };

static size_t random_text(char *out, size_t max)
{
	size_t n = 1 + tap_below((uint32_t)max);

	for (size_t i = 0; i < n; i++)
		out[i] = "abab/"[tap_below(5)];
	return n;
}

static size_t naive(struct jw_span text, struct jw_span string)
{
	size_t n = 0;

	for (size_t i = 0; i + string.n <= text.n; i++)
		n += memcmp(text.p + i, string.p, string.n) == 0;
	return n;
}

static size_t make_strings(char (*texts)[8], struct jw_span *strings)
{
	size_t n = 0;

	for (size_t i = 0; i < MAX_STRINGS; i++) {
		bool seen = false;

		strings[n] = jw_span(texts[i], random_text(texts[i], 7));
		for (size_t k = 0; k < n; k++)
			seen = seen || jw_span_eq(strings[k], strings[n]);
		n += !seen;
	}
	return n;
}

TEST(as_a_naive_search)
{
	for (int round = 0; round < 300; round++) {
		char texts[MAX_STRINGS][8], buffer[MAX_TEXT];
		struct jw_span strings[MAX_STRINGS];
		size_t n = make_strings(texts, strings), found[MAX_STRINGS] = { 0 }, index;
		struct jw_span text = jw_span(buffer, random_text(buffer, MAX_TEXT));
		struct jw_arena arena = { 0 };
		struct rules_pieces pieces;
		struct jw_err e;
		bool same = true;

		if (!ok(rules_pieces_build(strings, n, &arena, &pieces, &e) == JW_OK))
			return;
		struct rules_pieces_walk walk = rules_pieces_walk(&pieces, text);
		while (rules_pieces_next(&walk, &index))
			found[index]++;
		for (size_t i = 0; i < n; i++)
			same = same && found[i] == naive(text, strings[i]);
		ok(same);
		jw_arena_free(&arena);
	}
}

TEST(no_strings_no_memory)
{
	struct jw_span string = JW_SPAN_LIT("ab");
	struct jw_arena arena = { 0 };
	struct rules_pieces pieces;
	struct jw_err e = { 0 };
	size_t index;

	ok(rules_pieces_build(NULL, 0, &arena, &pieces, &e) == JW_OK);
	struct rules_pieces_walk walk = rules_pieces_walk(&pieces, string);
	ok(!rules_pieces_next(&walk, &index));
	for (int n = 0; n < 4; n++) {
		jw_mem_fail_after(n);
		enum jw_status status = rules_pieces_build(&string, 1, &arena, &pieces, &e);
		if (!jw_mem_fail_after(-1))
			break;
		is_int(status, JW_NOMEM);
	}
	jw_arena_free(&arena);
}

/* Nothing is read of them: the sum alone is too much. */
TEST(patterns_of_gigabytes_are_refused)
{
	struct jw_arena arena = { 0 };
	struct rules_pieces pieces;
	struct jw_err e = { 0 };
	const uint8_t byte = 'a';
	const struct jw_span strings[] = { { &byte, INT32_MAX - 1 }, { &byte, 1 } };

	is_int(rules_pieces_build(strings, 2, &arena, &pieces, &e), JW_LIMIT);
	is_str(e.text, "the patterns of the rules have 2147483647 bytes in all");
	jw_arena_free(&arena);
}
