/*
 * early.h: waits of a thread that has told nothing yet, in case it does: a worker that has its first
 * task has waited for it.
 *
 *     begins -> ends, begins -> ends ..  -> tell once it has a window | forget
 *
 * The latest 1,024 are kept, of a stream of events: they fit into a window three times over. Those before are
 * told as a sum (SHORT).
 */
#ifndef RT_EARLY_H
#define RT_EARLY_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/format/recording.h"

/* Are waits of this thread to be kept? */
bool rt_early_wanted(void);

/* It waits now, by a record of KIND; no longer. PLACE: where it does; 0: unknown. */
void rt_early_begins(enum jwr_kind kind, uint64_t payload);
void rt_early_ends(enum jwr_kind kind, uint64_t payload, uint32_t place);

/* It did not wait. */
void rt_early_was_nothing(void);

/* Has the wait that goes on taken so long that it does not matter what telling of it takes? */
bool rt_early_is_long(void);

/* Puts what is kept at the beginning of W, which is empty, and forgets it. */
void rt_early_tell(struct jwr_window *w);

void rt_early_forget(void);

#endif
