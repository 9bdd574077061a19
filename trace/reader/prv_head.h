/*
 * prv_head.h: the first line of a .prv, as somebody wrote it.
 *
 *     #Paraver (DATE):END_ns:NODES:NAPPL:APPL{,APPL}[,NCOMM]
 *     APPL   ntasks(threads:node,threads:node,...)
 */
#ifndef JW_TRACE_PRV_HEAD_H
#define JW_TRACE_PRV_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/status.h"

/* What Paraver itself can hold. */
#define TRACE_PRV_MAX_THREADS 65535

struct trace_prv_task {
	uint32_t appl, number; /* from 1 */
	uint32_t threads;
	uint32_t first; /* the place of its first thread among all */
	uint32_t node;  /* from 1; 0: none is told */
};

struct trace_prv_head {
	struct jw_span date; /* of the line */
	uint64_t unit_ns;    /* what one unit of time is */
	uint64_t end_ns;
	uint32_t nodes, appl_count, task_count, thread_count;
	struct trace_prv_task *tasks; /* owned */
	uint32_t *appl_first;         /* the place of an application's first task; owned */
};

/* LINE without its end. No such line, or one that Paraver would refuse: JW_INPUT. OUT is to be
 * freed after a failure, too. */
enum jw_status JW_MUST_USE trace_prv_head_read(struct jw_span line, struct trace_prv_head *out,
					       struct jw_err *e);
void trace_prv_head_free(struct trace_prv_head *head);

/* The place of a thread among all, from the numbers of a record (each from 1); UINT32_MAX: there is
 * none. */
uint32_t trace_prv_thread(const struct trace_prv_head *head, uint64_t appl, uint64_t task,
			  uint64_t thread);

/* Cuts the digits at the front off *S: their value, at most UINT64_MAX; false: no digit there. */
bool trace_take_number(struct jw_span *s, uint64_t *out);

#endif
