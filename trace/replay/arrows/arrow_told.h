/*
 * arrow_told.h: waits for monitors that JVM TI tells of: of code that is not woven, and of woven calls.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_TOLD_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_TOLD_H

#include <stdbool.h>
#include <stdint.h>

struct trace_arrows;
struct trace_waiter;
struct trace_who;

/* Object.wait() begins, at OBJECT; the waiter to be handed over when it is over, or NULL. */
struct trace_waiter *trace_arrows_wait(struct trace_arrows *a, const struct trace_who *who,
				       uint64_t time, uint64_t object);
/* It is over, expired or not. OWN is freed. */
void trace_arrows_waited(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			 uint64_t object, struct trace_waiter *own, bool expired);
/* A contended enter of OBJECT begins; the waiter to be handed over when it is over,
 * or NULL. */
struct trace_waiter *trace_arrows_contends(struct trace_arrows *a, const struct trace_who *who,
					   uint64_t time, uint64_t object);
/* It is over. OWN is freed. */
void trace_arrows_entered(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			  uint64_t object, struct trace_waiter *own);
/* OWN is left open. */
void trace_arrows_wait_abandon(struct trace_arrows *a, struct trace_waiter *own);

#endif
