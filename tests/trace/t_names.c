/*
 * Threads that are renamed: what their row is called, and the names as events; in recordings made
 * by hand (make_steps.h).
 */
#include "tests/trace/make_steps.h"

#include "base/banned.h"

/* The thread 1 is seen to be called TEXT, now. */
static void named(const char *text)
{
	make_meta(&m, "thread-name|1|%llu|%s", (unsigned long long)tick(now), text), step();
}

static void ends(const char *text)
{
	make_meta(&m, "thread-end|1|%llu|%s", (unsigned long long)tick(now), text), step();
}

/* Begins a recording whose thread 1 is first seen as TEXT. */
static void begin_as(const char *what, const char *text)
{
	now = 100;
	name = what;
	m = make_begin(what);
	make_meta(&m, "thread|1|0|%llu|5|1|-|%s", (unsigned long long)tick(now), text);
	make_event(&m, 1, tick(now), JWR_ENTER, make_method(1)), step();
}

/* The names of rows; "NAME@TIME ", times in steps of 100 ns, is what the events say. */
static char rows[1024], said[4096];

static void convert(void)
{
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };
	const char *path = make_path("%s.jwr", name);
	size_t n = 0;

	make_finish(&m, true);
	is_int(make_convert(&path, 1, name, NULL, &arena, &sum, &e), JW_OK);
	is_int(make_validate(name), 0);
	jw_arena_free(&arena);
	char *prv = make_slurp(make_path("%s.prv", name));
	char *pcf = make_slurp(make_path("%s.pcf", name));
	char *row = make_slurp(make_path("%s.row", name));

	snprintf(rows, sizeof(rows), "%s", strchr(strstr(row, "LEVEL THREAD"), '\n') + 1);
	said[0] = '\0';
	for (const char *p = prv; (p = strstr(p, ":48100014:")); p++) {
		unsigned value = (unsigned)strtoul(p + strlen(":48100014:"), NULL, 10);
		const char *line = p, *list = strstr(pcf, "    48100014    Java thread name\n");
		char label[64] = "?", start[32];
		unsigned long long time = 0;

		while (line > prv && line[-1] != '\n')
			line--;
		sscanf(line, "2:%*u:1:1:%*u:%llu", &time);
		snprintf(start, sizeof(start), "\n%-6u ", value);
		if (list && strstr(list, start))
			sscanf(strstr(list, start) + strlen(start), "%63[^\n]", label);
		n += (size_t)snprintf(said + n, sizeof(said) - n, "%s@%llu ", label, time / 100);
	}
	free(prv);
	free(pcf);
	free(row);
}

TEST(a_thread_that_keeps_its_name_says_nothing)
{
	begin_as("kept", "main");
	named("main");
	ends("main");
	convert();
	is_str(rows, "main\n");
	is_str(said, "");
}

TEST(the_name_that_it_had_longest)
{
	begin_as("longest", "pool-1-thread-3"); /* 1 */
	now += 300;
	named("task [1]"); /* 5 */
	now += 100;
	named("(idle)"); /* 7 */
	now += 100;
	named("task [1]"); /* 9: 500 ns in all */
	now += 200;
	ends("(idle)"); /* 11 */
	convert();
	is_str(rows, "task [1]\n");
	is_str(said, "pool-1-thread-3@1 task (1)@5 (idle)@7 task (1)@9 (idle)@11 End@11 ");
}

TEST(one_that_is_seen_at_the_end_alone)
{
	begin_as("end", "pool-1-thread-3");
	now += 1000;
	ends("(idle)");
	convert();
	is_str(rows, "pool-1-thread-3\n");
	is_str(said, "pool-1-thread-3@1 (idle)@11 End@11 ");
}

/* What the VM calls a thread that the program gives no name. */
TEST(a_name_that_nobody_gave_is_the_last_choice)
{
	begin_as("default", "Thread-12");
	now += 1000;
	ends("reader");
	convert();
	is_str(rows, "reader\n");

	begin_as("like it", "Thread-12b");
	now += 1000;
	ends("reader");
	convert();
	is_str(rows, "Thread-12b\n");
}

TEST(equal_names_are_one_value)
{
	begin_as("equal", "a");
	make_meta(&m, "thread|2|0|%llu|6|2|-|b", (unsigned long long)tick(now));
	make_event(&m, 2, tick(now), JWR_ENTER, make_method(1)), step();
	make_meta(&m, "thread-name|2|%llu|a", (unsigned long long)tick(now)), step();
	named("b");
	convert();
	is_str(rows, "b\na\n"); /* each had its last one until the end */
	char *pcf = make_slurp(make_path("equal.pcf"));

	ok(strstr(pcf, "\n1      a\n2      b\n\n\n") != NULL);
	free(pcf);
}

TEST(lines_that_make_no_sense)
{
	begin_as("odd", "main");
	named("");
	make_meta(&m, "thread-name|x|1|a\nthread-name|1|y|a\nthread-name|9|1|nobody");
	make_meta(&m, "thread-name|1|%llu|after the end", (unsigned long long)tick(now + 100000));
	make_meta(&m, "thread-name|1|1|before the beginning");
	ends("main");
	convert();
	ok(strstr(rows, "\n") != NULL);
}
