/*
 * between.h: figures of what is between processes: bytes of sockets that both ends tell of, or why
 * not (streams.h), and messages between machines (messages.h).
 */
#ifndef JW_TRACE_REPLAY_BETWEEN_H
#define JW_TRACE_REPLAY_BETWEEN_H

#include <stdint.h>

/* Why bytes that were written to, or read from, a socket are not matched with those of its other
 * end. X(NAME, word, text): those before FIRST_ALONE are of connections with both ends recorded. */
#define TRACE_UNMATCHED_LIST(X)                                                      \
	X(UNSURE, "unsure", "several connections may be the other end")              \
	X(OTHER_WAY, "otherWay", "bytes went another way than by natives that tell") \
	X(MISSING, "missing", "records are missing")                                 \
	X(OPEN, "open", "not both written and read while both ends were recorded")   \
	X(ALONE, "alone", "the other end was not recorded")                          \
	X(DATAGRAM, "datagram", "datagrams")                                         \
	X(OTHER, "other", "unix sockets and others")

enum trace_unmatched {
#define TRACE_UNMATCHED_ENUM(name, word, text) TRACE_UNMATCHED_##name,
	TRACE_UNMATCHED_LIST(TRACE_UNMATCHED_ENUM)
#undef TRACE_UNMATCHED_ENUM
		TRACE_UNMATCHED_COUNT,
};
#define TRACE_UNMATCHED_FIRST_ALONE TRACE_UNMATCHED_ALONE

/* Bytes that cross a connection between two recorded ends are counted twice: as they are written,
 * and as they are read. */
struct trace_socket_bytes {
	uint64_t matched;
	uint64_t unmatched[TRACE_UNMATCHED_COUNT];
	uint64_t ends[TRACE_UNMATCHED_COUNT]; /* of connections, that have such bytes */
	uint64_t
		unread; /* of OPEN: written, but an end was closed before they were read: no flaw */
	/* connections between threads of the trace that have no arrows, or not all */
	uint64_t other_way, missing;
	/* arrows whose end is before their beginning, and the most that it is, in ns */
	uint64_t backwards, most_backwards;
};

/* Bytes of connections whose two ends were recorded. */
static inline uint64_t trace_bytes_between(const struct trace_socket_bytes *s)
{
	uint64_t sum = s->matched;

	for (int i = 0; i < TRACE_UNMATCHED_FIRST_ALONE; i++)
		sum += s->unmatched[i];
	return sum;
}

/* What was found of messages, before clocks were moved. */
struct trace_messages_told {
	uint64_t machines; /* clocks that messages were sent between; 0: none */
	uint64_t messages;
	uint64_t backwards; /* of them, sent after they were received */
	uint64_t most_ns;   /* by so much at most */
	uint64_t strangers; /* pairs of clocks that no messages can have been between */
};

#endif
