/*
 * job_runs.h: of how many runs, one after the other, the recordings of a folder are that do not say which
 * job they are of.
 *
 * By time: those that are far apart are of two. But clocks of machines may differ by as much; so
 * processes on two machines that a connection has joined are of one run.
 */
#ifndef JW_TRACE_REPORT_JOB_RUNS_H
#define JW_TRACE_REPORT_JOB_RUNS_H

#include "base/memory.h"
#include "base/status.h"
#include "trace/report/job_folder.h"

struct trace_job_runs {
	size_t runs;
	size_t by_time; /* as they would be by time alone */
};

/* APART_NS: what is so far apart is of two. ARENA: for a while. JW_NOMEM. */
enum jw_status JW_MUST_USE trace_job_count_runs(const struct trace_job_listing *l,
						uint64_t apart_ns, struct jw_arena *arena,
						struct trace_job_runs *out, struct jw_err *e);

#endif
