/*
 * t_signals.c: signals that end jweave, while what it leaves is removed: that takes until the test says so.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guard.h"
#include "cli/signals.h"
#include "tests/tap.h"

#include "base/banned.h"

static int go_on[2]; /* the step of the other thread ends once this is closed */
static int begun[2]; /* it has begun */

static void *step(void *unused)
{
	char c = 0;

	jw_guard_step_begin();
	close(begun[1]);
	ok(read(go_on[0], &c, 1) <= 0);
	jw_guard_step_end();
	return unused;
}

/* Has a file to remove, but only when a step ends that goes on. */
static void have_file(const char *name)
{
	pthread_t other;
	sigset_t old;

	close(go_on[1]);
	cli_signals_catch();
	mkdir(name, 0700);
	jw_guard_add(name);
	jw_guard_hold(&old);
	if (pthread_create(&other, NULL, step, NULL) != 0)
		_exit(1);
	jw_guard_release(&old);
	for (;;)
		pause();
}

/* Sends so many signals before the step may end; 0: until the process ends. By which signal that is. */
static int end_of(const char *name, int signals)
{
	pid_t ended = 0;
	char c;
	int status = 0;

	if (!ok(pipe(go_on) == 0 && pipe(begun) == 0))
		return 0;
	pid_t child = fork();

	if (child == 0)
		have_file(name);
	close(go_on[0]);
	close(begun[1]);
	ok(read(begun[0], &c, 1) == 0);
	for (int i = 0; i < signals || (!signals && !ended); i++) {
		kill(child, SIGTERM);
		usleep(50000); /* else two may become one */
		ended = signals ? 0 : waitpid(child, &status, WNOHANG);
	}
	close(go_on[1]);
	if (!ended)
		waitpid(child, &status, 0);
	close(begun[0]);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool is_there(const char *name)
{
	return access(name, F_OK) == 0;
}

TEST(a_second_signal_waits_for_the_first)
{
	char name[64];

	for (int signals = 0; signals <= 2; signals++) {
		snprintf(name, sizeof(name), "/tmp/jweave-t_signals-%d-%d", (int)getpid(), signals);
		is_int(end_of(name, signals), SIGTERM);
		is_int(is_there(name), signals == 0); /* whoever insists */
		rmdir(name);
	}
}
