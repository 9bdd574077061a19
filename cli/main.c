/*
 * main.c: standard streams and signals (signals.h), assertions where a test wants them
 * (base/assert.h), then cli_main().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"
#include "cli/dispatch.h"
#include "cli/signals.h"

#include "base/banned.h"

/* A closed standard stream must not become the first file that is opened: hold its place with a
 * descriptor on which the wrong direction fails. */
static void hold_streams(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDWR };

	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[fd]) != fd)
			_exit(1);
}

static void assert_failed(const char *condition, const char *file, int line)
{
	fprintf(stderr, "jweave: %s:%d: assertion failed: %s\n", file, line, condition);
	abort();
}

int main(int argc, char **argv)
{
	hold_streams();
	if (getenv("JW_ASSERT"))
		jw_assert_hook = assert_failed;
	cli_signals_catch();
	return cli_main(argc > 0 ? (size_t)argc - 1 : 0, (const char *const *)argv + (argc > 0));
}
