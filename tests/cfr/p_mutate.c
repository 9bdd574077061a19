/*
 * p_mutate.c: real classes, damaged at random, never crash, hang or break a promise.
 * JW_MUTATIONS says how many (20,000), JW_SEED repeats a run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tests/cfr/kit.h"
#define HOLDS ok
#include "tests/cfr/exercise.h"

#include "base/banned.h"

static void damage(struct jw_buf *b)
{
	static const uint8_t nasty[] = { 0, 1, 2, 7, 0x7f, 0x80, 0xc4, 0xfe, 0xff };
	uint32_t at = tap_below((uint32_t)b->n), from;

	switch (tap_below(6)) {
	case 0:
		b->p[at] = (uint8_t)tap_random();
		break;
	case 1:
		b->p[at] = nasty[tap_below(sizeof(nasty))];
		break;
	case 2:
		b->p[at] ^= (uint8_t)(1u << tap_below(8));
		break;
	case 3: /* a count or a length, somewhere */
		if (at + 2 <= b->n)
			jw_patch_u2(b, at, tap_below(2) ? 0xffff : tap_below(300));
		break;
	case 4: /* cut off, or a piece taken out */
		from = at + tap_below(8);
		if (tap_below(4) == 0 && at > 0) {
			b->n = at;
		} else if (from < b->n && from > at) {
			memmove(b->p + at, b->p + from, b->n - from);
			b->n -= from - at;
		}
		break;
	default: /* a piece of it over another */
		from = tap_below((uint32_t)b->n);
		if (from + 8 <= b->n && at + 8 <= b->n)
			memmove(b->p + at, b->p + from, 8);
	}
}

TEST(damaged_classes_do_no_harm)
{
	const char *wanted = getenv("JW_MUTATIONS");
	unsigned long rounds = wanted ? strtoul(wanted, NULL, 10) : 20000, opened = 0;
	struct jw_file files[KIT_REAL_COUNT];
	struct jw_arena arena = { 0 };
	struct jw_buf bytes = { 0 }, out = { 0 };
	struct jw_err e = { 0 };

	for (size_t i = 0; i < KIT_REAL_COUNT; i++)
		is_int(jw_file_open(kit_real[i], 0, &files[i], &e), JW_OK);
	for (unsigned long i = 0; i < rounds; i++) {
		jw_buf_clear(&bytes);
		jw_put_bytes(&bytes, files[tap_below(KIT_REAL_COUNT)].bytes);
		for (uint32_t n = 1 + tap_below(4); n > 0; n--)
			damage(&bytes);
		/* a copy of the right size, so that the sanitizer sees every read after it */
		uint8_t *copy = jw_mem_alloc(bytes.n);
		memcpy(copy, bytes.p, bytes.n);
		e.status = JW_OK;
		opened += exercise_class(jw_span(copy, bytes.n), &arena, &out, &e) == JW_OK;
		jw_mem_free(copy);
		jw_arena_reset(&arena);
	}
	for (size_t i = 0; i < KIT_REAL_COUNT; i++)
		jw_file_close(&files[i]);
	ok(opened > rounds / 50 && opened < rounds); /* some pass, not all */
	tap_note("%lu of %lu damaged classes passed every check", opened, rounds);
	jw_arena_free(&arena);
	jw_buf_free(&bytes);
	jw_buf_free(&out);
}
