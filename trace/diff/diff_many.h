/*
 * diff_many.h: many figures tested at once: some would differ by chance alone.
 *
 * Of 100 figures that nobody changed, a test at 5 % calls five changed. So p is held against how many
 * were tested (Holm's correction of Bonferroni's): of figures by rising p, and others, whose p is not asked for as they
 * differ by too little, one passes while p times all that are left is below the limit. What a comparison tells is one
 * family, of all its lists; what a gate asks for is a family of its own, since it was named before anybody looked.
 *
 * With few runs nothing passes that: of 5 and 5 runs the least p of sides that are apart is 0.8 %, so 7 figures are too many. So
 * gaps are held against each other, too (as maxima are by Westfall and Young). Where nothing has changed, any split of
 * the runs into as many is as likely to be that of A and B. Of the 126 splits of 5 and 5 runs, how many have a figure with a gap
 * as wide, beside the wider side, as the one in question? If that one has the widest of all, p is 1 of 126, however
 * many figures there are, whatever they are like, and however they go by each other. A figure has at most two such
 * splits: its lowest runs and the others. What is no change in its size counts in none.
 */
#ifndef JW_TRACE_DIFF_MANY_H
#define JW_TRACE_DIFF_MANY_H

#include "trace/diff/diff.h"

/* What is CHANGED by a test alone becomes NOISE where it may be chance, or FEW where sides that are apart could not pass by
 * the number of figures. */
enum jw_status JW_MUST_USE trace_diff_correct(struct trace_diff *diff, struct jw_err *e);

#endif
