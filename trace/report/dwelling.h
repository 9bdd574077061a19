/*
 * dwelling.h: threads that pass nearly all their lives waiting at one place, and do little else: the
 * loop of a timer, the reader of a queue or of a connection. What they are for is to wait, so that it
 * explains nothing.
 *
 *     add, moved, ... -> is_most(dwelling.ns, life) and may_be(), unless is_lock()      {0}: has not waited
 */
#ifndef JW_TRACE_REPORT_DWELLING_H
#define JW_TRACE_REPORT_DWELLING_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/report/report.h"

struct trace_dwelling {
	/* The place at which a thread has waited longer than at all others together, if there is
	 * one, and at least how long it was there. */
	uint64_t place, ns;
	uint64_t read, written; /* the latest connections, or files; 0: none, or not known */
	bool converses;         /* they were the same: it asks there, or answers */
};

/* The vote of Boyer and Moore, weighted: the place that has more than half of all that a thread
 * waits is left over. Its `ns` are not more than it has, nor less than it has more than the others. */
static inline void trace_dwelling_add(struct trace_dwelling *d, uint64_t place, uint64_t ns)
{
	if (d->place == place) {
		d->ns += ns;
	} else if (d->ns >= ns) {
		d->ns -= ns;
	} else {
		d->place = place;
		d->ns = ns - d->ns;
	}
}

/* The thread has read from CHANNEL (0: unknown), or WRITES there. */
static inline void trace_dwelling_moved(struct trace_dwelling *d, uint64_t channel, bool writes)
{
	*(writes ? &d->written : &d->read) = channel;
	d->converses |= channel && d->read == d->written;
}

/* Who was nine tenths of ALL at one place was there by four fifths longer than at the others. */
static inline bool trace_dwelling_is_most(uint64_t part, uint64_t all)
{
	return part && part >= all - all / 5;
}

/* Can it be what the thread is for to wait as it does where it dwells? Who reads what it has asked for
 * has something else to do, unlike who answers: a connection that is ACCEPTED waits for requests. */
bool trace_dwelling_may_be(const struct trace_dwelling *d, enum trace_report_how how,
			   bool accepted);
/* So has who contends for a lock, which an object of CLASS_NAME is, all its life. */
bool trace_dwelling_is_lock(const char *class_name);

#endif
