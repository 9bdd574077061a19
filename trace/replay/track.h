/*
 * track.h: a thread of Java, virtual or not, while it is read: what it has open, and where it is
 * shown.
 */
#ifndef JW_TRACE_REPLAY_TRACK_H
#define JW_TRACE_REPLAY_TRACK_H

#include "trace/format/recording.h"
#include "trace/replay/contexts.h"
#include "trace/replay/held.h"
#include "trace/replay/inside.h"
#include "trace/replay/point.h"
#include "trace/replay/timeline.h"
#include "trace/replay/waits.h"

struct trace_changes;
struct trace_flight;
struct trace_row;

/* A thread of Java, virtual or not, while it is read. */
struct trace_track {
	struct trace_timeline timeline;
	struct trace_waits waits;
	struct trace_insides insides;
	struct trace_held held;      /* the second reading */
	struct trace_flight *flight; /* owned; NULL: no exception so far */
	bool created;                /* the latest record is of an array: its length comes next */
	uint32_t place;  /* where it is, told by the latest record: it waits next; 0: unknown */
	bool has_offset; /* the latest record is an OFFSET: of what is moved next */
	uint64_t offset;
	bool has_high; /* the latest record is a WIDE: of the value that comes next */
	uint64_t high;
	bool of_vm;     /* it waits for work where it is in no call (struct trace_row) */
	uint32_t calls; /* of such a thread, that are open */
	bool busy;      /* inside of a traced call; told where it parks next */
	uint32_t event; /* type of an event of the program's own, whose value comes next; 0: none */
	struct trace_context_parts context;
};

/* Whose a record is. Where it is shown is a matter of the pass: the first knows no rows yet, only
 * what gathers states; the second has no use for that. */
struct trace_who {
	struct trace_place place;
	uint64_t id;      /* of the thread, in Java */
	uint64_t carrier; /* that of the one which parks in its place; 0: it parks itself */
	struct trace_track *track;
	const struct trace_row *row;   /* NULL: none for what takes time, as others share it */
	const struct trace_row *calls; /* where its calls and events are; NULL: nowhere */
	struct trace_changes *changes; /* NULL: it has no row, or the second pass */
	bool left_out;                 /* nothing of it is told */
};

/* The state of WHO from TIME on, as its waits and calls say (the first reading). */
void trace_show_state(const struct trace_who *who, uint64_t time);
void trace_track_free(struct trace_track *track);

/* Does it say nothing of where its thread is: a capture, an allocation, a trace context, calls that have ended before? */
static inline bool trace_is_capture(enum jwr_kind kind)
{
	return kind == JWR_OBJECT || kind == JWR_VALUE || kind == JWR_WIDE || kind == JWR_ALLOC ||
	       kind == JWR_CONTEXT || kind == JWR_DEPTH;
}

#endif
