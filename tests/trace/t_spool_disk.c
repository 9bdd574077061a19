/*
 * t_spool_disk.c: a trace whose lists do not fit into memory is the same as one whose lists do.
 *
 * Slow: 4 s, two traces of 60,000 waits.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/paraver/paraver.h"

#include "base/banned.h"

/* 3 threads that wait 20,000 times each, at all distances. */
static void record_waits(struct make *m)
{
	uint64_t tick = MAKE_START;

	for (uint32_t t = 1; t <= 3; t++)
		make_thread(m, t, 0, "waiter");
	for (uint32_t i = 0; i < 60000; i++) {
		uint32_t t = 1 + i % 3;

		tick += 400 + tap_below(tap_below(3) ? 100 : 1000000);
		make_event(m, t, tick, JWR_WAIT, 77);
		make_event(m, t, tick + 4 + tap_below(1100), JWR_WAITED, 77);
	}
	make_finish(m, true);
}

TEST(a_trace_is_the_same_from_memory_and_from_disk)
{
	struct make m = make_begin("waits");
	char *text[2] = { 0 };

	record_waits(&m);
	const char *path = m.path;

	for (size_t i = 0; i < 2; i++) {
		struct trace_job job = { .recordings = &path, .recording_count = 1, .memory = i };
		char base[32];
		struct jw_arena arena = { 0 };
		struct trace_summary sum;
		struct jw_err e = { 0 };

		snprintf(base, sizeof(base), "waits-%zu", i);
		is_int(make_convert_job(&job, base, &arena, &sum, &e), JW_OK);
		jw_arena_free(&arena);
		text[i] = make_slurp(make_path("waits-%zu.prv", i));
	}
	ok(text[0] && text[1] && strlen(text[0]) > 3000000 && strcmp(text[0], text[1]) == 0);
	is_int(make_validate("waits-1"), 0);
	free(text[0]);
	free(text[1]);
}
