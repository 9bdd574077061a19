/*
 * select.h: a part of what happened, as users ask for it: between a source and an output (output.h).
 *
 *     new -> [trace_look_output hears all of it ->] to -> trace_select_output hears it -> free
 *
 * What reaches the output after it:
 *
 *     range        from..to. Times stay those of the whole run; the scene begins at `from`. What lasts is
 *                  in it if they share more than an instant: a call that ends at `from` is not, nor is
 *                  one that begins at `to`, and one that begins at `from` and ends at `to` is whole. So
 *                  of two ranges that meet neither has what the other one has whole. What has no length
 *                  (an event) is in (from, to]: what is told of a call as it ends is where that is. A
 *                  call that is open at both sides of `from` is told to resume there, one that is so at
 *                  `to` to be suspended there. States are cut. What lasts (a wait, an operation, the
 *                  owner of a row) is told again at `from`, and ended at `to`.
 *     channels     what moved before and after the range is told as such (`outside`): who asks for requests
 *                  has them whole.
 *     threads      others are not in the scene. The JVM's row, which has the pauses that stop them,
 *                  stays with the threads of its process.
 *     calls        of the methods asked for, as long as they take `min_ns` (all of the call, inside
 *                  of the range or not), `max_depth` deep (counted among those that are left).
 *                  Others are left out with their captures; their time is the call's around them.
 *                  What threads do (states, operations, waits) stays.
 *     arrows       sent and received inside of the range, on threads that are there.
 *     CPU time     of threads and processes is of all of the run: without a range alone, and of
 *                  processes with all threads.
 *
 * Whether a call is long, and what is called what, is known late. Holding things back until then
 * would take memory for all that happens within `min_ns`, on all threads, as order by time must
 * stay. So selections that ask for it read twice: the first time one bit is kept for each call that
 * is long, in pages that most do not have, and the methods that are chosen. Both times calls are
 * counted in the same order.
 *
 * Memory: open calls, threads, methods; of long calls a bit. Cost: 5 ns a call, and of a first
 * reading all that the source costs.
 */
#ifndef JW_TRACE_SELECT_SELECT_H
#define JW_TRACE_SELECT_SELECT_H

#include "trace/output.h"
#include "trace/reader/time_range.h"

/* Chooses among methods: their names, "" where they are not known; the class with dots. */
struct trace_chooser {
	bool (*chooses)(void *ctx, const char *class_name, const char *name,
			const char *descriptor);
	void *ctx;
	const char *said; /* by the user, for messages */
};

/* {0}: all. */
struct trace_selection {
	struct trace_range range;
	/* Instead of a range: from the first begin to the last end of the calls it chooses, on the
	 * threads selected. NULL: none. */
	const struct trace_chooser *around;
	const struct trace_chooser *methods; /* NULL: all */
	/* As a shell matches. A process by its number, process id, "rank N", role, host or command. NULL:
	 * all. */
	const char *thread, *process;
	uint64_t min_ns;
	uint32_t max_depth; /* 0: any */
};

/* What was told of, once all is. */
struct trace_selected {
	uint64_t from, to;        /* ns */
	bool in_part;             /* not all of the time */
	uint64_t calls;           /* all, those too that are cut: */
	uint64_t before, after;   /* began before `from`; went on after `to` */
	uint64_t arrows_cut;      /* left out as one end is not in the range */
	uint32_t threads, of_all; /* there; in the run */
};

struct trace_select;

/* Does it ask for anything? */
bool trace_selects(const struct trace_selection *wanted);

/* WANTED lives as long. NULL: no memory. */
struct trace_select *trace_select_new(const struct trace_selection *wanted);
/* NULL may be freed, too. */
void trace_select_free(struct trace_select *select);

/* Does it have to read twice? NAMED: the scene of the source names its threads. */
bool trace_select_looks(const struct trace_select *select, bool named);
/* The first time, for a struct trace_select. end(): JW_USAGE: no method is chosen. */
extern const struct trace_output trace_look_output;

/* What is selected goes to OUTPUT. */
void trace_select_to(struct trace_select *select, const struct trace_output *output, void *ctx);
/* For a struct trace_select. begin(): JW_USAGE: no such threads, or nothing in the range. */
extern const struct trace_output trace_select_output;

/* Once all is told. */
struct trace_selected trace_select_told(const struct trace_select *select);

#endif
