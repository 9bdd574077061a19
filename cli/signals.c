#include "cli/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/guard.h"

#include "base/banned.h"

/* What SIGPIPE and SIGXFSZ did before. */
static void (*pipe_before)(int) = SIG_IGN, (*size_before)(int) = SIG_DFL;

static void die(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

/* The second one leaves the first its time to clean up; whoever insists does not wait for that. */
static void take(int number)
{
	static atomic_int taken;
	int before = atomic_fetch_add(&taken, 1);

	if (before == 0)
		jw_guard_cleanup();
	if (before != 1)
		die(number);
}

void cli_signals_catch(void)
{
	static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
		struct sigaction old, action = { .sa_handler = take };

		sigemptyset(&action.sa_mask);
		action.sa_flags = (int)(SA_RESTART | SA_NODEFER);
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
	if (pipe_before == SIG_IGN)
		return;
	jw_guard_cleanup();
	die(SIGPIPE);
}
