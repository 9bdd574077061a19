#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/guard.h"

#include "base/banned.h"

/* What SIGPIPE and SIGXFSZ did before. */
static void (*pipe_before)(int) = SIG_IGN, (*size_before)(int) = SIG_DFL;

static void die(int number)
{
	jw_guard_cleanup();
	signal(number, SIG_DFL);
	raise(number);
}

void cli_signals_catch(void)
{
	static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
		struct sigaction old, action = { .sa_handler = die };

		sigemptyset(&action.sa_mask);
		action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
		if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(deadly[i], &action, NULL);
	}
	pipe_before = signal(SIGPIPE, SIG_IGN);
	size_before = signal(SIGXFSZ, SIG_IGN);
}

void cli_signals_restore(void)
{
	signal(SIGPIPE, pipe_before);
	signal(SIGXFSZ, size_before);
}

void cli_signals_no_reader(void)
{
	if (pipe_before != SIG_IGN)
		die(SIGPIPE);
}
