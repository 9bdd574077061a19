/*
 * report.h: where the time of a trace went, by method, by thread and by state.
 *
 * A .prv is read front to back, in pieces of any size, so that it may come out of a decompressor;
 * memory grows with threads, methods and open frames, never with the length. A recording is
 * reported by way of the trace that it would become, line for line: both give the same figures.
 *
 *     trace_reading_new()  -> feed() .. feed() -> names() -> finish()      a trace
 *     trace_report_recordings()                                            recordings
 *
 * Time of a method: inclusive of what it calls (a recursion counted once), exclusive of it. Frames
 * that are open at the end of a trace end there.
 */
#ifndef JW_TRACE_REPORT_H
#define JW_TRACE_REPORT_H

#include "trace/paraver.h"

struct trace_report_method {
	const char *label; /* "Short.name [long.form(types):type File.java:1]" */
	/* "" where unknown: of traces, and without a method map */
	const char *class_name, *name, *descriptor;
	uint64_t calls, exceptional, inclusive_ns, exclusive_ns;
};

struct trace_report_thread {
	const char *name;
	uint32_t task, number; /* from 1 */
	uint64_t life_ns;      /* in any state but 0 Idle and 2 Not created */
	uint64_t running_ns;   /* in state 1 */
	uint64_t inside_ns;    /* with a method open */
	uint64_t calls;
	const uint64_t *states_ns; /* as struct trace_report's states */
};

struct trace_report_state {
	uint64_t number;
	const char *name;
};

/* All text lives in the arena. */
struct trace_report {
	uint64_t duration_ns, calls;
	bool exceptions_known;                     /* of recordings only */
	const struct trace_report_method *methods; /* in order of first appearance */
	const struct trace_report_thread *threads;
	const struct trace_report_state *states; /* that occur, but for 2 Not created */
	size_t method_count, thread_count, state_count;
	const char *const *warnings; /* sentences for the user */
	size_t warning_count;
};

struct trace_reading;

struct trace_reading *trace_reading_new(void); /* NULL: no memory */
void trace_reading_free(struct trace_reading *reading);

/* The next piece of a .prv. What Paraver would drop is left out and counted; what is no trace at
 * all is JW_INPUT. */
enum jw_status JW_MUST_USE trace_reading_feed(struct trace_reading *reading, struct jw_span piece,
					      struct jw_err *e);

/* The .prv is at its end; PCF and ROW are the texts beside it (empty: there are none). */
enum jw_status JW_MUST_USE trace_reading_finish(struct trace_reading *reading, struct jw_span pcf,
						struct jw_span row, struct jw_arena *arena,
						struct trace_report *out, struct jw_err *e);

/* What the trace of the recordings of JOB would say; nothing is written. */
enum jw_status JW_MUST_USE trace_report_recordings(const struct trace_paraver_job *job,
						   struct jw_arena *arena, struct trace_report *out,
						   struct jw_err *e);

#endif
