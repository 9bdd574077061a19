/*
 * report.h: where the time of a trace went, by method, by thread and by state.
 *
 * Recordings, or a .prv that is read front to back, in pieces of any size: both tell what happened
 * (output.h), and give the same figures. Memory grows with threads, methods, objects and open
 * frames, never with the length.
 *
 *     trace_reading_new() -> feed() .. feed() -> finish()      a trace
 *     trace_report_recordings()                                recordings
 *
 * A recording that is a summary is reported by its sums: the same figures, without states.
 *
 * What operations, monitors and call sites did is added up likewise.
 *
 * Time of a method: inclusive of what it calls (a recursion counted once in each thread), exclusive
 * of it. So is the time of a call at the place where it is made. Frames that are open at the end of
 * a trace end there.
 */
#ifndef JW_TRACE_REPORT_H
#define JW_TRACE_REPORT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "trace/calls/sketch.h"
#include "trace/calls/tree.h"
#include "trace/names/state_names.h"
#include "trace/output.h"
#include "trace/replay/between.h"
#include "trace/replay/job.h"
#include "trace/replay/profile.h"

/* Of a call that has stalled for STALLED ns, of which waits that events TOLD are so many: what it has
 * waited by itself. 0: nothing; less than a twentieth is the way into those waits, and back, and so is all of a call
 * site in which a sleep was told (SLEPT): it is a call of what sleeps, and a thread that has slept waits for a CPU. */
static inline uint64_t trace_report_untold(uint64_t stalled, uint64_t told, bool slept)
{
	uint64_t ns = stalled > told ? stalled - told : 0;

	return ns >= told / 20 && !slept ? ns : 0;
}

struct trace_report_split {
	uint64_t ns[TRACE_REPORT_TIMES];
};

/* Of calls, those that a range cuts (select/select.h): each is one of the calls, with the time that is
 * inside. All calls less those that began before are those that began inside. */
struct trace_report_cut {
	uint64_t before, after; /* began before it; go on after it */
};

/* A part of something: what `of` counts, says who has it. */
struct trace_report_share {
	size_t of;
	uint64_t count, exceptional, ns, own_ns, bytes;
};

struct trace_report_method {
	const char *label; /* "Short.name [long.form(types):type File.java:1]" */
	const char *title; /* trace/names/titles.h */
	/* "" where unknown: without a method map, in a trace the descriptor, where the label is cut */
	const char *class_name, *name, *descriptor;
	uint64_t calls, exceptional, inclusive_ns, exclusive_ns;
	uint64_t longest_ns;                   /* of one call */
	struct trace_sketch durations;         /* of its calls, where they are known */
	struct trace_report_split self, total; /* of exclusive_ns and inclusive_ns */
	struct trace_report_cut cut;
	/* When it was closed, in a process where that was first; then it had at least so many calls, and so
	 * much time. 0: it was not. */
	uint64_t closed_ns;
	/* An estimate of its own running time, where methods were closed (unrecorded_time.h); else
	 * that time itself. */
	uint64_t likely_ns;
	const struct trace_report_share *shares; /* of threads, by their place */
	size_t share_count;
};

struct trace_report_thread {
	const char *name;
	const char *process; /* what its own is called; "" if there is no other */
	const char
		*kind; /* of that process: its role without what tells several apart; "" unknown */
	uint32_t task, number; /* from 1 */
	bool is_vm;            /* the JVM's own row: no thread */
	uint64_t life_ns;      /* the response time: in any state but 0 Idle and 2 Not created */
	uint64_t running_ns;   /* in states whose time is RUNNING */
	uint64_t inside_ns;    /* with a method open */
	uint64_t busy_ns;      /* of that: running */
	uint64_t cpu_ns;       /* as the system counts it; 0: unknown */
	uint64_t calls;
	const uint64_t *states_ns; /* as struct trace_report's states; they sum to its duration */
	/* the place of the state, of those that are not RUNNING, in which its life has passed most, and how
	 * long: in all, and at most without a break; SIZE_MAX: it has always been running */
	size_t critical;
	uint64_t critical_ns, critical_longest_ns;
	const struct trace_report_share *operations; /* by place in the report's */
	size_t operation_count;
};

/* A JVM; of a .prv nothing is known of its end. */
struct trace_report_process {
	const char *role, *host, *reason; /* "" unknown */
	uint64_t pid;                     /* 0: unknown */
	uint64_t begin_ns, life_ns;       /* 0: unknown */
	uint64_t cpu_ns;                  /* 0: unknown */
	uint64_t paused_ns;               /* by the garbage collector */
	uint64_t calls;
	size_t threads;
	bool end_known, ended, gone, stopped; /* as those of output.h */
};

/* All of base/operations.def, in its order; most have a count of 0. */
struct trace_report_operation {
	const char *type, *name, *label;
	uint64_t count, ns, bytes;
};

/* Objects of one class, of those allocations that the VM told. */
struct trace_report_alloc {
	const char *class_name;
	uint64_t count, bytes;
	const struct trace_report_share *threads; /* by their place; count and bytes */
	size_t thread_count;
};

struct trace_report_wait {
	uint64_t count, ns;
};

/* An object for whose monitor threads have waited, or a lock of java.util.concurrent for which they have parked. */
struct trace_report_monitor {
	uint32_t task;          /* from 1 */
	uint64_t object;        /* its identity hash; of a thread its id */
	uint64_t class_number;  /* 22 bits of the identity hash of its class */
	const char *class_name; /* "" where unknown */
	struct trace_report_wait
		contended; /* to enter it, which another thread had entered, or to have it */
	struct trace_report_wait waits;           /* Object.wait */
	const struct trace_report_share *threads; /* by their place; count and ns of both */
	size_t thread_count;
	/* who gave it back to threads that were blocked for it, where arrows say so; count and ns
	 * are of those threads */
	const struct trace_report_share *owners;
	size_t owner_count;
};

/* How a thread waits. ORDER: values of "Java monitor", then those of "Java wait".
 * X(NAME, word in JSON, how it reads before what it is for, and where that is not known) */
#define TRACE_REPORT_HOW_LIST(X)                                                        \
	X(CALL, "call", " at ", "")                 /* in a call that is traced */      \
	X(ENTER, "enter", "to enter ", "to enter ") /* a monitor */                     \
	X(WAIT, "wait", "Object.wait of ", "Object.wait of ")                           \
	X(PARK, "park", "park for ", "park")                                            \
	X(WORK, "work", "for work at ", "for work") /* of a worker without work */      \
	X(SLEEP, "sleep", "Thread.sleep", "Thread.sleep")                               \
	X(SELECT, "select", "select", "select")                                         \
	X(REQUESTS, "requests", "for requests", "for requests") /* I/O of such a one */ \
	X(POLL, "poll", "poll", "poll")                                                 \
	X(ACCEPT, "accept", "accept", "accept")                                         \
	X(CONNECT, "connect", "connect", "connect")                                     \
	X(READ, "read", "read", "read")                                                 \
	X(WRITE, "write", "write", "write")                                             \
	X(FORCE, "force", "force to disk", "force to disk")                             \
	X(CHILD, "process", "a process", "a process")                                   \
	X(LOCK, "fileLock", "file lock", "file lock")

enum trace_report_how {
#define TRACE_REPORT_HOW_ENUM(name, word, of, alone) TRACE_REPORT_##name,
	TRACE_REPORT_HOW_LIST(TRACE_REPORT_HOW_ENUM)
#undef TRACE_REPORT_HOW_ENUM
		TRACE_REPORT_HOWS,
};

struct trace_wait_words {
	const char *word, *of, *alone;
};
extern const struct trace_wait_words trace_wait_words[TRACE_REPORT_HOWS];

/* Is it the class of HotSpot's own monitors for classes that are being initialized (JWR_INIT_LOCK)? */
bool trace_is_init_lock(const char *class_name);
/* What the class of a monitor is shown as: "a class that is being initialized" of such a one, else its name. */
const char *trace_class_shown(const char *class_name);

struct trace_report_stall;
/* The same of what was waited for; what is no monitor has its name. */
const char *trace_wait_class(const struct trace_report_stall *s);
/* What is said before these: of a call what it calls, or, where only its state tells of the wait, "waits". */
const char *trace_wait_callee(const struct trace_report_stall *s);
/* "held by" or "ended by": what those did who let it go on. Who gives a lock back has had it. */
const char *trace_wait_by(const struct trace_report_stall *s);
/* Do threads park for an object of the class to have a lock? That is a synchronizer in a class of locks
 * (ReentrantLock$NonfairSync, MyLock$Sync), or StampedLock, which is its own. */
bool trace_is_lock(const char *class_name);

/* Does who waits so have nothing to do? */
bool trace_report_is_idle(enum trace_report_how how);
/* May OP, done by another thread meanwhile, end such a wait for OBJECT (0: none is known)? CALL: no. */
struct jw_operation;
bool trace_report_may_end(const struct jw_operation *op, enum trace_report_how how,
			  uint64_t object);

/* Whose waits these are, as reports divide them. */
enum trace_report_waiter {
	TRACE_REPORT_OTHERS,
	/* Nearly all is of threads that pass nearly all their lives so: it is what they are for, as the
	 * loop of a timer. Never of locks, nor of I/O. */
	TRACE_REPORT_LITTLE_ELSE,
	TRACE_REPORT_IDLE, /* trace_report_is_idle() */
	TRACE_REPORT_WAITERS,
};

/* Where threads have waited, for what: by waiter, then the longest in all first. */
struct trace_report_stall {
	const char *method; /* short name; "" unknown */
	const char *source; /* "" unknown */
	uint32_t line;
	const char *callee; /* of the call that waits; "" else */
	enum trace_report_how how;
	const char *class_name; /* of what was waited for; "" unknown */
	uint64_t class_number, object;
	size_t objects;      /* so many of the class; 0: unknown which */
	const char *channel; /* connection or file, or several (common_channel.h); "" unknown */
	uint64_t count, ns, longest_ns;
	enum trace_report_waiter waiter;
	/* who let them go on, where arrows say so, who did most first; count and ns are of those
	 * who waited */
	const struct trace_report_share *enders;
	size_t ender_count;
	/* methods, by their place, in which threads waited there: the innermost that are traced, where the
	 * place is known by itself; that of most time first */
	const struct trace_report_share *callers;
	size_t caller_count;
};

/* A traced call that waits, or does something, at the place where it is made. */
struct trace_report_site {
	const char *callee, *caller; /* short names */
	const char *source;          /* "" where unknown */
	const char *operation;       /* "io/read"; "" none */
	uint32_t line;
	uint64_t count, exceptional, ns, bytes;   /* of one that is made inside of itself, once */
	const struct trace_report_share *threads; /* by their place */
	size_t thread_count;
};

/* What is done to a connection or a file. */
enum trace_report_moves {
	TRACE_REPORT_READS,
	TRACE_REPORT_WRITES,
	TRACE_REPORT_OTHERWISE, /* accept, connect, poll, force */
	TRACE_REPORT_MOVES,
};

/* A connection or a file that natives of the JDK have read and written. */
struct trace_report_channel {
	const char *name; /* "tcp 10.0.0.1:4000 > 10.0.0.2:80"; a path */
	struct trace_report_share moves[TRACE_REPORT_MOVES];
};

/* Of the garbage collector. */
struct trace_report_pauses {
	uint64_t count, ns, longest_ns;
};

/* What is known of a class: how often its exceptions were what, and its objects made. */
enum trace_report_fact {
	TRACE_REPORT_THROWN,
	TRACE_REPORT_AGAIN, /* by a thread that had caught it */
	TRACE_REPORT_CAUGHT,
	TRACE_REPORT_MADE,
	TRACE_REPORT_FACTS,
};

struct trace_report_type {
	const char *name; /* of arrays "int[]" */
	uint64_t number;  /* in the trace */
	uint64_t count[TRACE_REPORT_FACTS];
	uint64_t elements; /* of all arrays made */
};

struct trace_report_types {
	struct trace_report_type *list;
	size_t n;
};

struct trace_report_state {
	uint64_t number;
	const char *name;
};

/* How methods were reached. Methods are numbered by their places. */
struct trace_report_tree {
	struct trace_tree tree;   /* in the arena, with totals; the roots are its first nodes: */
	const char *const *roles; /* roles of threads (calls/role.h) */
};

/* All text lives in the arena. */
struct trace_report {
	uint64_t begin_ns; /* of what is selected; `duration_ns` begins there */
	uint64_t duration_ns, calls;
	struct trace_report_cut cut;
	uint64_t lost; /* events that were not recorded; a summary's, that were not counted */
	uint64_t threads_all;  /* without the JVM's rows; of a summary each virtual one counted */
	bool exceptions_known; /* not of traces of older versions, nor without a .pcf */
	bool sites_known;      /* likewise */
	bool states_known;     /* not of a summary: its threads have lives alone */
	bool calls_known;      /* likewise: durations of methods, and the tree */
	struct trace_report_tree tree;
	uint64_t cpu_ns; /* of all processes, from their starts; 0: not all of them told it */
	struct trace_report_pauses pauses;
	struct trace_socket_bytes sockets;         /* of recordings alone */
	struct trace_messages_told messages;       /* likewise: between machines */
	const struct trace_report_method *methods; /* in order of first appearance */
	const struct trace_report_thread *threads;
	const struct trace_report_process *processes;
	const struct trace_report_state *states; /* that occur */
	const struct trace_report_operation *operations;
	const struct trace_report_monitor *monitors; /* the longest contended first */
	const struct trace_report_alloc *allocs;     /* that with most bytes first */
	const struct trace_report_site *sites;       /* that with most time first */
	const struct trace_report_stall *stalls;
	const struct trace_report_channel *connections, *files; /* that with most time first */
	const struct trace_link_count *links; /* of recordings alone; in order of appearance */
	struct trace_report_types exceptions, objects; /* the most first */
	size_t method_count, thread_count, process_count, state_count, operation_count,
		monitor_count, site_count, stall_count, alloc_count, connection_count, file_count,
		link_count, closed_methods;
	const char *const *deadlocks; /* sentences for the user */
	const char *const *warnings;  /* likewise, those among them */
	size_t deadlock_count, warning_count;
};

struct trace_reading;
struct trace_select;
struct trace_output;

/* What reads a .prv, which trace_reading_free() frees; NULL: no memory. SELECT: the part of it that is
 * reported (select/select.h); NULL: all. Of recordings the job has it. */
struct trace_reading *trace_reading_new(struct trace_select *select);
/* The same, and ALSO (NULL: none) hears all that the report hears. */
struct trace_reading *trace_reading_new_beside(struct trace_select *select,
					       const struct trace_output *also, void *ctx);
void trace_reading_free(struct trace_reading *reading);

/* What the .row beside the .prv says of processes: before the first piece, and until that is fed. */
void trace_reading_row(struct trace_reading *reading, struct jw_span row);
/* The next piece of a .prv. What Paraver would drop is left out and counted; what is no trace at
 * all is JW_INPUT. */
enum jw_status JW_MUST_USE trace_reading_feed(struct trace_reading *reading, struct jw_span piece,
					      struct jw_err *e);

/* The .prv is at its end; PCF and ROW are the texts beside it (empty: there are none). */
enum jw_status JW_MUST_USE trace_reading_finish(struct trace_reading *reading, struct jw_span pcf,
						struct jw_span row, struct jw_arena *arena,
						struct trace_report *out, struct jw_err *e);

/* What the trace of the recordings of JOB would say; nothing is written. */
enum jw_status JW_MUST_USE trace_report_recordings(const struct trace_job *job,
						   struct jw_arena *arena, struct trace_report *out,
						   struct jw_err *e);

/* {0}: the report alone, with all that it says. */
struct trace_report_options {
	/* Hears all of it, too; of summaries it hears nothing. NULL: none. */
	const struct trace_output *also;
	void *ctx;
	bool no_shares; /* what threads had of each method is not asked for: it may be left out */
};

/* The same, by OPTIONS. */
enum jw_status JW_MUST_USE trace_report_recordings_by(const struct trace_job *job,
						      const struct trace_report_options *options,
						      struct jw_arena *arena,
						      struct trace_report *out, struct jw_err *e);

/* The tree of all threads together: OUT, {0}, gets one root. False: no memory. */
bool trace_report_tree_all(const struct trace_report_tree *tree, struct trace_tree *out);

/* What the recordings of JOB, which are summaries, say in few figures; `events` is 0. */
enum jw_status JW_MUST_USE trace_summarize(const struct trace_job *job, struct jw_arena *arena,
					   struct trace_summary *out, struct jw_err *e);

#endif
