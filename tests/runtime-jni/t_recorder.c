/*
 * t_recorder.c: the life of a recording: events, windows, threads that come and go, its end.
 */
#include "runtime-jni/recorder/off_cpu.h"
#include "runtime-jni/recorder/slots.h"
#include "tests/runtime-jni/recorder_kit.h"

#include "base/banned.h"

/* ---- scenarios ---- */

static void child_plain(void)
{
	start("plain");
	log_events(10);
	end_once();
	log_events(5); /* after the end: nothing, and no harm */
}

TEST(a_few_events)
{
	is_int(in_silent_child(child_plain), 0);
	struct left *l = read_back("plain");
	is_int(l->all, 10);
	is_int(l->gaps, 0);
	is_int(l->chunks, 1);
	is_int(l->threads, 1);
	ok(has_item(l, "end"));
	ok(has_item(l, "data"));
	ok(has_item(l, "clock-point"));
	ok(!strncmp(l->meta, "jweave-recording\t1\n", 19));
}

/* One below, at and above a whole window, and two windows. */
static int window_events;
static void child_window(void)
{
	char name[32];

	snprintf(name, sizeof(name), "window%d", window_events);
	start(name);
	log_events(window_events);
	end_once();
}

TEST(windows_are_written_when_full)
{
	static const int counts[] = { PER_WINDOW - 1, PER_WINDOW, PER_WINDOW + 1, 2 * PER_WINDOW };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		char name[32];

		window_events = counts[i];
		is_int(in_silent_child(child_window), 0);
		snprintf(name, sizeof(name), "window%d", counts[i]);
		struct left *l = read_back(name);
		is_int(l->all, counts[i]);
		is_int(l->gaps, 0);
		is_int(l->chunks, (counts[i] + PER_WINDOW - 1) / PER_WINDOW);
	}
}

static uint64_t cpu_ns(void)
{
	return trace_ns_of(CLOCK_THREAD_CPUTIME_ID);
}

/* How long a thread has had no CPU after its last record: at least as long as it slept, at most what it did not run. */
static void child_off_cpu(void)
{
	enum { MS = 20 * 1000000 };
	static const struct timespec nap = { 0, MS };
	uint64_t before = trace_ns_of(CLOCK_MONOTONIC), cpu = cpu_ns();

	start("off-cpu");
	if (rt_off_cpu_since()) /* it is no thread of the recording */
		_exit(1);
	log_events(PER_WINDOW + 1);
	if (rt_off_cpu_since())
		_exit(2);
	for (uint64_t begin = cpu_ns(); cpu_ns() < begin + MS;)
		;
	nanosleep(&nap, NULL);
	uint64_t since = rt_off_cpu_since();
	struct jwr_clock_point now = trace_tick_point(rt_recorder_clock(), 1);
	const struct jwr_window *w = rt_tls.window;
	double ns_a_tick =
		(double)(now.mono_ns - w->began.mono_ns) / (double)(now.tick - w->began.tick);
	double off = (double)(now.tick - since) * ns_a_tick;

	if (since <= w->began.tick || off < MS / 2 ||
	    off > (double)(trace_ns_of(CLOCK_MONOTONIC) - before - MS))
		_exit(3);
	log_events(1);
	if (cpu_ns() - cpu < MS || rt_off_cpu_since())
		_exit(4);
	/* from the end of a long wait on less CPU time counts */
	struct rt_slot *slot = rt_tls.slot;

	rt_event_at(now.tick + 2 * RT_LONG_WAIT_TICKS, JWR_PARKED, 0);
	rt_off_cpu_waited();
	if (slot->mark.ns < cpu + MS)
		_exit(5);
	slot->mark.ns = 0;
	rt_event_at(now.tick + 3 * RT_LONG_WAIT_TICKS - 1, JWR_PARKED, 0);
	rt_off_cpu_waited();
	if (slot->mark.ns)
		_exit(6);
	end_once();
}

TEST(how_long_a_thread_had_no_CPU)
{
	is_int(in_silent_child(child_off_cpu), 0);
}

static int told;

static void tell(void)
{
	told++;
}

/* Two chunks are not long, three are, and that is said once; a thread of the runtime's own logs
 * nothing. */
static void child_long(void)
{
	start("long");
	rt_when_long(3 * JWR_FULL_CHUNK, tell);
	log_events(3 * PER_WINDOW);
	if (told)
		_exit(1);
	log_events(1);
	if (told != 1)
		_exit(2);
	log_events(2 * PER_WINDOW);
	rt_mute();
	log_events(2 * PER_WINDOW);
	_exit(told == 1 ? 0 : 3);
}

TEST(a_recording_becomes_long_once)
{
	is_int(in_silent_child(child_long), 0);
}

/* Offsets, in the data of NAME, of chunks of a page and more; how many of them begin within one. */
static int misplaced(const char *name, int *large)
{
	static uint8_t data[4 << 20];
	size_t n = slurp(name, "data", data, sizeof(data));
	int wrong = 0;

	*large = 0;
	for (size_t at = 0; at + sizeof(struct jwr_chunk) <= n; at += JWR_ALIGN) {
		struct jwr_chunk c;

		memcpy(&c, data + at, sizeof(c));
		if (c.magic != JWR_MAGIC || c.bytes + sizeof(c) < JWR_PAGE)
			continue;
		wrong += at % JWR_PAGE != 0;
		++*large;
	}
	return wrong;
}

static void child_pages(void)
{
	int few = 3, many = 3 * PER_WINDOW;

	start("pages");
	run_threads(1, &few, false);
	run_threads(1, &many, false);
	run_threads(5, &few, false);
	run_threads(2, &many, true);
	end_once();
}

/* Two chunks that share a page of the file cost more than the rest of writing them. */
TEST(full_chunks_are_whole_pages)
{
	int large = 0;

	is_int(in_silent_child(child_pages), 0);
	is_int(misplaced("pages", &large), 0);
	is_int(large, 9);
	struct left *l = read_back("pages");
	is_int(l->all, 9 * PER_WINDOW + 18);
	is_int(l->gaps, 0);
}

static void child_killed(void)
{
	start("killed");
	log_events(PER_WINDOW * 3 + 100);
	raise(SIGKILL);
}

TEST(a_killed_process_loses_nothing)
{
	ok(WIFSIGNALED(in_silent_child(child_killed)));
	struct left *l = read_back("killed");
	is_int(l->all, PER_WINDOW * 3 + 100);
	is_int(l->gaps, 0);
	is_int(l->windows, 1);
	ok(!has_item(l, "end"));
}

static void child_threads(void)
{
	int many = PER_WINDOW * 5 + 3, few = 3;

	start("threads");
	run_threads(8, &many, true);
	run_threads(1000, &few, false);
	end_once();
}

TEST(threads_share_windows_and_lose_nothing)
{
	is_int(in_silent_child(child_threads), 0);
	struct left *l = read_back("threads");
	is_int(l->all, 8 * (PER_WINDOW * 5 + 3) + 3000);
	is_int(l->gaps, 0);
	is_int(l->threads, 1008);
}

/* Threads that no JVM announces, and threads that go on after their announced end. */
static void *unannounced(void *n)
{
	log_events(*(int *)n);
	return NULL;
}

static void *resurrected(void *n)
{
	logging_thread(n);
	log_events(*(int *)n);
	return NULL;
}

static void child_strays(void)
{
	int n = 100;
	pthread_t t;

	start("strays");
	pthread_create(&t, NULL, unannounced, &n);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, resurrected, &n);
	pthread_join(t, NULL);
	raise(SIGKILL); /* so that it was the threads' ends that wrote their windows */
}

TEST(threads_end_by_their_key)
{
	in_silent_child(child_strays);
	struct left *l = read_back("strays");
	is_int(l->threads, 3);
	is_int(l->all, 300);
	is_int(l->gaps, 0);
	is_int(l->windows, 0);
}

/* Daemon threads log while the recording ends. */
static void child_daemons(void)
{
	pthread_t t[3];

	config.max_size = 48 << 20;
	start("daemons");
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, never_ending, NULL);
	usleep(50000);
	end_once();
	usleep(1000);
	over = true;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

TEST(the_end_while_threads_log)
{
	is_int(in_silent_child(child_daemons), 0);
	struct left *l = read_back("daemons");
	is_int(l->gaps, 0);
	is_int(l->threads, 3);
	ok(l->all > 0);
	is_int(l->windows, 0);
	ok(has_item(l, "end"));
	is_int(l->lost, 0); /* after the end nothing is promised */
}
