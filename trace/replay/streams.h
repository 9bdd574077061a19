/*
 * streams.h: arrows from what is written to a connection to who reads it, and from who connects to
 * who accepts: where both ends of it were recorded (connections.h), by one process or by two.
 *
 *     new -> ended .. -> finish
 *
 * Byte N that one end has written is byte N that the other one reads. So an arrow leads from a write
 * to the read that gets its last byte; of several writes whose last bytes one read gets, from the
 * last one. Nothing is guessed: where the kernel says that bytes went another way, or where records
 * are missed, the connection has no arrows from there on; all bytes without are counted by reason.
 *
 * Cost: a sort of all connections; then a few steps for each read and write. Memory grows with what
 * was written and is not read yet, up to a limit.
 */
#ifndef JW_TRACE_REPLAY_STREAMS_H
#define JW_TRACE_REPLAY_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

struct trace_point;
struct trace_socket_bytes;
struct trace_streams;
struct trace_wait;
struct trace_who;
struct trace_world;

/* Whom an arrow is told, from FROM to TO; BYTES: so many went the same way since the last one. */
typedef void (*trace_streams_fn)(void *ctx, const struct trace_point *from,
				 const struct trace_point *to, uint64_t bytes);

/* TELL: NULL: the world is. NULL: no memory. */
struct trace_streams *trace_streams_new(struct trace_world *world, trace_streams_fn tell,
					void *ctx);
/* Are there connections between processes that read different clocks? */
bool trace_streams_cross_clocks(const struct trace_streams *s);
/* WAIT of WHO, for I/O, is over at TIME; PAYLOAD is that of its AWAITED. */
void trace_streams_ended(struct trace_streams *s, const struct trace_who *who, uint64_t time,
			 const struct trace_wait *wait, uint64_t payload);
/* Has there been no memory? Also when S is NULL. */
bool trace_streams_failed(const struct trace_streams *s);
/* Frees S, which may be NULL; OUT says how many bytes it has matched, and why not others. */
void trace_streams_finish(struct trace_streams *s, struct trace_socket_bytes *out);

#endif
