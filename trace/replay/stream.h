/*
 * stream.h: the records of one row, in time, from its pieces on disk.
 *
 *     init -> first, next, next, ... -> close
 *                    rest
 *
 * Memory: one buffer, from the first next() to close(), or until it rests.
 */
#ifndef JW_TRACE_REPLAY_STREAM_H
#define JW_TRACE_REPLAY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format/recording.h"
#include "trace/replay/edges.h"

struct trace_item;
struct trace_map;
struct trace_row;

struct trace_stream {
	const struct trace_row *row;
	struct jwr_record *buf; /* owned */
	uint32_t at, n, cap;
	uint32_t want; /* so many are read next: more and more after a rest, at most CAP */
	uint32_t done; /* bytes of the piece that were read */
	uint32_t hint;
	size_t piece; /* within the thread's */
	uint64_t low, high;
	uint64_t tick; /* the highest so far */
	uint64_t time; /* of the latest record: never falls */
	bool failed;   /* no memory */
	bool shrunk;   /* the file gave less than it had */
	bool states_only, fresh;
	bool flight;                   /* an exception is in flight: what comes next ends it */
	bool whole;                    /* no piece is passed over */
	const struct trace_map *map;   /* may be NULL */
	bool begins;                   /* the latest record is the first of its piece */
	const struct trace_edge *edge; /* it is no record, but this; else NULL */
	uint8_t goes_on; /* at an edge: the wait (enum trace_wait_kind) that the record before it has begun
			    * and the one after it ends */
	enum jwr_kind was; /* of the latest record, of those that were passed over, too */
	bool opened;       /* from the first next() to close() */
	bool started;
	bool is_virtual; /* records are those of a virtual thread */
	uint32_t open;   /* calls of the thread itself that have begun and not ended */
	uint64_t *calls; /* owned; their methods, where some are closed as it runs */
	size_t calls_cap;
	size_t next_edge, detail; /* of the task's */
};

void trace_stream_init(struct trace_stream *s, const struct trace_row *row, uint32_t cap,
		       bool states_only, const struct trace_map *map);
/* The next record that says something: its time in s->time, its word in *WORD; false at the end. In
 * between, s->edge: what was open before may be so no more. */
bool trace_stream_next(struct trace_stream *s, uint64_t *word);
/* Of what comes next, as long as it is below KEY: the enters and exits that mean just that, at most
 * MOST of what is in memory, to OUT. ITEM: what such an item has, and its note where a call is open.
 * Returns how many; what follows next() knows. */
size_t trace_stream_run(struct trace_stream *s, uint64_t key, size_t most,
			const struct trace_item *item, struct trace_item *out);
/* The time of the first record, without reading it; false: there is none. */
bool trace_stream_first(struct trace_stream *s, uint64_t *time);
/* Gives the buffer back; what was not taken is read again. Of no use where little is taken until the next
 * rest. */
void trace_stream_rest(struct trace_stream *s);
void trace_stream_close(struct trace_stream *s);

#endif
