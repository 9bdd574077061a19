/*
 * connections.h: which two sockets are the ends of one connection: of one process, of two of a
 * machine, or of two machines.
 *
 * What is known of each: its addresses and ports, from both sides; the network namespace and the
 * boot of its machine; when it was there, and how many bytes it has moved. Ports are used again, so
 * that an end is gone at the latest where its side has the next one; and so are private addresses:
 * of several that may belong together none does, unless all of both sides fit in their order, and
 * messages do not tell otherwise (struct trace_strangers).
 *
 * Cost: a sort of all ends; a few steps for each.
 */
#ifndef JW_TRACE_REPLAY_CONNECTIONS_H
#define JW_TRACE_REPLAY_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_channel;
struct trace_socket;
struct trace_task;
struct trace_world;

/* One end of a connection. */
struct trace_end {
	const struct trace_socket *socket; /* NULL: it is no socket */
	struct trace_end *peer;            /* NULL: it was not recorded, or nobody knows which */
	uint32_t task;
	bool has_two;         /* a stream with both addresses: there is another end */
	bool unsure;          /* several may be its peer */
	uint64_t begin, over; /* times */
	uint64_t next;        /* when its side has the same addresses again; UINT64_MAX: unknown */
};

/* Clocks whose connections are not joined in order, since no messages can have been between them: by
 * the first tasks that read them, the lower one first. */
struct trace_clock_pair {
	uint32_t low, high;
};
struct trace_strangers {
	struct trace_clock_pair *pairs; /* sorted */
	size_t n;
};

/* Sorts the N pairs of S. */
void trace_strangers_sort(struct trace_strangers *s, size_t n);

/* What C, of task number TASK of WORLD, is an end of: OUT is whole, without a peer. */
void trace_end_open(const struct trace_world *world, uint32_t task, const struct trace_channel *c,
		    struct trace_end *out);

/* Finds the peers of the N ends in LIST, all with two addresses, which it sorts. */
void trace_ends_pair(const struct trace_world *world, struct trace_end **list, size_t n);

/* Do the processes of X and Y read one clock? */
bool trace_ends_on_one_clock(const struct trace_world *world, const struct trace_end *x,
			     const struct trace_end *y);

#endif
