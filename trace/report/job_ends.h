/*
 * job_ends.h: the connections of one recording that may be with another machine.
 */
#ifndef JW_TRACE_REPORT_JOB_ENDS_H
#define JW_TRACE_REPORT_JOB_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

struct trace_recording;

/* An end of a connection. */
struct trace_job_end {
	uint64_t addresses; /* a hash; of both ends the same */
	bool lower;         /* which of them it is */
};

/* Those that REC tells of, COUNT in ARENA. JW_NOMEM. */
enum jw_status JW_MUST_USE trace_job_ends(const struct trace_recording *rec, struct jw_arena *arena,
					  const struct trace_job_end **out, size_t *count,
					  struct jw_err *e);

#endif
