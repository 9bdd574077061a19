/*
 * t_failures.c: no memory, no room, no permission: an error with a message, and no trace.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "trace/report/info.h"

#include "base/banned.h"

static struct make recording(const char *name)
{
	struct make m = make_begin(name);

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "map|%s\nnote|n", make_path("fail.map"));
	for (uint64_t i = 0; i < 300; i++)
		for (uint32_t t = 1; t <= 3; t++) {
			make_event(&m, t, MAKE_START + i * 10 + t, JWR_ENTER,
				   jwr_method_id(1, i % 2));
			if (i % 3)
				make_event(&m, t, MAKE_START + i * 10 + 5, JWR_EXIT,
					   jwr_method_id(1, i % 2));
		}
	make_finish(&m, true);
	return m;
}

static bool leftovers(const char *base)
{
	char command[1200];

	/* with any temporary name, too */
	snprintf(command, sizeof(command),
		 "ls -A '%s' | grep -F '%s' | grep -v '\\.jwr$' | sed 's/^/# left: /' | grep .",
		 make_folder(), base);
	return system(command) == 0;
}

TEST(memory_fails_at_every_place)
{
	static const char *const names[] = { "a()V", "b(I)I" };
	const char *map = make_map("fail.map", 1, "x/Y", "Y.java", names, 2);
	struct make m = recording("nomem");
	const char *path = m.path;
	long n = 0;

	for (; n < 5000; n++) {
		struct jw_arena arena = { 0 };
		struct trace_summary sum;
		struct jw_err e = { 0 };

		jw_mem_fail_after(n);
		enum jw_status status = make_convert(&path, 1, "nomem", map, &arena, &sum, &e);
		bool failed = jw_mem_fail_after(-1);

		jw_arena_free(&arena);
		if (!failed) {
			is_int(status, JW_OK);
			break;
		}
		/* where memory only serves comfort, going without it is no error */
		if (status != JW_OK && (!is_int(status, JW_NOMEM) || !ok(!leftovers("nomem"))))
			break;
	}
	ok(n > 30 && n < 5000);
	is_int(make_validate("nomem"), 0);
}

TEST(info_without_memory)
{
	struct make m = recording("infomem");
	struct trace_recording_info info;

	for (long n = 0; n < 1000; n++) {
		struct jw_arena arena = { 0 };
		struct jw_err e = { 0 };

		jw_mem_fail_after(n);
		enum jw_status status = trace_recording_info(m.path, &arena, &info, &e);
		bool failed = jw_mem_fail_after(-1);

		jw_arena_free(&arena);
		if (!failed) {
			is_int(status, JW_OK);
			ok(n > 10);
			return;
		}
		if (!is_int(status, JW_NOMEM))
			return;
	}
	ok(!"it never succeeds");
}

/* A limit on file sizes acts as a full disk does. */
TEST(no_room)
{
	struct make m = recording("noroom");
	const char *path = m.path;
	struct rlimit before, small;
	struct stat st = { 0 };

	/* what it takes when there is room */
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	is_int(make_convert(&path, 1, "roomy", NULL, &arena, &sum, &e), JW_OK);
	ok(stat(make_path("roomy.prv"), &st) == 0 && st.st_size > 20000);
	jw_arena_free(&arena);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	for (rlim_t size = 0; size < (rlim_t)st.st_size; size += 3000) {
		small = before;
		small.rlim_cur = size;
		setrlimit(RLIMIT_FSIZE, &small);
		e = (struct jw_err){ 0 };
		enum jw_status status = make_convert(&path, 1, "noroom", NULL, &arena, &sum, &e);

		setrlimit(RLIMIT_FSIZE, &before);
		jw_arena_free(&arena);
		if (!is_int(status, JW_IO) || !ok(e.text[0]) || !ok(!leftovers("noroom")))
			break;
	}
	signal(SIGXFSZ, SIG_DFL);
}

TEST(an_old_trace_survives_a_failure)
{
	struct make m = recording("old");
	const char *path = m.path, *none = make_path("none.jwr");
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	is_int(make_convert(&path, 1, "old", NULL, &arena, &sum, &e), JW_OK);
	is_int(make_convert(&none, 1, "old", NULL, &arena, &sum, &e), JW_INPUT);
	is_int(make_validate("old"), 0);
	is_int(make_convert(&path, 1, "no/such/folder", NULL, &arena, &sum, &e), JW_IO);
	jw_arena_free(&arena);
}
