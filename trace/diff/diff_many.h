/*
 * diff_many.h: many figures tested at once: some would differ by chance alone.
 *
 * Of 100 figures that nobody changed, a test at 5 % calls five changed. So p is held against how many
 * were tested (Holm's correction of Bonferroni's): of figures by rising p, and others, whose p is not asked for as they
 * differ by too little, one passes while p times all that are left is below the limit. What a comparison tells is one
 * family, of all its lists; what a gate asks for is a family of its own, since it was named before anybody looked.
 *
 * With few runs sides that just do not overlap cannot pass that: of 5 and 5 runs their p is 0.8 %, so 7 figures
 * are too many. Further apart they do (rank.h).
 */
#ifndef JW_TRACE_DIFF_MANY_H
#define JW_TRACE_DIFF_MANY_H

#include "trace/diff/diff.h"

/* What is CHANGED by a test alone becomes NOISE where it may be chance, or FEW where sides that just do not overlap, whose p
 * is LEAST, could not pass. */
enum jw_status JW_MUST_USE trace_diff_correct(struct trace_diff *diff, double least,
					      struct jw_err *e);

#endif
