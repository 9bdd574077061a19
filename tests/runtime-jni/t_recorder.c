/*
 * The recorder without a JVM. It records once per process, so every scenario runs in a child, and
 * the parent reads what the child left. Each logging thread numbers its events from 0: a recording
 * is right when every thread's numbers have no gap.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime-jni/recorder.h"
#include "tests/tap.h"

#include "base/banned.h"

#define THREADS_MOST 4096
#define PER_WINDOW   (JWR_RECORDS_SIZE / (int)sizeof(struct jwr_record))

static char dir[] = "/tmp/jweave-recorder-XXXXXX";

static void remove_dir(void)
{
	char command[sizeof(dir) + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (chdir("/") == 0 && system(command) != 0)
		fprintf(stderr, "cannot remove %s\n", dir);
}

static const char *work_dir(void)
{
	static bool made;

	if (!made) {
		made = mkdtemp(dir) != NULL;
		atexit(remove_dir);
	}
	return dir;
}

/* ---- what a child does ---- */

static struct rt_config config = { .max_size = UINT64_MAX, .convert = RT_CONVERT_OFF };

static void describe(struct rt_thread_info *out)
{
	snprintf(out->name, sizeof(out->name), "a thread");
	out->java_id = 7;
}

static void start(const char *name)
{
	struct jw_err e = { 0 };
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", work_dir(), name);
	config.output = strdup(path);
	if (rt_recorder_start(&config, describe, &e) != JW_OK) {
		fprintf(stderr, "# %s\n", e.text);
		_exit(99);
	}
}

static void log_events(int n)
{
	for (int i = 0; i < n; i++)
		rt_event(rt_recorder_clock(), i % 2 ? JWR_EXIT : JWR_ENTER, (uint64_t)i);
}

static void end(void)
{
	struct rt_recorder_result r;

	if (!rt_recorder_end("test", NULL, &r) || rt_recorder_end("test", NULL, &r))
		_exit(98);
}

/* Runs CHILD in a process of its own, silent; its wait status. */
static int in_child(void (*child)(void))
{
	int status = -1;

	fflush(NULL);
	work_dir();
	pid_t pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDERR_FILENO);
		child();
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* ---- what it left ---- */

struct left {
	bool there;
	uint64_t events[THREADS_MOST]; /* by uid */
	uint64_t all, gaps, chunks, windows, lost;
	int threads;
	char meta[1 << 20];
	uint64_t data_bytes;
};

static size_t slurp(const char *name, const char *part, void *out, size_t max)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s.jwr/%s", dir, name, part);
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(out, 1, max, f) : 0;
	if (f)
		fclose(f);
	return n;
}

static void count_records(struct left *l, uint32_t uid, const uint8_t *p, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += sizeof(struct jwr_record)) {
		struct jwr_record r;

		memcpy(&r, p + at, sizeof(r));
		if (jwr_word_payload(r.word) != l->events[uid])
			l->gaps++;
		l->events[uid]++;
		l->all++;
	}
}

/* Chunks of one thread lie in order here: one thread writes one after the other. */
static void count_chunks(struct left *l, const uint8_t *p, size_t n, uint32_t *next_seq)
{
	struct jwr_chunk c;

	for (size_t at = 0; at + sizeof(c) <= n;) {
		memcpy(&c, p + at, sizeof(c));
		if (c.magic != JWR_MAGIC) {
			at += JWR_ALIGN;
			continue;
		}
		if (c.thread >= THREADS_MOST || c.seq != next_seq[c.thread]++ || !c.bytes ||
		    c.bytes > JWR_RECORDS_SIZE || c.ended.tick < c.began.tick) {
			l->gaps++;
			return;
		}
		count_records(l, c.thread, p + at + sizeof(c), c.bytes);
		l->chunks++;
		at += (sizeof(c) + c.bytes + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN;
	}
}

static void count_windows(struct left *l, const uint8_t *p, size_t n, const uint32_t *next_seq)
{
	struct jwr_window w;

	for (size_t at = 0; at + JWR_WINDOW_SIZE <= n; at += JWR_WINDOW_SIZE) {
		memcpy(&w, p + at, sizeof(w));
		if (w.magic != JWR_MAGIC || w.thread >= THREADS_MOST || w.seq < next_seq[w.thread])
			continue;
		l->windows++;
		count_records(l, w.thread, p + at + JWR_HEADER_SIZE, w.cursor - JWR_HEADER_SIZE);
	}
}

static void read_meta(struct left *l)
{
	for (char *line = l->meta; *line;) {
		char *end_of = strchr(line, '\n');

		l->threads += !strncmp(line, "thread\t", 7);
		if (!strncmp(line, "lost\t", 5))
			l->lost += strtoull(strchr(line + 5, '\t') + 1, NULL, 10);
		if (!end_of)
			break;
		line = end_of + 1;
	}
}

static struct left *read_back(const char *name)
{
	static struct left l;
	static uint32_t next_seq[THREADS_MOST];
	const size_t max = 96u << 20;
	uint8_t *p = mmap(NULL, max, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	memset(&l, 0, sizeof(l));
	memset(next_seq, 0, sizeof(next_seq));
	size_t n = slurp(name, "meta", l.meta, sizeof(l.meta) - 1);
	l.meta[n] = '\0';
	l.there = n > 0;
	read_meta(&l);
	l.data_bytes = slurp(name, "data", p, max);
	count_chunks(&l, p, l.data_bytes, next_seq);
	n = slurp(name, "windows", p, max);
	count_windows(&l, p, n, next_seq);
	munmap(p, max);
	return &l;
}

static bool has_item(const struct left *l, const char *item)
{
	char key[64];

	snprintf(key, sizeof(key), "\n%s\t", item);
	return strstr(l->meta, key) != NULL;
}

/* ---- scenarios ---- */

static void child_plain(void)
{
	start("plain");
	log_events(10);
	end();
	log_events(5); /* after the end: nothing, and no harm */
}

TEST(a_few_events)
{
	is_int(in_child(child_plain), 0);
	struct left *l = read_back("plain");
	is_int(l->all, 10);
	is_int(l->gaps, 0);
	is_int(l->chunks, 1);
	is_int(l->threads, 1);
	ok(has_item(l, "end"));
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
	end();
}

TEST(windows_are_written_when_full)
{
	static const int counts[] = { PER_WINDOW - 1, PER_WINDOW, PER_WINDOW + 1, 2 * PER_WINDOW };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		char name[32];

		window_events = counts[i];
		is_int(in_child(child_window), 0);
		snprintf(name, sizeof(name), "window%d", counts[i]);
		struct left *l = read_back(name);
		is_int(l->all, counts[i]);
		is_int(l->gaps, 0);
		is_int(l->chunks, (counts[i] + PER_WINDOW - 1) / PER_WINDOW);
	}
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
	rt_when_long(3 * (JWR_RECORDS_SIZE + JWR_ALIGN), tell);
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
	is_int(in_child(child_long), 0);
}

static void child_killed(void)
{
	start("killed");
	log_events(PER_WINDOW * 3 + 100);
	raise(SIGKILL);
}

TEST(a_killed_process_loses_nothing)
{
	ok(WIFSIGNALED(in_child(child_killed)));
	struct left *l = read_back("killed");
	is_int(l->all, PER_WINDOW * 3 + 100);
	is_int(l->gaps, 0);
	is_int(l->windows, 1);
	ok(!has_item(l, "end"));
}

static void *logging_thread(void *n)
{
	rt_thread_begins();
	log_events(*(int *)n);
	rt_thread_ends("its end");
	return NULL;
}

static void run_threads(int count, int *events, bool at_once)
{
	pthread_t all[64];

	for (int i = 0; i < count; i++) {
		if (pthread_create(&all[i % 64], NULL, logging_thread, events) != 0)
			_exit(97);
		if (!at_once)
			pthread_join(all[i % 64], NULL);
	}
	for (int i = 0; i < count && at_once; i++)
		pthread_join(all[i], NULL);
}

static void child_threads(void)
{
	int many = PER_WINDOW * 5 + 3, few = 3;

	start("threads");
	run_threads(8, &many, true);
	run_threads(1000, &few, false);
	end();
}

TEST(threads_share_windows_and_lose_nothing)
{
	is_int(in_child(child_threads), 0);
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
	in_child(child_strays);
	struct left *l = read_back("strays");
	is_int(l->threads, 3);
	is_int(l->all, 300);
	is_int(l->gaps, 0);
	is_int(l->windows, 0);
}

/* Daemon threads log while the recording ends. */
static _Atomic bool over;
static _Atomic int running;
static void *never_ending(void *unused)
{
	for (uint64_t i = 0; !over; i++) {
		rt_event(rt_recorder_clock(), JWR_ENTER, i);
		running += i == 0;
		if (i % 4096 == 4095)
			usleep(2000); /* or a slow machine's 50 ms reach the size cap */
	}
	return unused;
}

static void child_daemons(void)
{
	pthread_t t[3];

	config.max_size = 48 << 20;
	start("daemons");
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, never_ending, NULL);
	usleep(50000);
	end();
	usleep(1000);
	over = true;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

TEST(the_end_while_threads_log)
{
	is_int(in_child(child_daemons), 0);
	struct left *l = read_back("daemons");
	is_int(l->gaps, 0);
	is_int(l->threads, 3);
	ok(l->all > 0);
	is_int(l->windows, 0);
	ok(has_item(l, "end"));
	is_int(l->lost, 0); /* after the end nothing is promised */
}

/* ---- limits ---- */

static void child_cap(void)
{
	config.max_size = 1 << 20;
	start("cap");
	log_events(200000);
	end();
}

TEST(the_size_cap_stops_and_counts)
{
	is_int(in_child(child_cap), 0);
	struct left *l = read_back("cap");
	ok(has_item(l, "stop"));
	ok(l->data_bytes <= 1 << 20);
	ok(l->all > 40000);
	is_int(l->gaps, 0);
	is_int(l->all + l->lost, 200000);
}

static void child_fsize(void)
{
	struct rlimit limit = { 1 << 20, 1 << 20 };

	setrlimit(RLIMIT_FSIZE, &limit);
	start("fsize");
	log_events(200000);
	end();
}

/* SIGXFSZ, which a write beyond ulimit -f raises, would kill this child: nothing handles it here.
 */
TEST(ulimit_f_does_not_kill)
{
	is_int(in_child(child_fsize), 0);
	struct left *l = read_back("fsize");
	ok(has_item(l, "stop"));
	is_int(l->gaps, 0);
	is_int(l->all + l->lost, 200000);
}

static void child_nofile(void)
{
	struct rlimit limit = { 5, 5 };
	struct jw_err e = { 0 };
	char path[256];

	snprintf(path, sizeof(path), "%s/nofile", work_dir());
	config.output = path;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (rt_recorder_start(&config, NULL, &e) == JW_OK || !e.text[0])
		_exit(1);
	log_events(10);
}

TEST(no_file_handles_no_recording)
{
	is_int(in_child(child_nofile), 0);
	char path[256];
	struct stat st;
	snprintf(path, sizeof(path), "%s/nofile.jwr", dir);
	ok(stat(path, &st) != 0);
}

static void child_memory(void)
{
	int n = 100;

	start("memory");
	log_events(10);
	jw_mem_fail_after(0);
	run_threads(1, &n, true);
	jw_mem_fail_after(-1);
	end();
}

TEST(no_memory_for_names_costs_names_alone)
{
	is_int(in_child(child_memory), 0);
	struct left *l = read_back("memory");
	is_int(l->all, 110);
	is_int(l->gaps, 0);
}

/* No memory in the thread itself: its events are counted, on a row that says so. (Allocations fail
 * per thread: see base/memory.h.) */
static void *poor_thread(void *n)
{
	jw_mem_fail_after(0);
	log_events(*(int *)n);
	return NULL;
}

static void child_poor(void)
{
	int n = 7;
	pthread_t t[8];

	start("poor");
	/* four threads hold the first slab; the others would need memory for a second one */
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, never_ending, NULL);
	while (running < 4)
		usleep(1000);
	for (int i = 4; i < 8; i++) {
		pthread_create(&t[i], NULL, poor_thread, &n);
		pthread_join(t[i], NULL);
	}
	over = true;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	end();
}

TEST(threads_without_memory_are_counted)
{
	is_int(in_child(child_poor), 0);
	struct left *l = read_back("poor");
	ok(strstr(l->meta, "(threads that there was no memory for)") != NULL);
	is_int(l->lost, 28);
	is_int(l->gaps, 0);
}

/* A window file that cannot be: its folder does not exist. Recorded from anonymous memory, and
 * said. */
static void child_anonymous(void)
{
	config.tmp = "/nowhere";
	start("anonymous");
	log_events(PER_WINDOW + 10);
	end();
}

TEST(anonymous_windows_are_noted)
{
	is_int(in_child(child_anonymous), 0);
	struct left *l = read_back("anonymous");
	is_int(l->all, PER_WINDOW + 10);
	ok(strstr(l->meta, "\nwindows\tanonymous\n") != NULL);
	ok(has_item(l, "note"));
}

/* The folder of the window file may be given relative to the working directory. */
static void child_elsewhere(void)
{
	if (chdir(dir) != 0)
		_exit(1);
	config.tmp = ".";
	start("elsewhere");
	log_events(3);
	raise(SIGKILL);
}

TEST(windows_elsewhere_are_named_by_their_whole_path)
{
	char want[64];

	ok(WIFSIGNALED(in_child(child_elsewhere)));
	struct left *l = read_back("elsewhere");
	snprintf(want, sizeof(want), "\nwindows\t%s/./jweave-", dir);
	ok(strstr(l->meta, want) != NULL);
}

static void child_forks(void)
{
	start("forks");
	log_events(10);
	pid_t pid = fork();
	if (!pid) {
		log_events(50000);
		rt_thread_ends("child");
		struct rt_recorder_result r;
		_exit(rt_recorder_end("child", NULL, &r));
	}
	int status;
	if (waitpid(pid, &status, 0) != pid || status != 0)
		_exit(1);
	for (int i = 10; i < 20; i++)
		rt_event(rt_recorder_clock(), JWR_ENTER, (uint64_t)i);
	end();
}

TEST(a_forked_child_stays_out)
{
	is_int(in_child(child_forks), 0);
	struct left *l = read_back("forks");
	is_int(l->all, 20);
	is_int(l->gaps, 0);
	is_int(l->threads, 1);
	ok(strstr(l->meta, "child") == NULL);
}

static void child_twice(void)
{
	start("twice");
	log_events(1);
	end();
}

TEST(names_are_never_reused)
{
	is_int(in_child(child_twice), 0);
	is_int(in_child(child_twice), 0);
	is_int(in_child(child_twice), 0);
	is_int(read_back("twice")->all, 1);
	is_int(read_back("twice-1")->all, 1);
	is_int(read_back("twice-2")->all, 1);
	ok(!read_back("twice-3")->there);
}

static void child_errno(void)
{
	start("errno");
	for (int i = 0; i < 10000; i++) {
		errno = EXDEV;
		rt_event(rt_recorder_clock(), JWR_ENTER, (uint64_t)i);
		if (errno != EXDEV)
			_exit(1);
	}
	end();
}

TEST(errno_is_the_programs)
{
	is_int(in_child(child_errno), 0);
	is_int(read_back("errno")->all, 10000);
}
