/*
 * cost.h: what tracing costs, by what a recording counts.
 *
 *     in its thread   the two probes of a call: what is between other events is longer by it
 *     of the CPU      that; writing 32 bytes; what the compiler no longer makes of code with probes
 *                     in it (inlining); and of each method that ran, compiling more code
 *
 * Measured (share/man/jweave-score.1 has the programs): the difference of CPU time, user and
 * system, between woven and unwoven runs. `jweave score --pair-cost` says the first part.
 */
#ifndef JW_TRACE_COST_H
#define JW_TRACE_COST_H

#include <stdint.h>

#define TRACE_PAIR_NS        45
#define TRACE_AROUND_CPU_NS  50
#define TRACE_METHOD_CPU_NS  3000000
#define TRACE_COMPILED_CALLS 200 /* from so many on HotSpot compiles a method */

/* ns of CPU time of CALLS of one method, whose probes cost PAIR_NS a call. */
static inline double trace_cpu_cost(double pair_ns, uint64_t calls)
{
	double compiled = calls >= TRACE_COMPILED_CALLS ? TRACE_METHOD_CPU_NS : 0;

	return (double)calls * (pair_ns + TRACE_AROUND_CPU_NS) + compiled;
}

struct trace_report;

/* Time inside traced methods of the threads that made the calls: others would only dilute it. */
double trace_cost_inside(const struct trace_report *report);
/* ALL without what tracing COST of it: where that is nearly all, the rest is not known any better. */
double trace_cost_without(double all, double cost);
/* What tracing added to that, as a share of it. */
double trace_cost_overhead(double all, double cost);

#endif
