/*
 * t_sink.c: blocks come out whole and in order, whatever the number of threads; the first failure
 * is told, and nothing after it is written.
 */
#include "tests/tap.h"

#include <string.h>

#include "trace/paraver/sink.h"

#include "base/banned.h"

#define BLOCKS 300

struct seen {
	uint64_t next, sum; /* the number that is due; of the bytes */
	bool wrong;
	uint64_t fail_pack, fail_write; /* at this block; 0: never */
};

/* A block is its number and some bytes; packed, the number and their sum. */
static size_t fill(char *block, uint64_t number)
{
	size_t n = 8 + (size_t)(number * 7919 % 5000);

	memcpy(block, &number, 8);
	for (size_t i = 8; i < n; i++)
		block[i] = (char)(number + i);
	return n;
}

static enum jw_status pack(void *ctx, struct jw_span s, struct jw_buf *out, struct jw_err *e)
{
	const struct seen *seen = ctx;
	uint64_t sum = 0, number;

	memcpy(&number, s.p, 8);
	if (seen->fail_pack && number == seen->fail_pack)
		return jw_fail(e, JW_NOMEM, "block %llu", (unsigned long long)number);
	for (size_t i = 8; i < s.n; i++)
		sum += s.p[i];
	jw_put_le8(out, number);
	jw_put_le8(out, sum);
	return jw_buf_finish(out, "block", e);
}

static enum jw_status take(void *ctx, struct jw_span s, struct jw_err *e)
{
	struct seen *seen = ctx;
	struct jw_cur c = jw_cur(s);
	uint64_t number = jw_cur_le8(&c);

	seen->wrong |= number != seen->next++;
	if (seen->fail_write && number == seen->fail_write)
		return jw_fail(e, JW_IO, "write %llu", (unsigned long long)number);
	seen->sum = seen->sum * 31 + jw_cur_le8(&c);
	return JW_OK;
}

static struct seen run(size_t threads, struct seen seen, struct jw_err *e)
{
	struct trace_pack packer = { .suffix = "", .pack = pack, .ctx = &seen };
	struct trace_sink *sink = NULL;
	enum jw_status status = trace_sink_open(&sink, take, &seen, &packer, threads, e);

	for (uint64_t i = 0; i < BLOCKS && status == JW_OK; i++)
		status = trace_sink_put(sink, fill(trace_sink_block(sink), i), e);
	if (status == JW_OK)
		status = trace_sink_finish(sink, e);
	trace_sink_close(sink);
	return seen;
}

TEST(same_for_any_number_of_threads)
{
	static const size_t threads[] = { 0, 1, 2, 3, 8, 100 };
	uint64_t first = 0;

	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
		struct jw_err e = { 0 };
		struct seen seen = run(threads[i], (struct seen){ 0 }, &e);

		is_int(e.status, JW_OK);
		is_int(seen.next, BLOCKS);
		ok(!seen.wrong);
		first = i ? first : seen.sum;
		ok(seen.sum == first && seen.sum);
	}
}

TEST(the_first_failure_is_told)
{
	for (size_t threads = 1; threads <= 4; threads++) {
		struct jw_err e = { 0 };
		struct seen seen = run(threads, (struct seen){ .fail_pack = 50 }, &e);

		is_int(e.status, JW_NOMEM);
		is_str(e.text, "block 50");
		is_int(seen.next, 50);
		e = (struct jw_err){ 0 };
		seen = run(threads, (struct seen){ .fail_pack = 60, .fail_write = 40 }, &e);
		is_str(e.text, "write 40");
		is_int(seen.next, 41);
		ok(!seen.wrong);
	}
}

TEST(without_memory)
{
	struct trace_sink *sink = NULL;
	struct jw_err e = { 0 };

	for (long n = 0; n < 4; n++) {
		jw_mem_fail_after(n);
		enum jw_status status = trace_sink_open(&sink, take, NULL, NULL, 2, &e);
		bool failed = jw_mem_fail_after(-1);

		is_int(status, JW_NOMEM);
		ok(failed);
	}
	trace_sink_close(NULL);
}
