/*
 * What threads did where their records are missing: nobody knows (trace/replay/blanks.h).
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/output.h"

#include "base/banned.h"

enum {
	T = 1000000, /* the first tick */
	MS = 2000000,
	CHUNKS = 4, /* of thread 1, MS apart, each of */
	CALLS = 10, /* of 10 us, one after the other */
	US = 2000,
};

static struct trace_summary summary;

/* CHUNKS of thread 1; thread 2 has one record alone. */
static struct make begin(const char *name)
{
	struct make m = make_begin(name);

	make_thread(&m, 1, T, "main");
	make_thread(&m, 2, T, "other");
	for (unsigned c = 0; c < CHUNKS; c++) {
		for (unsigned i = 0; i < CALLS; i++) {
			make_event(&m, 1, T + c * MS + i * 10 * US, JWR_ENTER, 77);
			make_event(&m, 1, T + c * MS + (i + 1) * 10 * US, JWR_EXIT, 77);
		}
		make_chunk(&m, 1);
	}
	make_event(&m, 2, T + US, JWR_ENTER, 77);
	make_chunk(&m, 2);
	make_meta(&m, "data|%d", (CHUNKS + 1) * JWR_ALIGN);
	return m;
}

static void spoil(const struct make *m, off_t offset, size_t n)
{
	static const char zeros[JWR_ALIGN];
	const char *path = make_path("%s/data", strrchr(m->path, '/') + 1);
	int fd = open(path, O_WRONLY);

	ok(fd >= 0 && pwrite(fd, zeros, n, offset) == (ssize_t)n);
	close(fd);
}

/* Microseconds in which thread UID of the recording has STATE. */
static uint64_t us_in(const struct make *m, const char *name, unsigned uid, unsigned state)
{
	static struct jw_arena arena;
	struct jw_err e = { 0 };
	const char *path = m->path;
	uint64_t ns = 0;

	jw_arena_free(&arena);
	if (!ok(make_convert(&path, 1, name, NULL, &arena, &summary, &e) == JW_OK))
		tap_note("%s", e.text);
	is_int(make_validate(name), 0);
	char *text = make_slurp(make_path("%s.prv", name));

	for (const char *line = text; line; line = strchr(line, '\n')) {
		unsigned row, what;
		unsigned long long from, to;

		line += *line == '\n';
		if (sscanf(line, "1:%*u:1:1:%u:%llu:%llu:%u", &row, &from, &to, &what) == 4 &&
		    row == uid && what == state)
			ns += to - from;
	}
	free(text);
	return (ns + 500) / 1000;
}

static bool warned(const char *words)
{
	for (size_t i = 0; i < summary.warning_count; i++)
		if (strstr(summary.warnings[i], words))
			return true;
	return false;
}

TEST(a_recording_that_is_whole)
{
	struct make m = begin("whole");

	make_finish(&m, true);
	is_int(us_in(&m, "whole", 1, TRACE_DISABLED), 0);
	is_int(us_in(&m, "whole", 2, TRACE_DISABLED), 0);
	ok(!warned("not known"));
}

TEST(between_two_chunks)
{
	struct make m = begin("between");

	make_finish(&m, true);
	spoil(&m, JWR_ALIGN, JWR_ALIGN);
	/* from the end of the first to the third; or was it the last one of a thread? The process ends
	 * 1 us after its last record. */
	is_int(us_in(&m, "between", 1, TRACE_DISABLED), 1900 + 1);
	is_int(us_in(&m, "between", 2, TRACE_DISABLED), 3099 + 1);
	ok(warned(": records are missing: what 2 threads did is not known for 0.005 s in all, and "
		  "shown as not recorded (Tracing Disabled)"));
}

TEST(before_the_first_chunk)
{
	struct make m = begin("before");

	make_finish(&m, true);
	spoil(&m, 0, JWR_ALIGN);
	is_int(us_in(&m, "before", 1, TRACE_DISABLED), 1000 + 1);
}

TEST(inside_of_a_chunk)
{
	struct make m = begin("inside");

	make_finish(&m, true);
	spoil(&m, 64 + 16 * 5,
	      16 * 10); /* records 5 to 14 of 20: from the end of the second call on */
	is_int(us_in(&m, "inside", 1, TRACE_DISABLED), 60);
	is_int(us_in(&m, "inside", 2, TRACE_DISABLED), 0);
	ok(!warned("not known")); /* for so short a time */
}

TEST(at_the_end)
{
	struct make m = begin("end");

	make_finish(&m, true);
	ok(truncate(make_path("%s/data", "end.jwr"), JWR_ALIGN) == 0);
	is_int(us_in(&m, "end", 1, TRACE_RUNNING), 100);
	is_int(us_in(&m, "end", 2, TRACE_RUNNING), 0);
	ok(us_in(&m, "end", 2, TRACE_DISABLED) > 0);
	ok(warned("what 2 threads did"));
}

/* What is missing says when the wait was over: it is told no longer than it is known. */
TEST(a_wait_that_goes_on_where_records_are_missing)
{
	struct make m = begin("wait");
	const uint64_t lock = jwr_object(7, 0x11);

	make_event(&m, 1, T + 4 * MS, JWR_CONTENDED, lock);
	make_chunk(&m, 1);
	make_event(&m, 1, T + 5 * MS, JWR_ENTERED, lock);
	make_chunk(&m, 1);
	make_event(&m, 1, T + 6 * MS, JWR_ENTER, 77);
	make_finish(&m, true);
	spoil(&m, (off_t)(CHUNKS + 2) * JWR_ALIGN, JWR_ALIGN); /* after that of thread 2 */
	is_int(us_in(&m, "wait", 1, TRACE_DISABLED), 2000 + 1);
	char *text = make_slurp(make_path("%s.prv", "wait"));

	ok(strstr(text, "\n2:1:1:1:1:4000001:48100001:1:"));
	ok(strstr(text, "\n2:1:1:1:1:4000002:48100001:0:"));
	ok(!strstr(text, "\n2:1:1:1:1:5000001:"));
	free(text);
}

/* Who is killed leaves holes in the data, and windows with what was to be there. */
TEST(a_program_that_was_killed)
{
	struct make m = begin("killed");

	make_event(&m, 1, T + 5 * MS, JWR_ENTER, 77);
	make_window(&m, 1, CHUNKS);
	make_finish(&m, false);
	is_int(us_in(&m, "killed", 1, TRACE_DISABLED), 0);
}
