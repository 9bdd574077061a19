/*
 * arrow_waits.h: what waits at an object, and what lets it go.
 *
 *     wait -> over      send, arrived, retract, clear by others meanwhile
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_WAITS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_WAITS_H

#include "trace/replay/arrows/arrow_search.h"

/* WHO waits from TIME on, by OP, at object NUMBER, a TAKE for AMOUNT; NULL: no memory. */
struct trace_waiter *trace_object_wait(struct trace_arrows *a, const struct trace_who *who,
				       const struct jw_operation *op, uint64_t number,
				       uint64_t time, uint64_t amount);
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
/* What OP brings to object NUMBER is there: the call is over. */
void trace_object_arrived(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number);
/* OP lets others go that wait at object NUMBER; a GIVE gives AMOUNT. */
void trace_object_send(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number, uint64_t amount);

#endif
