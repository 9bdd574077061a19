/*
 * arrow_parks.h: who let a thread go on that had parked, woke its selector, or interrupted it, by what
 * the natives of the JDK tell.
 *
 *     unpark .. -> unparked -> [over]
 *     parks .. -> unparked -> [over]     a virtual thread, of which no native tells who unparks it
 *     wake .. -> woken
 *     interrupt .. -> unparked | slept | interrupted
 *
 * Cost: a step in a hash table.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_PARKS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_PARKS_H

#include <stdbool.h>
#include <stdint.h>

struct trace_arrows;
struct trace_entry;
struct trace_inside;
struct trace_point;
struct trace_wait;
struct trace_who;

/* WHO unparks the thread that OBJECT is. */
void trace_arrows_unpark(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			 uint64_t object);
/* WHO parks; AT_QUEUE: for what threads wait at that put something into a queue or take it. */
void trace_arrows_parks(struct trace_arrows *a, const struct trace_who *who, bool at_queue);
/* WHO interrupts the thread that OBJECT is. */
void trace_arrows_interrupt(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			    uint64_t object);
/* WHO goes on, which had slept since BEGIN. */
void trace_arrows_slept(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			uint64_t begin);
/* Was WHO interrupted at BEGIN or later? *FROM: where. It is told once. */
bool trace_arrows_interrupted(struct trace_arrows *a, const struct trace_who *who, uint64_t begin,
			      struct trace_point *from);
/* WHO wakes the thread that selects with the waker NUMBER. */
void trace_arrows_wake(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
		       uint64_t number);
/* WHO goes on, which had selected since BEGIN and found NUMBER to be one that woke it; 0: none. */
void trace_arrows_woken(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			uint64_t begin, uint64_t number);
/* WHO goes on, which had parked in WAIT. NULL: where it began is lost, so that nothing is shown
 * there that an arrow could lead to. */
void trace_arrows_unparked(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			   const struct trace_wait *wait);
/* The call INSIDE of WHO is over, without an arrow from who let it go: that of its last park. */
void trace_arrows_park_over(struct trace_arrows *a, const struct trace_who *who,
			    const struct trace_inside *inside);
bool trace_permit_may_go(const struct trace_entry *e);

#endif
