/*
 * arrow_locks.h: who owns a lock, and who had it before; views of locks; conditions. O is a lock.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_LOCKS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_LOCKS_H

#include "trace/replay/arrows/arrow_search.h"

/* W waits no longer for O; true: *FROM let it have it. */
bool trace_lock_over(struct trace_object *o, const struct trace_waiter *w,
		     enum trace_outcome outcome, struct trace_point *from);
/* One that owns O alone frees it, once. */
void trace_lock_freed(struct trace_object *o, const struct trace_point *from);
/* INSIDE has returned a view of a lock. */
void trace_lock_viewed(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside);
/* The lock that NUMBER is, or is a view of; *SHARED: to own it with others. */
uint64_t trace_lock_number(const struct trace_arrows *a, uint32_t task,
			   const struct jw_operation *op, uint64_t number, bool *shared);
/* INSIDE waits at a condition: its lock is free meanwhile. Returns how often WHO held it; 0: it is
 * not known. */
uint32_t trace_lock_waits(const struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside);
/* The wait is over: WHO holds the lock again, as often. */
void trace_lock_waited(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside, uint32_t held);
/* Does one alone own lock NUMBER now? */
bool trace_lock_is_owned(const struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			 uint64_t number);
/* A lock is given back that several may have owned. */
void trace_lock_shared(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number);

#endif
