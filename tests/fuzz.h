/*
 * fuzz.h: what a fuzz target and libFuzzer (or fuzz_main.c) have of each other.
 */
#ifndef JW_TESTS_FUZZ_H
#define JW_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bytes.h"

/* The target: any SIZE bytes at DATA; 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of a target that knows better what to change than libFuzzer: changes the SIZE bytes at DATA,
 * which has room for MAX, in a way that SEED tells; the new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* libFuzzer's own way to change them; not there where inputs are only replayed. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* An assertion that fails is a crash. */
static inline void fuzz_assert_failed(const char *condition, const char *file, int line)
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
	abort();
}
__attribute__((constructor)) static void fuzz_assert(void)
{
	jw_assert_hook = fuzz_assert_failed;
}

/* What CHANGE makes of the input, two times in three; nothing, or more than there is room for, and
 * else: libFuzzer's own way. CHANGE puts the whole input to OUT, with one change as *STATE says. */
typedef void fuzz_change(struct jw_span in, struct jw_buf *out, uint32_t *state);

static inline size_t fuzz_mutate(fuzz_change *change, uint8_t *data, size_t size, size_t max,
				 unsigned seed)
{
	struct jw_buf out = { 0 };
	uint32_t state = seed / 3;
	size_t n = 0;

	if (seed % 3 != 0)
		change(jw_span(data, size), &out, &state);
	if (out.failed == JW_OK && out.n <= max)
		n = out.n;
	if (n > 0)
		memcpy(data, out.p, n);
	jw_buf_free(&out);
	return n ? n : LLVMFuzzerMutate(data, size, max);
}

/* Makes CHANGE the target's mutator. */
#define JW_MUTATES_BY(change)                                                                 \
	size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed) \
	{                                                                                     \
		return fuzz_mutate(change, data, size, max, seed);                            \
	}

#endif
