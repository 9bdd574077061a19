/*
 * child_read.c: what another program prints, for us to read.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child.h"

#include "base/banned.h"

extern char **environ;

/* WORDS, with /dev/null in the place of standard input and TO in that of standard output. */
static int spawn(const char *const *words, int to, pid_t *pid)
{
	union { /* it takes them without const, and changes nothing */
		const char *const *in;
		char *const *out;
	} argv = { .in = words };
	posix_spawn_file_actions_t actions;

	int why = posix_spawn_file_actions_init(&actions);
	if (why != 0)
		return why;
	why = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	if (why == 0)
		why = posix_spawn_file_actions_adddup2(&actions, to, 1);
	if (why == 0)
		why = posix_spawnp(pid, words[0], &actions, NULL, argv.out, environ);
	posix_spawn_file_actions_destroy(&actions);
	return why;
}

static void gather(int from, size_t max, struct jw_buf *out)
{
	uint8_t piece[4096];
	ssize_t n;

	while ((n = read(from, piece, sizeof(piece))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && out->n <= max)
			jw_put_bytes(out, jw_span(piece, (size_t)n));
}

enum jw_status cli_child_read(const char *const *words, size_t max, struct jw_buf *out,
			      struct jw_err *e)
{
	int ends[2], status = 0;
	pid_t pid;

	if (pipe(ends) != 0)
		return jw_fail_errno(e, errno, "cannot start '%s'", words[0]);
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	int why = spawn(words, ends[1], &pid);
	close(ends[1]);
	if (why == 0)
		gather(ends[0], max, out);
	close(ends[0]);
	if (why != 0)
		return jw_fail(e, JW_INPUT, "cannot start '%s': %s", words[0], strerror(why));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return jw_fail(e, JW_INPUT, "'%s %s' has failed", words[0], words[1]);
	if (out->n > max)
		return jw_fail(e, JW_LIMIT, "'%s %s' prints more than %zu bytes", words[0],
			       words[1], max);
	return jw_buf_finish(out, words[0], e);
}
