/*
 * replay.h: what one reading of all recordings gathers and where it goes; seen by whatever takes
 * records, it is their contract.
 */
#ifndef JW_TRACE_REPLAY_REPLAY_H
#define JW_TRACE_REPLAY_REPLAY_H

#include "trace/names/event_types.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/waits.h"

struct jw_capture;
struct trace_arrows;
struct trace_map;
struct trace_prv;
struct trace_row;

struct trace_counts {
	uint64_t events, calls, inferred, dropped, strange, too_deep;
	uint64_t cut, headless; /* calls that a pause cut short; exits of calls that began where
				 * nothing was recorded */
	uint64_t shut;          /* calls that were open when their method was closed */
};

/* Where the frames of all rows go. */
struct trace_frames {
	struct trace_methods methods;
	struct trace_counts counts;
	struct trace_prv *prv;       /* NULL: the first reading */
	const struct trace_map *map; /* NULL: calls of one method stay apart */
	struct trace_classes classes, places;
	struct trace_classes names;         /* of threads that were renamed */
	struct trace_methods sites;         /* of calls that wait or do something, by their ids */
	struct trace_methods seen;          /* events of the programs' own: see user_events.c */
	const struct jw_capture **captured; /* owned array; those that were shown, one a type */
	size_t captured_n, captured_cap;
	unsigned types;              /* of enum trace_type that were written, a bit each */
	unsigned operations;         /* of enum jw_operation_type, likewise */
	struct trace_arrows *arrows; /* the first reading: where they are looked for */
	struct trace_methods owners; /* of lanes with several: names, by task and its `virtuals` */
	struct trace_shown_waits waits; /* the second reading */
	struct trace_methods parks;     /* what threads park for: parks.c */
	bool failed;                    /* no memory */
};

/* Writes an event of TYPE on ROW, where there is one, in the second reading. */
void trace_put_event(struct trace_frames *to, const struct trace_row *row, uint64_t time,
		     enum trace_type type, uint64_t value);

/* The value that shows an object, not rounded by readers that calculate in doubles: of a thread its
 * id, of any other object its hash and most of its class's. */
static inline uint64_t trace_object_number(uint64_t object)
{
	return object & ((UINT64_C(1) << 53) - 1);
}

#endif
