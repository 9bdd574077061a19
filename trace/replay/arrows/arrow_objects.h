/*
 * arrow_objects.h: the objects that threads wait at, of seven kinds, and who waits there.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_OBJECTS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_OBJECTS_H

#include "trace/replay/arrows/arrow_search.h"

/* ---- what an object is, by the operations on it ---- */

/* WAIT, NOTIFY: arrow_sent.c. */
struct trace_signal {
	uint32_t open;            /* waiters that are neither bound nor served */
	uint32_t sent;            /* so many were let go, nobody knows which */
	struct trace_point token; /* by this one */
	bool doubt;               /* or by others */
};

/* TAKE, GIVE: arrow_sent.c. */
struct trace_store {
	uint64_t stock;           /* given, and not taken by one that has ended */
	uint32_t giving;          /* so many are giving at the moment */
	struct trace_point token; /* who gave the stock */
	struct trace_point last;  /* the latest one that gave */
	bool doubt;               /* several gave the stock */
	uint64_t takes;           /* so many have begun, and clears ended */
	struct trace_point taker; /* the latest */
};

/* LOCK, UNLOCK: arrow_locks.c. */
struct trace_lock {
	struct trace_place owner;
	uint32_t held;              /* how often by the owner */
	uint32_t readers;           /* who own it together */
	uint32_t round;             /* how many that were to own it alone have given up */
	struct trace_point freed;   /* by the last of all */
	struct trace_point written; /* freed by the last that owned it alone */
	uint64_t view_of;           /* another lock; 0: it is no view */
	bool to_read;               /* a view: to own that one with others */
};

/* The same of monitors: arrow_monitors.c. */
struct trace_monitor {
	struct trace_place owner;
	uint32_t held; /* how often by the owner */
	struct trace_point freed;
	bool told;  /* its owner was not seen to enter by woven code */
	bool blind; /* code that is not woven locks it, too */
};

/* PASS, OPEN, MEET: arrow_gates.c. */
struct trace_gate {
	uint32_t round;            /* how often it was seen open */
	uint32_t arriving;         /* so many are just arriving, and do not stay */
	struct trace_point latest; /* who arrived last */
	bool doubt;                /* somebody else may have */
};

/* PAIR: arrow_pairs.c. */
struct trace_meeting {
	bool mixed; /* more than two are there, or were and have not all gone */
	bool odd;   /* of a mixed one: so many have met and gone */
};

/* Tasks, and their futures: arrow_tasks.c. */
struct trace_pooled_task {
	struct trace_point submit; /* it does not run yet; time 0: it does, or was not submitted */
	struct trace_point ran;    /* where it began, while it is not known to be handed over */
	uint64_t other;            /* the future of a task, or the task of a future */
	uint32_t running;          /* how often at once */
	uint32_t completing;       /* so many calls that complete it are open */
	bool mixed;                /* it was handed over while it was open before */
	bool doubt;                /* it was handed over twice */
};

enum trace_object_kind {
	TRACE_IS_TASK,
	TRACE_IS_SIGNAL,
	TRACE_IS_STORE,
	TRACE_IS_LOCK,
	TRACE_IS_MONITOR,
	TRACE_IS_GATE,
	TRACE_IS_MEETING,
};

/* What threads wait at. One object of the program may be several: a queue, and a monitor. */
struct trace_object {
	struct trace_entry entry;
	struct trace_waiter *first, *last;
	enum trace_object_kind kind; /* which of these it is */
	union {
		struct trace_signal signal;
		struct trace_lock lock;
		struct trace_monitor monitor;
		struct trace_store store;
		struct trace_gate gate;
		struct trace_meeting meeting;
		struct trace_pooled_task task;
	};
};

/* ---- all objects ---- */

/* The object NUMBER as OP and those that have to do with it see it; a new one if need be (NULL: no
 * memory). */
struct trace_object *trace_object_get(struct trace_arrows *a, uint32_t task,
				      const struct jw_operation *op, uint64_t number);
/* It, if it is known; NUMBER 0 is not. */
struct trace_object *trace_object_find(const struct trace_arrows *a, uint32_t task,
				       const struct jw_operation *op, uint64_t number);
/* Forgets O if it says nothing any more. */
void trace_object_tidy(struct trace_arrows *a, struct trace_object *o);
bool trace_object_may_go(const struct trace_entry *e);
/* WHO waits from TIME on, by OP, at object NUMBER; NULL: no memory. What that means there is not
 * looked at: arrow_waits.h. */
struct trace_waiter *trace_object_enqueue(struct trace_arrows *a, const struct trace_who *who,
					  const struct jw_operation *op, uint64_t number,
					  uint64_t time);
/* One more waits at O. */
void trace_object_append(struct trace_object *o, struct trace_waiter *w);
void trace_object_detach(struct trace_object *o, struct trace_waiter *w);

#endif
