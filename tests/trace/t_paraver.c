#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include <time.h>

#include "base/banned.h"

static const char *const storm[] = { "main([Ljava/lang/String;)V", "down(ILjava/lang/String;)I",
				     "<init>()V" };

static uint64_t storm_hash(void)
{
	return trace_class_hash(JW_SPAN_LIT("acme/exc/Storm"), 0);
}

static uint64_t id(uint16_t index)
{
	return jwr_method_id(storm_hash(), index);
}

/* Types that every .pcf has. */
#define ALWAYS_TOLD                                                               \
	"EVENT_TYPE\n0    48100023    Java call site\nVALUES\n0      End\n\n\n"   \
	"EVENT_TYPE\n0    48100024    Java method left by an exception\nVALUES\n" \
	"0      End\n1      By an exception\n\n\n"

static const char *storm_map(void)
{
	return make_map("storm.map", storm_hash(), "acme/exc/Storm", "Storm.java", storm, 3);
}

/* One thread that calls main { down { down } }, the inner one ending by an exception. */
static void small(struct make *m, uint32_t uid)
{
	make_event(m, uid, make_tick(1000), JWR_ENTER, id(0));
	make_event(m, uid, make_tick(2000), JWR_ENTER, id(1));
	make_event(m, uid, make_tick(2500), JWR_ENTER, id(1));
	make_event(m, uid, make_tick(3000), JWR_FAIL, id(1));
	make_event(m, uid, make_tick(3000), JWR_EXIT, id(1));
	make_event(m, uid, make_tick(4000), JWR_EXIT, id(0));
}

/* The file BASE.SUFFIX, compared as a whole, or from the line FROM on. */
static void is_file(const char *base, const char *suffix, const char *from, const char *want)
{
	char *text = make_slurp(make_path("%s%s", base, suffix));
	char *start = text && from ? strstr(text, from) : text;

	is_str(start, want);
	free(text);
}

static struct jw_arena arena;
static struct trace_summary sum;
static struct jw_err err;

static enum jw_status convert_one(const struct make *m, const char *base)
{
	const char *path = m->path;

	jw_arena_free(&arena);
	err = (struct jw_err){ 0 };
	sum = (struct trace_summary){ 0 };
	return make_convert(&path, 1, base, storm_map(), &arena, &sum, &err);
}

/* Does any warning hold TEXT? */
static bool warned(const char *text)
{
	for (size_t i = 0; i < sum.warning_count; i++)
		if (strstr(sum.warnings[i], text))
			return true;
	return false;
}

TEST(one_thread)
{
	struct make m = make_begin("one");

	make_thread(&m, 1, 0, "main");
	small(&m, 1);
	make_finish(&m, true);
	is_int(convert_one(&m, "one"), JW_OK);
	is_str(err.text, "");
	is_file("one", ".prv", NULL,
		"#Paraver (21/11/2025 at 10:00):5001_ns:1(1):1:1(1:1),0\n"
		"1:1:1:1:1:0:5001:1\n"
		"2:1:1:1:1:1001:60000019:1\n"
		"2:1:1:1:1:2001:60000019:2\n"
		"2:1:1:1:1:2501:60000019:2\n"
		"2:1:1:1:1:3001:48100024:1:60000019:0:60000019:0\n"
		"2:1:1:1:1:4001:60000019:0\n");
	is_file("one", ".pcf", "EVENT_TYPE",
		"EVENT_TYPE\n0    60000019    User function\nVALUES\n0      End\n"
		"1      Storm.main [acme.exc.Storm.main(java.lang.String[]):void Storm.java:10]\n"
		"2      Storm.down [acme.exc.Storm.down(int, java.lang.String):int Storm.java:20]\n"
		"\n\n" ALWAYS_TOLD);
	is_file("one", ".row", NULL,
		"LEVEL CPU SIZE 1\n1.node1\n\nLEVEL NODE SIZE 1\nnode1\n\n"
		"LEVEL THREAD SIZE 1\nmain\n");
	is_int(make_validate("one"), 0);
	is_int(sum.events, 6);
	is_int(sum.calls, 3);
	is_int(sum.inferred, 0);
	is_int(sum.dropped, 0);
	is_int(sum.unnamed, 0);
	is_int(sum.threads, 1);
	is_int(sum.methods, 2);
	is_int(sum.duration_ns, 5001);
	ok(sum.clean_end);
	is_int(sum.warning_count, 0);
}

TEST(profile)
{
	struct make m = make_begin("profile");

	small(&m, 1);
	make_meta(&m, "thread-cpu|1|250"); /* else it has waited in its calls */
	make_finish(&m, true);
	is_int(convert_one(&m, "profile"), JW_OK);
	is_int(sum.inside_ns, 250);
	is_int(sum.top_count, 2);
	is_str(sum.top[0].label, "Storm.down");
	is_int(sum.top[0].calls, 2);
	is_int(sum.top[0].exceptional, 1);
	is_int(sum.top[0].inclusive_ns, 1000); /* the inner call is part of the outer */
	is_int(sum.top[0].exclusive_ns, 1000);
	is_str(sum.top[1].label, "Storm.main");
	is_int(sum.top[1].inclusive_ns, 3000);
	is_int(sum.top[1].exclusive_ns, 2000);
}

TEST(lives_of_threads)
{
	struct make m = make_begin("lives");

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, make_tick(1500), "worker");
	make_thread(&m, 3, make_tick(6000), "late, without events");
	small(&m, 1);
	make_event(&m, 2, make_tick(2000), JWR_ENTER, id(2));
	make_event(&m, 2, make_tick(2600), JWR_EXIT, id(2));
	make_meta(&m, "thread-end|2|%llu|worker, renamed", (unsigned long long)make_tick(2600));
	make_event(&m, 1, make_tick(7000), JWR_ENTER, id(0)); /* it stays open */
	make_finish(&m, true);
	is_int(convert_one(&m, "lives"), JW_OK);
	is_file("lives", ".prv", NULL,
		"#Paraver (21/11/2025 at 10:00):8001_ns:1(3):1:1(3:1),0\n"
		"1:2:1:1:2:0:1501:2\n"
		"1:3:1:1:3:0:6001:2\n"
		"1:1:1:1:1:0:8001:1\n"
		"2:1:1:1:1:1001:60000019:1\n"
		"1:2:1:1:2:1501:2601:1\n"
		"2:2:1:1:2:1501:48100014:1\n"
		"2:1:1:1:1:2001:60000019:2\n"
		"2:2:1:1:2:2001:60000019:3\n"
		"2:1:1:1:1:2501:60000019:2\n"
		"2:2:1:1:2:2601:60000019:0:48100014:2:48100014:0\n"
		"1:2:1:1:2:2601:8001:2\n"
		"2:1:1:1:1:3001:48100024:1:60000019:0:60000019:0\n"
		"2:1:1:1:1:4001:60000019:0\n"
		"1:3:1:1:3:6001:8001:1\n"
		"2:1:1:1:1:7001:60000019:1\n"
		"2:1:1:1:1:8001:60000019:0\n");
	is_file("lives", ".row", "LEVEL THREAD",
		"LEVEL THREAD SIZE 3\nmain\nworker\nlate, without events\n");
	is_int(sum.inferred, 1);
	is_int(sum.inside_ns, 3000 + 600 + 1000);
	is_int(make_validate("lives"), 0);
}

TEST(ends_are_inferred)
{
	struct make m = make_begin("inferred");

	/* down(), down(), down() without exits, as after a StackOverflowError; then an exit that
	 * nothing began, and one of a method that never was */
	make_event(&m, 1, make_tick(1000), JWR_ENTER, id(0));
	for (int i = 0; i < 3; i++)
		make_event(&m, 1, make_tick(2000), JWR_ENTER, id(1));
	make_event(&m, 1, make_tick(3000), JWR_EXIT, id(0));
	make_event(&m, 1, make_tick(3500), JWR_EXIT, id(1));
	make_event(&m, 1, make_tick(3600), JWR_FAIL, id(2));
	make_finish(&m, true);
	is_int(convert_one(&m, "inferred"), JW_OK);
	is_file("inferred", ".prv", "2:",
		"2:1:1:1:1:1001:60000019:1\n"
		"2:1:1:1:1:2001:60000019:2:60000019:2:60000019:2\n"
		"2:1:1:1:1:3001:60000019:0:60000019:0:60000019:0:60000019:0\n");
	is_int(sum.inferred, 3);
	is_int(sum.dropped, 2);
	is_int(make_validate("inferred"), 0);
}

TEST(a_line_has_at_most_1024_pairs)
{
	struct make m = make_begin("pairs");

	for (int i = 0; i < 3000; i++)
		make_event(&m, 1, make_tick(1000), JWR_ENTER, id(1));
	make_finish(&m, false);
	is_int(convert_one(&m, "pairs"), JW_OK);
	is_int(sum.calls, 3000);
	is_int(sum.inferred, 3000);
	is_int(make_validate("pairs"), 0);
}

TEST(times_never_fall_on_a_thread)
{
	struct make m = make_begin("fall");

	make_event(&m, 1, make_tick(2000), JWR_ENTER, id(0));
	make_event(&m, 1, make_tick(1990), JWR_ENTER, id(1));
	make_event(&m, 1, make_tick(2100), JWR_EXIT, id(1));
	make_event(&m, 1, make_tick(2050), JWR_EXIT, id(0));
	make_finish(&m, true);
	is_int(convert_one(&m, "fall"), JW_OK);
	is_file("fall", ".prv", "2:",
		"2:1:1:1:1:2001:60000019:1:60000019:2\n"
		"2:1:1:1:1:2101:60000019:0:60000019:0\n");
	is_int(make_validate("fall"), 0);
}

/* A and B on one host share its monotonic clock; C's began 9 s earlier, by the wall clock it starts
 * 3 us after A. */
static void record_three(struct make *a, struct make *b, struct make *c)
{
	small(a, 1);
	make_finish(a, true);
	make_meta(b, "pid|200");
	small(b, 1);
	small(b, 2);
	make_finish(b, true);
	fclose(c->meta);
	remove(make_path("two-c.jwr/meta"));
	c->meta = fopen(make_path("two-c.jwr/meta"), "wb");
	c->mono_start += UINT64_C(9000000000);
	c->wall_start += 3000;
	make_meta(c, "jweave-recording|1\nclock|tsc\nclock-point|%u|%llu|%llu\nhost|node2\npid|7",
		  MAKE_START, (unsigned long long)c->mono_start, (unsigned long long)c->wall_start);
	small(c, 1);
	make_finish(c, true);
}

TEST(several_processes_and_hosts)
{
	struct make a = make_begin("two-a"), b = make_begin("two-b"), c = make_begin("two-c");
	const char *paths[] = { a.path, b.path, c.path };

	record_three(&a, &b, &c);
	jw_arena_free(&arena);
	is_int(make_convert(paths, 3, "two", storm_map(), &arena, &sum, &err), JW_OK);
	is_file("two", ".prv", NULL,
		"#Paraver (21/11/2025 at 10:00):8001_ns:2(3,1):1:3(1:1,2:1,1:2),0\n"
		"1:3:1:2:2:0:1001:2\n"
		"1:4:1:3:1:0:3001:2\n"
		"1:1:1:1:1:0:5001:1\n"
		"1:2:1:2:1:0:5001:1\n"
		"1:3:1:2:2:1001:5001:1\n"
		"2:1:1:1:1:1001:60000019:1\n"
		"2:2:1:2:1:1001:60000019:1\n"
		"2:3:1:2:2:1001:60000019:1\n"
		"2:1:1:1:1:2001:60000019:2\n"
		"2:2:1:2:1:2001:60000019:2\n"
		"2:3:1:2:2:2001:60000019:2\n"
		"2:1:1:1:1:2501:60000019:2\n"
		"2:2:1:2:1:2501:60000019:2\n"
		"2:3:1:2:2:2501:60000019:2\n"
		"1:4:1:3:1:3001:8001:1\n"
		"2:1:1:1:1:3001:48100024:1:60000019:0:60000019:0\n"
		"2:2:1:2:1:3001:48100024:1:60000019:0:60000019:0\n"
		"2:3:1:2:2:3001:48100024:1:60000019:0:60000019:0\n"
		"2:1:1:1:1:4001:60000019:0\n"
		"2:2:1:2:1:4001:60000019:0\n"
		"2:3:1:2:2:4001:60000019:0\n"
		"2:4:1:3:1:4001:60000019:1\n"
		"2:4:1:3:1:5001:60000019:2\n"
		"1:1:1:1:1:5001:8001:2\n"
		"1:2:1:2:1:5001:8001:2\n"
		"1:3:1:2:2:5001:8001:2\n"
		"2:4:1:3:1:5501:60000019:2\n"
		"2:4:1:3:1:6001:48100024:1:60000019:0:60000019:0\n"
		"2:4:1:3:1:7001:60000019:0\n");
	is_file("two", ".row", NULL,
		"LEVEL CPU SIZE 4\n1.node1\n2.node1\n3.node1\n4.node2\n\n"
		"LEVEL NODE SIZE 2\nnode1\nnode2\n\n"
		"LEVEL TASK SIZE 3\nnode1:100\nnode1:200\nnode2:7\n\n"
		"LEVEL THREAD SIZE 4\nunnamed 1\nunnamed 1\nunnamed 2\nunnamed 1\n");
	is_int(make_validate("two"), 0);
}

TEST(ranks_order_tasks)
{
	struct make a = make_begin("rank-a"), b = make_begin("rank-b");
	const char *paths[] = { a.path, b.path };

	make_meta(&a, "rank|1\nthread|1|0|0|1|1|-|second");
	small(&a, 1);
	make_finish(&a, true);
	make_meta(&b, "rank|0\nthread|1|0|0|1|1|-|first");
	small(&b, 1);
	make_finish(&b, true);
	jw_arena_free(&arena);
	is_int(make_convert(paths, 2, "rank", NULL, &arena, &sum, &err), JW_OK);
	is_file("rank", ".row", "LEVEL TASK",
		"LEVEL TASK SIZE 2\nrank 0\nrank 1\n\n"
		"LEVEL THREAD SIZE 2\nfirst\nsecond\n");
	is_int(make_validate("rank"), 0);
}

TEST(odd_names)
{
	struct make m = make_begin("odd");
	const char *names[] = { "",
				"two\nlines",
				"LEVEL\tTHREAD",
				" blanks ",
				"\xff\xfe",
				"w\xc3\xb6rker \xe2\x98\x95",
				"\x1b[31mred",
				"back\\slash",
				"\xc2\x85\xe2\x80\xa8" };

	for (uint32_t i = 0; i < 9; i++) {
		make_thread(&m, i + 1, 0, names[i]);
		small(&m, i + 1);
	}
	make_finish(&m, true);
	is_int(convert_one(&m, "odd"), JW_OK);
	is_file("odd", ".row", "LEVEL THREAD",
		"LEVEL THREAD SIZE 9\nunnamed 1\ntwo lines\nLEVEL THREAD\nblanks\n"
		"\xef\xbf\xbd\xef\xbf\xbd\nw\xc3\xb6rker \xe2\x98\x95\n[31mred\nback\\slash\n"
		"unnamed 9\n");
	is_int(make_validate("odd"), 0);
}

TEST(unnamed_methods)
{
	struct make m = make_begin("unnamed");

	make_event(&m, 1, make_tick(1), JWR_ENTER, UINT64_C(0xabcdef01234567));
	make_event(&m, 1, make_tick(2), JWR_EXIT, UINT64_C(0xabcdef01234567));
	make_finish(&m, true);
	is_int(convert_one(&m, "unnamed"), JW_OK);
	is_file("unnamed", ".pcf", "0      End",
		"0      End\n1      unknown 0xabcdef01234567\n\n\n" ALWAYS_TOLD
		"EVENT_TYPE\n0    48100043    Java trace, what it lacks\nVALUES\n0      End\n"
		"1      1 of 1 methods has no name (shown as 'unknown 0x...'): name the woven jar "
		"with --map\n\n\n");
	is_int(sum.unnamed, 1);
	ok(warned("--map"));
	is_int(make_validate("unnamed"), 0);
}

TEST(ten_thousand_threads)
{
	struct make m = make_begin("many");
	char *text;

	for (uint32_t i = 1; i <= 10000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "t%u", i);
		make_thread(&m, i, make_tick(i * 100), name);
		make_event(&m, i, make_tick(i * 100 + 10), JWR_ENTER, id(0));
		make_event(&m, i, make_tick(i * 100 + 90), JWR_EXIT, id(0));
		make_meta(&m, "thread-end|%u|%llu|%s", i,
			  (unsigned long long)make_tick(i * 100 + 95), name);
	}
	make_finish(&m, true);
	is_int(convert_one(&m, "many"), JW_OK);
	is_int(sum.threads, 10000);
	is_int(sum.calls, 10000);
	text = make_slurp(make_path("many.row"));
	ok(text && strstr(text, "\nt1\n") && strstr(text, "\nt10000\n"));
	free(text);
	is_int(make_validate("many"), 0);
}

/* Threads that have a line in meta alone: no data needed for so many. */
static void many_rows(const char *name, uint32_t n)
{
	struct make m = make_begin(name);

	for (uint32_t i = 1; i <= n; i++)
		make_meta(&m, "thread|%u|0|0|1|1|-|", i);
	small(&m, 1);
	make_finish(&m, true);
	is_int(convert_one(&m, name), JW_OK);
}

TEST(rows_have_a_limit)
{
	char *text;

	many_rows("rows-256", 256);
	text = make_slurp(make_path("rows-256.prv"));
	ok(text && strstr(text, ":5001_ns:1(256):1:1(256:1),0\n"));
	ok(text && strstr(text, "\n2:1:1:1:1:1001:"));
	free(text);
	text = make_slurp(make_path("rows-256.row"));
	ok(text && strstr(text, "LEVEL CPU SIZE 256\n001.node1\n"));
	free(text);
	is_int(make_validate("rows-256"), 0);
	many_rows("rows-257", 257);
	text = make_slurp(make_path("rows-257.prv"));
	ok(text && strstr(text, ":5001_ns:0:1:1(257:0),0\n"));
	free(text);
	is_int(make_validate("rows-257"), 0);
	many_rows("rows-35", 65535);
	text = make_slurp(make_path("rows-35.prv"));
	ok(text && strstr(text, ":5001_ns:0:1:1(65535:0),0\n"));
	ok(text && strstr(text, "\n2:0:1:1:1:1001:"));
	free(text);
	is_int(sum.warning_count, 0);
	is_int(make_validate("rows-35"), 0);
	many_rows("rows-36", 65536);
	is_int(sum.threads, 65535);
	ok(warned("1 more, the last, is left out with all events"));
}

TEST(no_events)
{
	struct make m = make_begin("none"), n = make_begin("some"), p = make_begin("paused");
	const char *paths[] = { m.path, n.path };

	make_finish(&m, true);
	small(&n, 1);
	make_finish(&n, true);
	is_int(convert_one(&m, "none"), JW_INPUT);
	ok(strstr(err.text, "no event was recorded: did any"));
	make_meta(&p, "pause|%llu", (unsigned long long)make_tick(1));
	make_finish(&p, true);
	is_int(convert_one(&p, "paused"), JW_INPUT);
	ok(strstr(err.text, "no event was recorded: recording was paused"));
	jw_arena_free(&arena);
	ok(!make_slurp(make_path("none.prv")) && !make_slurp(make_path("none.pcf")));
	jw_arena_free(&arena);
	is_int(make_convert(paths, 2, "some", NULL, &arena, &sum, &err), JW_OK);
	ok(warned("holds no event"));
	is_int(make_validate("some"), 0);
}

TEST(no_recording)
{
	const char *path = make_path("nowhere.jwr");

	jw_arena_free(&arena);
	is_int(make_convert(&path, 1, "no", NULL, &arena, &sum, &err), JW_INPUT);
	ok(strstr(err.text, "nowhere.jwr\": No such file"));
	path = storm_map();
	is_int(make_convert(&path, 1, "no", NULL, &arena, &sum, &err), JW_INPUT);
	ok(strstr(err.text, "not a folder"));
	path = make_folder();
	is_int(make_convert(&path, 1, "no", NULL, &arena, &sum, &err), JW_INPUT);
	ok(strstr(err.text, "no 'meta' and no 'data'"));
}

static double seen;
static int calls;

static void see(void *ctx, double done, double all)
{
	ok(ctx == &seen && done >= seen && done <= all && all >= 300000 * 16);
	seen = done;
	calls++;
}

TEST(progress_and_a_missing_map)
{
	struct make m = make_begin("progress");
	const char *path = m.path, *maps[] = { make_path("not-there.jar"), storm_map() };
	struct trace_job job = { .recordings = &path,
				 .recording_count = 1,
				 .maps = maps,
				 .map_count = 2,
				 .progress = see,
				 .progress_ctx = &seen };

	for (uint64_t i = 0; i < 300000; i++)
		make_event(&m, 1, make_tick(i), i % 2 ? JWR_EXIT : JWR_ENTER, id(1));
	make_finish(&m, true);
	jw_arena_free(&arena);
	is_int(make_convert_job(&job, "progress", &arena, &sum, &err), JW_OK);
	ok(calls >= 2 && seen >= 300000 * 16);
	is_int(sum.calls, 150000);
	ok(warned("not-there.jar: no method map in it"));
}

TEST(calls_deeper_than_the_limit)
{
	const uint64_t limit = UINT64_C(1) << 20;

	for (uint64_t more = 0; more < 3; more++) {
		struct make m = make_begin("deep");

		for (uint64_t i = 0; i < limit + more; i++)
			make_event(&m, 1, make_tick(1000 + i), JWR_ENTER, id(1));
		for (uint64_t i = 0; i < limit + more; i++)
			make_event(&m, 1, make_tick(2000 + limit + i), JWR_EXIT, id(1));
		make_finish(&m, true);
		is_int(convert_one(&m, "deep"), JW_OK);
		is_int(sum.calls, limit);
		is_int(sum.inferred, 0);
		is_int(sum.dropped, 0);
		is_int(warned("1 call nested too deep to be shown, left out"), more == 1);
		is_int(warned("2 calls nested too deep to be shown, left out"), more == 2);
		is_int(sum.top[0].inclusive_ns, limit + 1000 + limit - 1 + more);
	}
}

TEST(more_methods_than_the_limit)
{
	for (uint64_t more = 0; more < 3; more++) {
		struct make m = make_begin("many");
		const char *path = m.path;
		struct trace_job job = { .recordings = &path, .recording_count = 1, .methods = 10 };

		for (uint64_t i = 0; i < 10 + more; i++) {
			make_event(&m, 1, make_tick(1000 + 10 * i), JWR_ENTER, id((uint16_t)i));
			make_event(&m, 1, make_tick(1005 + 10 * i), JWR_EXIT, id((uint16_t)i));
		}
		make_finish(&m, true);
		jw_arena_free(&arena);
		is_int(make_convert_job(&job, "many", &arena, &sum, &err), JW_OK);
		is_int(sum.methods, 10);
		is_int(sum.calls, 10);
		is_int(warned("1 call of more methods than a trace can hold, left out"), more == 1);
		is_int(warned("2 calls of more methods than a trace can hold, left out"),
		       more == 2);
		is_int(make_validate("many"), 0);
	}
}

/* The file becomes shorter between the two readings of it. */
static void cut_short(void *ctx, double done, double all)
{
	(void)all;
	if (done > 0) /* at its beginning nothing is read yet */
		is_int(truncate(ctx, 64), 0);
}

TEST(records_that_are_gone_when_they_are_read_again)
{
	for (unsigned threads = 1; threads < 3; threads++) {
		struct make m = make_begin("gone");
		const char *path = m.path;
		char data[600];
		struct trace_job job = { .recordings = &path,
					 .recording_count = 1,
					 .progress = cut_short,
					 .progress_ctx = data };

		for (uint32_t uid = 1; uid <= threads; uid++)
			for (uint64_t i = 0; i < 300000; i++)
				make_event(&m, uid, make_tick(i), i % 2 ? JWR_EXIT : JWR_ENTER,
					   id(1));
		make_finish(&m, true);
		snprintf(data, sizeof(data), "%s/data", m.path);
		jw_arena_free(&arena);
		is_int(make_convert_job(&job, "gone", &arena, &sum, &err), JW_OK);
		is_int(warned("1 thread whose records could not be read to their end"),
		       threads == 1);
		is_int(warned("2 threads whose records could not be read to their end"),
		       threads == 2);
	}
}

/* Exits of a method that is not open but shares its slot with one that is, 200,000 frames deep:
 * searching for each would take minutes. */
TEST(searching_in_vain_is_bounded)
{
	struct make m = make_begin("vain");
	clock_t began;

	for (uint16_t i = 0; i <= 256; i++) {
		make_event(&m, 1, make_tick(i), JWR_ENTER, id(i));
		make_event(&m, 1, make_tick(i), JWR_EXIT, id(i));
	}
	for (uint64_t i = 0; i < 200000; i++)
		make_event(&m, 1, make_tick(1000 + i), JWR_ENTER, id(0));
	for (uint64_t i = 0; i < 200000; i++)
		make_event(&m, 1, make_tick(300000 + i), JWR_EXIT, id(256));
	for (uint64_t i = 0; i < 200000; i++)
		make_event(&m, 1, make_tick(600000 + i), JWR_EXIT, id(0));
	make_finish(&m, true);
	began = clock();
	is_int(convert_one(&m, "vain"), JW_OK);
	ok((clock() - began) / CLOCKS_PER_SEC < 5);
	is_int(sum.dropped, 200000);
	is_int(sum.inferred, 0);
	is_int(sum.calls, 200257);
}
