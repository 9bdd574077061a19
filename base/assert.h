/*
 * assert.h: what the code relies on, checked where it relies on it.
 *
 *     JW_ASSERT(edits_are_sorted(plan));
 *
 * For what only a mistake of ours can break. Input is never asserted: it is checked, and refused
 * with a message. Where to go on would do harm in a released program too, return jw_bug() instead.
 *
 * On in every test: the C tests (tests/tap.c), the fuzz targets (tests/fuzz.h), and each `jweave`
 * that a test starts, since tests/run sets JW_ASSERT, which cli/main.c looks for; whatever the
 * build, sanitized or not. Off in released programs, and in the recorder inside a JVM: the
 * condition is not evaluated, and costs a load and a branch. So a condition may be expensive (a
 * loop over all edits), but must not change anything.
 *
 * A test proves an assertion by breaking what it asserts: fails_assert() in tests/tap.h.
 */
#ifndef JW_BASE_ASSERT_H
#define JW_BASE_ASSERT_H

/* Is told the CONDITION that does not hold, and where; must not return. */
typedef void jw_assert_failed(const char *condition, const char *file, int line);

/* NULL: assertions are off. To be set before other threads begin. */
extern jw_assert_failed *jw_assert_hook;

#ifdef __clang_analyzer__ /* clang-tidy: what is asserted holds */
#define JW_ASSERT(condition)                     \
	do {                                     \
		if (!(condition))                \
			__builtin_unreachable(); \
	} while (0)
#else
#define JW_ASSERT(condition)                                            \
	do {                                                            \
		if (jw_assert_hook && !(condition))                     \
			jw_assert_hook(#condition, __FILE__, __LINE__); \
	} while (0)
#endif

#endif
