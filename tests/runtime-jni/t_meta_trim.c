/*
 * t_meta_trim.c: a flight recorder forgets the names of threads that are gone with their chunks, and of no
 * others: also in its dumps, while threads come and go, and where it is killed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "runtime-jni/recorder/snapshot.h"
#include "tests/runtime-jni/child_kit.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

enum { RING = 2 << 20, AT_ONCE = 4, ROUNDS = 4000, DUMPS = 4 };

static _Atomic int begun;

static void name_it(struct rt_thread_info *out)
{
	snprintf(out->name, sizeof(out->name), "a thread of the program, number %d", ++begun);
}

static void *log_a_pair(void *unused)
{
	rt_thread_begins();
	rt_event(rt_recorder_clock(), JWR_ENTER, 1);
	rt_event(rt_recorder_clock(), JWR_EXIT, 1);
	rt_thread_ends(NULL);
	return unused;
}

static void *log_rounds(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_t t;

		if (pthread_create(&t, NULL, log_a_pair, NULL) != 0)
			_exit(97);
		pthread_join(t, NULL);
	}
	return unused;
}

static uint64_t file_size(const char *name, const char *part)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s.jwr/%s", work_dir(), name, part);
	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Of all files of NAME. */
static uint64_t whole_size(const char *name)
{
	uint64_t sum = file_size(name, "meta") + file_size(name, "windows");

	for (int i = 1; i < 200; i++) {
		char part[32];

		snprintf(part, sizeof(part), JWR_DATA ".%d", i);
		sum += file_size(name, part);
	}
	return sum;
}

static void start_ring(const char *name)
{
	config.mode = RT_MODE_FLIGHT;
	config.max_size = RING;
	start_with(name, name_it);
}

static void log_many_threads(const char *name, bool dump)
{
	pthread_t t[AT_ONCE];
	char path[512];

	start_ring(name);
	log_a_pair(NULL);
	for (int i = 0; i < AT_ONCE; i++)
		if (pthread_create(&t[i], NULL, log_rounds, NULL) != 0)
			_exit(97);
	for (int i = 1; dump && i <= DUMPS; i++) {
		while (begun < ROUNDS * AT_ONCE / (DUMPS + 1) * i)
			usleep(100);
		if (rt_dump(path, sizeof(path)))
			_exit(96);
	}
	for (int i = 0; i < AT_ONCE; i++)
		pthread_join(t[i], NULL);
}

static void child_many(void)
{
	log_many_threads("many", false);
	end();
}

static void child_killed(void)
{
	log_many_threads("killed", false);
	raise(9);
}

static void child_dumps(void)
{
	log_many_threads("dumps", true);
	end();
}

/* What is in NAME has names; all threads that there were are told of. */
static void all_are_named(const char *name, uint64_t threads)
{
	static char path[256];
	struct jw_arena arena = { 0 };
	struct trace_notes notes = { .arena = &arena };
	struct trace_recording rec;
	struct jw_err e = { 0 };
	size_t nameless = 0;

	snprintf(path, sizeof(path), "%s/%s.jwr", work_dir(), name);
	if (ok(trace_recording_open(path, NULL, &rec, &notes, &e) == JW_OK)) {
		for (size_t i = 0; i < rec.thread_count; i++)
			nameless += strncmp(rec.threads[i].name, "a thread of the", 15) != 0;
		is_int(nameless, 0);
		ok(rec.thread_count > 100);
		ok(rec.threads_gone > 0);
		if (threads)
			is_int(rec.thread_count + rec.overwritten_threads, threads);
		is_int(rec.bad_lines + rec.bad_chunks + rec.missing_chunks + rec.lost, 0);
		trace_recording_close(&rec);
	}
	trace_notes_free(&notes);
	jw_arena_free(&arena);
}

TEST(names_go_with_the_chunks)
{
	is_int(in_child(child_many), 0);
	ok(file_size("many", "meta") < RING / 2);
	is_int(file_size("many", "meta.new"), 0);
	all_are_named("many", ROUNDS * AT_ONCE + 1);
}

TEST(names_of_a_killed_one)
{
	in_child(child_killed);
	ok(file_size("killed", "meta") < RING / 2);
	ok(whole_size("killed") > RING / 2 && whole_size("killed") <= RING);
	all_are_named("killed", ROUNDS * AT_ONCE + 1);
}

TEST(names_in_dumps)
{
	is_int(in_child(child_dumps), 0);
	for (int i = 2; i <= DUMPS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "dumps-dump-%d", i);
		all_are_named(name, 0);
	}
	all_are_named("dumps", ROUNDS * AT_ONCE + 1);
}
