/*
 * f_class.c: fuzz target: any bytes through everything that cfr does with a class.
 */
#include "tests/cfr/exercise.h"
#include "tests/cfr/mutate_class.h"
#include "tests/fuzz.h"

#include "base/banned.h"

JW_MUTATES_BY(mutate_class)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct jw_buf out;
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };

	(void)!exercise_class(jw_span(data, size), &arena, &out, &e);
	jw_arena_free(&arena);
	jw_buf_free(&out);
	return 0;
}
