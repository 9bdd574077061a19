/*
 * diff_many.h: many figures tested at once: some would differ by chance alone.
 *
 * Of 100 methods that nobody changed, a test at 5 % calls five changed. So p is held against how many
 * figures of a kind and column were tested (Holm's correction of Bonferroni's). With few runs no
 * figure could pass that: of 5 and 5 runs the least p is 0.8 %, so 7 figures are too many. Then a
 * change is told where the gap between the sides is twice as wide as the runs of either side are apart.
 * That happens by chance once in 5,000 figures of 4 and 4 runs, in 75,000 of 5 and 5, where all times
 * of a range are as likely, and more seldom where most are near the middle.
 */
#ifndef JW_TRACE_DIFF_MANY_H
#define JW_TRACE_DIFF_MANY_H

#include "trace/diff/diff.h"

/* What is CHANGED by a test alone becomes NOISE where it may be chance. LEAST: the least p that so
 * many runs can have. */
enum jw_status JW_MUST_USE trace_diff_correct(struct trace_diff *diff, double least,
					      struct jw_err *e);

#endif
