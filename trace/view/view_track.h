/*
 * view_track.h: what follows on one line of a timeline: the states of a row, the calls of one level
 * of its stack, the pauses of a process. Spans, by time, none in another.
 *
 *     add, add, ... -> close -> open, next, next, ...      coarsen at any time before
 *
 * A span as long as LEAST, or longer, is kept as it was. Shorter ones that begin in the same cell
 * (LEAST wide) become one span that is a sum: from where the first begins to where the last ends,
 * what was most of it, how many there were and how long all were. A sum is shorter than two cells, so
 * that a coarser track (cells four times as wide) sums it up in turn.
 */
#ifndef JW_TRACE_VIEW_TRACK_H
#define JW_TRACE_VIEW_TRACK_H

#include "base/bytes.h"

struct trace_view_sum; /* of short spans that are gathered */

#define TRACE_VIEW_IS_SUM 1u
#define TRACE_VIEW_FAILED 2u

struct trace_view_track {
	/* of spans: varints of the gap before it, length, what (times 4, with the flags below), and of
	 * a sum count and busy time */
	struct jw_buf bytes;
	uint64_t end; /* of the last span */
	uint32_t n;
	struct trace_view_sum *sum; /* owned; NULL: none is open */
};

struct trace_view_span {
	uint64_t begin, ns;
	uint32_t what;
	bool failed;          /* an exception ended it, or most of the sum */
	bool is_sum;          /* `count` are summed up, and took `busy` ns */
	uint64_t count, busy; /* 1 and `ns` of what is no sum */
};

/* Appends SPAN, which begins when the last has ended: what comes before that is cut off. False: no
 * memory. */
bool trace_view_track_add(struct trace_view_track *t, uint64_t least,
			  const struct trace_view_span *span);
/* The same spans for another LEAST, at least four times as long as before. False: no memory. */
bool trace_view_track_coarsen(struct trace_view_track *t, uint64_t least);
/* Nothing is added any more. */
bool trace_view_track_close(struct trace_view_track *t);
void trace_view_track_free(struct trace_view_track *t);

/* Goes through a track. */
struct trace_view_reader {
	struct jw_cur bytes;
	uint64_t end;
};
struct trace_view_reader trace_view_track_open(const struct trace_view_track *t);
/* False: there is none left. */
bool trace_view_track_next(struct trace_view_reader *r, struct trace_view_span *out);

/* LEB128: seven bits a byte, the lowest first. */
void trace_view_put(struct jw_buf *out, uint64_t v);
uint64_t trace_view_get(struct jw_cur *c);

#endif
