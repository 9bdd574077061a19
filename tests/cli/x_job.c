/*
 * x_job.c: a job of many processes that are alike: x_job FOLDER MAP PROCESSES THREADS CALLS
 *
 * Each is an executor on one of 50 hosts, whose threads make CALLS calls each of 60 methods, up to 6
 * deep, and wait now and then; all begin together. For what many processes cost (processes.sh).
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/trace/make_recording.h"

#include "base/banned.h"

enum { METHODS = 60, DEEP = 6, HOSTS = 50 };

static uint64_t id(size_t m)
{
	return jwr_method_id(trace_class_hash(jw_span_str("acme/Work"), 0), (uint16_t)m);
}

static void put_map(const char *path)
{
	struct jw_buf text = { 0 };

	trace_map_put_header(&text);
	trace_map_put_class(&text, trace_class_hash(jw_span_str("acme/Work"), 0),
			    jw_span_str("acme/Work"), JW_SPAN_LIT("Work.java"));
	for (size_t i = 0; i < METHODS; i++) {
		char name[20];

		snprintf(name, sizeof(name), "step%zu", i);
		const struct trace_map_method m = { .index = (uint16_t)i,
						    .line = (uint32_t)i + 1,
						    .name = jw_span_str(name),
						    .descriptor = JW_SPAN_LIT("()V"),
						    .rule = JW_SPAN_LIT("all") };

		trace_map_put_method(&text, &m);
	}
	make_file(path, jw_buf_span(&text));
	jw_buf_free(&text);
}

static void put_calls(struct make *m, uint32_t uid, uint64_t calls)
{
	uint64_t tick = MAKE_START + uid * 100, depth = 0, open[DEEP];

	for (uint64_t made = 0; made < calls || depth;) {
		if (made < calls && depth < DEEP && made % 7 != depth) {
			open[depth++] = id((made + uid) % METHODS);
			make_event(m, uid, tick += 200, JWR_ENTER, open[depth - 1]);
			made++;
		} else if (depth) {
			if (made % 50 == 0) {
				make_event(m, uid, tick += 100, JWR_CONTENDED, 7);
				make_event(m, uid, tick += 2000, JWR_ENTERED, 7);
			}
			make_event(m, uid, tick += 200, JWR_EXIT, open[--depth]);
			made += made < calls && made % 7 == depth; /* a step that makes none */
		} else {
			made++;
		}
	}
}

static void put_process(const char *folder, uint64_t number, uint32_t threads, uint64_t calls)
{
	struct make m = make_executor(folder, number, number % HOSTS);
	char thread[20];

	for (uint32_t uid = 1; uid <= threads; uid++) {
		snprintf(thread, sizeof(thread), "worker-%u", uid);
		make_thread(&m, uid, 0, thread);
		put_calls(&m, uid, calls);
	}
	make_finish(&m, true);
}

int main(int argc, char **argv)
{
	if (argc != 6)
		return 2;
	make_in(".");
	put_map(argv[2]);
	for (uint64_t i = 0; i < strtoull(argv[3], NULL, 10); i++)
		put_process(argv[1], i, (uint32_t)strtoul(argv[4], NULL, 10),
			    strtoull(argv[5], NULL, 10));
	return 0;
}
