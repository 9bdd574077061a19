/*
 * x_odd_recordings.c: recordings in the current folder, each with one thing to tell; for
 *g_traces.sh.
 *
 *	stopped memory flight early clockless lost open headless empty nothing crowd
 *	damaged damaged2 paused pauses spoilt spoilts deep deeps flight1
 */
#include "tests/trace/make_recording.h"

#include "base/banned.h"

#define CLASS 0x1234u

static uint64_t id(unsigned method)
{
	return jwr_method_id(CLASS, (uint16_t)method);
}

static uint64_t at(uint64_t us)
{
	return MAKE_START + 2000 * us;
}

static struct make begin(const char *name)
{
	struct make m = make_begin(name);

	make_thread(&m, 1, 0, "main");
	return m;
}

static void call(struct make *m, uint32_t uid, uint64_t us)
{
	make_event(m, uid, at(us), JWR_ENTER, id(1));
	make_event(m, uid, at(us + 1), JWR_EXIT, id(1));
}

static void stopped(void)
{
	struct make m = begin("stopped");

	call(&m, 1, 10);
	make_meta(&m, "stop|%llu|No space left on device", (unsigned long long)at(20));
	make_finish(&m, true);
}

static void in_memory(void)
{
	struct make m = begin("memory");

	make_meta(&m, "windows|anonymous");
	call(&m, 1, 10);
	make_chunk(&m, 1);
	make_finish(&m, false);
}

/* A thread's first GONE chunks have made room, and with each of the first two all of another one.
 */
static void flight(const char *name, uint32_t gone)
{
	struct make m = begin(name);

	make_meta(&m, "mode|flight-recorder");
	for (uint32_t uid = 2; uid < 4 && uid < gone + 2; uid++)
		make_thread(&m, uid, 0, "gone");
	call(&m, 1, 90);
	m.threads[0].seq = gone;
	make_finish(&m, true);
}

/* Killed long after the one look at the clock. */
static void early(void)
{
	struct make m = begin("early");

	call(&m, 1, 10);
	call(&m, 1, 900000);
	make_finish(&m, false);
}

static void clockless(void)
{
	struct make m = make_begin_bare("clockless");

	make_meta(&m, "jweave-recording|1\nclock|tsc\nwindows|windows");
	make_thread(&m, 1, 0, "main");
	m.mono_start = m.wall_start = 0;
	m.ns_per_tick = 0;
	call(&m, 1, 10);
	make_finish(&m, false);
}

static void lost(void)
{
	struct make m = begin("lost");

	call(&m, 1, 10);
	make_meta(&m, "lost|1|7");
	make_finish(&m, true);
}

static void left_open(void)
{
	struct make m = begin("open");

	make_event(&m, 1, at(5), JWR_ENTER, id(0));
	make_event(&m, 1, at(6), JWR_ENTER, id(1));
	make_event(&m, 1, at(8), JWR_EXIT, id(0));
	make_event(&m, 1, at(9), JWR_ENTER, id(2));
	make_finish(&m, true);
}

static void headless(void)
{
	struct make m = begin("headless");

	make_event(&m, 1, at(8), JWR_EXIT, id(0));
	call(&m, 1, 10);
	make_finish(&m, true);
}

/* A thread that did nothing; and not even a thread. */
static void empty(void)
{
	struct make m = begin("empty");

	make_finish(&m, true);
	m = make_begin("nothing");
	make_finish(&m, true);
}

/* More virtual threads at one time than are to be shown. */
static void crowd(void)
{
	struct make m = begin("crowd");

	for (unsigned i = 1; i <= 6; i++) {
		make_event(&m, 1, at(10 * i), JWR_SWITCH, i);
		call(&m, 1, 10 * i + 1);
	}
	for (unsigned i = 1; i <= 6; i++)
		make_event(&m, 1, at(100 + i), JWR_END, i);
	make_finish(&m, true);
}

/* TIMES each: a line of meta that says nothing, a chunk that is there twice; one that is
 * missing. */
static void damaged(const char *name, uint32_t times)
{
	struct make m = begin(name);

	for (uint32_t i = 0; i < times; i++) {
		make_meta(&m, "thread|x|y");
		for (int twice = 0; twice < 2; twice++) {
			call(&m, 1, 10 + 10 * i);
			m.threads[0].seq = i;
			make_chunk(&m, 1);
		}
	}
	m.threads[0].seq = times + 2;
	call(&m, 1, 90);
	make_finish(&m, true);
}

/* A summary of one method, with N calls that were nested too deep. */
static void deep_sums(const char *name, uint64_t n)
{
	struct make m = make_begin_bare(name);
	struct jwr_sums_chunk h = { .magic = JWR_SUMS_MAGIC,
				    .thread = 1,
				    .rows = 1,
				    .began = make_point(&m, at(10)),
				    .ended = make_point(&m, at(20)),
				    .odds.deep = n };
	struct jwr_row row = { .key = jwr_word(JWR_ENTER, id(1)), .calls = 7, .total = 2000 };

	make_meta(&m, "jweave-recording|2\nmode|summary\nclock|tsc\nclock-point|%u|%llu|%llu",
		  MAKE_START, (unsigned long long)m.mono_start, (unsigned long long)m.wall_start);
	make_thread(&m, 1, 0, "main");
	fwrite(&h, sizeof(h), 1, m.data);
	fwrite(&row, sizeof(row), 1, m.data);
	make_finish(&m, true);
}

/* Recording was paused in the middle of each of DEPTH calls; an exit has no enter. */
static void paused(const char *name, unsigned depth)
{
	struct make m = begin(name);

	for (unsigned i = 0; i < depth; i++)
		make_event(&m, 1, at(10 + i), JWR_ENTER, id(1));
	make_meta(&m, "pause|%llu\nresume|%llu", (unsigned long long)at(20),
		  (unsigned long long)at(30));
	for (unsigned i = 0; i < depth; i++)
		make_event(&m, 1, at(40 + i), JWR_EXIT, id(1));
	call(&m, 1, 50);
	make_finish(&m, true);
}

/* Writes N bytes over the file FILE of M, which is finished, from OFFSET on. */
static void spoil(const struct make *m, const char *file, long offset, const void *bytes, size_t n)
{
	char path[600];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", m->path, file);
	f = fopen(path, "r+b");
	if (!f || fseek(f, offset, SEEK_SET) != 0 || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
		exit(1);
}

/* TIMES each: a chunk and a window whose headers are damaged, a record of no known kind, a clock
 * point that contradicts all others, and one chunk that is missing of each thread. */
static void spoilt(const char *name, unsigned times)
{
	static const uint32_t bytes = 7;
	static const uint64_t cursor = 1;
	struct make m = begin(name);

	for (unsigned i = 0; i < times; i++) {
		uint32_t uid = 2 + i;

		make_thread(&m, uid, 0, "spoilt");
		make_meta(&m, "clock-point|%llu|77|88", (unsigned long long)at(500 + i));
		call(&m, uid, 10 + i);
		make_chunk(&m, uid);
		call(&m, uid, 30 + i);
		make_chunk(&m, uid);
		call(&m, uid, 50 + i);
		make_event(&m, uid, at(60 + i), (enum jwr_kind)99, 5);
	}
	call(&m, 1, 100);
	make_finish(&m, false);
	for (unsigned i = 0; i < times; i++) {
		spoil(&m, "data", (long)(2 * i) * JWR_ALIGN + 12, &bytes, sizeof(bytes));
		spoil(&m, "windows", (long)i * JWR_WINDOW_SIZE, &cursor, sizeof(cursor));
	}
}

int main(void)
{
	make_in(".");
	stopped();
	in_memory();
	flight("flight", 9);
	flight("flight1", 1);
	early();
	clockless();
	lost();
	left_open();
	headless();
	empty();
	crowd();
	damaged("damaged", 1);
	damaged("damaged2", 2);
	deep_sums("deep", 1);
	deep_sums("deeps", 2);
	paused("paused", 1);
	paused("pauses", 2);
	spoilt("spoilt", 1);
	spoilt("spoilts", 2);
	return 0;
}
