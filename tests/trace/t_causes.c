/*
 * t_causes.c: medians of others.
 */
#include "tests/tap.h"
#include "trace/engine/causes.h"

#include "base/banned.h"

TEST(medians_without_one)
{
	static const uint64_t sorted[] = { 1, 1, 2, 5, 9, 9, 20 };

	is_int(trace_median_without(sorted, 7, false, 0), 5);
	is_int(trace_median_without(sorted, 7, true, 5), (2 + 9) / 2);
	is_int(trace_median_without(sorted, 7, true, 1), (5 + 9) / 2);
	is_int(trace_median_without(sorted, 7, true, 20), (2 + 5) / 2);
	is_int(trace_median_without(sorted, 2, true, 1), 1);
	is_int(trace_median_without(sorted, 1, true, 1), 0);
	is_int(trace_median_without(sorted, 0, false, 1), 0);
	is_int(trace_median_without((const uint64_t[]){ 3, UINT64_MAX }, 2, false, 0),
	       3 + (UINT64_MAX - 3) / 2);
}
