/*
 * child_kit.h: a recording in a process of its own, since a process records once, below a folder
 * that goes with the test. For one program each.
 */
#ifndef JW_TESTS_CHILD_KIT_H
#define JW_TESTS_CHILD_KIT_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime-jni/recorder/recorder.h"
#include "tests/tap.h"

static char dir[] = "/tmp/jweave-recorder-XXXXXX";
static struct rt_config config = { .max_size = UINT64_MAX, .convert = RT_CHOICE_OFF };

static inline void remove_dir(void)
{
	char command[sizeof(dir) + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (chdir("/") == 0 && system(command) != 0)
		fprintf(stderr, "cannot remove %s\n", dir);
}

static inline const char *work_dir(void)
{
	static bool made;

	if (!made) {
		made = mkdtemp(dir) != NULL;
		atexit(remove_dir);
	}
	return dir;
}

static inline int run_child(void (*child)(void), bool silent)
{
	int status = -1;

	fflush(NULL);
	work_dir();
	pid_t pid = fork();
	if (!pid) {
		if (silent)
			dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		child();
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Runs CHILD in a process of its own; its wait status. The second: what it says goes nowhere. */
static inline int in_child(void (*child)(void))
{
	return run_child(child, false);
}
static inline int in_silent_child(void (*child)(void))
{
	return run_child(child, true);
}

/* In a child: begins the recording NAME, as `config` says otherwise. */
static inline void start_with(const char *name, rt_describe_fn describe)
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

static inline void end(void)
{
	struct rt_recorder_result r;

	if (!rt_recorder_end("test", &r))
		_exit(98);
}

/* What a child left: PART of the recording NAME into OUT, at most MAX bytes. Returns how many; 0:
 * it is not there. */
static inline size_t slurp(const char *name, const char *part, void *out, size_t max)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s.jwr/%s", dir, name, part);
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(out, 1, max, f) : 0;
	if (f)
		fclose(f);
	return n;
}

#endif
