/*
 * told.h: what was told to an output so far, in numbers, to be named in the end (told_names.h).
 */
#ifndef JW_TRACE_REPLAY_TOLD_H
#define JW_TRACE_REPLAY_TOLD_H

#include "trace/output.h"
#include "trace/reader/tally.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/deadlocks.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/states.h"
#include "trace/replay/wait_events.h"

struct trace_apart_arrows; /* apart.c */
struct trace_crowd;        /* crowd.c */

struct trace_told {
	const struct trace_output *output;
	void *ctx;             /* of the output */
	enum jw_status status; /* its first failure, told to `e` */
	struct jw_err *e;
	struct trace_methods methods;
	struct trace_classes classes, places, channels;
	struct trace_classes names;         /* of threads that were renamed */
	struct trace_methods sites;         /* of calls that wait or do something, by their ids */
	struct trace_methods seen;          /* events of the programs' own: see user_events.c */
	struct trace_methods owners;        /* of rows: names, by task and its `virtuals` */
	const struct jw_capture **captured; /* owned array; those that were shown, one a type */
	size_t captured_n, captured_cap;
	struct trace_tally misfits; /* captured values that cannot be shown, by type */
	struct trace_tally
		kept; /* texts that are told apart, by type and number; of a type, 0: how many */
	struct trace_states states;
	struct trace_shown_waits waits;
	struct trace_locked *locked; /* owned; by row that is shown; NULL: there was none */
	struct trace_crowd *crowds;  /* owned; by task; NULL: no threads share a row */
	size_t crowd_count;
	struct trace_apart_arrows *apart; /* owned; where threads are told apart; else NULL */
};

void trace_told_free(struct trace_told *told);

#endif
