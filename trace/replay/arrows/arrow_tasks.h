/*
 * arrow_tasks.h: tasks: submit, run, get.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_TASKS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_TASKS_H

#include "trace/replay/arrows/arrow_search.h"

/* WHO waits for a task; NULL: no memory. */
struct trace_waiter *trace_task_waits(struct trace_arrows *a, const struct trace_who *who,
				      const struct trace_inside *inside);
/* W waits no longer. True: *FROM let it go. */
bool trace_task_over(struct trace_arrows *a, struct trace_waiter *w, enum trace_outcome outcome,
		     struct trace_point *from);
void trace_task_submits(struct trace_arrows *a, const struct trace_who *who,
			struct trace_inside *inside);
void trace_task_submitted(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, bool failed);
void trace_task_runs(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside);
/* It has run, until TIME. */
void trace_task_ran(struct trace_arrows *a, const struct trace_who *who,
		    const struct trace_inside *inside, uint64_t time);
/* FROM lets all go that wait for NUMBER, a task or future. */
void trace_task_done(struct trace_arrows *a, const struct trace_point *from, uint64_t number,
		     bool by_body);
/* The same by a call that completes it, until it is over: IN_VAIN, it was done before. */
void trace_task_completes(struct trace_arrows *a, const struct trace_point *from, uint64_t number);
void trace_task_completed(struct trace_arrows *a, const struct trace_point *from, uint64_t number,
			  bool in_vain);

#endif
