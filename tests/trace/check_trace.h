/*
 * check_trace.h: what a fuzz target asks of traces that it had converted; where something does not
 * hold, it traps.
 *
 *     check_prv("fuzz")              fuzz.prv in the scratch folder is well formed (check_prv.h)
 *     check_same("fuzz", "again")    two traces are the same
 *     check_report(&job, "fuzz")     the trace tells what the recordings tell
 */
#ifndef JW_TESTS_TRACE_CHECK_TRACE_H
#define JW_TESTS_TRACE_CHECK_TRACE_H

#include "tests/trace/check_prv.h"
#include "trace/report/report.h"

/* Two traces are the same to the byte. */
void check_same(const char *base, const char *other);

/* The report of the trace BASE is that of the recordings of JOB. */
void check_report(const struct trace_job *job, const char *base);

#endif
