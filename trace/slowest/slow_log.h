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
 * added up whatever object of its class, or file, they were for, then whoever ended them; what is still too much
 * becomes sums of the rest, one for waits of each kind and one for I/O, last. Returns how many there are, the
 * longest first. */
size_t trace_slow_fold(struct trace_slow_entry *list, size_t count, size_t most);

/* Compares entries: 0 where they differ by the object of its class, by the connection or file, or by who ended
 * them, at most. */
int trace_slow_by_kind(const struct trace_slow_entry *x, const struct trace_slow_entry *y);
/* Makes one entry of all in LIST that are the same in this way, of which it says what they have in common but who
 * ended them; the longest first. Returns how many are left of COUNT. Time: its square. */
size_t trace_slow_join(struct trace_slow_entry *list, size_t count);

#endif
