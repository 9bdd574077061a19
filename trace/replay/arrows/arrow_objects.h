/*
 * arrow_objects.h: what waits at an object, and what lets it go.
 *
 *     get or find -> wait -> over      send, arrived, retract, clear by others meanwhile; tidy after each
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_OBJECTS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_OBJECTS_H

#include "trace/replay/arrows/arrow_search.h"

/* The object NUMBER as OP and those that have to do with it see it; a new one if need be (NULL: no
 * memory). */
struct trace_object *trace_object_get(struct trace_arrows *a, uint32_t task,
				      const struct jw_operation *op, uint64_t number);
/* It, if it is known; NUMBER 0 is not. */
struct trace_object *trace_object_find(const struct trace_arrows *a, uint32_t task,
				       const struct jw_operation *op, uint64_t number);
/* Forgets O if it says nothing any more. */
void trace_object_tidy(struct trace_arrows *a, struct trace_object *o);
bool trace_object_may_go(const struct trace_entry *e);
/* WHO waits from TIME on, by OP, at object NUMBER, a TAKE for AMOUNT; NULL: no memory. */
struct trace_waiter *trace_object_wait(struct trace_arrows *a, const struct trace_who *who,
				       const struct jw_operation *op, uint64_t number,
				       uint64_t time, uint64_t amount);
/* One more waits at O. */
void trace_object_append(struct trace_object *o, struct trace_waiter *w);
void trace_object_detach(struct trace_object *o, struct trace_waiter *w);
/* W waits no longer (by OP). True: *FROM let it go. W is to be freed. */
bool trace_object_over(struct trace_arrows *a, struct trace_waiter *w,
		       const struct jw_operation *op, enum trace_outcome outcome,
		       struct trace_point *from);
/* AMOUNT of what object NUMBER keeps is not there: it was not given after all, or drained. */
void trace_object_retract(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number, uint64_t amount);
/* Nothing is left of what was given to object NUMBER, unless some was given SINCE. */
void trace_object_clear(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			uint64_t number, uint64_t since);
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
/* What OP brings to object NUMBER is there: the call is over. */
void trace_object_arrived(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number);
/* OP lets others go that wait at object NUMBER; a GIVE gives AMOUNT. */
void trace_object_send(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number, uint64_t amount);

#endif
