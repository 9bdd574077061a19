/*
 * report_int.h: a .prv that is being read; for the files of this room alone.
 */
#ifndef JW_TRACE_REPORT_INT_H
#define JW_TRACE_REPORT_INT_H

#include "trace/prv_head.h"
#include "trace/report.h"
#include "trace/world_int.h"

/* States in a report: more than Paraver has; what is beyond counts as the last. */
#define TRACE_MAX_STATES 64

struct trace_lane {
	struct trace_frame *frames; /* owned */
	size_t cap;
	uint32_t depth, over; /* over: enters beyond TRACE_MAX_DEPTH */
	uint64_t time;        /* of its latest event: never falls */
	uint64_t calls, inside_ns;
	uint64_t *states_ns; /* TRACE_MAX_STATES; owned; NULL: none yet */
};

/* How often each (lane, method) is on its stack: only pairs that are stand in it. */
struct trace_open {
	struct trace_open_slot {
		uint64_t key; /* 0: free */
		uint32_t count;
	} * slots; /* owned */
	size_t mask, n;
};

/* One more or less of METHOD on LANE; *BEFORE: how many there were. False: no memory. */
bool trace_open_add(struct trace_open *open, uint32_t lane, uint32_t method, uint32_t *before);
void trace_open_remove(struct trace_open *open, uint32_t lane, uint32_t method);

struct trace_reading {
	struct trace_prv_head head;
	bool begun;               /* the header was read */
	struct jw_buf carry;      /* a line whose end has not come yet */
	struct trace_lane *lanes; /* one a thread; owned */
	struct trace_methods methods;
	struct trace_open open;
	uint64_t states[TRACE_MAX_STATES];
	size_t state_count;
	uint64_t last; /* the latest time of all */
	uint64_t calls, bad_lines, unsorted, lone_exits, too_deep;
	bool failed; /* no memory */
};

/* Closes what is open, at the end of the trace. */
void trace_reading_end(struct trace_reading *reading);

#endif
