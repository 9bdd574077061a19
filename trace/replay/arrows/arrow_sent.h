/*
 * arrow_sent.h: what is sent to one of several that wait at an object. W is one of the waiters of O.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_SENT_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_SENT_H

#include "trace/replay/arrows/arrow_search.h"

void trace_sent_wait(struct trace_object *o);
/* To one of those that wait, or to all. */
void trace_sent_one(struct trace_object *o, const struct trace_point *from);
void trace_sent_all(struct trace_object *o, const struct trace_point *from);
/* W waits no longer; true: *FROM let it go. */
bool trace_sent_waited(struct trace_object *o, const struct trace_waiter *w,
		       enum trace_outcome outcome, struct trace_point *from);
/* W, the last one of O, takes NEED at once; 0: whatever there is. FROM: it may let one go that has no room. */
void trace_sent_take(struct trace_object *o, struct trace_waiter *w, uint64_t need,
		     const struct trace_point *from);
/* N more are kept. */
void trace_sent_give(struct trace_object *o, const struct trace_point *from, uint64_t n);
/* N less: taken, or not given after all. */
void trace_sent_drop(struct trace_object *o, uint64_t n);
/* W takes no longer; true: what it got came from *FROM, for which it had waited. */
bool trace_sent_taken(struct trace_object *o, const struct trace_waiter *w,
		      enum trace_outcome outcome, struct trace_point *from);

#endif
