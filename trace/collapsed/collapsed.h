/*
 * collapsed.h: stacks with a number each, for flamegraph.pl and its kin:
 *
 *     main;acme.Main.run;acme.Shop.pay 1200
 *
 * The thread is the first frame. The number is of the calls on top of the stack: their own time (ns),
 * all of their time, how many they were, or the part of their own time that they were waiting, ...
 * Stacks whose number is 0 are left out.
 *
 * Memory: a node for each way in which a method was reached (calls/tree.h), at most
 * TRACE_COLLAPSED_NODES; what would need more is one frame, "[more]", below its caller. Cost: 40 ns
 * a call. Lines repeat all that is around a call: of a recursion 10,000 deep they are 10,000 times as long as
 * names of its methods.
 */
#ifndef JW_TRACE_COLLAPSED_H
#define JW_TRACE_COLLAPSED_H

#include "trace/destination.h"
#include "trace/output.h"

#define TRACE_COLLAPSED_NODES 400000

/* Bytes of lines; more are refused, unless the destination is unlimited. */
extern uint64_t trace_collapsed_most;

/* end(): JW_LIMIT: there is more; with what to select. */
extern const struct trace_output trace_collapsed_output;

/* The context of trace_collapsed_output; NULL: no memory. TO lives as long. */
void *trace_collapsed_new(const struct trace_destination *to);
/* NULL may be freed, too. */
void trace_collapsed_free(void *ctx);

#endif
