/*
 * report_int.h: a .prv that is being read; for the files of this room alone.
 */
#ifndef JW_TRACE_REPORT_INT_H
#define JW_TRACE_REPORT_INT_H

#include "trace/prv_lines.h"
#include "trace/report.h"
#include "trace/tally.h"
#include "trace/world_int.h"

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

struct trace_lane {
	struct trace_frame *frames; /* owned */
	size_t cap;
	uint32_t depth, over; /* over: enters beyond TRACE_MAX_DEPTH */
	uint64_t calls, inside_ns;
	struct trace_spent *spent; /* by state: TRACE_MAX_STATES; owned; NULL: none yet */
	/* the latest stretch in one state, which lines without a gap make up */
	uint64_t stretch_state, stretch_since, stretch_end;
	struct trace_doing *doing; /* owned; the innermost last */
	size_t doing_cap;
	uint32_t doing_n, doing_over;
	uint8_t wait; /* value of the type "Java monitor" */
	uint64_t wait_since, wait_object;
	uint64_t let_in_by;   /* 1 + the lane that gave back the monitor waited for; 0: unknown */
	uint64_t alloc_bytes; /* of the allocation whose class comes next */
	uint64_t made;        /* class of the array whose length comes next, 0: none */
};

struct trace_reading {
	struct trace_prv_lines lines;
	struct trace_lane *lanes; /* one a thread; owned */
	struct trace_methods methods;
	struct trace_tally pairs;      /* calls by lane and method */
	struct trace_tally operations; /* by lane and place in jw_operations */
	struct trace_report_pauses pauses;
	uint64_t pause_since;       /* of the one that goes on; 0: none */
	struct trace_tally waits;   /* by lane and object * TRACE_WAIT_KINDS + value */
	struct trace_tally owners;  /* by lane that gave it back, and object */
	struct trace_tally allocs;  /* by lane and value of the class */
	struct trace_tally classes; /* by class and enum trace_report_fact */
	uint64_t states[TRACE_MAX_STATES];
	size_t state_count;
	uint64_t calls, lone_exits, too_deep;
	bool failed; /* no memory */
};

/* ---- doing.c ---- */

/* An event of lane AT, of another type than that of functions. */
void trace_doing_take(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t type,
		      uint64_t value);
/* An arrow with TAG leads from lane FROM to lane TO. */
void trace_doing_arrow(struct trace_reading *r, uint32_t from, uint32_t to, uint64_t tag);
/* The trace ends at TIME. */
void trace_doing_end(struct trace_reading *r, uint32_t at, uint64_t time);
/* The place in jw_operations of NUMBER of the event type EVENT; SIZE_MAX: none. */
size_t trace_operation_index(uint64_t event, uint64_t number);

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

/* ---- sums.c: false, or NULL: no memory ---- */

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
			 struct trace_report *out);

/* Closes what is open, at the end of the trace. */
void trace_reading_end(struct trace_reading *reading);

#endif
