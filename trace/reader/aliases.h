/*
 * aliases.h: threads that a program renames: which of its names each is called by. The VM does not
 * tell when a name changes: the recorder sees it at the first event, when a window is full, and at
 * the end.
 *
 *     thread .. NAME, thread-name .. NAME, thread-end .. NAME (meta_read.c): each seen at its tick
 *
 * Once all of them are read. Cost: a sort of the names.
 */
#ifndef JW_TRACE_READER_ALIASES_H
#define JW_TRACE_READER_ALIASES_H

#include <stdbool.h>

struct trace_recording;

/* Calls each thread of REC that was renamed by one of its names, and leaves those names that differ
 * from the one before, by thread and time; false: no memory. */
bool trace_aliases_settle(struct trace_recording *rec);

#endif
