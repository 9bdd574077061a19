/*
 * arrow_monitors.h: monitors, as woven code enters and leaves them, and as JVM TI tells of them.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_MONITORS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_MONITORS_H

#include "trace/replay/arrows/arrow_search.h"

struct trace_row;
struct trace_wait;

/* The woven monitorenter of W is over. True: *FROM let it in. */
bool trace_monitor_entered(struct trace_object *o, const struct trace_waiter *w,
			   enum trace_outcome outcome, struct trace_point *from);
/* JVM TI: W has its monitor, at PLACE, now. True: *FROM let it in. */
bool trace_monitor_had(struct trace_waiter *w, const struct trace_place *place,
		       struct trace_point *from);
/* A woven monitorexit, or the end of a synchronized method, gives O back. */
void trace_monitor_leaves(struct trace_object *o, const struct trace_point *from);
/* INSIDE is a synchronized method. */
void trace_monitor_holds(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside);
/* INSIDE is a call of Object.wait(): it begins (returns how often it held the monitor; 0: woven
 * code has not said), or is over. */
uint32_t trace_monitor_waits(struct trace_arrows *a, const struct trace_who *who,
			     const struct trace_inside *inside);
void trace_monitor_waited(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, uint32_t held);
/* Code that is not woven waits at OBJECT. */
void trace_monitor_unseen(struct trace_arrows *a, const struct trace_who *who, uint64_t object);

/* INSIDE gives a monitor back, if it is about one: calls of its method may be closed later. */
void trace_monitor_given_by(struct trace_arrows *a, const struct trace_who *who,
			    const struct trace_inside *inside);
/* WHO is in WAIT, to enter a monitor, when it is told no more of it. True: woven code has said who has that, *OWNER; the
 * second reading finds that one. */
bool trace_monitor_note_owner(struct trace_arrows *a, const struct trace_who *who,
			      const struct trace_wait *wait, struct trace_place *owner);
/* The second reading: the row of that one; NULL: it is not known, or not shown. */
const struct trace_row *trace_monitor_owner(const struct trace_world *world,
					    const struct trace_who *who,
					    const struct trace_wait *wait);

#endif
