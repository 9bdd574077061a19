/*
 * diff_ports.h: requests at ports that the system chose, as it does for a server that asks for port 0: these are
 * others in each run, and mean the same.
 */
#ifndef JW_TRACE_DIFF_PORTS_H
#define JW_TRACE_DIFF_PORTS_H

#include "trace/diff/diff.h"

/* Items that stand for several, in an arena: "at 127.0.0.1:*". */
struct trace_diff_folded {
	struct trace_diff_item *at;
	size_t n;
};

/* Folds those of A's items and B's that are LEFT_A or LEFT_B, since the other side has none of their name, by
 * address, where both sides have some; they are no longer left then. A place in *A_OUT and *B_OUT is of one
 * address. */
enum jw_status JW_MUST_USE trace_diff_fold_ports(const struct trace_diff_side *a, bool *left_a,
						 const struct trace_diff_side *b, bool *left_b,
						 struct jw_arena *arena,
						 struct trace_diff_folded out[2], struct jw_err *e);

/* MORE figures of requests (of one run, by column) are of the same as INTO: what is slower of either. */
void trace_diff_join_requests(double *into, const double *more);

#endif
