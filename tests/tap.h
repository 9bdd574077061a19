/*
 * tap.h: tests in C that speak TAP to prove. A file of tests is one program:
 *
 *     TEST(pool_rejects_unknown_tag)
 *     {
 *             ok(cfr_pool_open(...) == JW_INPUT);
 *             is_str(e.text, "constant 3: unknown tag 2");
 *     }
 *
 * Every TEST registers itself; main() is in tap.c. A failed check does not stop the test. Arguments
 * are names: only these tests run. One TAP line a test, diagnostics after '#'.
 */
#ifndef JW_TESTS_TAP_H
#define JW_TESTS_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct tap_test {
	const char *name;
	void (*run)(void);
	struct tap_test *next;
};
void tap_register(struct tap_test *test);

#define TEST(id)                                                        \
	static void test_##id(void);                                    \
	__attribute__((constructor)) static void register_##id(void)    \
	{                                                               \
		static struct tap_test test = { #id, test_##id, NULL }; \
		tap_register(&test);                                    \
	}                                                               \
	static void test_##id(void)

bool tap_ok(bool holds, const char *what, const char *file, int line);
bool tap_is_int(long long got, long long want, const char *what, const char *file, int line);
bool tap_is_str(const char *got, const char *want, const char *what, const char *file, int line);
bool tap_is_span(struct jw_span got, struct jw_span want, const char *what, const char *file,
		 int line);

bool tap_has_text(const char *text, const char *part, bool wanted, const char *file, int line);

#define ok(cond)           tap_ok((cond), #cond, __FILE__, __LINE__)
#define is_int(got, want)  tap_is_int((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define is_str(got, want)  tap_is_str((got), (want), #got, __FILE__, __LINE__)
#define is_span(got, want) tap_is_span((got), (want), #got, __FILE__, __LINE__)
/* TEXT has the line, or other part, PART, or has it not. */
#define has_text(text, part)    tap_has_text((text), (part), true, __FILE__, __LINE__)
#define has_no_text(text, part) tap_has_text((text), (part), false, __FILE__, __LINE__)

/* Runs BREAK_IT in a process of its own: does an assertion (base/assert.h) fail there, one whose
 * condition contains TEXT? What else it does has no effect here. */
#define fails_assert(break_it, ctx, text) \
	tap_fails_assert((break_it), (ctx), (text), __FILE__, __LINE__)
bool tap_fails_assert(void (*break_it)(void *ctx), void *ctx, const char *text, const char *file,
		      int line);
/* The condition that fails so, until the next call; NULL: none. */
const char *tap_failed_assert(void (*break_it)(void *ctx), void *ctx);

/* Marks the running test as skipped, with the reason, aloud. */
void tap_skip(const char *reason);
/* A diagnostic line. */
void tap_note(const char *fmt, ...) JW_PRINTF(1, 2);

/* A repeatable random number from a seed that is printed when a test fails (JW_SEED sets it). */
uint64_t tap_random(void);
uint32_t tap_below(uint32_t n);

#endif
