/*
 * arrow_threads.h: threads: start, end, join, interrupt, park and unpark.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_THREADS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_THREADS_H

#include "trace/replay/arrows/arrow_search.h"

bool trace_rows_by_id(struct trace_arrows *a);
void trace_thread_starts(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside);
void trace_thread_started(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, bool failed);
/* WHO starts the thread that OBJECT is, whatever it is in. */
void trace_arrows_start(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			uint64_t object);
void trace_thread_joined(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time);
/* Has WHO waited in Object.wait() at OBJECT, from BEGIN to TIME, for the end of a thread, as Thread.join()
 * does that nobody has woven? *FROM: that end, as a join has it. */
bool trace_thread_ended(struct trace_arrows *a, const struct trace_who *who, uint64_t object,
			uint64_t begin, uint64_t time, struct trace_point *from);
/* INSIDE is an interrupt or unpark. */
void trace_thread_wake(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside);
void trace_thread_parks(struct trace_arrows *a, const struct trace_who *who);
void trace_thread_parked(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time);
/* What it was parked in, if so, is left open. */
void trace_thread_left(struct trace_arrows *a, const struct trace_who *who);
/* INSIDE ended by an exception: where that says that it was interrupted, by who did so. */
void trace_thread_failed(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time);
/* A call is over that may have parked inside: what was unparked before may be used up. */
void trace_thread_blocked(struct trace_arrows *a, const struct trace_who *who);
/* Was WHO interrupted at or after BEGIN? */
bool trace_thread_interrupted(const struct trace_arrows *a, const struct trace_who *who,
			      uint64_t begin);
bool trace_known_may_go(const struct trace_entry *e);

/* A virtual thread is seen first (true: there is an arrow to it), or ends; BEGAN: when it was seen
 * first, 0 where an arrow leads there. */
bool trace_arrows_virtual(struct trace_arrows *a, const struct trace_who *who, uint64_t time);
void trace_arrows_virtual_end(struct trace_arrows *a, const struct trace_who *who, uint64_t began,
			      uint64_t time);

#endif
