/*
 * merge_apart.h: the part of a merge that takes a thread's own (apart.h) before others have had their
 * turn.
 *
 *     shared -> next_shared, then apart, row, states ..      for each window
 */
#ifndef JW_TRACE_REPLAY_MERGE_APART_H
#define JW_TRACE_REPLAY_MERGE_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_item;
struct trace_merging;
struct trace_runner;

/* Are threads told apart? Finds who has what all of them share, if there are so few. */
void trace_merge_shared(struct trace_merging *m);
/* From which key on something is next that all threads share; a window ends after it. */
uint64_t trace_merge_next_shared(const struct trace_merging *m);
/* May what is next of R be told before others have had their turn? */
bool trace_merge_apart(const struct trace_merging *m, const struct trace_runner *r);
/* Tells what R has below END, but for what has to wait for its turn. False: there is more. */
bool trace_merge_row(struct trace_merging *m, struct trace_runner *r, uint64_t end);
/* The states of row OF, and what its thread does beside them: as trace_fill_fn. */
size_t trace_merge_states(struct trace_merging *m, uint32_t of, uint64_t end, size_t most,
			  struct trace_item *out, uint64_t *next);

#endif
