/*
 * report_int.h: a .prv that is being read; for the files of this room alone.
 */
#ifndef JW_TRACE_REPORT_INT_H
#define JW_TRACE_REPORT_INT_H

#include "trace/reader/prv_lines.h"
#include "trace/reader/tally.h"
#include "trace/replay/world_int.h"
#include "trace/report/report.h"

/* States in a report: more than Paraver has; what is beyond counts as the last. */
#define TRACE_MAX_STATES 64

/* Operations that a thread is in at one time: as many as calls that tell something. */
#define TRACE_MAX_DOING TRACE_MAX_INSIDES
#define TRACE_IDLE      0
/* Values of the type "Java monitor", and none. */
#define TRACE_WAIT_KINDS 4
#define TRACE_WAIT_ENTER 1

enum trace_type_number {
#define TRACE_NUMBER_ENUM(name, number, label, values) TRACE_NUMBER_##name = number,
	TRACE_TYPE_LIST(TRACE_NUMBER_ENUM)
#undef TRACE_NUMBER_ENUM
};

struct trace_doing {
	uint64_t type, since, bytes;
	size_t index; /* in jw_operations; SIZE_MAX: unknown */
};

/* What one lane spent in one state: all of it, and the longest time without a break. */
struct trace_spent {
	uint64_t ns, longest_ns;
};

/* A call that is open. */
struct trace_call {
	uint64_t enter, inner_ns; /* inner: of the calls it made */
	uint64_t site, object;    /* where it is made, and what it is about; 0: unknown */
	uint64_t bytes;
	uint64_t stalled_ns;              /* blocked or waiting while it is the innermost */
	uint64_t told_ns;                 /* of that: waits for monitors, which the VM told */
	struct trace_report_split before; /* of the thread, when it began */
	uint32_t method;
	bool again;      /* the method was on the stack already: its time is counted there */
	bool site_again; /* and so was the site */
	bool failed;     /* by an exception */
};

struct trace_lane {
	struct trace_call *frames; /* owned */
	size_t cap;
	uint32_t depth, over; /* over: enters beyond TRACE_MAX_DEPTH */
	uint64_t calls, inside_ns, busy_ns, cpu_ns;
	uint32_t task;
	bool met; /* it has called, or returned, in this detail: it is known where it is */
	/* time_by_state.c: up to `since` all is counted; the state lasts until `state_end` */
	struct trace_report_split split;
	uint64_t since, state, state_end;
	uint64_t paused;           /* of its task's pauses, at `since` */
	struct trace_spent *spent; /* by state: TRACE_MAX_STATES; owned; NULL: none yet */
	/* the latest stretch in one state, which lines without a gap make up */
	uint64_t stretch_state, stretch_since, stretch_end;
	struct trace_doing *doing; /* owned; the innermost last */
	size_t doing_cap;
	uint32_t doing_n, doing_over;
	uint8_t wait; /* value of the type "Java monitor" */
	uint64_t wait_since, wait_object, wait_place;
	uint64_t wait_where;  /* where it began, unless the place is told: a key of stalls */
	uint32_t wait_depth;  /* of the call that was the innermost then; 0: none */
	uint64_t let_in_by;   /* 1 + the lane that gave back the monitor waited for; 0: unknown */
	uint64_t alloc_bytes; /* of the allocation whose class comes next */
	uint64_t made;        /* class of the array whose length comes next, 0: none */
};

/* A process. */
struct trace_process {
	uint64_t pause_since; /* of the pause that goes on; 0: none */
	uint64_t paused_ns;   /* by those that are over */
	bool closes, detail;  /* some methods are closed; but now all are recorded */
	uint64_t cpu_ns;
};

/* What is known of a method for unrecorded_time.h. */
struct trace_behind_method {
	uint64_t outside_ns; /* running, innermost, while not all methods were recorded */
	bool closed;
};

struct trace_behind {
	struct trace_behind_method *methods; /* by number; owned */
	size_t count, cap;
	struct trace_tally seen; /* in details: by the method that is open, and what runs below it */
};

/* Times of methods, by their number. */
struct trace_method_split {
	struct trace_report_split self, total;
};

struct trace_reading {
	struct trace_prv_lines lines;
	struct trace_lane *lanes;          /* one a thread; owned */
	struct trace_process *processes;   /* one a task; owned */
	struct trace_method_split *splits; /* as methods; owned */
	size_t split_cap;
	struct trace_methods methods;
	struct trace_tally pairs;      /* calls by lane and method */
	struct trace_tally operations; /* by lane and place in jw_operations */
	struct trace_behind behind;
	struct trace_report_pauses pauses;
	struct trace_tally sites;   /* by value of the site and lane */
	struct trace_tally stalls;  /* by where and what: stalls.c */
	struct trace_tally objects; /* by task and object: its class, as a value, in `count` */
	struct trace_tally waits;   /* by lane and object * TRACE_WAIT_KINDS + value */
	struct trace_tally owners;  /* by lane that gave it back, and object */
	struct trace_tally allocs;  /* by lane and value of the class */
	struct trace_tally classes; /* by class and enum trace_report_fact */
	uint64_t states[TRACE_MAX_STATES];
	size_t state_count;
	uint64_t calls, lone_exits, too_deep;
	bool failed; /* no memory */
};

/* ---- from_trace.c ---- */

/* The number of the method with ID, which has a split then; TRACE_NO_METHOD: no memory, or too
 * many. */
uint32_t trace_reading_method(struct trace_reading *r, uint64_t id);

/* ---- thread_activity.c ---- */

/* An event of lane AT, of another type than that of functions. */
void trace_doing_take(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t type,
		      uint64_t value);
/* An arrow with TAG leads from lane FROM to lane TO. */
void trace_doing_arrow(struct trace_reading *r, uint32_t from, uint32_t to, uint64_t tag);
/* The trace ends at TIME. */
void trace_doing_end(struct trace_reading *r, uint32_t at, uint64_t time);
/* The place in jw_operations of NUMBER of the event type EVENT; SIZE_MAX: none. */
size_t trace_operation_index(uint64_t event, uint64_t number);

/* ---- time_by_state.c ---- */

/* What the thread of lane AT has done until TIME is counted, for it and for the innermost call. */
void trace_split_until(struct trace_reading *r, uint32_t at, uint64_t time);
/* STATE from BEGIN to END. */
void trace_split_state(struct trace_reading *r, uint32_t at, uint64_t begin, uint64_t end,
		       uint64_t state);
/* A pause of the collector begins or ends in the process of lane AT. */
void trace_split_pause(struct trace_reading *r, uint32_t at, uint64_t time, bool begins);
/* Time between two of them. */
struct trace_report_split trace_split_since(const struct trace_report_split *before,
					    const struct trace_report_split *now);
void trace_split_add(struct trace_report_split *to, const struct trace_report_split *more);

/* ---- stalls.c ---- */

/* Names of call sites, or of places, as a .pcf has them: values from 1. */
struct trace_site_names {
	struct trace_site_name {
		const char *callee, *caller, *source, *operation;
		uint32_t line;
	} * list; /* owned */
	size_t n, cap;
};

/* A wait of lane AT for a monitor begins; it has taken until TIME. */
void trace_stall_begins(struct trace_reading *r, uint32_t at);
void trace_stall_told(struct trace_reading *r, uint32_t at, uint64_t time);
/* CALL, which was the innermost of lane AT, has been left at TIME: what it has waited by itself. */
void trace_stall_left(struct trace_reading *r, uint32_t at, const struct trace_call *call,
		      uint64_t time);
/* The class of an object that lane AT has to do with; 0: it has no name. */
uint64_t trace_class_value(const struct trace_reading *r, uint32_t task, uint64_t object);
void trace_note_class(struct trace_reading *r, uint32_t at, uint64_t object, uint64_t class);
/* "Callee in Caller (File.java:1) [operation]", or without the parts before and behind; false: no
 * memory. */
bool trace_site_read(struct jw_arena *arena, struct jw_span label, struct trace_site_name *out);

struct trace_stall_names {
	struct trace_site_names sites, places;
	const char *const *classes; /* by value - 1 */
	size_t class_count;
};
/* The lists of OUT, whose methods and threads are there; false: no memory. */
bool trace_put_stalls(const struct trace_reading *r, const struct trace_stall_names *names,
		      struct jw_arena *arena, struct trace_report *out);
bool trace_put_sites(const struct trace_reading *r, const struct trace_site_names *names,
		     struct jw_arena *arena, struct trace_report *out);

/* ---- report_types.c; of bool: false: no memory ---- */

/* Are values of events of TYPE classes? */
bool trace_names_classes(uint64_t type);
/* An event of lane AT, of another type than that of functions. */
void trace_types_take(struct trace_reading *r, uint32_t at, uint64_t type, uint64_t value);
/* All classes that occur; then their names, as the .pcf gives them; then the lists of OUT. */
bool trace_types_open(const struct trace_reading *r, struct jw_arena *arena,
		      struct trace_report_types *out);
bool trace_types_name(struct trace_report_types *types, struct jw_arena *arena, uint64_t value,
		      struct jw_span label);
bool trace_types_finish(struct trace_report_types *types, struct jw_arena *arena,
			struct trace_report *out);

/* The bits of an object's number that are its class's (recording.h; a trace keeps 53 bits of it).
 */
static inline uint64_t trace_object_class(uint64_t object)
{
	return object >> 31 & 0x3fffff;
}

/* ---- report_lists.c: false, or NULL: no memory ---- */

/* The sums of TALLY in the order of their first keys, then of the second. */
const struct trace_sum **trace_sums_by_a(const struct trace_tally *tally, struct jw_arena *arena);
/* SUM as that of OF. */
struct trace_report_share trace_sums_share(const struct trace_sum *sum, size_t of);
bool trace_sums_methods(const struct trace_reading *reading, struct jw_arena *arena,
			struct trace_report_method *methods);
bool trace_sums_operations(const struct trace_reading *reading, struct jw_arena *arena,
			   struct trace_report_thread *threads, struct trace_report *out);
/* NAMES: of the classes, by value - 1; what has none is "class VALUE". */
bool trace_sums_allocs(const struct trace_reading *reading, struct jw_arena *arena,
		       const char *const *names, size_t name_count, struct trace_report *out);
bool trace_sums_monitors(const struct trace_reading *reading, struct jw_arena *arena,
			 const char *const *names, size_t name_count, struct trace_report *out);

/* Lanes and processes, as the head says; false: no memory. */
bool trace_reading_lanes(struct trace_reading *reading);
/* Closes what is open, at the end of the trace. */
void trace_reading_end(struct trace_reading *reading);

#endif
