/*
 * call_tree.h: the tree of calls of a report: which root a thread has, and what roots are called.
 *
 *     open -> (calls are counted) -> finish      Of bool: false: no memory
 *
 * A root is a role of threads. The scene of a .prv does not name them: then each thread has a root
 * until names are known, or, where there are more than TRACE_TREE_THREADS, all have one.
 */
#ifndef JW_TRACE_REPORT_CALL_TREE_H
#define JW_TRACE_REPORT_CALL_TREE_H

#include "trace/report/reading.h"

#define TRACE_TREE_THREADS 64

/* A root for each lane of R. */
bool trace_call_tree_open(struct trace_reading *r);
/* NAMES: of the threads, by place. OUT lives in ARENA; the tree of R is gone. */
bool trace_call_tree_finish(struct trace_reading *r, const char *const *names,
			    struct jw_arena *arena, struct trace_report_tree *out);

#endif
