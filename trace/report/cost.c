/*
 * cost.c: see cost.h.
 */
#include "trace/report/cost.h"

#include "trace/report/report.h"

#include "base/banned.h"

#define BUSY_SHARE 100 /* a thread counts as busy with a hundredth of all calls */

double trace_cost_inside(const struct trace_report *r)
{
	double inside = 0;

	for (size_t i = 0; i < r->thread_count; i++)
		if (r->threads[i].calls >= r->calls / BUSY_SHARE)
			inside += (double)r->threads[i].inside_ns;
	return inside;
}

double trace_cost_without(double all, double cost)
{
	return all - cost > all / 20 ? all - cost : all / 20 + 1;
}

double trace_cost_overhead(double all, double cost)
{
	return cost / trace_cost_without(all, cost);
}
