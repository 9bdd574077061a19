/* What `jweave info` says of a recording (info.h). */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include "trace/report/info.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_err err;

TEST(info)
{
	struct make m = make_begin("info");
	struct trace_recording_info info;
	struct trace_prv_info prv;

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, make_tick(500), "w");
	make_calls(&m, 1, 100, 10);
	make_calls(&m, 2, 600, 5);
	make_meta(&m, "note|hello\nmap|x.jar\nthread-end|2|%llu|w2",
		  (unsigned long long)make_tick(800));
	make_finish(&m, true);
	ok(trace_is_recording(m.path));
	ok(!trace_is_recording(make_folder()));
	is_int(trace_recording_info(m.path, &arena, &info, &err), JW_OK);
	is_str(info.host, "node1");
	is_int(info.events, 30);
	is_int(info.chunks, 2);
	is_int(info.bytes, JWR_ALIGN + sizeof(struct jwr_chunk) + 10 * sizeof(struct jwr_record));
	is_int(info.duration_ns, 1690);
	is_int(info.began_wall_ns, INT64_C(1763719200000000000));
	is_int(info.thread_count, 2);
	is_str(info.threads[1].name, "w"); /* "w2" was seen at its end alone */
	is_int(info.threads[1].start_ns, 500);
	is_int(info.threads[1].end_ns, 800);
	ok(info.threads[1].ended && !info.threads[0].ended);
	is_int(info.map_count, 1);
	is_int(info.warning_count, 1);

	const char *path = m.path;
	struct trace_summary sum = { 0 };

	is_int(make_convert(&path, 1, "info", NULL, &arena, &sum, &err), JW_OK);
	is_int(sum.calls, 15);
	is_int(trace_prv_info(make_path("info.prv"), &arena, &prv, &err), JW_OK);
	is_str(prv.date, "21/11/2025 at 10:00");
	is_int(prv.end_ns, 1691);
	is_int(prv.nodes, 1);
	is_int(prv.tasks, 1);
	is_int(prv.threads, 2);
	is_int(prv.states, 4);
	is_int(prv.events, 32);
	is_int(prv.pairs, 33); /* three of names */
	is_int(prv.calls, 15);
	is_int(prv.functions, 1);
	is_int(prv.thread_name_count, 2);
	is_str(prv.thread_names[1], "w");
	is_int(trace_prv_info(m.path, &arena, &prv, &err), JW_INPUT);
	ok(strstr(err.text, "\": the name of a trace ends in .prv") != NULL);
	jw_arena_free(&arena);
}
