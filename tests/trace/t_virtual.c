/*
 * Virtual threads, pauses and monitors, in recordings made by hand.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/report/info.h"

#include "base/banned.h"

#define H 0x1234567890
#define T 1000000

static uint64_t method(uint16_t index)
{
	return jwr_method_id(H, index);
}

static void pair(struct make *m, uint32_t uid, uint64_t tick, uint16_t index)
{
	make_event(m, uid, tick, JWR_ENTER, method(index));
	make_event(m, uid, tick + 100, JWR_EXIT, method(index));
}

static struct trace_summary summary;

/* Converts NAME with LANES lanes; the text of SUFFIX, to be freed. */
static char *convert(const char *name, uint32_t lanes, const char *suffix)
{
	static struct jw_arena arena;
	struct jw_err e = { 0 };
	const char *path = make_path("%s.jwr", name);
	struct trace_job job = { .recordings = &path, .recording_count = 1, .lanes = lanes };

	memset(&summary, 0, sizeof(summary));
	if (!ok(make_convert_job(&job, name, &arena, &summary, &e) == JW_OK))
		tap_note("%s", e.text);
	is_int(make_validate(name), 0);
	return make_slurp(make_path("%s%s", name, suffix));
}

static int count(const char *text, const char *what)
{
	int n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

TEST(a_virtual_thread_moves_between_carriers)
{
	struct make m = make_begin("moves");

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "carrier A");
	make_thread(&m, 3, 0, "carrier B");
	make_meta(&m, "virtual|77|wanderer");
	pair(&m, 1, T + 100, 0);
	make_event(&m, 2, T + 1000, JWR_SWITCH, 77);
	make_event(&m, 2, T + 1000, JWR_ENTER, method(1));
	make_event(&m, 3, T + 3000, JWR_SWITCH, 77);
	make_event(&m, 3, T + 3000, JWR_ENTER, method(2));
	make_event(&m, 3, T + 4000, JWR_EXIT, method(2));
	make_event(&m, 2, T + 5000, JWR_EXIT, method(1)); /* A had run nobody else */
	make_event(&m, 2, T + 6000, JWR_END, 77);
	make_finish(&m, true);
	char *row = convert("moves", 0, ".row"), *prv = make_slurp(make_path("moves.prv"));

	ok(strstr(row, "LEVEL THREAD SIZE 2\nmain\nwanderer\n"));
	is_int(summary.threads, 2);
	is_int(summary.calls, 3);
	is_int(summary.inferred + summary.dropped, 0);
	ok(strstr(prv, "2:2:1:1:2:501:60000019:2\n"));
	ok(strstr(prv, "1:2:1:1:2:501:3001:1\n"));
	ok(strstr(prv, "2:2:1:1:2:2501:60000019:0\n"));
	free(row);
	free(prv);
}

TEST(a_carrier_keeps_what_is_its_own)
{
	struct make m = make_begin("own");

	make_thread(&m, 2, 0, "carrier");
	make_event(&m, 2, T + 1000, JWR_ENTER, method(0));
	make_event(&m, 2, T + 2000, JWR_SWITCH, 5);
	make_event(&m, 2, T + 2000, JWR_ENTER, method(1));
	make_event(&m, 2, T + 3000, JWR_SWITCH, 0);
	make_event(&m, 2, T + 3000, JWR_EXIT, method(0));
	make_event(&m, 2, T + 4000, JWR_END, 5); /* its frame is closed, and counted */
	make_finish(&m, true);
	char *row = convert("own", 0, ".row");

	ok(strstr(row, "LEVEL THREAD SIZE 2\ncarrier\nvirtual 1\n"));
	is_int(summary.inferred, 1);
	is_int(summary.calls, 2);
	free(row);
}

/* N at a time on CAP lanes, three rounds; 0 to show that lanes are recycled. */
static void rounds(const char *name, int n)
{
	struct make m = make_begin(name);
	uint64_t id = 100, tick = T;

	make_thread(&m, 2, 0, "carrier");
	for (int round = 0; round < 3; round++, id += (uint64_t)n) {
		for (int step = 0; step < 3; step++) {
			for (int i = 0; i < n; i++) {
				uint64_t one = id + (uint64_t)i;

				tick += 200;
				if (step < 2)
					make_event(&m, 2, tick, JWR_SWITCH, one);
				make_event(&m, 2, tick + 20,
					   step == 0   ? JWR_ENTER
					   : step == 1 ? JWR_EXIT
						       : JWR_END,
					   step == 2 ? one : method(0));
			}
		}
	}
	make_finish(&m, true);
}

TEST(lanes_are_recycled_and_limited)
{
	static const struct {
		int n, rows, shown_calls, without;
		const char *shared;
	} cases[] = { { 1, 3, 3, 0, NULL },
		      { 3, 4, 9, 0, "9 virtual threads have 4 rows, one after another" },
		      { 4, 4, 12, 0, "12 virtual threads have 4 rows, one after another" },
		      { 5, 5, 15, 3, "12 virtual threads have 4 rows, one after another" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char name[32], size[64];

		snprintf(name, sizeof(name), "rounds%d", cases[i].n);
		rounds(name, cases[i].n);
		char *prv = convert(name, 4, ".prv");
		char *row = make_slurp(make_path("%s.row", name));

		snprintf(size, sizeof(size), "LEVEL THREAD SIZE %d\nvirtual 1\n", cases[i].rows);
		ok(strstr(row, size));
		is_int(count(prv, ":60000019:1"), cases[i].shown_calls);
		is_int(count(prv, ":60000019:0"), cases[i].shown_calls);
		is_int(summary.calls, 3 * cases[i].n);
		is_int(summary.threads, 3 * cases[i].n);
		is_int(strstr(row, "virtual (more)\n") != NULL, cases[i].without > 0);
		is_int(count(prv, ":48100003:1"), cases[i].without);
		bool said = false, shared = false;
		for (size_t k = 0; k < summary.warning_count; k++)
			said |= strstr(summary.warnings[k], "found all 4 rows taken") != NULL;
		is_int(said, cases[i].without > 0);
		for (size_t k = 0; k < summary.warning_count; k++)
			shared |=
				cases[i].shared
					? strstr(summary.warnings[k], cases[i].shared) != NULL
					: strstr(summary.warnings[k], "one after another") != NULL;
		is_int(shared, cases[i].shared != NULL);
		free(prv);
		free(row);
	}
}

/* One record of the virtual thread ID, on carrier 2. */
static void of_virtual(struct make *m, uint64_t id, uint64_t tick, enum jwr_kind kind,
		       uint64_t payload)
{
	make_event(m, 2, tick, JWR_SWITCH, id);
	make_event(m, 2, tick, kind, payload);
}

/* 101 and 102 share a row, and the call that an exception ends is not the innermost one there. */
TEST(an_exception_ends_its_own_call_on_a_shared_row)
{
	struct make m = make_begin("thrown");

	make_thread(&m, 2, 0, "carrier");
	of_virtual(&m, 100, T, JWR_ENTER, method(0));
	of_virtual(&m, 101, T + 1000, JWR_ENTER, method(1));
	of_virtual(&m, 102, T + 2000, JWR_ENTER, method(2));
	of_virtual(&m, 101, T + 3000, JWR_FAIL, method(1));
	of_virtual(&m, 102, T + 4000, JWR_EXIT, method(2));
	of_virtual(&m, 101, T + 5000, JWR_END, 101);
	of_virtual(&m, 102, T + 6000, JWR_END, 102);
	of_virtual(&m, 100, T + 7000, JWR_EXIT, method(0));
	make_finish(&m, true);
	char *prv = convert("thrown", 1, ".prv");

	/* two frames end when the inner one does, the outer one by the exception */
	ok(strstr(prv, ":1001:48100003:2:60000019:3\n"));
	ok(strstr(prv, ":2001:60000019:0:48100024:1:60000019:0\n"));
	free(prv);
}

/* Each of N calls begins before the one before it ends: none is alone on the row. */
static void chain(const char *name, uint64_t n)
{
	struct make m = make_begin(name);

	make_thread(&m, 2, 0, "carrier");
	of_virtual(&m, 1, T, JWR_ENTER, method(0));
	for (uint64_t i = 0; i <= n; i++) {
		uint64_t tick = T + 100 + i * 100;

		if (i < n)
			of_virtual(&m, 100 + i, tick, JWR_ENTER, method((uint16_t)(1 + i % 3)));
		if (i > 0)
			of_virtual(&m, 99 + i, tick + 10, JWR_FAIL,
				   method((uint16_t)(1 + (i - 1) % 3)));
		if (i > 0)
			of_virtual(&m, 99 + i, tick + 20, JWR_END, 99 + i);
	}
	make_finish(&m, true);
}

TEST(calls_that_others_hold_up_are_told_early)
{
	static const struct {
		uint64_t n;
		int failed;
	} cases[] = { { 4097, 4097 }, { 4098, 4097 }, { 9000, 8998 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char name[32];

		snprintf(name, sizeof(name), "chain%d", (int)cases[i].n);
		chain(name, cases[i].n);
		char *prv = convert(name, 1, ".prv");

		is_int(count(prv, ":60000019:0"), (int)cases[i].n + 1);
		is_int(count(prv, ":48100024:1"), cases[i].failed);
		free(prv);
	}
}

TEST(the_last_name_is_the_one)
{
	rounds("renamed", 2);
	FILE *meta = fopen(make_path("renamed.jwr/meta"), "a");
	fputs("virtual-end\t101\tlate\nvirtual-end\t102\tnow\nvirtual\t102\tbefore\n"
	      "virtual\t103\tstays\n",
	      meta);
	fclose(meta);
	char *row = convert("renamed", 0, ".row");

	ok(strstr(row, "SIZE 6\nvirtual 1\nlate\nnow\nstays\nvirtual 5\n"));
	free(row);
}

/* Two at a time: 100 and 101, 102 and 103, 104 and 105. */
static void named_rounds(const char *name)
{
	rounds(name, 2);
	FILE *meta = fopen(make_path("%s.jwr/meta", name), "a");
	for (int id = 100; id < 106; id++)
		fprintf(meta, "virtual\t%d\tworker %d\n", id, id);
	fclose(meta);
}

TEST(each_has_a_lane_of_its_own_where_rows_suffice)
{
	named_rounds("apart");
	char *row = convert("apart", 0, ".row"), *prv = make_slurp(make_path("apart.prv"));

	ok(strstr(row, "LEVEL THREAD SIZE 6\nworker 100\nworker 101\nworker 102\nworker 103\n"));
	is_int(count(prv, ":48100012:"), 0);
	free(row);
	free(prv);
}

TEST(a_lane_of_several_tells_who_owns_it)
{
	named_rounds("owners");
	char *row = convert("owners", 2, ".row"), *prv = make_slurp(make_path("owners.prv"));
	char *pcf = make_slurp(make_path("owners.pcf"));

	ok(strstr(row, "LEVEL THREAD SIZE 2\nworker 100 (+2)\nworker 101 (+2)\n"));
	is_int(count(prv, ":48100012:10"), 6);
	is_int(count(prv, ":48100012:0"), 6);
	ok(strstr(prv, ":48100012:102:48100013:3"));
	is_int(count(prv, ":48100013:0"), 6);
	ok(strstr(pcf, "Java virtual thread, name\nVALUES\n0      End\n1      worker 100\n"));
	free(row);
	free(prv);
	free(pcf);
}

TEST(an_owner_without_a_name_is_a_number)
{
	rounds("numbers", 2);
	FILE *meta = fopen(make_path("numbers.jwr/meta"), "a");
	fputs("virtual\t101\tworker\nvirtual\t102\tother\n", meta);
	fclose(meta);
	char *row = convert("numbers", 2, ".row"), *prv = make_slurp(make_path("numbers.prv"));
	char *pcf = make_slurp(make_path("numbers.pcf"));

	ok(strstr(row, "LEVEL THREAD SIZE 2\nvirtual 1\nworker (+2)\n"));
	is_int(count(prv, ":48100012:10"), 6);
	is_int(count(prv, ":48100013:"), 4);
	ok(strstr(pcf, "0    48100012    Java virtual thread\n\n\n"));
	ok(strstr(pcf, "VALUES\n0      End\n1      worker\n2      other\n\n\n"));
	free(row);
	free(prv);
	free(pcf);
}

TEST(a_window_begins_with_the_carrier)
{
	struct make m = make_begin("fresh");

	make_thread(&m, 2, 0, "carrier");
	make_event(&m, 2, T + 1000, JWR_SWITCH, 5);
	make_event(&m, 2, T + 1000, JWR_ENTER, method(1));
	make_chunk(&m, 2);
	pair(&m, 2, T + 2000, 0);
	make_event(&m, 2, T + 3000, JWR_SWITCH, 5);
	make_event(&m, 2, T + 3000, JWR_EXIT, method(1));
	make_finish(&m, true);
	char *row = convert("fresh", 0, ".row");

	ok(strstr(row, "LEVEL THREAD SIZE 2\ncarrier\nvirtual 1\n"));
	is_int(summary.inferred + summary.dropped, 0);
	free(row);
}

TEST(pauses_and_waits_are_states)
{
	struct make m = make_begin("pauses");

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "thread|9|0|0|9|0|j|JVM");
	make_event(&m, 1, T + 1000, JWR_ENTER, method(0));
	make_event(&m, 9, T + 2000, JWR_GC_BEGIN, 0);
	make_event(&m, 9, T + 4000, JWR_GC_END, 0);
	make_event(&m, 1, T + 6000, JWR_CONTENDED, 7);
	make_event(&m, 9, T + 7000, JWR_GC_BEGIN, 0);
	make_event(&m, 1, T + 8000, JWR_ENTERED, 7);
	make_event(&m, 9, T + 9000, JWR_GC_END, 0);
	make_event(&m, 1, T + 10000, JWR_WAIT, 8);
	make_event(&m, 1, T + 10500, JWR_CONTENDED, 8);
	make_event(&m, 1, T + 11000, JWR_WAITED, 8); /* the inner one ends with it */
	make_event(&m, 1, T + 11500, JWR_ENTERED, 8);
	make_event(&m, 1, T + 12000, JWR_EXIT, method(0));
	make_finish(&m, true);
	char *prv = convert("pauses", 0, ".prv"), *pcf = make_slurp(make_path("pauses.pcf"));
	static const char *const lines[] = {
		"1:1:1:1:1:0:1001:1\n",        "1:1:1:1:1:1001:2001:15\n",
		"1:1:1:1:1:2001:3001:1\n",     "1:1:1:1:1:3001:4001:9\n",
		"1:1:1:1:1:4001:4501:15\n",    "1:1:1:1:1:4501:5001:1\n",
		"1:1:1:1:1:5001:5251:5\n",     "1:1:1:1:1:5251:5501:9\n",
		"1:2:1:1:2:0:1001:2\n",        "1:2:1:1:2:1001:2001:15\n",
		"2:2:1:1:2:1001:48000001:1\n", "2:1:1:1:1:3001:48100001:1:48100002:7\n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (!ok(strstr(prv, lines[i])))
			tap_note("no line %s", lines[i]);
	ok(strstr(pcf, "0    48000001    Java Garbage collector\nVALUES\n"
		       "0      Garbage collector disabled\n1      Garbage collector enabled\n"));
	is_int(summary.threads, 1);
	free(prv);
	free(pcf);
}

TEST(what_never_ends_is_closed)
{
	struct make m = make_begin("open");

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "carrier");
	make_meta(&m, "thread|9|0|0|9|0|j|JVM");
	make_event(&m, 1, T + 1000, JWR_ENTER, method(0));
	make_event(&m, 1, T + 1500, JWR_WAIT, 3);
	for (uint64_t id = 10; id < 16; id++) {
		make_event(&m, 2, T + id * 200, JWR_SWITCH, id);
		make_event(&m, 2, T + id * 200 + 50, JWR_ENTER, method(1));
		make_event(&m, 2, T + id * 200 + 80, JWR_CONTENDED, 3);
	}
	make_event(&m, 9, T + 5000, JWR_GC_BEGIN, 0);
	make_finish(&m, false);
	char *row = convert("open", 4, ".row");

	ok(strstr(row, "virtual 4\nvirtual (more)\nJVM\n"));
	is_int(summary.inferred, 7);
	is_int(summary.calls, 7);
	free(row);
}

TEST(damage_is_no_virtual_thread)
{
	struct make m = make_begin("odd");

	make_thread(&m, 1, 0, "main");
	pair(&m, 1, T + 1000, 0);
	make_event(&m, 1, T + 2000, JWR_END, 5);     /* never seen */
	make_event(&m, 1, T + 2100, JWR_ENTERED, 5); /* never contended */
	make_event(&m, 1, T + 2200, JWR_GC_END, 0);  /* never begun */
	make_event(&m, 1, T + 2300, JWR_SWITCH, 6);
	make_event(&m, 1, T + 2400, JWR_END, 6);
	make_event(&m, 1, T + 2400, JWR_END, 6);
	for (int i = 0; i < 20; i++) /* deeper than any thread waits */
		make_event(&m, 1, T + 3000 + (uint64_t)i * 10, JWR_CONTENDED, 6);
	for (int i = 0; i < 20; i++)
		make_event(&m, 1, T + 4000 + (uint64_t)i * 10, JWR_ENTERED, 6);
	pair(&m, 1, T + 6000, 0);
	make_finish(&m, true);
	char *prv = convert("odd", 0, ".prv");

	is_int(summary.calls, 2);
	is_int(count(prv, ":48100001:0"), 1);
	is_int(count(prv, ":48100001:1"), 7); /* four go in, three are seen again on the way out */
	free(prv);
}

/* What is not read for the states has times, too: else the readings differ in who owns which lane.
 */
TEST(a_damaged_tick_is_one_in_both_readings)
{
	struct make m = make_begin("ticks");

	make_thread(&m, 2, 0, "carrier A");
	make_thread(&m, 3, 0, "carrier B");
	make_event(&m, 2, T + 1000, JWR_SWITCH, 5);
	make_event(&m, 2, T + 9000, JWR_ENTER, method(1)); /* 1100, once */
	make_event(&m, 2, T + 1200, JWR_EXIT, method(1));
	make_event(&m, 2, T + 1300, JWR_END, 5);
	make_event(&m, 2, T + 1400, JWR_SWITCH, 6);
	pair(&m, 2, T + 1500, 1);
	for (uint64_t id = 7; id < 12; id++) {
		make_event(&m, 3, T + id * 1000, JWR_SWITCH, id);
		pair(&m, 3, T + id * 1000 + 100, 2);
		make_event(&m, 3, T + id * 1000 + 500, JWR_END, id);
	}
	make_finish(&m, true);
	free(convert("ticks", 2, ".prv"));
	is_int(summary.calls, 7);
}

TEST(a_pause_that_the_vm_has_not_told_is_damage)
{
	struct make m = make_begin("untold");

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "thread|9|0|0|9|0|j|JVM");
	pair(&m, 1, T + 100, 0);
	make_event(&m, 1, T + 1000, JWR_GC_BEGIN, 0);
	make_event(&m, 9, T + 2000, JWR_GC_END, 0);
	pair(&m, 1, T + 3000, 0);
	make_finish(&m, true);
	char *prv = convert("untold", 0, ".prv");

	is_int(count(prv, ":48000001:"), 0);
	free(prv);
}

TEST(info_counts_virtual_threads_and_pauses)
{
	static struct jw_arena arena;
	struct trace_recording_info info;
	struct make m = make_begin("counts");
	struct jw_err e = { 0 };
	uint64_t tick = T;

	make_thread(&m, 2, 0, "carrier A");
	make_thread(&m, 3, 0, "carrier B");
	make_meta(&m, "thread|9|0|0|9|0|j|JVM");
	for (int round = 0; round < 3; round++) { /* seen again and again, on both */
		for (uint64_t id = 1000; id >= 1; id--) {
			make_event(&m, 2, tick += 10, JWR_SWITCH, id);
			make_event(&m, 3, tick, JWR_SWITCH, id + 500);
		}
		make_event(&m, 2, tick, JWR_SWITCH, 0); /* nobody */
		make_event(&m, 9, tick, JWR_GC_BEGIN, 0);
		make_event(&m, 9, tick + 5, JWR_GC_END, 0);
	}
	make_finish(&m, false);
	is_int(trace_recording_info(m.path, &arena, &info, &e), JW_OK);
	is_int(info.virtual_count, 1500);
	is_int(info.pauses, 3);
	is_int(info.thread_count, 3);
	jw_arena_free(&arena);
}
