/*
 * t_recorder_limits.c: what a recorder does where it may not do as it likes: sizes, files, memory,
 * places, names that are taken; and what it leaves alone.
 */
#include "tests/runtime-jni/recorder_kit.h"

#include <sys/resource.h>

#include "base/banned.h"

static void child_cap(void)
{
	config.max_size = 1 << 20;
	start("cap");
	log_events(200000);
	end_once();
}

TEST(the_size_cap_stops_and_counts)
{
	is_int(in_silent_child(child_cap), 0);
	struct left *l = read_back("cap");
	ok(has_item(l, "stop"));
	ok(l->data_bytes <= 1 << 20);
	ok(l->all > 40000);
	is_int(l->gaps, 0);
	is_int(l->all + l->lost, 200000);
}

enum { LIVE = 100, CAP = 2 << 20 };

static void *log_one_and_stay(void *unused)
{
	log_events(1);
	running++;
	while (!over)
		usleep(1000);
	return unused;
}

/*
 * Threads that are alive at once, with an event each. One begins after the other: where the size
 * limit stops the recording, no thread is between its window and its event.
 */
static void log_on_live_threads(void)
{
	pthread_t all[LIVE];

	for (int i = 0; i < LIVE; i++) {
		if (pthread_create(&all[i], NULL, log_one_and_stay, NULL) != 0)
			_exit(97);
		while (running <= i)
			usleep(100);
	}
}

static off_t size_of(const char *name, const char *part)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s.jwr/%s", work_dir(), name, part);
	return stat(path, &st) == 0 ? st.st_size : -1;
}

static void child_many_alive(void)
{
	config.max_size = CAP;
	start("alive");
	log_on_live_threads();
	if (size_of("alive", "windows") > CAP)
		_exit(96);
	end_once();
}

TEST(windows_of_live_threads_are_in_the_size_cap)
{
	is_int(in_silent_child(child_many_alive), 0);
	struct left *l = read_back("alive");
	ok(strstr(l->meta, "\tthe recording has reached its size limit (JWEAVE_MAX_SIZE)\n") !=
	   NULL);
	ok(l->all >= CAP / JWR_WINDOW_SIZE - 4);
	is_int(l->all + l->lost, LIVE);
	is_int(l->gaps, 0);
}

/* A ring goes on: the threads that are too many are counted. */
static void child_many_in_a_ring(void)
{
	config.mode = RT_MODE_FLIGHT;
	config.max_size = CAP;
	start("alive-ring");
	log_on_live_threads();
	if (size_of("alive-ring", "windows") > CAP - CAP / 4)
		_exit(96);
	log_events(10);
	raise(SIGKILL);
}

TEST(windows_leave_a_quarter_of_a_ring)
{
	ok(WIFSIGNALED(in_silent_child(child_many_in_a_ring)));
	struct left *l = read_back("alive-ring");
	ok(strstr(l->meta, "\nnote\tmore threads are alive than three quarters of JWEAVE_MAX_SIZE "
			   "have windows "
			   "for: events of the others are counted, and not recorded\n") != NULL);
	ok(!has_item(l, "stop"));
	is_int(l->windows, l->all);
	ok(l->windows >= CAP / 2 / JWR_WINDOW_SIZE - 4);
}

enum { SHORT = 3000 };

static void child_many_short(void)
{
	int n = 60;

	config.max_size = CAP;
	start("short");
	run_threads(SHORT, &n, false);
	end_once();
}

TEST(chunks_of_threads_that_end_are_in_the_size_cap)
{
	is_int(in_silent_child(child_many_short), 0);
	struct left *l = read_back("short");
	ok(has_item(l, "stop"));
	ok(l->data_bytes <= CAP);
	ok(l->data_bytes > CAP / 2);
	is_int(l->gaps, 0);
	is_int(l->all + l->lost, SHORT * 60);
}

/* Names of threads are in the cap, and there are none any more where recording has stopped. */
static void child_many_names(void)
{
	int n = 1;

	config.max_size = CAP / 4;
	start("names");
	run_threads(SHORT, &n, false);
	end_once();
}

TEST(meta_is_in_the_size_cap)
{
	is_int(in_silent_child(child_many_names), 0);
	struct left *l = read_back("names");
	ok(has_item(l, "stop"));
	ok(l->data_bytes + strlen(l->meta) + (uint64_t)4 * JWR_WINDOW_SIZE < CAP / 4 + 1024);
	ok(l->all > 300);
	ok(l->threads < (int)l->all + 5);
	ok(strstr(l->meta, "\tc\t(threads that there was no room for)") != NULL);
	is_int(l->all + l->lost, SHORT);
	is_int(l->gaps, 0);
}

static void child_fsize(void)
{
	struct rlimit limit = { 1 << 20, 1 << 20 };

	setrlimit(RLIMIT_FSIZE, &limit);
	start("fsize");
	log_events(200000);
	end_once();
}

/* SIGXFSZ, which a write beyond ulimit -f raises, would kill this child: nothing handles it here.
 */
TEST(ulimit_f_does_not_kill)
{
	is_int(in_silent_child(child_fsize), 0);
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
	is_int(in_silent_child(child_nofile), 0);
	char path[256];
	struct stat st;
	snprintf(path, sizeof(path), "%s/nofile.jwr", work_dir());
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
	end_once();
}

TEST(no_memory_for_names_costs_names_alone)
{
	is_int(in_silent_child(child_memory), 0);
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
	end_once();
}

TEST(threads_without_memory_are_counted)
{
	is_int(in_silent_child(child_poor), 0);
	struct left *l = read_back("poor");
	ok(strstr(l->meta, "\tc\t(threads that there was no room for)") != NULL);
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
	end_once();
}

TEST(anonymous_windows_are_noted)
{
	is_int(in_silent_child(child_anonymous), 0);
	struct left *l = read_back("anonymous");
	is_int(l->all, PER_WINDOW + 10);
	ok(strstr(l->meta, "\nwindows\tanonymous\n") != NULL);
	ok(strstr(l->meta, "\nnote\twindows are in anonymous memory (allocating their file failed: "
			   "No such file or "
			   "directory): a killed process loses its last events\n") != NULL);
}

/* The folder of the window file may be given relative to the working directory. */
static void child_elsewhere(void)
{
	if (chdir(work_dir()) != 0)
		_exit(1);
	config.tmp = ".";
	start("elsewhere");
	log_events(3);
	raise(SIGKILL);
}

TEST(windows_elsewhere_are_named_by_their_whole_path)
{
	char want[64];

	ok(WIFSIGNALED(in_silent_child(child_elsewhere)));
	struct left *l = read_back("elsewhere");
	snprintf(want, sizeof(want), "\nwindows\t%s/./jweave-", work_dir());
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
		_exit(rt_recorder_end("child", &r));
	}
	int status;
	if (waitpid(pid, &status, 0) != pid || status != 0)
		_exit(1);
	for (int i = 10; i < 20; i++)
		rt_event(rt_recorder_clock(), JWR_ENTER, (uint64_t)i);
	end_once();
}

TEST(a_forked_child_stays_out)
{
	is_int(in_silent_child(child_forks), 0);
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
	end_once();
}

TEST(names_are_never_reused)
{
	is_int(in_silent_child(child_twice), 0);
	is_int(in_silent_child(child_twice), 0);
	is_int(in_silent_child(child_twice), 0);
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
	end_once();
}

TEST(errno_is_the_programs)
{
	is_int(in_silent_child(child_errno), 0);
	is_int(read_back("errno")->all, 10000);
}
