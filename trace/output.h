/*
 * output.h: what happened in a run, for whoever writes it to a file or shows it: between those who
 * know what happened and those who know a format.
 *
 *     a source tells                              an output hears
 *     replay/replay.h         recordings          paraver/paraver.h    .prv .pcf .row
 *     paraver/prv_source.h    a .prv              report/from_trace.c  sums
 *                                                 draw/draw.c          columns of a picture
 *
 *     begin -> state, enter, leave, event, operation, captured, user, arrow .. -> over
 *           -> name, name .. -> end
 *
 * All of it comes in order of time (unless an output asks for less: enum trace_apart), from one
 * thread of ours at a time; an output that wants it thread by thread keeps a buffer for each. At one instant the states that begin come first, then arrows that
 * are sent, then what happens to one thread after what happens to another, together; the end of a
 * thread's life comes last. An arrow is told when it is sent. What a number stands for (a method, a
 * class, a call site) is known only when all is told, as names of methods are read for those alone
 * that ran.
 *
 * From recordings each enter has one leave, and times are between the begin and the end of the
 * scene; a .prv holds what somebody wrote. An output has all functions but those that may be NULL.
 * Between a source and an output may be select/select.h, which passes on a part.
 *
 * Cost: a call through a pointer for each thing that happens, 2 ns.
 */
#ifndef JW_TRACE_OUTPUT_H
#define JW_TRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/operations.h"
#include "base/status.h"

struct jw_capture;   /* format/methodmap.h */
struct trace_method; /* likewise */

/* ---- who takes part ---- */

struct trace_scene_process {
	uint32_t application, number; /* from 1 */
	uint32_t first, threads;      /* its threads are these, from the place FIRST on */
	uint32_t host;                /* among the scene's */
	uint64_t pid, rank;
	const char *command; /* that started it; NULL, "": unknown */
	/* What it is among the others, and what its application is called. NULL, "": nothing is
	 * known, or it is alone. */
	const char *role, *job;
	const char *title; /* its role, also where it is alone. NULL, "": nothing is known */
	const char *
		kind; /* its role without what tells several apart: "executor"; NULL, "": unknown */
	/* Of recordings, else 0 and NULL: its life, and what it or the recorder says of its end. */
	uint64_t begin, end;
	const char *reason;
	bool has_rank;
	bool ended;   /* as it should; else it was killed, or is still running */
	bool gone;    /* it has not, and is no longer running */
	bool stopped; /* recording did, before that */
};

struct trace_scene_thread {
	const char *name; /* any bytes; "": unknown. Of a .prv NULL: `name` tells it */
	uint64_t java_id; /* 0: unknown, or of a row that several virtual threads own */
	uint32_t process; /* its place */
	uint32_t number;  /* in the process, from 1 */
	uint64_t end;     /* of its life. Of recordings, else 0 */
	bool is_vm;       /* the JVM: its pauses, and what the recorder did */
	bool is_virtual;  /* a row that virtual threads own, one after another */
};

struct trace_scene {
	uint64_t begin;     /* ns; 0, unless a range is selected (select/select.h) */
	uint64_t end;       /* ns */
	int64_t wall_start; /* ns since 1970, of 0; 0: unknown */
	const struct trace_scene_process *processes;
	const struct trace_scene_thread *threads; /* by process, in order */
	const char *const *hosts;
	uint32_t process_count, thread_count, host_count;
	const char *const *labels; /* that what may be captured has in rules; NULL: unknown */
	size_t label_count;
};

/* The wall clock of when recording began, which is time 1, in whole seconds; 0: unknown. */
static inline int64_t trace_wall_seconds(const struct trace_scene *scene)
{
	return (scene->wall_start + 1) / 1000000000;
}

/* Is TIME the end of the thread in place AT of SCENE, so that a call that ends then was open when the
 * thread or its process ended, however that did? */
static inline bool trace_ends_with_thread(const struct trace_scene *scene, uint32_t at,
					  uint64_t time)
{
	return scene->threads[at].end && time >= scene->threads[at].end;
}

/* What the process in place AT of SCENE is called beside its threads, of which each has a "main": its
 * role, else "process 3"; "" where there is no other. NULL: no memory. */
static inline const char *trace_process_name(struct jw_arena *arena,
					     const struct trace_scene *scene, uint32_t at)
{
	const struct trace_scene_process *p = &scene->processes[at];

	if (scene->process_count == 1)
		return "";
	return p->role && *p->role ? jw_arena_str(arena, jw_span_str(p->role))
				   : jw_arena_fmt(arena, "process %u", p->number);
}

/* ---- what happens ---- */

/* States, numbered as Extrae does. A .prv may have others. */
#define TRACE_IDLE            0
#define TRACE_RUNNING         1
#define TRACE_NOT_CREATED     2
#define TRACE_SYNCHRONIZATION 5
#define TRACE_WAIT_ALL        8
#define TRACE_BLOCKED         9
#define TRACE_IO              12
#define TRACE_DISABLED        14
#define TRACE_OTHERS          15
/* Ours: workers of pools that have nothing to do. (What no state covers is Idle; an Idle that is
 * written is what no tool expects.) */
#define TRACE_FOR_WORK 34

/* What the value of an event is. */
enum trace_value {
	TRACE_VALUE_FLAG, /* 1: it begins; 0: it is over */
	TRACE_VALUE_NUMBER,
	TRACE_VALUE_BYTES,
	TRACE_VALUE_NS,
	TRACE_VALUE_WAIT, /* enum trace_wait_kind */
	TRACE_VALUE_OBJECT, /* 53 bits: of a thread its id, else 31 of its identity, 22 of its class's */
	TRACE_VALUE_METHOD, /* a number that TRACE_NAME_METHOD names; so below; 0: none, or no more */
	TRACE_VALUE_CLASS,
	TRACE_VALUE_SITE,
	TRACE_VALUE_PLACE,
	TRACE_VALUE_CHANNEL,    /* a connection or a file */
	TRACE_VALUE_LINK,       /* the name of a link */
	TRACE_VALUE_THREAD,     /* a name that a thread has from now on */
	TRACE_VALUE_THREAD_ROW, /* the place of a thread in the scene, from 1 */
	TRACE_VALUE_VIRTUAL,    /* the name of a virtual thread */
};

/* Of an object's number, the bits that tell it from others of its class; a thread's has no others. */
#define TRACE_OBJECT_IDENTITY ((UINT64_C(1) << 31) - 1)

/* Is it that of a thread? (0: of nothing.) */
static inline bool trace_object_is_thread(uint64_t object)
{
	return object && object <= TRACE_OBJECT_IDENTITY;
}

/* The bits that are its class's. */
static inline uint64_t trace_object_class(uint64_t object)
{
	return object >> 31 & 0x3fffff;
}

/* Values of MONITOR, then, counted on, those of WAIT. */
enum trace_wait_kind {
	TRACE_NO_WAIT,
	TRACE_WAIT_ENTER,  /* to enter a monitor */
	TRACE_WAIT_OBJECT, /* Object.wait() */
	TRACE_WAIT_PARK,
	TRACE_WAIT_FOR_WORK, /* a worker of a pool, by a park or Object.wait(): it has nothing to do */
	TRACE_WAIT_SLEEP,
	TRACE_WAIT_SELECT,       /* for one of the channels of a selector; so below */
	TRACE_WAIT_FOR_REQUESTS, /* in a select, an accept or a read, since there is nothing to do */
	TRACE_WAIT_POLL,
	TRACE_WAIT_ACCEPT,
	TRACE_WAIT_CONNECT,
	TRACE_WAIT_READ,
	TRACE_WAIT_WRITE,
	TRACE_WAIT_FORCE, /* a file to disk */
	TRACE_WAIT_CHILD, /* for the end of a process */
	TRACE_WAIT_LOCK,  /* of a file, which another process has */
	TRACE_WAIT_COUNT,
};
#define TRACE_WAIT_LAST_MONITOR TRACE_WAIT_OBJECT
#define TRACE_WAIT_FIRST_IO     TRACE_WAIT_SELECT

/* Is WAIT, of enum trace_wait_kind, for a connection or a file? */
static inline bool trace_wait_is_io(uint64_t wait)
{
	return wait >= TRACE_WAIT_FIRST_IO && wait < TRACE_WAIT_COUNT && wait != TRACE_WAIT_CHILD;
}

/* X(name, value): events. Those about one thing follow each other, at one time and thread. */
#define TRACE_TYPE_LIST(X)                                                                            \
	X(GC, FLAG)                 /* a pause of the collector, on the row of the VM */              \
	X(EXCEPTION, FLAG)          /* an exception is in flight */                                   \
	X(MONITOR, WAIT)            /* what the thread waits for: object, class, place follow */      \
	X(OBJECT, OBJECT)           /* ... 0: it is over */                                           \
	X(WITHOUT, NUMBER)          /* virtual threads that share one row, alive */                   \
	X(OPERATION_OBJECT, OBJECT) /* what the innermost operation is about */                       \
	X(BYTES, BYTES)             /* that the innermost operation has read or written */            \
	X(THROWN, CLASS)                                                                              \
	X(RETHROWN, CLASS) /* by a thread that had caught it */                                       \
	X(CAUGHT, CLASS)                                                                              \
	X(ALLOC, BYTES) /* the class follows */                                                       \
	X(ALLOC_CLASS, CLASS)                                                                         \
	X(CREATED, CLASS) /* an object that woven code made; of arrays LENGTH follows */              \
	X(LENGTH, NUMBER)                                                                             \
	X(VIRTUAL, NUMBER) /* the id of the virtual thread that owns the row */                       \
	X(VIRTUAL_NAME, VIRTUAL)                                                                      \
	X(THREAD_NAME, THREAD)                                                                        \
	X(CLOSED, METHOD) /* it is no longer recorded */                                              \
	X(DETAIL, FLAG)   /* for a moment all methods are recorded */                                 \
	X(MONITOR_CLASS, CLASS)                                                                       \
	X(MONITOR_PLACE, PLACE)                                                                       \
	X(OPERATION_CLASS, CLASS)                                                                     \
	X(SITE, SITE)        /* the call that has just begun waits, or does something */              \
	X(PART_BYTES, BYTES) /* of a call by which one around it reads or writes */                   \
	X(THREAD_CPU, NS)    /* all that the thread has used, at its end */                           \
	X(PROCESS_CPU, NS)                                                                            \
	X(WAIT, WAIT)       /* a park, a sleep, I/O; object, class, place follow */                   \
	X(UNPARK, OBJECT)   /* the thread that is let go on */                                        \
	X(CHANNEL, CHANNEL) /* it was read or written just now: by these bytes, for so long */        \
	X(CHANNEL_READ, BYTES)                                                                        \
	X(CHANNEL_WRITTEN, BYTES)                                                                     \
	X(CHANNEL_NS, NS)                                                                             \
	X(LINK, LINK)         /* by which name the arrow is that it has just sent */                  \
	X(HOLDER, THREAD_ROW) /* it is seen to have the monitor */                                    \
	X(START, OBJECT)      /* the thread that is started */                                        \
	X(WAKE, NUMBER)       /* the waker of the selector that is woken */                           \
	X(INTERRUPT, OBJECT)  /* the thread that is interrupted */                                    \
	/* The trace context from now on, in parts of 48 bits (context.h); all 0: none is current. */ \
	X(CONTEXT_1, NUMBER)                                                                          \
	X(CONTEXT_2, NUMBER)                                                                          \
	X(CONTEXT_3, NUMBER)                                                                          \
	X(CONTEXT_4, NUMBER)

enum trace_type {
#define TRACE_TYPE_ENUM(name, value) TRACE_TYPE_##name,
	TRACE_TYPE_LIST(TRACE_TYPE_ENUM)
#undef TRACE_TYPE_ENUM
		TRACE_TYPES,
};

/* ---- what numbers stand for ---- */

enum trace_name_kind {
	TRACE_NAME_STATE,
	TRACE_NAME_METHOD,
	TRACE_NAME_CLASS,
	TRACE_NAME_SITE,
	TRACE_NAME_PLACE,
	TRACE_NAME_CHANNEL,
	TRACE_NAME_LINK,
	TRACE_NAME_EVENT,  /* a type of events of the program's own, or of captures */
	TRACE_NAME_VALUE,  /* a value of one: trace_value_number() */
	TRACE_NAME_ROW,    /* a thread of the scene, by its place */
	TRACE_NAME_FAILED, /* no name, but that calls are told that an exception ends */
	TRACE_NAME_SITES,  /* likewise, call sites */
};

/* The number of VALUE of a TYPE of events as names have it; 0: it is too large for one. */
static inline uint64_t trace_value_number(uint64_t type, uint64_t value)
{
	enum { BITS = 28 }; /* names in wanted.h have 56 */

	return type >> BITS || value >> BITS ? 0 : type << BITS | value;
}

struct trace_named_method {
	uint64_t id;                       /* in recordings */
	const struct trace_method *method; /* NULL: no map has it */
	bool closed;                       /* while the program ran */
};

/* What the program calls VALUE of events of its own of TYPE. */
struct trace_user_name {
	uint32_t type;
	bool is_type;      /* the type itself, after its values */
	uint32_t value;    /* of those that have names, and happened */
	const char *label; /* "": it has none */
	const char *zero;  /* of a type: the label of 0 */
};

struct trace_captured {
	const struct jw_capture *what;
	const char *label; /* that the program has given its type; "": none */
};

/* A text that captures of classes and strings are numbers of. */
struct trace_text {
	uint64_t number;
	const char *text;
};

/* The messages of one link (`"link"` of rules). */
struct trace_link_count {
	const char *name;
	uint64_t matched;  /* messages of which both ends are there */
	uint64_t backward; /* of them: received before they were sent, as clocks say */
	uint64_t sent;     /* ends without another one: */
	uint64_t received;
	uint64_t unknown; /* without a key: null, or a text that was not told, or not whole */
};

/* Tags of arrows of links: this, and the place of the name among all, from 1. */
#define TRACE_LINK_TAG 10000

/* A tag has 32 bits; above them are the bytes that went with the arrow, at most 4 GiB; 0: unknown. */
static inline uint64_t trace_tag_with_bytes(uint64_t tag, uint64_t bytes)
{
	return (uint32_t)tag | (bytes < UINT32_MAX ? bytes : UINT32_MAX) << 32;
}

static inline uint64_t trace_tag_bytes(uint64_t tag)
{
	return tag >> 32;
}

static inline uint64_t trace_tag_alone(uint64_t tag)
{
	return (uint32_t)tag;
}

struct trace_texts {
	const char *const *at;
	size_t n;
};

/* Of recordings: all in full. Number I is at I - 1. Texts are any bytes. */
struct trace_names {
	const struct trace_named_method *methods, *sites;
	size_t method_count, site_count;
	struct trace_texts classes, places, channels, threads, virtuals;
	const struct trace_user_name *user; /* by type, then value */
	size_t user_count;
	const struct trace_captured *captured; /* one a type */
	size_t captured_count;
	const struct trace_text *texts;
	size_t text_count;
	const struct trace_link_count *links;
	size_t link_count;
};

/* ---- the functions ---- */

/* THREAD is a place in the scene, a time ns, METHOD a number from 1. */
struct trace_output {
	/* What one thread does is compared with what another did before: batch.h tells it in order. */
	bool in_order;
	/* It adds up each thread by itself, but for pauses and the closing of methods, and of arrows
	 * the receiver alone: batch.h holds all of that back, too. */
	bool by_thread;
	/* SCENE lives until after end(). */
	enum jw_status (*begin)(void *ctx, const struct trace_scene *scene, struct jw_err *e);
	/* From BEGIN to END. What none covers is Idle. */
	void (*state)(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state);
	void (*enter)(void *ctx, uint32_t thread, uint64_t time, uint64_t method);
	/* The innermost method ends; FAILED: by an exception. */
	void (*leave)(void *ctx, uint32_t thread, uint64_t time, bool failed);
	/* Where a range cuts calls (select/select.h): METHOD began before it; the innermost one goes
	 * on after it. NULL: as enter and leave. */
	void (*resume)(void *ctx, uint32_t thread, uint64_t time, uint64_t method);
	void (*suspend)(void *ctx, uint32_t thread, uint64_t time);
	void (*event)(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		      uint64_t value);
	/* What happened to a channel (CHANNEL and what follows it) before or after a range
	 * (select/select.h), of which `event` is not told. NULL: it is not wanted. */
	void (*outside)(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
			uint64_t value);
	/* NUMBER (operations.def) begins; 0: the innermost of TYPE ends. */
	void (*operation)(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			  uint64_t number);
	/* A value that a call or method has captured. */
	void (*captured)(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			 uint64_t value);
	/* WHAT, which holds, is over with the call that it is of, just before that ends; HAS_OUTER: a
	 * call around it holds OUTER, which shows again. NULL: it ends with its call anyway. */
	void (*released)(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			 bool has_outer, uint64_t outer);
	/* An event of the program's own; of a .prv, any that nobody here knows. */
	void (*user)(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value);
	/* What FROM did at SENT lets TO go on at RECEIVED; TAG: by which operation (100 times its
	 * type's place, from 1, and its number), or of which link: TRACE_LINK_TAG and its number;
	 * with its bytes (trace_tag_bytes()). */
	void (*arrow)(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		      uint64_t tag);
	/* Asked now and then: a failure of any of the above ends the source. */
	enum jw_status (*check)(void *ctx, struct jw_err *e);
	/* All has happened, until END, the latest time of all. May be NULL. */
	void (*over)(void *ctx, uint64_t end);
	/* NUMBER is called LABEL, on one line, with round brackets for square ones. May be NULL. */
	void (*name)(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label);
	/* All is told. NAMES: NULL of a .prv, but for some in exports (paraver/prv_source.h). */
	enum jw_status (*end)(void *ctx, const struct trace_names *names, struct jw_err *e);
};

/* resume and suspend of OUTPUT, or what takes their place where they are NULL. */
static inline void trace_output_resume(const struct trace_output *output, void *ctx,
				       uint32_t thread, uint64_t time, uint64_t method)
{
	(output->resume ? output->resume : output->enter)(ctx, thread, time, method);
}

static inline void trace_output_suspend(const struct trace_output *output, void *ctx,
					uint32_t thread, uint64_t time)
{
	if (output->suspend)
		output->suspend(ctx, thread, time);
	else
		output->leave(ctx, thread, time, false);
}

#endif
