/*
 * x_odd_recordings.c: recordings in the current folder, each with one thing to tell; for
 *g_traces.sh.
 *
 *	stopped memory flight early clockless lost open headless empty nothing crowd
 *	damaged paused
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

static void flight(void)
{
	struct make m = begin("flight");

	make_meta(&m, "mode|flight-recorder");
	call(&m, 1, 10);
	make_chunk(&m, 1);
	m.threads[0].seq = 9;
	call(&m, 1, 90);
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

/* Lines of meta that say nothing, one chunk twice, one missing, and a clock point from elsewhere.
 */
static void damaged(void)
{
	struct make m = begin("damaged");

	make_meta(&m, "thread|x|y");
	call(&m, 1, 10);
	make_chunk(&m, 1);
	m.threads[0].seq = 0;
	call(&m, 1, 10);
	make_chunk(&m, 1);
	m.threads[0].seq = 3;
	call(&m, 1, 90);
	make_finish(&m, true);
}

/* Recording was paused in the middle of a call. */
static void paused(void)
{
	struct make m = begin("paused");

	make_event(&m, 1, at(10), JWR_ENTER, id(1));
	make_meta(&m, "pause|%llu\nresume|%llu", (unsigned long long)at(20),
		  (unsigned long long)at(30));
	make_event(&m, 1, at(40), JWR_EXIT, id(1));
	call(&m, 1, 50);
	make_finish(&m, true);
}

int main(void)
{
	snprintf(make_folder_name, sizeof(make_folder_name), ".");
	stopped();
	in_memory();
	flight();
	early();
	clockless();
	lost();
	left_open();
	headless();
	empty();
	crowd();
	damaged();
	paused();
	return 0;
}
