/*
 * diff_match.h: which items of two sides are the same.
 */
#ifndef JW_TRACE_DIFF_MATCH_H
#define JW_TRACE_DIFF_MATCH_H

#include "base/bytes.h"
#include "trace/diff/diff.h"

/* The place among B's items of each of A's, SIZE_MAX: none; room for all of A's in PARTNERS. */
enum jw_status JW_MUST_USE trace_diff_match(const struct trace_diff_side *a,
					    const struct trace_diff_side *b, size_t *partners,
					    struct jw_err *e);

/* Is NAME that of the body of a lambda expression? *STEM: without its number. */
bool trace_diff_is_lambda(const char *name, struct jw_span *stem);

#endif
