/*
 * t_lacks.c: what a trace lacks is in its .pcf, and is told by who reads it.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/paraver/paraver.h"
#include "trace/replay/profile.h"
#include "trace/report/report.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_report rep;

#define CPU "cpu|1000|1\ncpu|9000|5000"

static struct jw_span slurp(const char *base, const char *suffix)
{
	return jw_span_str(make_slurp(make_path("%s%s", base, suffix)));
}

/* The report of the trace BASE. */
static void read_trace(const char *base)
{
	struct jw_span prv = slurp(base, ".prv"), pcf = slurp(base, ".pcf"),
		       row = slurp(base, ".row");
	struct trace_reading *r = trace_reading_new(NULL);
	struct jw_err e = { 0 };

	ok(trace_reading_feed(r, prv, &e) == JW_OK);
	ok(trace_reading_finish(r, pcf, row, &arena, &rep, &e) == JW_OK);
	trace_reading_free(r);
	free((void *)(uintptr_t)prv.p);
	free((void *)(uintptr_t)pcf.p);
	free((void *)(uintptr_t)row.p);
}

/* One call, whose method has no name; killed and not whole, or not, with META; and then a trace. */
static void make_trace(const char *base, bool whole, const char *meta)
{
	struct make m = make_begin(base);

	make_event(&m, 1, MAKE_START + 2002, JWR_ENTER, 7);
	make_event(&m, 1, MAKE_START + 4002, JWR_EXIT, 7);
	make_meta(&m, "%s", meta);
	make_finish(&m, whole);
	const char *path = m.path;
	struct trace_summary sum = { 0 };
	struct jw_err e = { 0 };

	ok(make_convert(&path, 1, base, NULL, &arena, &sum, &e) == JW_OK);
	is_int(make_validate(base), 0);
}

TEST(what_a_trace_lacks)
{
	make_trace("lacks", false, "lost|1|1");
	read_trace("lacks");
	is_int(rep.warning_count, 3);
	ok(strncmp(rep.warnings[0], "1 of 1 methods has no name", 26) == 0);
	is_str(rep.warnings[1], "1 event was not recorded: the recording is not complete");
	is_str(rep.warnings[2], "the program did not end normally, or was still running: the trace "
				"ends where it was "
				"last seen");
	jw_arena_free(&arena);
}

TEST(what_a_whole_one_does_not)
{
	make_trace("whole", true, CPU);
	read_trace("whole");
	is_int(rep.warning_count, 1);
	is_int(rep.cpu_ns, 5000);
	jw_arena_free(&arena);
}

/* The CPU time of its process is of all of the run. */
TEST(what_has_stopped_tells_no_cpu_time)
{
	make_trace("stopped", true, CPU "\nstop|9000|disk full");
	read_trace("stopped");
	is_int(rep.warning_count, 2);
	ok(strstr(rep.warnings[0], "recording stopped before the program did: disk full") != NULL);
	is_int(rep.cpu_ns, 0);
	jw_arena_free(&arena);
}
