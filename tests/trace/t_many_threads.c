/*
 * The limit on threads of a Paraver trace: one below, at, and one above it. The rows of threads
 * that find no room are left out, and it is said how many.
 *
 * Slow: 8 s, three recordings of 65,535 threads.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/format/recording.h"
#include "trace/replay/world.h"
#include "trace/paraver/paraver.h"

#include "base/banned.h"

#define METHOD jwr_method_id(0x1234567890, 0)

/* A recording of N threads, each of which calls one method once. */
static void make_threads(const char *name, uint32_t n)
{
	struct make m = make_begin(name);

	for (uint32_t uid = 1; uid <= n; uid++) {
		make_thread(&m, uid, 0, "worker");
		/* (one thread after the other: the maker looks through all that it has) */
		if (m.thread_count)
			m.threads[0].uid = uid, m.threads[0].seq = 0;
		make_event(&m, uid, MAKE_START + 100, JWR_ENTER, METHOD);
		make_event(&m, uid, MAKE_START + 200, JWR_EXIT, METHOD);
		make_chunk(&m, uid);
	}
	make_finish(&m, true);
}

static void holds(uint32_t threads, uint64_t left_out)
{
	struct trace_summary summary = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err e = { 0 };
	char name[32], want[200];

	snprintf(name, sizeof(name), "threads%u", threads);
	make_threads(name, threads);
	const char *path = make_path("%s.jwr", name);

	if (!ok(make_convert(&path, 1, name, NULL, &arena, &summary, &e) == JW_OK))
		tap_note("%s", e.text);
	is_int(summary.threads, threads - left_out);
	is_int(summary.calls, threads - left_out);
	if (left_out)
		is_int(make_validate(name), 0);
	/* besides the one that says that the method has no name */
	is_int(summary.warning_count, left_out ? 2 : 1);
	snprintf(want, sizeof(want),
		 "a Paraver trace holds at most 65535 threads: %llu more, the last, %s left out "
		 "with all events",
		 (unsigned long long)left_out, left_out == 1 ? "is" : "are");
	if (left_out)
		is_str(summary.warnings[0], want);
	jw_arena_free(&arena);
}

TEST(as_many_threads_as_paraver_takes)
{
	holds(TRACE_MAX_ROWS - 1, 0);
	holds(TRACE_MAX_ROWS, 0);
	holds(TRACE_MAX_ROWS + 1, 1);
}
