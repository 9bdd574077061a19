/*
 * arrow_gates.h: latches, barriers, phasers. O is a gate.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_GATES_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_GATES_H

#include "trace/replay/arrows/arrow_search.h"

/* FROM arrives at O, and STAYS there until the last one has come. */
void trace_gate_arrive(struct trace_object *o, const struct trace_point *from, bool stays);
/* W has passed O, by OP; true: *FROM opened it, and W waited for that. */
bool trace_gate_over(struct trace_arrows *a, struct trace_object *o, struct trace_waiter *w,
		     const struct jw_operation *op, enum trace_outcome outcome,
		     struct trace_point *from);

#endif
