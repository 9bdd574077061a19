/*
 * virtual_names.h: which virtual threads have logged, and the names of those that have one: at
 * their first event, and at their end where that is another one.
 *
 * Ids of virtual threads are consecutive, so that one bit an id, taken modulo VIRTUAL_BITS, tells
 * them apart; a bit is never cleared. Two ids that share a bit cost a needless record of an end, or
 * a name, never an event.
 */
#ifndef RT_VIRTUAL_NAMES_H
#define RT_VIRTUAL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_VIRTUAL_BITS (UINT64_C(1) << 20)
/* Named in meta, as many as a trace has rows; a note says when there were more. */
#define RT_VIRTUAL_NAMES 65535

/* Puts the name of the virtual thread that runs on this one into NAME; "" when it has none. */
typedef void (*rt_virtual_name_fn)(char *name, size_t size);

/* The virtual thread ID logs, on this thread: its name goes to meta, the first time. NAME may be
 * NULL. */
void rt_virtual_logs(uint64_t id, rt_virtual_name_fn name);

/* It ends, on this thread: its name goes to meta where it is not the one that it had at first. */
void rt_virtual_leaves(uint64_t id, rt_virtual_name_fn name);

/* May it have logged? */
bool rt_virtual_has_logged(uint64_t id);

#endif
