/*
 * arrows_int.h: who let whom go on; for the files of this room alone.
 *
 *   calls.c, dispatch.c -> arrows.c        what begins and ends, by the role of its operation
 *       -> arrow_threads.c                 threads: start, end, interrupt, unpark
 *       -> arrow_objects.c                 what waits at an object, and what lets it go
 *       -> arrow_sent.c                    of those, what is sent to one of several
 *       -> arrow_monitors.c                monitors, and what JVM TI tells of them
 *       -> arrow_tasks.c                   submit, run, get
 *       -> arrow_list.c                    arrows in order of their beginnings
 *
 * Found in the first reading, where all threads pass by in time; written in the second. An arrow is
 * a fact: where it cannot be known which of several it was, there is none. Memory is bounded by
 * what is open; what may never be closed is limited, the oldest goes first.
 */
#ifndef JW_TRACE_ARROWS_INT_H
#define JW_TRACE_ARROWS_INT_H

#include "trace/replay/world_int.h"

/* ---- arrows.c ---- */

/* What is open while arrows are looked for; NULL: no memory. */
struct trace_arrows *trace_arrows_new(struct trace_world *world);
void trace_arrows_free(struct trace_arrows *a);
/* Has there been no memory? Also when A is NULL. */
bool trace_arrows_failed(const struct trace_arrows *a);
/* The innermost call or method of WHO begins, as soon as it is known what it is about; or ends; or
 * is left open at the end of all, or of what is around it. */
void trace_arrows_begin(struct trace_arrows *a, const struct trace_who *who, uint64_t time);
void trace_arrows_end(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
		      bool failed);
void trace_arrows_abandon(struct trace_arrows *a, const struct trace_who *who);
/* JVM TI: Object.wait() begins, at OBJECT; the waiter to be handed over when it is over, or NULL.
 */
struct trace_waiter *trace_arrows_wait(struct trace_arrows *a, const struct trace_who *who,
				       uint64_t time, uint64_t object);
/* It is over, expired or not. OWN is freed. */
void trace_arrows_waited(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			 uint64_t object, struct trace_waiter *own, bool expired);
/* JVM TI: a contended enter of OBJECT begins; the waiter to be handed over when it is over, or
 * NULL.
 */
struct trace_waiter *trace_arrows_contends(struct trace_arrows *a, const struct trace_who *who,
					   uint64_t time, uint64_t object);
/* It is over. OWN is freed. */
void trace_arrows_entered(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			  uint64_t object, struct trace_waiter *own);
/* OWN is left open. */
void trace_arrows_wait_abandon(struct trace_arrows *a, struct trace_waiter *own);
/* Nothing was seen for a while: what has no other end yet is forgotten, but for waits. */
void trace_arrows_cut(struct trace_arrows *a);
/* A virtual thread is seen first (true: there is an arrow to it), or ends; BEGAN: when it was seen
 * first, 0 where an arrow leads there. */
bool trace_arrows_virtual(struct trace_arrows *a, const struct trace_who *who, uint64_t time);
void trace_arrows_virtual_end(struct trace_arrows *a, const struct trace_who *who, uint64_t began,
			      uint64_t time);

/* ---- arrow_list.c, reading ---- */

/* Begins to read all, in order of their beginnings; false: no memory. */
bool trace_arrows_open(struct trace_world *world);
/* No more will be found. */
void trace_arrows_finish(struct trace_world *world);
/* When the next one begins; UINT64_MAX: there is none. */
uint64_t trace_arrows_next(const struct trace_world *world);
/* Writes it. */
void trace_arrows_put(struct trace_world *world, struct trace_prv *prv);
void trace_arrow_list_free(struct trace_arrow_list *list);

/* An instant of a thread: one end of an arrow. */
struct trace_point {
	uint64_t time;
	struct trace_place place;
	uint32_t tag; /* of the arrow that begins here: what it is that lets the other go on */
};

static inline bool trace_same_place(const struct trace_place *a, const struct trace_place *b)
{
	return a->task == b->task && a->row == b->row;
}

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

/* ---- arrow_table.c ---- */

struct trace_entry {
	uint64_t key;
	uint32_t space; /* keys of one kind, of one task */
	struct trace_entry *next;
};

struct trace_table {
	struct trace_entry **slots; /* owned, with all entries */
	size_t mask, n, limit;
	bool (*may_go)(const struct trace_entry *e); /* when there are too many */
	bool failed;                                 /* no memory */
};

struct trace_entry *trace_table_find(const struct trace_table *t, uint32_t space, uint64_t key);
/* Adds a key that is not there, an entry of SIZE bytes; NULL: no memory. */
void *trace_table_add(struct trace_table *t, uint32_t space, uint64_t key, size_t size);
void trace_table_remove(struct trace_table *t, struct trace_entry *e);
/* Removes all that may go. */
void trace_table_sweep(struct trace_table *t);
void trace_table_free(struct trace_table *t);

/* ---- what is open ---- */

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

/* What threads wait at. */
struct trace_object {
	struct trace_entry entry;
	struct trace_waiter *first, *last;
	uint32_t open;             /* waiters that are neither bound nor served */
	uint32_t sent;             /* so many were let go, nobody knows which */
	struct trace_point token;  /* by this one; what is kept was given by it */
	bool doubt;                /* or by others; of a gate: the latest may not be the last */
	uint64_t stock;            /* given, and not taken by one that has ended */
	struct trace_point opened; /* the latest arrival at a gate; when a lock was freed; the
				    * latest one that gave */
	uint32_t round;            /* how often a gate was seen open; of a lock: how many that
				    * were to own it alone have given up */
	uint32_t arriving;         /* so many are just arriving at a gate (and do not stay),
				    * giving, or completing a task */
	struct trace_place owner;
	uint32_t held;             /* how often by the owner; of a task: how often it runs */
	bool told;                 /* of a monitor: its owner was not seen to enter by woven code */
	bool blind;                /* of a monitor: code that is not woven locks it, too */
	struct trace_point submit; /* of a task that does not run yet */
	struct trace_point ran;    /* where a task began that is not known to be handed over */
	uint64_t other;            /* the future of a task, or the task of a future; of a
				    * lock, the one that it is a view of */
	bool shared;               /* a view: to read */
	uint32_t readers;          /* of a lock: they own it together */
	bool mixed;                /* a task that was handed over while it was open before */
};

/* A wait at a gate that was over before it was known who had opened it. */
struct trace_late {
	uint64_t key; /* of the gate */
	uint32_t space, round;
	struct trace_point to;
};

struct trace_arrows {
	struct trace_world *world;
	struct trace_table rows;    /* of threads, by Java id */
	struct trace_table known;   /* threads with something that has no other end yet */
	struct trace_table objects; /* by type of operation and number */
	struct trace_late *late;    /* owned array */
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

/* ---- arrow_list.c ---- */

/* Adds one, in any order. An arrow to itself, or to or from nowhere, is none. */
void trace_arrow_put(struct trace_world *world, const struct trace_point *from,
		     const struct trace_point *to);

/* ---- arrow_threads.c ---- */

bool trace_rows_by_id(struct trace_arrows *a);
void trace_thread_starts(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside);
void trace_thread_started(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, bool failed);
void trace_thread_joined(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time);
/* INSIDE is an interrupt or unpark. */
void trace_thread_wake(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside);
void trace_thread_parks(struct trace_arrows *a, const struct trace_who *who);
void trace_thread_parked(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time);
/* What it was parked in, if so, is left open. */
void trace_thread_left(struct trace_arrows *a, const struct trace_who *who);
/* INSIDE ended by an exception: where that says that it was interrupted, by who did so. */
void trace_thread_failed(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time);
/* A call is over that may have parked inside: what was unparked before may be used up. */
void trace_thread_blocked(struct trace_arrows *a, const struct trace_who *who);
/* Was WHO interrupted at or behind BEGIN? */
bool trace_thread_interrupted(const struct trace_arrows *a, const struct trace_who *who,
			      uint64_t begin);
bool trace_known_may_go(const struct trace_entry *e);

/* ---- arrow_objects.c ---- */

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
/* WHO waits from TIME on, by OP, at object NUMBER, a TAKE for AMOUNT; NULL: no memory. */
struct trace_waiter *trace_object_wait(struct trace_arrows *a, const struct trace_who *who,
				       const struct jw_operation *op, uint64_t number,
				       uint64_t time, uint64_t amount);
/* One more waits at O. */
void trace_object_append(struct trace_object *o, struct trace_waiter *w);
void trace_object_detach(struct trace_object *o, struct trace_waiter *w);
/* W waits no longer (by OP). True: *FROM let it go. W is to be freed. */
bool trace_object_over(struct trace_arrows *a, struct trace_waiter *w,
		       const struct jw_operation *op, enum trace_outcome outcome,
		       struct trace_point *from);
/* AMOUNT of what object NUMBER keeps is not there: it was not given after all, or drained. */
void trace_object_retract(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number, uint64_t amount);
/* Nothing is left of what was given to object NUMBER, unless some was given SINCE. */
void trace_object_clear(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			uint64_t number, uint64_t since);
/* INSIDE has returned a view of a lock. */
void trace_lock_viewed(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside);
/* The lock that NUMBER is, or is a view of; *SHARED: to own it with others. */
uint64_t trace_lock_number(const struct trace_arrows *a, uint32_t task,
			   const struct jw_operation *op, uint64_t number, bool *shared);
/* INSIDE waits at a condition: its lock is free meanwhile. Returns how often WHO held it; 0: it is
 * not known. */
uint32_t trace_lock_waits(const struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside);
/* The wait is over: WHO holds the lock again, as often. */
void trace_lock_waited(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside, uint32_t held);
/* Does one alone own lock NUMBER now? */
bool trace_lock_is_owned(const struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			 uint64_t number);
/* A lock is given back that several may have owned. */
void trace_lock_shared(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number);
/* What OP brings to object NUMBER is there: the call is over. */
void trace_object_arrived(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number);
/* OP lets others go that wait at object NUMBER; a GIVE gives AMOUNT. */
void trace_object_send(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number, uint64_t amount);

/* ---- arrow_sent.c: W is one of the waiters of O ---- */

void trace_sent_wait(struct trace_object *o);
/* To one of those that wait, or to all. */
void trace_sent_one(struct trace_object *o, const struct trace_point *from);
void trace_sent_all(struct trace_object *o, const struct trace_point *from);
/* W waits no longer; true: *FROM let it go. */
bool trace_sent_waited(struct trace_object *o, const struct trace_waiter *w,
		       enum trace_outcome outcome, struct trace_point *from);
/* W, the last one of O, takes NEED at once; 0: whatever there is. */
void trace_sent_take(struct trace_waiter *w, uint64_t need);
/* N more are kept. */
void trace_sent_give(struct trace_object *o, const struct trace_point *from, uint64_t n);
/* N less: taken, or not given after all. */
void trace_sent_drop(struct trace_object *o, uint64_t n);
/* W takes no longer; true: what it got came from *FROM, for which it had waited. */
bool trace_sent_taken(struct trace_object *o, const struct trace_waiter *w,
		      enum trace_outcome outcome, struct trace_point *from);

/* ---- arrow_monitors.c ---- */

/* The woven monitorenter of W is over. True: *FROM let it in. */
bool trace_monitor_entered(struct trace_object *o, const struct trace_waiter *w,
			   enum trace_outcome outcome, struct trace_point *from);
/* A woven monitorexit, or the end of a synchronized method, gives O back. */
void trace_monitor_leaves(struct trace_object *o, const struct trace_point *from);
/* INSIDE is a synchronized method. */
void trace_monitor_holds(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside);
/* INSIDE is a call of Object.wait(): it begins (returns how often it held the monitor; 0: woven
 * code has not said), or is over. */
uint32_t trace_monitor_waits(struct trace_arrows *a, const struct trace_who *who,
			     const struct trace_inside *inside);
void trace_monitor_waited(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, uint32_t held);
/* Code that is not woven waits at OBJECT. */
void trace_monitor_unseen(struct trace_arrows *a, const struct trace_who *who, uint64_t object);

/* ---- arrow_tasks.c ---- */

/* WHO waits for a task; NULL: no memory. */
struct trace_waiter *trace_task_waits(struct trace_arrows *a, const struct trace_who *who,
				      const struct trace_inside *inside);
/* W waits no longer. True: *FROM let it go. */
bool trace_task_over(struct trace_arrows *a, struct trace_waiter *w, enum trace_outcome outcome,
		     struct trace_point *from);
void trace_task_submits(struct trace_arrows *a, const struct trace_who *who,
			struct trace_inside *inside);
void trace_task_submitted(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, bool failed);
void trace_task_runs(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside);
/* It has run, until TIME. */
void trace_task_ran(struct trace_arrows *a, const struct trace_who *who,
		    const struct trace_inside *inside, uint64_t time);
/* FROM lets all go that wait for NUMBER, a task or future. */
void trace_task_done(struct trace_arrows *a, const struct trace_point *from, uint64_t number,
		     bool by_body);
/* The same by a call that completes it, until it is over: IN_VAIN, it was done before. */
void trace_task_completes(struct trace_arrows *a, const struct trace_point *from, uint64_t number);
void trace_task_completed(struct trace_arrows *a, const struct trace_point *from, uint64_t number,
			  bool in_vain);

#endif
