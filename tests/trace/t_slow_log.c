/*
 * t_slow_log.c: which waits of a call are told as one.
 */
#include "tests/tap.h"
#include "trace/slowest/slow_log.h"

#include "base/banned.h"

static struct trace_slow_entry waited(uint64_t place, uint64_t site, uint64_t method,
				      uint64_t channel)
{
	return (struct trace_slow_entry){ .wait = { .how = TRACE_REPORT_FORCE,
						    .place = place,
						    .site = site,
						    .method = method,
						    .channel = channel,
						    .ns = 10 },
					  .count = 1,
					  .longest_ns = 10 };
}

/* The place is all that is told of where it was, also of calls that were recorded in part. */
TEST(one_line_for_a_place)
{
	struct trace_slow_entry list[] = { waited(3, 0, 5, 1), waited(3, 0, 6, 1),
					   waited(3, 7, 6, 1) };

	is_int(trace_slow_join(list, 3), 1);
	is_int(list[0].count, 3);
	is_int(list[0].wait.ns, 30);
	is_int(list[0].wait.channel, 1);
}

TEST(one_line_for_a_call_site)
{
	struct trace_slow_entry list[] = { waited(0, 7, 5, 0), waited(0, 7, 6, 0),
					   waited(0, 8, 6, 0) };

	is_int(trace_slow_join(list, 3), 2);
	is_int(list[0].count, 2);
}

TEST(else_for_a_method)
{
	struct trace_slow_entry list[] = { waited(0, 0, 5, 0), waited(0, 0, 6, 0),
					   waited(0, 0, 5, 0) };

	is_int(trace_slow_join(list, 3), 2);
	is_int(list[0].count, 2);
	is_int(list[0].wait.method, 5);
}

TEST(several_files_of_a_place_are_one)
{
	struct trace_slow_entry list[] = { waited(3, 0, 5, 1), waited(3, 0, 6, 2) };

	is_int(trace_slow_join(list, 2), 1);
	is_int(list[0].count, 2);
	is_int(list[0].wait.channel, 0);
}
