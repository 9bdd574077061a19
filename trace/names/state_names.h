/*
 * state_names.h: what states are called, and what their time counts as, by their numbers (output.h). All
 * that adds up states, or draws them, asks here, so that all figures of a run agree.
 */
#ifndef JW_TRACE_NAMES_STATE_NAMES_H
#define JW_TRACE_NAMES_STATE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/output.h"

/* What a thread does at any time, as its states say: all of them together are all of its time.
 * X(NAME, word) */
#define TRACE_REPORT_TIME_LIST(X)                                                           \
	X(RUNNING, "running")                                                               \
	X(BLOCKED, "blocked") /* to enter a monitor */                                      \
	X(WAITING, "waiting") /* for anything else that another thread does, or for time */ \
	X(IO, "io")                                                                         \
	X(FOR_WORK, "forWork") /* a worker of a pool, for a task */                         \
	X(GC, "gc")            /* stopped by the garbage collector */                       \
	X(OTHER, "other")      /* states without a meaning here, and none */

enum trace_report_time {
#define TRACE_REPORT_TIME_ENUM(name, word) TRACE_REPORT_##name,
	TRACE_REPORT_TIME_LIST(TRACE_REPORT_TIME_ENUM)
#undef TRACE_REPORT_TIME_ENUM
		TRACE_REPORT_TIMES,
};
#define TRACE_STATE_NAMES 35 /* Extrae's, and ours */

/* NULL: there is no such state; the numbers have no gap. */
const char *trace_state_name(uint64_t state);

/* What a thread in STATE does; GC is not told by states alone. */
enum trace_report_time trace_state_time(uint64_t state);

/* Is a thread alive in STATE? */
static inline bool trace_state_is_life(uint64_t state)
{
	return state != TRACE_IDLE && state != TRACE_NOT_CREATED;
}

/* The word of that time; NULL: a thread in STATE is not alive. */
const char *trace_state_time_word(uint64_t state);

#endif
