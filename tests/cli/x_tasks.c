/*
 * x_tasks.c: the recordings of a job whose tasks are known: x_tasks FOLDER MAP [CLIENT]
 *
 * Two executors run the stages 0 and 1, of six tasks each; all take 100 ms, but for 5, which has
 * six times the records (600 ms), 10, which waits for a monitor (400 ms), and 11, which the collector
 * stops (350 ms). 8 fails. 12 has not ended when executor 1 is killed. The rules are of a user: 0 has all
 * that their labels can say. In the folder CLIENT is that of a client, who sleeps until all of it is done.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/trace/make_recording.h"

#include "base/banned.h"

#define MS UINT64_C(2000000) /* ticks */

enum { RUN, CONTEXT, RECORDS, FETCH, SPILL, BYTES, OUT, BYTES_OUT, WRITE, GC, METHODS };
static const struct jw_capture captures[METHODS] = {
	[RUN] = { .what = JW_CAPTURE_ARG,
		  .as = JW_AS_VALUE,
		  .type = 48120001,
		  .label = "task",
		  .hold = JW_HOLD_CALL },
	[CONTEXT] = { .what = JW_CAPTURE_ARG,
		      .as = JW_AS_VALUE,
		      .type = 48120002,
		      .label = "task stage" },
	[RECORDS] = { .what = JW_CAPTURE_ARG,
		      .as = JW_AS_VALUE,
		      .type = 48120003,
		      .label = "task records in" },
	[FETCH] = { .what = JW_CAPTURE_ARG,
		    .as = JW_AS_VALUE,
		    .type = 48120004,
		    .label = "task fetch",
		    .hold = JW_HOLD_CALL },
	[SPILL] = { .what = JW_CAPTURE_ARG,
		    .as = JW_AS_VALUE,
		    .type = 48120005,
		    .label = "task spill",
		    .hold = JW_HOLD_CALL },
	[BYTES] = { .what = JW_CAPTURE_ARG,
		    .as = JW_AS_VALUE,
		    .type = 48120006,
		    .label = "task bytes in" },
	[OUT] = { .what = JW_CAPTURE_ARG,
		  .as = JW_AS_VALUE,
		  .type = 48120007,
		  .label = "task records out" },
	[BYTES_OUT] = { .what = JW_CAPTURE_ARG,
			.as = JW_AS_VALUE,
			.type = 48120008,
			.label = "task bytes out" },
	[WRITE] = { .what = JW_CAPTURE_ARG,
		    .as = JW_AS_VALUE,
		    .type = 48120009,
		    .label = "Spark task shuffle write ns" },
	[GC] = { .what = JW_CAPTURE_ARG,
		 .as = JW_AS_VALUE,
		 .type = 48120010,
		 .label = "Spark task GC ms" },
};
static const char *const names[METHODS] = { "run",  "context", "records", "fetch", "spill",
					    "read", "write",   "send",    "store", "collect" };

static uint64_t id(size_t m)
{
	return jwr_method_id(trace_class_hash(jw_span_str("acme/Task"), 0), (uint16_t)m);
}

static void put_map(const char *path)
{
	static const uint32_t held[] = { 48120001, 48120004, 48120005 };
	struct jw_buf text = { 0 };

	trace_map_put_header(&text);
	trace_map_put_held(&text, JW_HOLD_CALL, held, 3);
	trace_map_put_class(&text, trace_class_hash(jw_span_str("acme/Task"), 0),
			    jw_span_str("acme/Task"), JW_SPAN_LIT("Task.java"));
	for (size_t i = 0; i < METHODS; i++) {
		const struct trace_map_method m = {
			.index = (uint16_t)i,
			.line = (uint32_t)i + 1,
			.name = jw_span_str(names[i]),
			.descriptor = JW_SPAN_LIT("(J)V"),
			.rule = JW_SPAN_LIT("task"),
			.about = { .captures = &captures[i], .capture_count = 1 },
		};

		trace_map_put_method(&text, &m);
	}
	make_file(path, jw_buf_span(&text));
	jw_buf_free(&text);
}

static void at_once(struct make *m, uint64_t tick, size_t method, uint64_t value)
{
	make_event(m, 1, tick, JWR_ENTER, id(method));
	make_event(m, 1, tick, JWR_VALUE, value);
	make_event(m, 1, tick + 100, JWR_EXIT, id(method));
}

/* Six tasks of STAGE, from 6 * STAGE on. */
static void put_tasks(struct make *m, uint64_t stage)
{
	uint64_t now = MAKE_START + (1 + stage) * 5 * MS;

	for (uint64_t tid = 6 * stage; tid < 6 * stage + 6; tid++) {
		make_event(m, 1, now, JWR_ENTER, id(RUN));
		make_event(m, 1, now, JWR_VALUE, tid);
		at_once(m, now + 1000, CONTEXT, stage);
		for (size_t i = FETCH; tid == 0 && i < METHODS; i++)
			at_once(m, now + 2000 * i, i, 10 * i);
		now += tid == 5 ? 600 * MS : 100 * MS;
		if (tid == 10) {
			make_event(m, 1, now, JWR_CONTENDED, 7);
			make_event(m, 1, now += 300 * MS, JWR_ENTERED, 7);
		}
		if (tid == 11) {
			make_event(m, 2, now, JWR_GC_BEGIN, 0);
			make_event(m, 2, now += 250 * MS, JWR_GC_END, 0);
		}
		make_event(m, 1, now, tid == 8 ? JWR_FAIL : JWR_EXIT, id(RUN));
		at_once(m, now + 1000, RECORDS, tid == 5 ? 6000 : 1000);
		now += MS;
	}
	if (stage == 0)
		return;
	make_event(m, 1, now, JWR_ENTER, id(RUN));
	make_event(m, 1, now, JWR_VALUE, 12);
	at_once(m, now + 10 * MS, CONTEXT, stage);
}

static void put_process(const char *folder, uint64_t number)
{
	struct make m = make_executor(folder, number, number + 1);

	make_thread(&m, 1, 0, "worker");
	make_meta(&m, "thread|2|0|0|2|0|j|JVM");
	put_tasks(&m, number);
	make_finish(&m, number == 0);
}

static void put_client(const char *folder)
{
	struct make m = make_executor(folder, 2, 1);

	make_meta(&m, "role|client");
	make_thread(&m, 1, 0, "main");
	make_event(&m, 1, MAKE_START + MS, JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0));
	make_event(&m, 1, MAKE_START + 1300 * MS, JWR_AWAITED, JWR_AWAIT_SLEEP);
	make_event(&m, 1, MAKE_START + 1300 * MS, JWR_ENTER, id(CONTEXT));
	make_event(&m, 1, MAKE_START + 1301 * MS, JWR_EXIT, id(CONTEXT));
	make_finish(&m, true);
}

int main(int argc, char **argv)
{
	if (argc != 3 && argc != 4)
		return 2;
	make_in(".");
	put_map(argv[2]);
	put_process(argv[1], 0);
	put_process(argv[1], 1);
	if (argc == 4)
		put_client(argv[3]);
	return 0;
}
