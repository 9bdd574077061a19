/*
 * Calls that had no room to tell of their end, in recordings made by hand.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/report/info.h"

#include "base/banned.h"

#define T 1000000

static uint64_t method(uint16_t index)
{
	return jwr_method_id(0x1234567890, index);
}

TEST(calls_that_ended_untold_end_at_the_next_one)
{
	struct make m = make_begin("depth");

	/* main(), down() five times, of which two have no exit; then one of another method */
	make_event(&m, 1, T + 1000, JWR_ENTER, method(0));
	for (int i = 0; i < 5; i++)
		make_event(&m, 1, T + 2000, JWR_ENTER, method(1));
	make_event(&m, 1, T + 3000, JWR_FAIL, method(1));
	make_event(&m, 1, T + 4000, JWR_DEPTH, jwr_depth(2, method(1)));
	make_event(&m, 1, T + 4000, JWR_FAIL, method(1));
	make_event(&m, 1, T + 5000, JWR_FAIL, method(1));
	make_event(&m, 1, T + 6000, JWR_DEPTH, jwr_depth(0, method(1)));
	make_event(&m, 1, T + 6000, JWR_ENTER, method(2));
	make_event(&m, 1, T + 7000, JWR_DEPTH, jwr_depth(5, method(2)));
	make_event(&m, 1, T + 7000, JWR_EXIT, method(2));
	make_event(&m, 1, T + 8000, JWR_EXIT, method(0));
	make_finish(&m, true);
	static struct jw_arena arena;
	struct trace_summary sum = { 0 };
	struct jw_err e = { 0 };
	const char *path = make_path("depth.jwr");
	struct trace_job job = { .recordings = &path, .recording_count = 1 };

	is_int(make_convert_job(&job, "depth", &arena, &sum, &e), JW_OK);
	is_int(make_validate("depth"), 0);
	is_int(sum.calls, 7);
	is_int(sum.inferred, 2);
	is_int(sum.dropped, 0);
	char *prv = make_slurp(make_path("depth.prv"));
	const char *ends = strstr(prv, "2:1:1:1:1:1501:");

	is_str(ends ? ends : "",
	       "2:1:1:1:1:1501:48100024:1:60000019:0\n"
	       "2:1:1:1:1:2001:48100024:1:60000019:0:48100024:1:60000019:0:48100024:1:60000019:0\n"
	       "2:1:1:1:1:2501:48100024:1:60000019:0\n"
	       "2:1:1:1:1:3001:60000019:3\n"
	       "2:1:1:1:1:3501:60000019:0\n"
	       "2:1:1:1:1:4001:60000019:0\n");
	free(prv);
}
