/*
 * cost.h: what tracing costs, by what a recording counts.
 *
 *     in its thread   the two probes of a call: what lies between other events is longer by it
 *     of the CPU      that; writing 32 bytes; what the compiler no longer makes of code with probes
 * in it (inlining); and of each method that ran, compiling more code
 *
 * Measured (share/man/jweave-score.1 has the programs): the difference of CPU time, user and
 * system, between woven and unwoven runs. `jweave score --pair-cost` says the first part.
 */
#ifndef JW_TRACE_COST_H
#define JW_TRACE_COST_H

#include <stdint.h>

#define TRACE_PAIR_NS       45
#define TRACE_AROUND_CPU_NS 60
#define TRACE_METHOD_CPU_NS 1500000

/* ns of CPU time of CALLS of METHODS methods, whose probes cost PAIR_NS a call. */
static inline double trace_cpu_cost(double pair_ns, uint64_t calls, uint64_t methods)
{
	return (double)calls * (pair_ns + TRACE_AROUND_CPU_NS) +
	       (double)methods * TRACE_METHOD_CPU_NS;
}

#endif
