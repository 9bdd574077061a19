/*
 * reading.h: what is added up while a trace is read; seen by all of this room, it is its contract.
 *
 *     trace_reading_new -> trace_reading_output -> trace_reading_free
 */
#ifndef JW_TRACE_REPORT_READING_H
#define JW_TRACE_REPORT_READING_H

#include "trace/batch.h"
#include "trace/calls/tree.h"
#include "trace/output.h"
#include "trace/reader/tally.h"
#include "trace/replay/deadlocks.h"
#include "trace/replay/inside.h"
#include "trace/replay/method_numbers.h"
#include "trace/report/dwelling.h"
#include "trace/report/lane_methods.h"
#include "trace/report/report.h"
#include "trace/tee.h"

/* States in a report: more than Paraver has; what is beyond counts as the last. */
#define TRACE_MAX_STATES 64

/* Operations that a thread is in at one time: as many as calls that tell something. */
#define TRACE_MAX_DOING TRACE_MAX_INSIDES
/* More than enum trace_wait_kind has. */
#define TRACE_WAIT_KINDS 16

struct trace_doing {
	enum jw_operation_type type;
	uint64_t since, bytes;
	size_t index; /* in jw_operations; SIZE_MAX: unknown */
};

/* What one lane spent in one state: all of it, and the longest time without a break. */
struct trace_spent {
	uint64_t ns, longest_ns;
};

/* What few calls have, of which each keeps the place of its own. */
struct trace_call_more {
	uint64_t site, object; /* where it is made, and what it is about; 0: unknown */
	bool site_again;       /* another call that is made there is open */
	uint64_t bytes;
	uint64_t stalled_ns;              /* blocked or waiting while it is the innermost */
	uint64_t told_ns;                 /* of that: waits for monitors, which the VM told */
	bool slept;                       /* one of these was a sleep */
	struct trace_report_split beside; /* what it and its calls did but run */
};

/* A call that is open. */
struct trace_call {
	uint64_t enter, inner_ns; /* inner: of the calls it made */
	uint64_t since;           /* of the lane, when it began */
	uint64_t ran_ns;          /* running while it is the innermost */
	uint32_t *open;           /* calls of its method on its lane: lane_methods.h */
	uint32_t method;
	uint32_t node; /* in `tree` */
	uint32_t more; /* 1 + its place in `more` of the lane; 0: it has none */
	bool again;    /* the method was on the stack already: its time is counted there */
	bool cut;      /* by a range: how long it took is not known */
};

/* What each call needs comes first, to be in few lines of the cache. */
struct trace_lane {
	struct trace_call *frames; /* owned */
	size_t cap;
	uint32_t depth, over; /* over: enters beyond TRACE_MAX_DEPTH */
	/* time_by_state.c: up to `since` all is counted; the state lasts until `state_end` */
	uint64_t since, state, state_end;
	enum trace_report_time does; /* what the state is */
	bool met; /* it has called, or returned, in this detail: it is known where it is */
	uint32_t task;
	uint32_t root;                     /* in `tree` */
	struct trace_lane_methods methods; /* its calls */
	struct trace_call_more *more; /* of open calls that have it, the innermost last; owned */
	uint32_t more_n, more_cap;
	uint64_t calls, inside_ns, busy_ns;
	uint64_t paused; /* of its task's pauses, at `since` */
	uint64_t cpu_ns;
	struct trace_spent *spent; /* by state; owned; of those after `spent_n` it is nothing */
	uint32_t spent_n;
	/* the latest stretch in one state, which lines without a gap make up */
	uint64_t stretch_state, stretch_since, stretch_end;
	struct trace_doing *doing; /* owned; the innermost last */
	size_t doing_cap;
	uint32_t doing_n, doing_over;
	uint8_t wait; /* enum trace_wait_kind */
	uint64_t wait_since, wait_object, wait_place;
	struct trace_dwelling dwelling; /* places are those in `stalls` */
	uint64_t wait_where; /* where it began, unless the place is told: a key of stalls */
	uint32_t wait_depth; /* of the call that was the innermost then; 0: none */
	uint64_t wait_call;  /* 1 + when the innermost call of a method began then; 0: in none */
	uint64_t let_in_by;  /* 1 + the lane that lets it go on; 0: unknown */
	uint32_t held_by;    /* 1 + the lane that was seen to have what it waits for; 0: unknown */
	bool held_over;      /* it gave that to another one, */
	uint64_t held_since; /* and has had it since then, in this wait, */
	uint64_t held_until; /* until then */
	uint32_t joins; /* 1 + the lane for whose end it waits; 0: for none, or it is not known */
	struct trace_locked locked;
	uint64_t alloc_bytes; /* of the allocation whose class comes next */
	/* the connection or file that events are about now; 0: none; enum trace_report_moves */
	uint64_t channel, moved;
	uint8_t moves;
	uint64_t made; /* class of the array whose length comes next, 0: none */
};

/* How long the wait of LANE, which ends at TIME, was that of who let it go on: of a monitor that several had meanwhile,
 * the part of the one that is told. */
static inline uint64_t trace_held_ns(const struct trace_lane *lane, uint64_t time)
{
	if (!lane->held_by)
		return time - lane->wait_since;
	return (lane->held_over ? lane->held_until : time) - lane->held_since;
}

/* A process. */
struct trace_process {
	uint64_t pause_since; /* of the pause that goes on; 0: none */
	uint64_t paused_ns;   /* by those that are over */
	bool closes, detail;  /* some methods are closed; but now all are recorded */
	uint64_t cpu_ns;
};

/* What is known of a method for unrecorded_time.h. */
struct trace_unrecorded_method {
	uint64_t outside_ns; /* running, innermost, while not all methods were recorded */
	uint64_t closed_ns;  /* when that was first; 0: never */
};

struct trace_unrecorded {
	struct trace_unrecorded_method *methods; /* by number; owned */
	size_t count, cap;
	/* in details: by the method that is open, and what runs below it */
	struct trace_tally seen;
};

/* Times of methods, by their number. */
struct trace_method_split {
	struct trace_sketch durations; /* beside what runs, which is first in `self` */
	struct trace_report_split self, total;
	struct trace_report_cut cut;
};

/* ---- frames.h ---- */

#define TRACE_FRAMES_AHEAD 16 /* a power of 2 */
#define TRACE_FRAMES_OVER  8  /* likewise */

/* A call of METHOD (by id) begins on lane AT, or its innermost ends. */
struct trace_told_frame {
	uint64_t time, method;
	uint32_t at;
	bool enters, failed;
};

/* What a call that is over adds to sums. */
struct trace_over {
	struct trace_lane_method *here; /* NULL: that of its lane is not asked for */
	uint64_t ns, own_ns;
	uint64_t ran_ns, inner_ran_ns; /* by itself; with all that it called */
	uint32_t method, node;
	bool again, failed, cut;
	bool waits; /* to be added */
};

struct trace_frames {
	struct trace_told_frame told[TRACE_FRAMES_AHEAD];
	struct trace_over over[TRACE_FRAMES_OVER];
	uint32_t put, taken; /* of `told` */
	uint32_t ended;      /* calls: the next one's place in `over` */
	uint32_t latest;     /* the lane that was told of last, and how often since others were */
	uint32_t in_a_row;
};

/* What has a root in the tree of calls: call_tree.h */
enum trace_roots { TRACE_ROOT_ALL, TRACE_ROOT_ROLE, TRACE_ROOT_THREAD };

struct trace_prv_source;
struct trace_report_names;

struct trace_reading {
	struct trace_prv_source *source; /* owned; NULL: recordings are replayed */
	struct trace_batch *batch;       /* owned; whom a source tells */
	struct trace_tee tee; /* this, and who hears the same; then `second` is not NULL */
	const struct trace_scene *scene;
	struct jw_arena *arena;           /* of the report */
	struct trace_report *report;      /* to be made */
	struct trace_report_names *names; /* owned; once all is told */
	uint64_t end;
	struct trace_lane *lanes;          /* one a thread; owned */
	uint32_t lane_count;               /* of them, also when the scene has gone */
	struct trace_process *processes;   /* one a task; owned */
	struct trace_method_split *splits; /* as methods; owned */
	size_t split_n, split_cap;
	struct trace_methods methods;
	struct trace_tree tree;
	struct trace_frames frames;
	enum trace_roots tree_roots;
	struct trace_tally operations; /* by lane and place in jw_operations */
	struct trace_unrecorded unrecorded;
	struct trace_report_pauses pauses;
	struct trace_tally sites;  /* by value of the site and lane */
	struct trace_tally stalls; /* by where and what: stalls.c */
	struct trace_tally enders; /* by place in `stalls`, and lane that let others go on */
	/* likewise, and the innermost method that is traced, where it waits in another one */
	struct trace_tally callers;
	struct trace_tally objects;  /* by task and object: its class, as a value, in `count` */
	struct trace_tally waits;    /* by lane and object * TRACE_WAIT_KINDS + value */
	struct trace_tally owners;   /* by lane that gave it back, and object */
	struct trace_tally allocs;   /* by lane and value of the class */
	struct trace_tally channels; /* by value of the channel and enum trace_report_moves */
	struct trace_tally classes;  /* by class and enum trace_report_fact */
	uint64_t states[TRACE_MAX_STATES];
	size_t state_count;
	uint64_t calls, lone_exits, too_deep;
	struct trace_report_cut cut;
	bool no_shares; /* what threads had of each method is not asked for */
	bool failed;    /* no memory */
};

/* The number of the method with ID, which has a split then; TRACE_NO_METHOD: no memory, or too
 * many. */
uint32_t trace_reading_method(struct trace_reading *r, uint64_t id);

/* Lanes and processes, as SCENE says, which lives as long; false: no memory. */
bool trace_reading_begin(struct trace_reading *reading, const struct trace_scene *scene);
/* Whom a source tells, and its context: READING, and ALSO (NULL: none) too, thread by thread
 * (batch.h). NULL: no memory. */
const struct trace_output *trace_reading_beside(struct trace_reading *reading,
						const struct trace_output *also, void *also_ctx,
						void **ctx);
/* Closes what is open, at the end of the trace. */
void trace_reading_end(struct trace_reading *reading);
/* The output (output.h) that adds up, for a struct trace_reading. */
extern const struct trace_output trace_reading_output;

#endif
