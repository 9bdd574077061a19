/*
 * merge.h: the records of all rows, by time, to a pass. Cost: a step in a heap for each row with
 * something in a window, two or three passes of a radix sort for each record.
 */
#ifndef JW_TRACE_REPLAY_MERGE_H
#define JW_TRACE_REPLAY_MERGE_H

#include <stdint.h>

struct trace_pass;

/* Takes all records for P, about EVENTS of them; P->failed where there is no memory. Returns how
 * many threads have records that could not be read to their end. */
uint64_t trace_merge(struct trace_pass *p, uint64_t events);

#endif
