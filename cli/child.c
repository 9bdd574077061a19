#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/signals.h"

#include "base/banned.h"

enum { NOT_FOUND = 127, NOT_STARTED = 126, SIGNALLED = 128 };

/* A file that somebody has just written is busy as long as a process that was forked meanwhile, of which
 * the writer knows nothing, has it open: the tests of several projects in one Gradle. */
enum { BUSY_TRIES = 200, BUSY_PAUSE = 10 * 1000 * 1000 /* ns */ };

/* All that would end jweave and not the program, or that a program may ask for. (What the kernel makes of a fault of
 * our own ends us all the same.) */
static const int passed[] = { SIGINT,    SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2,   SIGABRT,
			      SIGALRM,   SIGIO,   SIGPROF, SIGPWR,  SIGTRAP, SIGVTALRM, SIGXCPU,
			      SIGSTKFLT, SIGSYS,  SIGBUS,  SIGFPE,  SIGILL,  SIGSEGV,   SIGWINCH };

/* In the child of PARENT: what this process changed for itself goes back, then WORDS take over. Who
 * kills jweave means the program. */
static void become(const char *const *words, const sigset_t *mask, pid_t parent, int report)
{
	union { /* execvp() takes them without const, and changes nothing */
		const char *const *in;
		char *const *out;
	} argv = { .in = words };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(NOT_FOUND);
	cli_signals_restore();
	jw_files_as_before();
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(words[0], argv.out);
	for (int i = 0; i < BUSY_TRIES && errno == ETXTBSY; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = BUSY_PAUSE }, NULL);
		execvp(words[0], argv.out);
	}
	int why = errno;
	if (write(report, &why, sizeof(why)) < 0)
		_exit(NOT_FOUND);
	_exit(NOT_FOUND);
}

/* Is NUMBER for this process alone: sent by another one, or by a timer that was set before it began? The terminal's signals reach the
 * child, too; what this process may use up of the processor is its own affair. */
static bool is_for_us(int number, const siginfo_t *info)
{
	return info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL ||
	       number == SIGALRM || number == SIGVTALRM || number == SIGPROF;
}

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

/* The next signal of SET, into *INFO, or 0 after SECONDS; without a limit where these are 0. */
static int next_signal(const sigset_t *set, siginfo_t *info, time_t seconds)
{
	struct timespec wait = { .tv_sec = seconds };
	int number = seconds ? sigtimedwait(set, info, &wait) : sigwaitinfo(set, info);

	return number < 0 && errno == EAGAIN ? 0 : number;
}

static int wait_for(pid_t pid, const sigset_t *set, const struct cli_child_watch *watch,
		    struct rusage *used)
{
	int status = 0;
	siginfo_t info;
	time_t next = watch ? 1 : 0, run = 0; /* seconds: to the next look, and up to the last */

	for (;;) {
		pid_t ended = wait4(pid, &status, WNOHANG, used);

		if (ended == pid)
			break;
		if (ended < 0 && errno != EINTR)
			return 1;
		int number = next_signal(set, &info, next);
		if (number > 0 && number != SIGCHLD && is_for_us(number, &info))
			kill(pid, number);
		if (number == 0) {
			watch->look(watch->ctx, pid);
			run += next;
			next = run;
		}
	}
	return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

static enum jw_status not_started(const char *command, int why, struct cli_child_end *end,
				  struct jw_err *e)
{
	*end = (struct cli_child_end){ .status = why == ENOENT ? NOT_FOUND : NOT_STARTED };
	if (why == ENOENT && !strchr(command, '/'))
		return jw_fail(e, JW_INPUT, "cannot start '%s': no such command on PATH", command);
	return jw_fail(e, JW_INPUT, "cannot start '%s': %s", command, strerror(why));
}

enum jw_status cli_child_run(const char *const *words, const struct cli_child_watch *watch,
			     struct cli_child_end *end, struct jw_err *e)
{
	int report[2], why = 0;
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		sigaddset(&set, passed[i]);
	if (pipe(report) != 0)
		return jw_fail_errno(e, errno, "cannot start '%s'", words[0]);
	fcntl(report[0], F_SETFD, FD_CLOEXEC);
	fcntl(report[1], F_SETFD, FD_CLOEXEC);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would take the child's status along */
	sigprocmask(SIG_BLOCK, &set, &before);
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		become(words, &before, parent, report[1]);
	int failed = errno;
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		sigprocmask(SIG_SETMASK, &before, NULL);
		return jw_fail_errno(e, failed, "cannot start '%s'", words[0]);
	}
	ssize_t n;
	while ((n = read(report[0], &why, sizeof(why))) < 0 && errno == EINTR)
		;
	close(report[0]);
	struct rusage used = { 0 };
	int status = wait_for(pid, &set, watch, &used);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (n == (ssize_t)sizeof(why))
		return not_started(words[0], why, end, e);
	*end = (struct cli_child_end){ pid, status, ns_of(&used.ru_utime) + ns_of(&used.ru_stime) };
	return JW_OK;
}
