/*
 * role.h: threads that do the same kind of work, by their names.
 */
#ifndef JW_TRACE_CALLS_ROLE_H
#define JW_TRACE_CALLS_ROLE_H

#include "base/memory.h"

/* The role of a thread: its NAME with each number and each UUID in it as '*'; NULL: no memory. */
const char *trace_role(struct jw_arena *arena, const char *name);

#endif
