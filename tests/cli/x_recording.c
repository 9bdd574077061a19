/*
 * x_recording.c: x_recording NAME.jwr NAME.map N [VIRTUAL]: a recording in the current folder whose
 * profile is known, for scripts.
 *
 *   main      Main.run { N times: Point.getX; each 10th time Solver.step, each 100th of these fails }
 *   wörker    lives from 1 us to the end of its work: N / 10 times Solver.step { Solver.step }
 *
 * With VIRTUAL, also:
 *   carrier   runs so many virtual threads, alive at one time: each calls Point.getX once
 *   JVM       three pauses of the collector
 *   main      waits for a monitor once, and in it, when its work is done
 *
 * getX takes 20 ns and 80 ns pass before the next call; a step takes 5,000 ns (its inner one
 * 1,000).
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/trace/make_recording.h"

#include "base/banned.h"

enum { RUN, GET_X, STEP };

static const struct {
	const char *class_name, *name, *desc;
} methods[] = {
	[RUN] = { "acme/Main", "run", "()V" },
	[GET_X] = { "acme/Point", "getX", "()I" },
	[STEP] = { "acme/Solver", "step", "(ILjava/lang/String;)V" },
};
#define METHODS (sizeof(methods) / sizeof(*methods))

static uint64_t class_of(size_t m)
{
	return trace_class_hash(jw_span_str(methods[m].class_name), 0);
}

static uint64_t id(size_t m)
{
	return jwr_method_id(class_of(m), (uint16_t)m);
}

static uint64_t at(uint64_t ns)
{
	return MAKE_START + 2 * ns;
}

static void put_map(const char *path)
{
	struct jw_buf text = { 0 };

	trace_map_put_header(&text);
	for (size_t i = 0; i < METHODS; i++) {
		struct trace_map_method m = { .index = (uint16_t)i,
					      .line = (uint32_t)i + 10,
					      .name = jw_span_str(methods[i].name),
					      .descriptor = jw_span_str(methods[i].desc),
					      .rule = JW_SPAN_LIT("all") };

		trace_map_put_class(&text, class_of(i), jw_span_str(methods[i].class_name),
				    JW_SPAN_LIT("X.java"));
		trace_map_put_method(&text, &m);
	}
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(text.p, 1, text.n, f) != text.n || fclose(f) != 0)
		exit(1);
	jw_buf_free(&text);
}

static uint64_t put_main(struct make *m, unsigned n)
{
	uint64_t t = 1000;

	make_event(m, 1, at(t), JWR_ENTER, id(RUN));
	for (unsigned i = 0; i < n; i++) {
		make_event(m, 1, at(t += 80), JWR_ENTER, id(GET_X));
		make_event(m, 1, at(t += 20), JWR_EXIT, id(GET_X));
		if (i % 10 != 0)
			continue;
		make_event(m, 1, at(t), JWR_ENTER, id(STEP));
		make_event(m, 1, at(t += 5000), i % 1000 ? JWR_EXIT : JWR_FAIL, id(STEP));
	}
	make_event(m, 1, at(t += 100), JWR_EXIT, id(RUN));
	return t;
}

static uint64_t put_worker(struct make *m, unsigned n)
{
	uint64_t t = 2000;

	for (unsigned i = 0; i < n; i++) {
		make_event(m, 2, at(t), JWR_ENTER, id(STEP));
		make_event(m, 2, at(t + 2000), JWR_ENTER, id(STEP));
		make_event(m, 2, at(t + 3000), JWR_EXIT, id(STEP));
		make_event(m, 2, at(t += 5000), JWR_EXIT, id(STEP));
	}
	return t;
}

static void put_virtual(struct make *m, unsigned n)
{
	uint64_t t = 2000;

	make_thread(m, 3, 0, "carrier");
	for (unsigned i = 1; i <= n; i++) {
		make_event(m, 3, at(t += 50), JWR_SWITCH, i);
		make_event(m, 3, at(t), JWR_ENTER, id(GET_X));
		make_event(m, 3, at(t += 20), JWR_EXIT, id(GET_X));
	}
	for (unsigned i = 1; i <= n; i++)
		make_event(m, 3, at(t += 50), JWR_END, i);
}

static void put_pauses(struct make *m)
{
	make_meta(m, "thread|4|0|0|4|0|j|JVM");
	for (uint64_t t = 3000; t < 6000; t += 1000) {
		make_event(m, 4, at(t), JWR_GC_BEGIN, 0);
		make_event(m, 4, at(t + 300), JWR_GC_END, 0);
	}
}

static void put_waits(struct make *m, uint64_t t)
{
	make_event(m, 1, at(t += 100), JWR_CONTENDED, 7);
	make_event(m, 1, at(t += 100), JWR_ENTERED, 7);
	make_event(m, 1, at(t += 100), JWR_WAIT, 7);
	make_event(m, 1, at(t += 100), JWR_WAITED, 7);
}

int main(int argc, char **argv)
{
	if (argc != 4 && argc != 5)
		return 2;
	size_t length = strlen(argv[1]);
	unsigned n = (unsigned)strtoul(argv[3], NULL, 10);
	char name[100];

	if (length < 5 || length >= sizeof(name))
		return 2;
	snprintf(name, sizeof(name), "%.*s", (int)length - 4, argv[1]);
	make_in(".");
	put_map(argv[2]);
	struct make m = make_begin(name);

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, at(1000), "w\xc3\xb6rker");
	uint64_t main_end = put_main(&m, n);
	if (argc == 5) {
		put_virtual(&m, (unsigned)strtoul(argv[4], NULL, 10));
		put_pauses(&m);
		put_waits(&m, main_end);
	}
	uint64_t end = put_worker(&m, n / 10);

	make_meta(&m, "thread-end|2|%llu|w\xc3\xb6rker", (unsigned long long)at(end + 1000));
	make_finish(&m, true);
	return 0;
}
