/*
 * arrow_search.h: what is open while arrows are looked for: objects, and who waits at them; seen by
 * all files that look, it is their contract.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_SEARCH_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_SEARCH_H

#include "base/operations.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_table.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"

struct trace_object; /* arrow_objects.h */
struct trace_world;

/* The tag of arrows that begin with OP: its event type's place in the block of operations, and its
 * number: 101 is thread/start, 302 monitor/notify. */
static inline uint32_t trace_arrow_tag(const struct jw_operation *op)
{
	return ((uint32_t)op->type + 1) * 100 + op->number;
}

/* How a call ended, as far as its caller could see. */
enum trace_outcome {
	TRACE_FAILED,   /* by an exception */
	TRACE_GIVEN_UP, /* its time was over, it got nothing */
	TRACE_UNKNOWN,  /* one of the two below, or above */
	TRACE_DONE,     /* it got what it waited for */
};

/* Did it let the others go, itself the last to come? */
enum trace_last { TRACE_LAST_UNKNOWN, TRACE_LAST_YES, TRACE_LAST_NO };

/* A wait that is open. */
struct trace_waiter {
	struct trace_place place;
	uint64_t begin;
	struct trace_object *object;         /* NULL: no longer waits there */
	struct trace_waiter *before, *after; /* in the order of their beginnings */
	struct trace_waiter *partner;        /* of an exchange */
	struct trace_waiter *watch;          /* waits for what a FutureTask runs; in one piece */
	struct trace_point from;             /* who let it go, where it is bound */
	bool bound;
	bool served;          /* it needs no one any more */
	bool shared;          /* for a lock that several may own */
	enum trace_last last; /* when it is over */
	uint64_t ended;       /* likewise */
	uint32_t round;       /* that of the object when it was served, or waited for a lock */
	bool by_body;         /* bound at the end of what a FutureTask runs */
	bool twice;           /* a watch: bound, and then let go by another one */
	bool enters;          /* it is a contended enter, told by JVM TI */
	uint32_t held;        /* how often it held the monitor, or the condition's lock, before */
	uint64_t need;        /* how much it takes at once: 1, or so many permits */
};

/* A wait at a gate that was over before it was known who had opened it. */
struct trace_late {
	uint64_t key; /* of the gate */
	uint32_t space, round;
	struct trace_point to;
};

struct trace_arrows {
	struct trace_world *world;
	struct trace_table rows;       /* of threads, by Java id */
	struct trace_table known;      /* threads with something that has no other end yet */
	struct trace_table objects;    /* by type of operation and number */
	struct trace_table permits;    /* threads that were unparked and have not gone on since */
	struct trace_table wakes;      /* wakers of selectors, by number: who used each last */
	struct trace_table interrupts; /* threads that were interrupted: who did so last */
	struct trace_table ends;       /* of virtual threads, by what who joins one parks for */
	struct trace_late *late;       /* owned array */
	size_t late_n, late_cap;
	bool tiers;  /* there are phasers that belong to others */
	bool failed; /* no memory */
};

static inline struct trace_point trace_point_of(const struct trace_who *who,
						const struct trace_inside *inside)
{
	return (struct trace_point){ inside->begin, who->place,
				     trace_arrow_tag(inside->method->about.operation) };
}

#endif
