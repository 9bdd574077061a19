/*
 * t_spool.c: lists of numbers that grow side by side come back as they were put, wherever they were
 * kept.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/paraver/paraver.h"
#include "trace/replay/spool.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/banned.h"

#define LISTS 9
#define ROOM  (TRACE_SPOOL_BLOCK - 8) /* bytes that a block takes */

/* List I gets so many numbers of one byte: around the edges of blocks. */
static const size_t sizes[LISTS] = { 0,        1,        ROOM - 1,     ROOM,
				     ROOM + 1, 2 * ROOM, 2 * ROOM + 1, 7 * ROOM + 5,
				     40 * ROOM };

static uint64_t number_of(size_t list, size_t i)
{
	return (i * 7 + i / 251 + list * 31) & 0x7f;
}

static bool comes_back(struct trace_spool *spool, struct trace_list *lists)
{
	bool same = true;
	uint64_t number;

	for (size_t l = 0; l < LISTS; l++) {
		struct trace_list_at at = { 0 };

		for (size_t i = 0; same && i < sizes[l]; i++)
			same = trace_list_get(spool, &lists[l], &at, &number) &&
			       number == number_of(l, i);
		same = same && !trace_list_get(spool, &lists[l], &at, &number);
		same = same && !trace_list_get(spool, &lists[l], &at, &number);
		trace_list_end(&at);
	}
	return same;
}

static void fill(struct trace_spool *spool, struct trace_list *lists)
{
	for (size_t i = 0; i < sizes[LISTS - 1]; i++)
		for (size_t l = 0; l < LISTS; l++)
			if (i < sizes[l])
				trace_list_put(spool, &lists[l], number_of(l, i));
}

TEST(lists_come_back)
{
	/* all in the file, one block in memory, some, all */
	static const size_t memory[] = { 1, TRACE_SPOOL_BLOCK, 20 * TRACE_SPOOL_BLOCK, 0 };

	for (size_t i = 0; i < 2 * sizeof(memory) / sizeof(*memory); i++) {
		struct trace_list lists[LISTS] = { 0 };
		struct trace_spool spool;
		struct jw_err e = { 0 };

		is_int(trace_spool_open(&spool, make_path("spool"), memory[i / 2], &e), JW_OK);
		trace_spool_share(&spool, i % 2 ? 100000 : LISTS);
		ok((spool.block < TRACE_SPOOL_BLOCK) == (i % 2 != 0));
		fill(&spool, lists);
		ok(comes_back(&spool, lists));
		ok((spool.fd >= 0) == (memory[i / 2] != 0));
		is_int(trace_spool_status(&spool, &e), JW_OK);
		for (size_t l = 0; l < LISTS; l++)
			trace_list_free(&lists[l]);
		trace_spool_close(&spool);
	}
}

/* Of one to ten bytes, so that every one of them is across the edge of a block somewhere. */
TEST(numbers_of_any_size)
{
	struct trace_list list = { 0 };
	struct trace_list_at at = { 0 };
	struct trace_spool spool;
	struct jw_err e = { 0 };
	uint64_t number;
	size_t wrong = 0;

	is_int(trace_spool_open(&spool, make_path("spool"), 3 * TRACE_SPOOL_BLOCK, &e), JW_OK);
	for (size_t i = 0; i < 20000; i++)
		trace_list_put(&spool, &list, (UINT64_MAX - i) >> i % 65 % 64);
	for (size_t i = 0; i < 20000; i++)
		wrong += !trace_list_get(&spool, &list, &at, &number) ||
			 number != (UINT64_MAX - i) >> i % 65 % 64;
	is_int((long)wrong, 0);
	ok(!trace_list_get(&spool, &list, &at, &number));
	ok(list.block_count > 20);
	trace_list_end(&at);
	trace_list_free(&list);
	trace_spool_close(&spool);
}

TEST(no_room_and_no_folder)
{
	struct trace_list lists[LISTS] = { 0 };
	struct trace_list_at at = { 0 };
	struct trace_spool spool;
	struct jw_err e = { 0 };
	struct rlimit before, small;
	uint64_t number;

	is_int(trace_spool_open(&spool, "/no/such/folder/base", 1, &e), JW_OK);
	fill(&spool, lists);
	is_int(trace_spool_status(&spool, &e), JW_IO);
	is_str(e.text, "cannot keep what has to wait in '/no/such/folder': "
		       "No such file or directory");
	ok(!trace_list_get(&spool, &lists[LISTS - 1], &at, &number));
	trace_list_end(&at);
	for (size_t l = 0; l < LISTS; l++)
		trace_list_free(&lists[l]);
	trace_spool_close(&spool);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	small = before;
	small.rlim_cur = 10 * TRACE_SPOOL_BLOCK;
	setrlimit(RLIMIT_FSIZE, &small);
	is_int(trace_spool_open(&spool, make_path("spool"), 1, &e), JW_OK);
	fill(&spool, lists);
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
	is_int(trace_spool_status(&spool, &e), JW_IO);
	for (size_t l = 0; l < LISTS; l++)
		trace_list_free(&lists[l]);
	trace_spool_close(&spool);
}

TEST(no_memory)
{
	for (long n = 0; n < 200; n++) {
		struct trace_list lists[LISTS] = { 0 };
		struct trace_spool spool;
		struct jw_err e = { 0 };

		jw_mem_fail_after(n);
		enum jw_status status = trace_spool_open(&spool, "", 4 * TRACE_SPOOL_BLOCK, &e);

		if (status == JW_OK)
			fill(&spool, lists);
		bool whole = status == JW_OK && comes_back(&spool, lists);
		bool failed = jw_mem_fail_after(-1);

		status = status == JW_OK ? trace_spool_status(&spool, &e) : status;
		for (size_t l = 0; l < LISTS; l++)
			trace_list_free(&lists[l]);
		trace_spool_close(&spool);
		if (!failed) {
			ok(n > 10 && whole);
			return;
		}
		if (!is_int(status, JW_NOMEM) || !ok(!whole))
			return;
	}
	ok(!"it never succeeds");
}
