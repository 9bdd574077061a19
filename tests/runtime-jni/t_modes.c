/*
 * Pauses, the ring and its dumps, without a JVM, while threads log. Each scenario runs in a child;
 * the parent reads what it left with the reader of trace/, which counts what is missing.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime-jni/recorder/snapshot.h"
#include "tests/runtime-jni/child_kit.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define THREADS 4
#define DUMPS   5

static void start(const char *name, enum rt_mode mode, uint64_t max_size)
{
	config.mode = mode;
	config.max_size = max_size;
	start_with(name, NULL);
}

enum { NAP = 20000, RING = 2 << 20 /* bytes */ };

static _Atomic bool over;
static _Atomic uint64_t logged; /* pairs, at the latest naps */

static void *log_pairs(void *unused)
{
	rt_thread_begins();
	for (uint64_t i = 1; !over; i++) {
		rt_event(rt_recorder_clock(), JWR_ENTER, 1);
		rt_event(rt_recorder_clock(), JWR_EXIT, 1);
		if (i % NAP == 0) {
			logged += NAP;
			usleep(100);
		}
	}
	rt_thread_ends("its end");
	return unused;
}

static void log_while(void (*what)(void))
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, log_pairs, NULL) != 0)
			_exit(97);
	usleep(50000);
	what();
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

/* The recording NAME, read; its notes go to the log of the test. */
static bool read_back(const char *name, struct trace_recording *rec)
{
	static char path[256];
	struct jw_arena arena = { 0 };
	struct trace_notes notes = { .arena = &arena };
	struct jw_err e = { 0 };

	snprintf(path, sizeof(path), "%s/%s.jwr", work_dir(), name);
	bool good = trace_recording_open(path, NULL, rec, &notes, &e) == JW_OK;
	if (!good)
		tap_note("%s", e.text);
	trace_notes_free(&notes);
	jw_arena_free(&arena);
	return good;
}

static void is_whole(const struct trace_recording *rec)
{
	is_int(rec->missing_chunks, 0);
	is_int(rec->cut_chunks, 0);
	is_int(rec->bad_chunks, 0);
	is_int(rec->bad_windows, 0);
	is_int(rec->bad_lines, 0);
	is_int(rec->lost, 0);
}

/* ---- the ring ---- */

static void dump_often(void)
{
	char path[512];

	/* twice what the ring holds, however slow the machine is: the first dump has lost some */
	while (logged * 2 * sizeof(struct jwr_record) < UINT64_C(2) * RING)
		usleep(1000);
	for (int i = 0; i < DUMPS; i++) {
		const char *why = rt_dump(path, sizeof(path));

		if (why) {
			fprintf(stderr, "# dump: %s\n", why);
			_exit(96);
		}
		usleep(20000);
	}
}

static void child_ring(void)
{
	start("ring", RT_MODE_FLIGHT, RING);
	log_while(dump_often);
	end();
}

static uint64_t size_of(const struct trace_recording *rec)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < rec->file_count; i++) {
		struct stat st;

		sum += fstat(rec->files[i].fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	}
	return sum;
}

TEST(a_ring_and_its_dumps_lose_only_what_is_old)
{
	struct trace_recording rec;

	is_int(in_child(child_ring), 0);
	for (int i = 0; i <= DUMPS; i++) {
		char name[32] = "ring";

		if (i)
			snprintf(name, sizeof(name), "ring-dump-%d", i);
		if (!ok(read_back(name, &rec)))
			continue;
		is_whole(&rec);
		ok(rec.ring && rec.clean_end && rec.overwritten > 0);
		is_int(rec.thread_count, THREADS);
		ok(rec.events > 10000);
		ok(size_of(&rec) <= RING);
		trace_recording_close(&rec);
	}
}

/* Fewer threads than the bound has windows for: what these and the ring hold is more than
 * half of it when the process ends. */
enum { MANY = 40, MANY_EVENTS = 3000, MORE_EVENTS = 100000, FEW_BYTES = 6 << 20 };

static pthread_barrier_t all_logged;

static void log_many(void)
{
	for (uint64_t i = 0; i < MANY_EVENTS; i++)
		rt_event(rt_recorder_clock(), i % 2 ? JWR_EXIT : JWR_ENTER, i / 2);
	pthread_barrier_wait(&all_logged);
}

static void *log_and_end(void *unused)
{
	log_many();
	rt_thread_ends("its end");
	return unused;
}

static void *log_and_stay(void *unused)
{
	log_many();
	for (;;)
		pause();
	return unused;
}

static void log_on_many(void *(*how)(void *), pthread_t threads[MANY])
{
	pthread_barrier_init(&all_logged, NULL, MANY + 1);
	for (int i = 0; i < MANY; i++)
		if (pthread_create(&threads[i], NULL, how, NULL) != 0)
			_exit(93);
	pthread_barrier_wait(&all_logged);
}

static void child_full_windows(void)
{
	pthread_t threads[MANY];

	start("windows", RT_MODE_FLIGHT, FEW_BYTES);
	log_on_many(log_and_stay, threads);
	for (uint64_t i = 0; i < MORE_EVENTS; i++)
		rt_event(rt_recorder_clock(), i % 2 ? JWR_EXIT : JWR_ENTER, i / 2);
	end();
}

static void child_ended_threads(void)
{
	pthread_t threads[MANY];

	start("ended", RT_MODE_FLIGHT, FEW_BYTES);
	for (int k = 0; k < 4; k++) {
		log_on_many(log_and_end, threads);
		for (int i = 0; i < MANY; i++)
			pthread_join(threads[i], NULL);
	}
	end();
}

TEST(the_end_drops_nothing_that_windows_hold)
{
	struct trace_recording rec;

	is_int(in_child(child_full_windows), 0);
	if (!ok(read_back("windows", &rec)))
		return;
	is_int(rec.thread_count, MANY + 1);
	is_int(rec.events, MANY * MANY_EVENTS + MORE_EVENTS);
	ok(rec.events * sizeof(struct jwr_record) > FEW_BYTES / 2);
	is_int(rec.overwritten, 0);
	trace_recording_close(&rec);
}

/* A ring has its quarter of the bound (in segments of an eighth), whatever windows took. */
TEST(threads_that_end_leave_a_ring_its_part)
{
	struct trace_recording rec;

	is_int(in_child(child_ended_threads), 0);
	if (!ok(read_back("ended", &rec)))
		return;
	is_whole(&rec);
	ok(rec.thread_count < 4 * MANY);
	ok(size_of(&rec) > FEW_BYTES / 8 && size_of(&rec) <= FEW_BYTES / 2 + FEW_BYTES / 8);
	trace_recording_close(&rec);
}

/* ---- pauses ---- */

static void pause_often(void)
{
	for (int i = 0; i < 50; i++) {
		if (!rt_pause(i % 2 == 0))
			_exit(95);
		usleep(1000);
	}
}

static void child_pauses(void)
{
	start("pauses", RT_MODE_STREAM, UINT64_MAX);
	log_while(pause_often);
	end();
}

TEST(pauses_while_threads_log)
{
	struct trace_recording rec;

	is_int(in_child(child_pauses), 0);
	if (!ok(read_back("pauses", &rec)))
		return;
	is_whole(&rec);
	is_int(rec.gap_count, 25);
	for (size_t i = 0; i < rec.gap_count; i++)
		ok(rec.gaps[i].begin <= rec.gaps[i].end && rec.gaps[i].end != UINT64_MAX);
	trace_recording_close(&rec);
}

static void nothing(void)
{
}

static void child_never_resumed(void)
{
	config.start = RT_START_PAUSED;
	start("never", RT_MODE_STREAM, UINT64_MAX);
	log_while(nothing);
	end();
	if (rt_pause(false))
		_exit(94); /* there is nothing to go on with */
}

TEST(paused_from_the_start_records_nothing)
{
	struct trace_recording rec;

	is_int(in_child(child_never_resumed), 0);
	if (!ok(read_back("never", &rec)))
		return;
	is_int(rec.events, 0);
	is_int(rec.thread_count, 0);
	is_int(rec.gap_count, 1);
	trace_recording_close(&rec);
}

/* ---- flush ---- */

static void child_flush(void)
{
	start("flush", RT_MODE_STREAM, UINT64_MAX);
	for (int i = 0; i < 3; i++) {
		rt_event(rt_recorder_clock(), JWR_ENTER, 1);
		rt_flush();
		rt_flush(); /* nothing new: no chunk */
	}
	raise(9);
}

TEST(a_flush_writes_the_window_out)
{
	struct trace_recording rec;

	in_child(child_flush);
	if (!ok(read_back("flush", &rec)))
		return;
	is_int(rec.piece_count, 3);
	is_int(rec.events, 3);
	is_int(rec.missing_chunks, 0);
	trace_recording_close(&rec);
}
