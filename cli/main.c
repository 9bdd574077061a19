/*
 * main.c: signals and standard streams, then cli_main().
 *
 * Temporary outputs go when a signal ends the process, and the process dies by that signal, so that
 * shells and make see what happened. SIGPIPE and SIGXFSZ are ignored: the write fails instead.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/guard.h"
#include "cli/cli.h"

#include "base/banned.h"

static void die(int number)
{
	jw_guard_cleanup();
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_signals(void)
{
	static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
		struct sigaction old, action = { .sa_handler = die };

		sigemptyset(&action.sa_mask);
		action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
		/* nohup and background jobs ignore some: leave them ignored */
		if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(deadly[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

/* A closed standard stream must not become the first file that is opened: hold its place with a
 * descriptor on which the wrong direction fails. */
static void hold_streams(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDWR };

	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[fd]) != fd)
			_exit(1);
}

int main(int argc, char **argv)
{
	hold_streams();
	catch_signals();
	return cli_main(argc > 0 ? (size_t)argc - 1 : 0, (const char *const *)argv + (argc > 0));
}
