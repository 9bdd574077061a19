/*
 * arrow_pairs.h: Exchanger. O is where pairs meet, W one of its waiters.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_PAIRS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_PAIRS_H

#include "trace/replay/arrows/arrow_search.h"

/* W, the last one at O, has come FROM there. */
void trace_pair_meet(struct trace_object *o, struct trace_waiter *w,
		     const struct trace_point *from);
/* W goes; true: *FROM, who met it, let it go on. */
bool trace_pair_over(struct trace_object *o, struct trace_waiter *w, enum trace_outcome outcome,
		     struct trace_point *from);

#endif
