/*
 * slow_idle.h: what is idle of the calls that are kept: the waits of threads that do little else
 * (report/dwelling.h). That is known at the end of the run, once classes have names.
 *
 *     waited, waited .. -> want -> find
 */
#ifndef JW_TRACE_SLOWEST_SLOW_IDLE_H
#define JW_TRACE_SLOWEST_SLOW_IDLE_H

#include "trace/follow/wanted.h"
#include "trace/slowest/slow_call.h"

/* THREAD, which is T, has waited. */
void trace_slow_idle_waited(struct trace_slow_thread *thread, const struct trace_followed_thread *t,
			    const struct trace_followed_wait *wait);
/* NAMES of what THREAD dwells at. */
void trace_slow_idle_want(struct trace_wanted *names, const struct trace_slow_thread *thread);
/* Of each of the COUNT calls KEPT: adds to its `idle`, and sets `little_else`. NAMES has the classes
 * that they waited for, too; THREADS and FOLLOW know all threads, USUAL how long such calls take. */
void trace_slow_idle_find(struct trace_slow_kept *const *kept, size_t count,
			  const struct trace_slow_thread *threads,
			  const struct trace_follow *follow, const struct trace_wanted *names,
			  const struct trace_usual *usual);

#endif
