/*
 * x_full_recording.c: full.jwr and full.map in the current folder, in which there is everything that
 * a trace can show; for g_labels.sh: each operation as a call with its state, monitors, pauses of
 * the collector, exceptions, allocations, objects that are made, captured values, events of the
 * program's own, virtual threads.
 */
#include "tests/trace/make_recording.h"

#include "base/banned.h"

enum {
	FIRST_SITE = 32768,
	SITE_POINT = 40000,
	SITE_BYTES,
	SITE_CAPTURE,
	/* identity hashes of classes */
	LOCK = 0x11,
	ISSUE,
	BUFFER,
};
#define CLASS trace_class_hash(JW_SPAN_LIT("acme/All"), 0)

static uint64_t tick = MAKE_START;

/* A record of thread UID, a microsecond after the last one. */
static void put(struct make *m, uint32_t uid, enum jwr_kind kind, uint64_t payload)
{
	make_event(m, uid, tick += 2000, kind, payload);
}

static uint64_t site(uint16_t index)
{
	return jwr_method_id(CLASS, index);
}

/* ---- the map ---- */

static void put_site(struct jw_buf *map, uint16_t index, const char *owner, const char *name,
		     struct trace_map_about about)
{
	struct trace_map_site s = { .index = index,
				    .line = index - FIRST_SITE + 1u,
				    .state = about.operation ? about.operation->state : -1,
				    .owner = jw_span_str(owner),
				    .name = jw_span_str(name),
				    .descriptor = JW_SPAN_LIT("()V"),
				    .method = JW_SPAN_LIT("run"),
				    .method_descriptor = JW_SPAN_LIT("()V"),
				    .rule = JW_SPAN_LIT("sites"),
				    .about = about };

	trace_map_put_site(map, &s);
}

static void put_map(void)
{
	static const struct jw_capture self = { .what = JW_CAPTURE_THIS,
						.as = JW_AS_IDENTITY,
						.label = "" };
	static const struct jw_capture capture = {
		.what = JW_CAPTURE_ARG, .as = JW_AS_VALUE, .type = 1234, .label = ""
	};
	struct trace_map_method run = { .line = 7,
					.name = JW_SPAN_LIT("run"),
					.descriptor = JW_SPAN_LIT("()V"),
					.rule = JW_SPAN_LIT("few") };
	const struct trace_map_sampling few = { .every = 10 };
	struct jw_buf map = { 0 };
	FILE *f = fopen("full.map", "wb");

	trace_map_put_header(&map);
	trace_map_put_sampling(&map, JW_SPAN_LIT("few"), &few);
	trace_map_put_class(&map, CLASS, JW_SPAN_LIT("acme/All"), JW_SPAN_LIT("All.java"));
	trace_map_put_method(&map, &run);
	for (uint16_t i = 0; jw_operations[i].word; i++)
		put_site(&map, (uint16_t)(FIRST_SITE + i), "acme/Called", jw_operations[i].word,
			 (struct trace_map_about){ .operation = &jw_operations[i],
						   .captures = &self,
						   .capture_count = 1 });
	put_site(&map, SITE_POINT, "acme/Point", "<init>", (struct trace_map_about){ 0 });
	put_site(&map, SITE_BYTES, "byte[]", "<init>", (struct trace_map_about){ 0 });
	put_site(&map, SITE_CAPTURE, "acme/Called", "value",
		 (struct trace_map_about){ .captures = &capture, .capture_count = 1 });
	if (!f || fwrite(map.p, 1, map.n, f) != map.n || fclose(f) != 0)
		exit(1);
	jw_buf_free(&map);
}

/* ---- the recording ---- */

static void put_waits(struct make *m)
{
	uint64_t lock = jwr_object(7, LOCK);

	put(m, 2, JWR_CONTENDED, lock);
	put(m, 2, JWR_HOLDER, jwr_thread_object(1));
	put(m, 2, JWR_ENTERED, lock);
	put(m, 2, JWR_WAIT, lock);
	put(m, 2, JWR_WAITED, lock);
	put(m, 2, JWR_WAIT, jwr_object(8, LOCK));
	put(m, 2, JWR_EXPIRED, jwr_object(8, LOCK));
}

/* Each kind of I/O; of one connection bytes went another way, of another one records are missing. */
static void put_io(struct make *m)
{
	static const enum jwr_await kinds[] = { JWR_AWAIT_SLEEP,   JWR_AWAIT_SELECT,
						JWR_AWAIT_POLL,    JWR_AWAIT_ACCEPT,
						JWR_AWAIT_CONNECT, JWR_AWAIT_READ,
						JWR_AWAIT_WRITE,   JWR_AWAIT_FORCE,
						JWR_AWAIT_CHILD,   JWR_AWAIT_LOCK };

	make_meta(m, "tap|sun.nio.ch.SocketDispatcher.read0\n"
		     "connection|1|5|listen|tcp|::|80||0|70|0|0\n"
		     "connection|2|10|connect|tcp|::1|4000|::1|80|71|0|0\n"
		     "connection|3|11|accept|tcp|::1|80|::1|4000|72|0|0\n"
		     "connection-end|3|99|0|100|other\n"
		     "connection|4|10|connect|tcp|::1|4001|::1|80|71|0|0\n"
		     "connection|5|11|accept|tcp|::1|80|::1|4001|72|0|0\n"
		     "connection|6|10|late|udp|10.0.0.1|4001||0|73|0|0\n"
		     "connection|7|10|late|unix||0|/run/some|0|74|0|0\n"
		     "file|8|/tmp/a.txt");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		for (uint64_t number = 1; number <= 8; number++) {
			put(m, 2, JWR_AWAIT, jwr_await(kinds[i], number));
			put(m, 2, JWR_AWAITED, jwr_awaited(kinds[i], 10 * number, 77));
		}
	put(m, 2, JWR_ENTER, site(FIRST_SITE));
	make_event(m, 2, tick, JWR_OBJECT, jwr_object(7, LOCK));
	put(m, 2, JWR_AWAIT, jwr_await(JWR_AWAIT_SELECT, 0));
	put(m, 2, JWR_AWAITED, jwr_awaited(JWR_AWAIT_SELECT, 0, 0));
	put(m, 2, JWR_AWAIT, jwr_await(JWR_AWAIT_ACCEPT, 1));
	put(m, 2, JWR_AWAITED, jwr_awaited(JWR_AWAIT_ACCEPT, 5, 0));
	put(m, 2, JWR_EXIT, site(FIRST_SITE));
}

/* main has the monitor for which the other thread waits. */
static void put_held(struct make *m)
{
	for (uint16_t i = 0; jw_operations[i].word; i++) {
		bool enter = &jw_operations[i] == jw_operation_find(JW_SPAN_LIT("monitor/enter"));

		if (!enter && &jw_operations[i] != jw_operation_find(JW_SPAN_LIT("monitor/exit")))
			continue;
		put(m, 1, JWR_ENTER, site((uint16_t)(FIRST_SITE + i)));
		make_event(m, 1, tick, JWR_OBJECT, jwr_object(9, LOCK));
		put(m, 1, JWR_EXIT, site((uint16_t)(FIRST_SITE + i)));
		if (enter)
			put(m, 2, JWR_CONTENDED, jwr_object(9, LOCK));
		else
			put(m, 2, JWR_ENTERED, jwr_object(9, LOCK));
	}
}

static void put_objects(struct make *m)
{
	put(m, 1, JWR_THROWN, jwr_object(1, ISSUE));
	put(m, 1, JWR_CAUGHT, jwr_object(1, ISSUE));
	put(m, 1, JWR_THROWN, jwr_object(1, ISSUE)); /* by who had caught it */
	put(m, 1, JWR_CAUGHT, jwr_object(1, ISSUE));
	put(m, 1, JWR_ALLOC, jwr_alloc(4096, BUFFER));
	put(m, 1, JWR_CREATED, site(SITE_POINT));
	put(m, 1, JWR_CREATED, site(SITE_BYTES));
	make_event(m, 1, tick, JWR_VALUE, 100);
	put(m, 1, JWR_ENTER, site(SITE_CAPTURE));
	make_event(m, 1, tick, JWR_VALUE, 42);
	put(m, 1, JWR_EXIT, site(SITE_CAPTURE));
}

static void put_events(struct make *m)
{
	make_meta(m, "event-label|1000|iteration\nevent-value|1000|2|the second");
	for (uint64_t type = 1000; type <= 1001; type++) {
		put(m, 1, JWR_EVENT, type);
		make_event(m, 1, tick, JWR_EVENT_VALUE, 2);
		put(m, 1, JWR_EVENT, type);
		make_event(m, 1, tick, JWR_EVENT_VALUE, 0);
	}
}

static void put_virtuals(struct make *m)
{
	make_meta(m, "virtual|1| \nvirtual|2|second\nvirtual|3|third\nvirtual|4|fourth");
	for (uint64_t i = 1; i <= 4; i++) {
		put(m, 4, JWR_SWITCH, i);
		put(m, 4, JWR_ENTER, site(0));
		put(m, 4, JWR_EXIT, site(0));
		if (i == 1)
			put(m, 4, JWR_END, i);
	}
	for (uint64_t i = 2; i <= 4; i++)
		put(m, 4, JWR_END, i);
}

int main(void)
{
	make_in(".");
	put_map();
	struct make m = make_begin("full");

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "waiter");
	make_meta(&m, "thread|3|0|0|4003|0|j|JVM");
	make_thread(&m, 4, 0, "carrier");
	make_meta(&m, "class|%u|acme.Lock\nclass|%u|acme.Issue\nclass|%u|byte[]", LOCK, ISSUE,
		  BUFFER);
	put(&m, 1, JWR_ENTER, site(0));
	for (uint16_t i = 0; jw_operations[i].word; i++) {
		put(&m, 1, JWR_ENTER, site((uint16_t)(FIRST_SITE + i)));
		make_event(&m, 1, tick, JWR_OBJECT, jwr_object(7, LOCK));
		put(&m, 1, JWR_EXIT, site((uint16_t)(FIRST_SITE + i)));
	}
	put_objects(&m);
	put_events(&m);
	put(&m, 1, JWR_EXIT, site(0));
	put_waits(&m);
	put_held(&m);
	put_io(&m);
	put(&m, 3, JWR_GC_BEGIN, 0);
	put(&m, 3, JWR_GC_END, 0);
	put_virtuals(&m);
	make_finish(&m, true);
	return 0;
}
