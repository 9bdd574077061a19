/*
 * slowest.h: the slow calls of a run: when, where, called by whom, and what happened in each: how
 * long it ran, what it waited for and who ended that, what it read and wrote.
 *
 *     new -> [choose] -> [want_waits] -> an output told all of it (output.h) -> list -> free
 *
 * Slow is what is unusual: a call that took at least twice as long as calls that were reached in the
 * same way usually do (usual.h); those that took the longest over it come first. The start of a program
 * and the loops of its threads are longer than any request, but were called once. Of the calls
 * around one another that are all slow for one reason only the innermost is told: a call is left out
 * where one inside explains TRACE_SLOW_PASSED % of what is unusual. Time in which a call waited for
 * work does not count, nor do waits of a thread that does little else (report/dwelling.h), nor does
 * the first call of a kind, which loads what it needs.
 *
 * Then come the longest others: seldom called, the first, or always that long. A call that passed nearly all of
 * its time on to one other call (TRACE_SLOW_PASSED) says no more than that one, whose stack it is
 * on: it is left out. So are calls that wait or do something, of the JDK as a rule (they have a
 * site): what they did is told of the method that makes them. And so are loops that wait for their
 * work: which did so TRACE_SLOW_TURNS times at least, for more than half of their time. They come first
 * where all that is unusual is below TRACE_SLOW_TRIFLE ns and one of them took TRACE_SLOW_TIMES as long.
 *
 * Where methods are chosen, all calls of these are told, by how long they took.
 *
 * Memory: some 2,000 calls and four times N, the ways to calls (usual.h), and of each open call at most
 * TRACE_SLOW_LOG things that it waited for or did; what is more is added up.
 */
#ifndef JW_TRACE_SLOWEST_H
#define JW_TRACE_SLOWEST_H

#include "base/memory.h"
#include "base/status.h"
#include "trace/output.h"
#include "trace/report/report.h"

#define TRACE_SLOW_PASSED 90 /* % */
#define TRACE_SLOW_TURNS  3
#define TRACE_SLOW_LOG    64
#define TRACE_SLOW_SHOWN  16 /* things in one call, then sums of the rest */
#define TRACE_SLOW_STACK  64 /* calls around one, the innermost */
#define TRACE_SLOW_OTHERS 3  /* so many at least, however many are unusual */
#define TRACE_SLOW_TRIFLE 1000000
#define TRACE_SLOW_TIMES  100

/* A thread that ended COUNT waits of a call, of NS. */
struct trace_slow_ender {
	const char *name, *method; /* what it did then; "" unknown */
	const char *process;       /* of the thread; "" if it is alone */
	uint32_t task, number;     /* of the thread; from 1 */
	uint64_t count, ns;
};

/* Something that a call waited for, or did, COUNT times. */
struct trace_slow_part {
	struct trace_report_stall wait; /* how: not of I/O; no enders */
	/* what read or wrote, without waits in it; NULL: it waited */
	const struct jw_operation *io;
	uint64_t bytes;
	const struct trace_slow_ender *enders; /* that are known, who ended most first */
	size_t ender_count;
	bool rest; /* all that is not told one by one */
};

/* A value that a call, or one in it, has captured, or an event of the program's own there. */
struct trace_slow_note {
	const char *label; /* of its type */
	const char *text;  /* of the value; NULL: it is a number */
	uint64_t value, count;
};

struct trace_slow_call {
	const char *method; /* short name */
	const char *label;  /* in full */
	uint64_t begin, ns;
	const char *thread;
	const char *process;          /* of the thread; "" if it is alone */
	uint32_t place, task, number; /* of the thread: in the scene; from 1 */
	bool failed;                  /* an exception ended it */
	bool open;                    /* at the end of the run */
	bool little_else; /* most of it is one wait, in which its thread passes nearly all its life */
	struct trace_report_split inside;
	uint64_t pauses;                     /* of the collector */
	const char *const *stack;            /* short names, who called it first */
	size_t stack_count, stack_all;       /* of so many */
	const struct trace_slow_part *parts; /* the longest first, sums of the rest last */
	size_t part_count;
	/* in the order of their first times; of very many, the first */
	const struct trace_slow_note *said;
	size_t said_count;
	/* of the nearest caller that has captured something when it began; "": none has */
	const char *outer;
	const struct trace_slow_note *outer_said;
	size_t outer_count;
	uint64_t usual_ns; /* of `of` calls reached in this way; 0: too few to know */
	uint64_t of;
	bool first;                /* of them */
	uint64_t over_ns;          /* so much longer it took; 0: it is none of the unusual ones */
	uint64_t within_ns;        /* so long took, in it, */
	const char *const *within; /* the last of these, which the others lead to */
	size_t within_count;       /* 0: itself */
};

/* A single wait. */
struct trace_slow_wait {
	struct trace_report_stall wait; /* how, where, for what; no enders */
	uint64_t begin;
	uint32_t place; /* of the thread: in the scene */
	uint32_t ender; /* 1 + the place of who ended it; 0: unknown */
	uint64_t received;
	uint64_t ender_ns; /* so long it was that one's: of a monitor that several had, the part */
	const char *ender_method; /* what that was doing; "" unknown */
};

/* By their beginnings. Text is in the arena. */
struct trace_slow_wait_list {
	const struct trace_slow_wait *waits;
	size_t n;
	uint64_t all; /* that they are the longest of */
};

/* Those that are unusual, by `over_ns`, and others, the longest first. Text is in the arena. */
struct trace_slow_list {
	const struct trace_slow_call *calls;
	size_t n, unusual;
	bool others_lead; /* the others come first */
	uint64_t all;     /* calls that they were chosen among */
	uint64_t duration_ns, too_deep, lone;
};

struct trace_slowest;

/* Wants N calls: where N are unusual, some others, too. NULL: no memory. */
struct trace_slowest *trace_slowest_new(size_t n, struct jw_arena *arena);
/* Only calls of such methods: WANTED is asked once for each. Before the first call is told. */
void trace_slowest_choose(struct trace_slowest *slowest,
			  bool (*wanted)(const void *ctx, uint64_t method), const void *ctx);
/* The MOST longest single waits, too. */
void trace_slowest_want_waits(struct trace_slowest *slowest, size_t most);
extern const struct trace_output trace_slowest_output; /* of a struct trace_slowest */
/* Hears of FOLLOW, which lives as long, what happens; who owns that is told first, and SLOWEST by
 * trace_slowest_along_output. */
struct trace_follow;
void trace_slowest_along(struct trace_slowest *slowest, struct trace_follow *follow);
extern const struct trace_output trace_slowest_along_output;
struct trace_slow_list trace_slowest_list(const struct trace_slowest *slowest);
struct trace_slow_wait_list trace_slowest_waits(const struct trace_slowest *slowest);
/* NULL may be freed, too. */
void trace_slowest_free(struct trace_slowest *slowest);

#endif
