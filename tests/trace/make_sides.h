/*
 * make_sides.h: two sides of runs that tests compare (trace/diff/diff.h).
 *
 *     begin -> trace_diff_side_add(&sides[0] or &sides[1], ..) .. -> compare -> find -> end
 */
#ifndef JW_TESTS_TRACE_MAKE_SIDES_H
#define JW_TESTS_TRACE_MAKE_SIDES_H

#include <string.h>

#include "tests/tap.h"
#include "trace/diff/diff.h"

static struct jw_arena sides_arena;
static struct trace_diff_side sides[2];
static struct trace_diff diff;
static struct jw_err err;

/* Of RUNS runs each. */
static inline void begin(size_t runs)
{
	for (size_t i = 0; i < 2; i++)
		ok(trace_diff_side_open(&sides[i], &sides_arena, runs, &err) == JW_OK);
}

static inline void compare(void)
{
	ok(trace_diff_compare(&sides[0], &sides[1], &sides_arena, &diff, &err) == JW_OK);
}

/* The pair of KIND that is called LABEL; NULL: none. */
static inline const struct trace_diff_pair *find(enum trace_diff_kind kind, const char *label)
{
	for (size_t i = diff.first[kind]; i < diff.first[kind + 1]; i++)
		if (strcmp(trace_diff_item_of(&diff.pairs[i])->label, label) == 0)
			return &diff.pairs[i];
	return NULL;
}

static inline void end(void)
{
	for (size_t i = 0; i < 2; i++)
		trace_diff_side_close(&sides[i]);
	jw_arena_free(&sides_arena);
}

#endif
