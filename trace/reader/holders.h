/*
 * holders.h: who was seen to have a monitor that a thread waits to enter, as `meta` tells of waits that last: of those that
 * end a record tells (HOLDER), others never do.
 *
 *     line .. -> sort -> find
 */
#ifndef JW_TRACE_READER_HOLDERS_H
#define JW_TRACE_READER_HOLDERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/status.h"

struct trace_recording;

struct trace_holder {
	uint64_t waiter; /* id of the thread in Java */
	uint64_t tick;   /* when it was seen */
	uint64_t holder; /* jwr_thread_object() */
};

/* The N FIELDS of a line "held". Errors: JW_NOMEM. */
enum jw_status JW_MUST_USE trace_holder_line(struct trace_recording *rec,
					     const struct jw_span *fields, size_t n,
					     struct jw_err *e);
/* All lines are there. */
void trace_holders_sort(struct trace_recording *rec);
/* What was seen last of the thread with the id WAITER; NULL: nothing. */
const struct trace_holder *trace_holder_find(const struct trace_recording *rec, uint64_t waiter);

#endif
