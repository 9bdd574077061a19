/*
 * follow.h: what each thread is in at any time, for outputs that ask what single calls did.
 *
 *     begin -> state, enter, leave, event, operation, arrow .. -> over -> free
 *
 * An output passes on what it is told (output.h), and is told in turn, by a struct trace_follower,
 * what that means: a stretch of time in which a thread did one thing, a wait that is over, a call
 * that is over.
 *
 * A wait is what events tell (a monitor, a park, a sleep), or else the time that a call that is the
 * innermost has spent in a state of waiting. Who ends it: an arrow that is sent while it goes on.
 *
 * Two followers may share one: each is told all.
 *
 * Cost: a step on a stack for each call. Memory: 168 bytes for each open call.
 */
#ifndef JW_TRACE_FOLLOW_H
#define JW_TRACE_FOLLOW_H

#include "trace/output.h"
#include "trace/report/report.h"

/* Who let a thread go on, doing what. */
struct trace_followed_ender {
	uint32_t thread; /* 1 + its place; 0: unknown */
	uint64_t method; /* the innermost; 0: none */
	uint64_t received;
	bool seen; /* it was seen to have the monitor then; no arrow */
	bool over; /* it gave that to another one */
	uint64_t since,
		ns; /* of one that was seen: it had it since then, in this wait; once that is over, so long */
};

/* A wait, or a call that reads or writes. */
struct trace_followed_wait {
	enum trace_report_how how;
	uint64_t since, object, class,
		place;           /* object, class, place: values of events; 0: unknown */
	uint64_t method, site;   /* the innermost call, where it begins; 0: none */
	uint64_t ns;             /* once it is over */
	uint32_t depth;          /* so many calls are open around it */
	bool for_work;           /* of a worker; or it takes from a queue */
	uint64_t channel, bytes; /* of I/O: what was read or written, how much; 0: unknown */
	struct trace_followed_ender ender;
};

/* A call that reads or writes (an operation in a state of I/O), with all that are inside it. */
struct trace_followed_io {
	const struct jw_operation *operation; /* NULL: none goes on */
	uint64_t since, bytes, object, class;
	uint64_t waited_ns; /* of the thread, when it began; once it is over, meanwhile */
	uint32_t nested;    /* so many of the kind are inside it */
};

struct trace_followed_call {
	uint64_t enter, method, site, object, class;
	uint64_t stalled_ns, told_ns; /* spent waiting as the innermost; of that what waits told */
	bool slept;                   /* a call site: one of these was a sleep */
	uint64_t longest_ns;          /* of the calls that it made, but those that have a site */
	struct trace_report_split before;  /* of the thread, when it began */
	uint64_t pauses;                   /* of the process, likewise */
	size_t mark;                       /* a follower's own (slowest.c) */
	uint64_t ran_ns;                   /* likewise (path.c) */
	struct trace_followed_ender ender; /* while it waited */
};

struct trace_followed_thread {
	struct trace_followed_call *calls; /* owned; the innermost last */
	size_t cap;
	uint32_t depth, over; /* over: calls too deep to be followed */
	struct trace_report_split split;
	/* paused: of the process, until `since`, where the state is Others; doing: in the state */
	uint64_t since, state, state_end, paused;
	enum trace_report_time doing;
	bool waits; /* WAIT goes on */
	struct trace_followed_wait wait;
	/* stalled_before: in states of waiting, when it began; told_ns: in waits that natives told, and
	 * in no such state */
	uint64_t stalled_before, told_ns;
	struct trace_followed_io io;
	uint32_t taking; /* calls that take from a queue, and are open */
};

/* All may be NULL. AT is the place of a thread. */
struct trace_follower {
	/* Thread AT did WHAT; what was the innermost call then still is. */
	void (*ran)(void *ctx, uint32_t at, uint64_t begin, uint64_t end,
		    enum trace_report_time what);
	void (*entered)(void *ctx, uint32_t at, struct trace_followed_call *call);
	/* CALL, which was the innermost, is over; its waits have been told. */
	void (*left)(void *ctx, uint32_t at, const struct trace_followed_call *call, uint64_t time,
		     bool failed);
	void (*waited)(void *ctx, uint32_t at, const struct trace_followed_wait *wait);
	void (*did_io)(void *ctx, uint32_t at, const struct trace_followed_io *io, uint64_t end);
};

struct trace_followed_process {
	uint64_t pause_since, paused_ns, pauses;
};

struct trace_follow {
	const struct trace_follower *to;
	void *ctx;                         /* of TO */
	const struct trace_follower *also; /* NULL: nobody */
	void *also_ctx;
	const struct trace_scene *scene;
	struct trace_followed_thread *threads;    /* owned */
	uint32_t thread_count;                    /* also when the scene has gone */
	struct trace_followed_process *processes; /* owned */
	uint64_t end, too_deep, lone;
	bool over;   /* calls that end now are open at the end */
	bool failed; /* no memory */
};

enum jw_status JW_MUST_USE trace_follow_begin(struct trace_follow *f,
					      const struct trace_scene *scene, struct jw_err *e);
/* As those of struct trace_output. */
void trace_follow_state(struct trace_follow *f, uint32_t at, uint64_t begin, uint64_t end,
			uint64_t state);
void trace_follow_enter(struct trace_follow *f, uint32_t at, uint64_t time, uint64_t method);
void trace_follow_leave(struct trace_follow *f, uint32_t at, uint64_t time, bool failed);
void trace_follow_event(struct trace_follow *f, uint32_t at, uint64_t time, enum trace_type type,
			uint64_t value);
void trace_follow_operation(struct trace_follow *f, uint32_t at, uint64_t time,
			    enum jw_operation_type type, uint64_t number);
void trace_follow_arrow(struct trace_follow *f, uint32_t from, uint64_t sent, uint32_t to,
			uint64_t received, uint64_t tag);
/* Closes what is open, at END. */
void trace_follow_over(struct trace_follow *f, uint64_t end);
void trace_follow_free(struct trace_follow *f);

/* Tells what AT has done until TIME. Returns that, or until when it was told: of a .prv that somebody wrote
 * not all is in order. */
uint64_t trace_follow_until(struct trace_follow *f, uint32_t at, uint64_t time);
/* The innermost method of AT that is no call of what waits or does something; 0: none. */
uint64_t trace_follow_method(const struct trace_follow *f, uint32_t at);
/* Does the thread wait, at WHAT it does, for others or for time? */
static inline bool trace_follow_waits(enum trace_report_time what)
{
	return what == TRACE_REPORT_BLOCKED || what == TRACE_REPORT_WAITING ||
	       what == TRACE_REPORT_FOR_WORK;
}
/* Is it I/O that waits for somebody else: a read, not a write? */
bool trace_follow_awaits_io(const struct trace_follow *f, uint32_t at);
/* Does an arrow of TAG lead to who reads, from who wrote? */
bool trace_follow_is_read(uint64_t tag);
/* May an arrow of TAG end what TO waits for? */
bool trace_follow_may_end(const struct trace_follow *f, uint32_t to, uint64_t tag);
/* What AT is doing, after all that was told until now. */
enum trace_report_time trace_follow_doing(const struct trace_follow *f, uint32_t at, uint64_t time);

#endif
