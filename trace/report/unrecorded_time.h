/*
 * unrecorded_time.h: what went on behind closed gates (runtime-jni/recorder/budget.h), as far as a
 * trace tells.
 *
 * While a method is closed its time is that of whoever called it. For the moments in which all
 * methods are recorded (details), it is known how the running time below each open method divides:
 *
 *     open method O, running, outside details      U(O)      its own, and that of closed methods
 *     in details, O itself                         D(O)
 *     in details, closed method M, called by O,
 *     directly or by closed methods alone          A(O, M)
 *
 * A stretch that outlasts a detail says that the thread had no CPU, and counts as one detail: a few of these
 * would outweigh all others, on a machine that others use.
 *
 * So M is likely to have run U(O) * A(O, M) / (D(O) + all A(O, ...)) longer than was recorded, for
 * each O, and O as much shorter. What was recorded is fact; this is an estimate, and is told apart.
 */
#ifndef JW_TRACE_UNRECORDED_TIME_H
#define JW_TRACE_UNRECORDED_TIME_H

#include "trace/report/reading.h"
#include "trace/report/report.h"

/* From TIME, now, on method NUMBER of the process of lane AT is closed; or all are recorded there for a
 * while, or that is over. All lanes of the process are counted until now (time_by_state.h). */
void trace_unrecorded_close(struct trace_reading *r, uint32_t at, uint64_t time, uint32_t number);
void trace_unrecorded_detail(struct trace_reading *r, uint32_t at, bool begins);
/* The innermost call of LANE has been running for NS more. */
void trace_unrecorded_ran(struct trace_reading *r, const struct trace_lane *lane, uint64_t ns);

/* Fills in what is likely, for the COUNT METHODS of R; false: no memory. */
bool trace_unrecorded_finish(const struct trace_reading *r, struct trace_report_method *methods,
			     size_t count);
void trace_unrecorded_free(struct trace_unrecorded *b);

#endif
