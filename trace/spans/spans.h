/*
 * spans.h: the calls that a thread made while a trace was current on it (W3C Trace Context): those of
 * one trace id, or of all whose first digits are the same, in all processes.
 *
 *     trace_spans_new -> trace_spans_output told all of it (output.h) -> trace_spans_list -> free
 *
 * A call belongs to the trace that was current where it began. Cost: for threads without a trace a step
 * for each call; memory: 48 bytes for each call that is found, and for each stretch of time in which
 * one thread had one span. Of more than a million of either, later ones are counted.
 */
#ifndef JW_TRACE_SPANS_H
#define JW_TRACE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "trace/context.h"
#include "trace/output.h"

/* So many hex digits an id has at least and at most: fewer would be too many traces. */
enum { TRACE_ID_LEAST = 8, TRACE_ID_DIGITS = 32 };

/* Ids of traces by their first digits. */
struct trace_id_prefix {
	uint64_t high, low, high_mask, low_mask;
};

struct trace_span_process {
	const char *name; /* its role, "process 100", "process 1.2" */
	uint64_t pid;     /* 0: unknown */
	const char *host; /* "": unknown */
};

/* One thread had one span, from BEGIN to END. */
struct trace_span_stretch {
	uint64_t trace_high, trace_low, span;
	uint64_t begin, end, calls; /* calls: that began in it */
	uint32_t thread;            /* among the list's */
};

struct trace_span_call {
	uint64_t begin, ns;
	const char *method;
	size_t stretch;    /* in which it began */
	uint32_t depth;    /* so many calls of the list are around it */
	bool failed, open; /* an exception ended it; it had not ended */
};

struct trace_span_thread {
	const char *name;
	uint32_t row, process; /* row: of the trace, from 1; process: among the list's */
	size_t first, n;       /* its calls */
};

struct trace_spans_list {
	const struct trace_span_process *processes; /* that have calls or stretches; so below */
	const struct trace_span_thread *threads;
	const struct trace_span_stretch *stretches; /* by thread, then time */
	const struct trace_span_call *calls;        /* likewise */
	size_t process_count, thread_count, stretch_count, call_count;
	size_t calls_left, stretches_left; /* that were not kept */
	size_t processes_of_all;           /* also those without a trace */
	uint64_t begin, end;               /* of all stretches */
	uint64_t duration_ns;
	uint64_t others; /* times that another trace became current on some thread */
};

/* Reads the digits TEXT, of which there are 8 to 32, in any case. False: it is none such. */
bool trace_id_prefix_read(const char *text, struct trace_id_prefix *out);

struct trace_spans;

/* NULL: no memory. ARENA: of the list. */
struct trace_spans *trace_spans_new(const struct trace_id_prefix *wanted, struct jw_arena *arena);
extern const struct trace_output trace_spans_output;
/* Once all is told. */
struct trace_spans_list trace_spans_list(const struct trace_spans *s);
void trace_spans_free(struct trace_spans *s);

#endif
