/*
 * view_int.h: what is gathered of a run; seen by all of this room.
 *
 *     view.c         what happens -> tracks, arrows, the longest calls
 *     view_put.c     -> sections; view_columns.c: their columns
 *     view_track.c   a line of a timeline
 */
#ifndef JW_TRACE_VIEW_VIEW_INT_H
#define JW_TRACE_VIEW_VIEW_INT_H

#include "trace/output.h"
#include "trace/replay/method_numbers.h"
#include "trace/view/view.h"
#include "trace/view/view_columns.h"
#include "trace/view/view_contexts.h"
#include "trace/view/view_said.h"
#include "trace/view/view_track.h"

/* A call that is open. */
struct trace_view_frame {
	uint64_t enter;
	uint32_t method; /* from 1; 0: unknown */
};

struct trace_view_row {
	struct trace_view_track states, *levels; /* owned; levels: of calls, the outermost first */
	size_t level_n, level_cap;
	struct trace_view_frame *frames; /* owned */
	size_t frame_n, frame_cap;
	uint64_t over; /* calls that are open beyond TRACE_MAX_DEPTH */
	struct trace_view_current current;
};

struct trace_view_process {
	struct trace_view_track pauses; /* what the collector stopped */
	uint64_t since;                 /* of the pause that is open */
	uint64_t begin, end;            /* of its threads; begin > end: none did anything */
	uint64_t cpu_ns;                /* 0: it was not told */
	bool open;
};

/* A call of a method, one of the longest. */
struct trace_view_call {
	uint64_t begin, ns;
	uint32_t row, level;
};

struct trace_view_longest {
	struct trace_view_call calls[TRACE_VIEW_LONGEST]; /* in no order */
	uint32_t n, shortest;
};

struct trace_view {
	const struct trace_view_sink *sink;
	const struct trace_scene *scene;
	uint32_t thread_count, process_count; /* of it, also when it has gone */
	struct trace_view_row *rows;          /* one a thread; owned */
	struct trace_view_process *processes; /* one each; owned */
	struct trace_methods methods;
	struct trace_view_longest *longest; /* by method; owned */
	size_t longest_cap;
	struct trace_view_arrow *arrows; /* owned; every STRIDE-th */
	size_t arrow_n, arrow_cap;
	struct trace_view_said said;
	struct trace_view_contexts contexts;
	uint64_t arrow_all, stride;
	uint64_t end, least;
	size_t bytes; /* of all tracks */
	/* The same by class: of spans that end 1 << I ns or more after the one before in their track. */
	size_t by_step[64];
	uint32_t most_levels;
	uint64_t deeper; /* calls on levels that are not kept */
	uint64_t nested; /* pauses that were begun while one was open */
	bool failed;     /* no memory */
};

/* All of it goes to the sink. */
enum jw_status JW_MUST_USE trace_view_put_all(const struct trace_view *view,
					      const struct trace_names *names, struct jw_err *e);

#endif
