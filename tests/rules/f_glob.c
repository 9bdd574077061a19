/*
 * f_glob.c: the input is a mode, a pattern, a newline and a text: linear in steps, and true of the
 * pattern's own literal prefix and suffix. The pattern of a literal matches itself alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "rules/glob.h"
#include "tests/fuzz.h"

#include "base/banned.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct rules_glob *glob, struct jw_span text)
{
	uint64_t steps = 0;
	bool yes = rules_glob_match_counted(glob, text, &steps);

	require(steps <= 1 + text.n * (1 + 2 * RULES_GLOB_MAX / 64));
	require(!yes || jw_span_starts(text, glob->prefix));
	require(!yes || jw_span_ends(text, glob->suffix));
	require(yes == rules_glob_match(glob, text));
	if (glob->shape == RULES_GLOB_LITERAL)
		require(yes == jw_span_eq(text, glob->prefix));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jw_arena arena = { 0 };
	struct rules_glob glob;
	struct jw_span input, pattern, text;
	const uint8_t *end;

	if (size < 2)
		return 0;
	input = jw_span(data + 1, size - 1);
	end = memchr(input.p, '\n', input.n);
	pattern = jw_span_sub(input, 0, end ? (size_t)(end - input.p) : input.n);
	text = end ? jw_span_sub(input, pattern.n + 1, input.n - pattern.n - 1) : pattern;
	if (rules_glob_compile(pattern, data[0] % 4, &arena, &glob, NULL, NULL) == JW_OK)
		check(&glob, text);
	jw_arena_free(&arena);
	return 0;
}
