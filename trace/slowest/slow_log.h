/*
 * slow_log.h: what the open calls of a thread waited for, and did.
 *
 *     add, add, ... -> [fold] -> cut      what a call has is after its mark; then it is its caller's
 */
#ifndef JW_TRACE_SLOWEST_SLOW_LOG_H
#define JW_TRACE_SLOWEST_SLOW_LOG_H

#include "trace/follow/follow.h"

struct trace_slow_entry {
	struct trace_followed_wait wait; /* of all that are the same; `ns` is their sum */
	const struct jw_operation *io;   /* NULL: a wait */
	uint64_t count, longest_ns, bytes;
	bool rest;
};

struct trace_slow_log {
	struct trace_slow_entry *at; /* owned */
	size_t n, cap;
};

/* False: no memory. */
bool trace_slow_log_add(struct trace_slow_log *log, const struct trace_slow_entry *entry);
/* Adds up what is the same among the COUNT entries of LIST. Of more than MOST the longest are left; others are
 * added up by the class of what they were for, then whoever ended them; what is still too much becomes sums of
 * the rest, one for waits of each kind and one for I/O, last. Returns how many there are, the longest first. */
size_t trace_slow_fold(struct trace_slow_entry *list, size_t count, size_t most);

/* Compares entries: 0 where they are the same but for who ended them. */
int trace_slow_by_wait(const void *a, const void *b);

#endif
