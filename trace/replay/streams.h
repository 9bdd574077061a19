/*
 * streams.h: arrows from what is written to a connection to who reads it, and from who connects to
 * who accepts: where both ends of it were recorded, by one process or by two of one machine.
 *
 *     new -> ended .. -> free
 *
 * Byte N that one end has written is byte N that the other one reads. So an arrow leads from a write
 * to the read that gets its last byte; of several writes whose last bytes one read gets, from the
 * last one. Nothing is guessed: where the kernel says that bytes went another way, or where records
 * are missed, the connection has no arrows from there on, and is counted.
 *
 * Cost: a sort of all connections; then a few steps for each read and write. Memory grows with what
 * was written and is not read yet, up to a limit.
 */
#ifndef JW_TRACE_REPLAY_STREAMS_H
#define JW_TRACE_REPLAY_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

struct trace_streams;
struct trace_wait;
struct trace_who;
struct trace_world;

/* NULL: no memory. */
struct trace_streams *trace_streams_new(struct trace_world *world);
/* WAIT of WHO, for I/O, is over at TIME; PAYLOAD is that of its AWAITED. */
void trace_streams_ended(struct trace_streams *s, const struct trace_who *who, uint64_t time,
			 const struct trace_wait *wait, uint64_t payload);
/* Has there been no memory? Also when S is NULL. */
bool trace_streams_failed(const struct trace_streams *s);
/* Leaves in the world how many connections have no arrows, and why. NULL may be freed, too. */
void trace_streams_free(struct trace_streams *s);

#endif
