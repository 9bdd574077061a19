/*
 * browser.c: see browser.h.
 */
#include "cli/browser.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/banned.h"

static bool has_desktop(void)
{
	const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

	return (x && *x) || (wayland && *wayland);
}

/* In a child: the desktop's program belongs to nobody here, and prints nothing. */
static void start(const char *path)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nothing < 0 || setsid() < 0)
		_exit(127);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (dup2(nothing, fd) < 0)
			_exit(127);
	pid_t pid = fork();

	if (pid == 0)
		execlp("xdg-open", "xdg-open", path, (char *)NULL);
	_exit(pid > 0 ? 0 : 127);
}

/* Is there an executable file xdg-open on the PATH? */
static bool has_opener(void)
{
	return system("command -v xdg-open >/dev/null 2>&1") == 0;
}

bool cli_browse(const char *path)
{
	int status = 0;

	if (!has_desktop() || !has_opener())
		return false;
	pid_t pid = fork();

	if (pid == 0)
		start(path);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}
