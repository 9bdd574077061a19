/*
 * cmd_ctl.c: jweave ctl PID REQUEST: one request to a traced process.
 *
 * The runtime listens on a socket in the folder of its recording, which it keeps open
 * (runtime-jni/recorder/control.h). /proc/PID/fd names that folder and leads into it, whatever it
 * is called and whichever mount namespace it is in.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "trace/format/fields.h"
#include "trace/format/recording.h"

#include "base/banned.h"

#define PATIENCE_S 60 /* for the answer: a dump may be copied */

static const char *const requests[] = { "status", "start", "stop", "dump" };

static enum jw_status check_words(struct cli *cli, const char **request, struct jw_err *e)
{
	const char *pid = cli->args.operands[0];

	*request = cli->args.operand_count > 1 ? cli->args.operands[1] : "status";
	if (!*pid || strlen(pid) > 10 || pid[strspn(pid, "0123456789")])
		return jw_fail(e, JW_USAGE, "'%s' is not the number of a process%s", pid,
			       cli_see(&cli->arena, CLI_CMD_ctl));
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		if (!strcmp(*request, requests[i]))
			return JW_OK;
	return jw_fail(e, JW_USAGE, "'%s' is not status, start, stop or dump%s", *request,
		       cli_see(&cli->arena, CLI_CMD_ctl));
}

/* Is the open file NAME of FD_FOLDER the folder of a recording? */
static bool is_recording(const char *fd_folder, const char *name)
{
	char path[64], target[PATH_MAX + 1];
	static const char gone[] = " (deleted)";

	if (snprintf(path, sizeof(path), "%s/%s", fd_folder, name) >= (int)sizeof(path))
		return false;
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	if (cli_ends(target, gone))
		target[n - (ssize_t)sizeof(gone) + 1] = '\0';
	return cli_ends(target, ".jwr");
}

/* The socket that the open file NAME is, connected; -1: errno. */
static int connect_to(const char *fd_folder, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	static const struct timeval patience = { .tv_sec = PATIENCE_S };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%.16s/" JWR_CONTROL, fd_folder,
		 name);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof(address)) == 0)
		return fd;
	int failed = errno;
	close(fd);
	errno = failed;
	return -1;
}

static enum jw_status find_process(const char *pid, int *out, struct jw_err *e)
{
	char fd_folder[32];
	int fd = -1, refused = 0;

	snprintf(fd_folder, sizeof(fd_folder), "/proc/%s/fd", pid);
	DIR *files = opendir(fd_folder);
	if (!files && errno == ENOENT)
		return jw_fail(e, JW_INPUT, "there is no process %s", pid);
	if (!files)
		return jw_fail_errno(e, errno, "process %s", pid);
	for (const struct dirent *d; fd < 0 && (d = readdir(files));) {
		if (!is_recording(fd_folder, d->d_name))
			continue;
		fd = connect_to(fd_folder, d->d_name);
		refused = fd < 0 ? errno : 0;
	}
	closedir(files);
	*out = fd;
	if (fd >= 0)
		return JW_OK;
	if (refused)
		return jw_fail_errno(e, refused, "process %s is being traced, but does not answer",
				     pid);
	return jw_fail(e, JW_INPUT,
		       "process %s records nothing: it is not woven, has not reached woven "
		       "code, or runs with JWEAVE=off or JWEAVE_CONTROL=0",
		       pid);
}

static enum jw_status ask(int fd, const char *request, struct jw_buf *answer, struct jw_err *e)
{
	char part[4096];
	ssize_t n;

	int length = snprintf(part, sizeof(part), "%s\n", request);
	if (send(fd, part, (size_t)length, MSG_NOSIGNAL) != length)
		return jw_fail_errno(e, errno, "the process does not listen");
	while ((n = recv(fd, part, sizeof(part), 0)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return jw_fail_errno(e, errno, "the process does not answer");
		jw_put_bytes(answer, jw_span(part, (size_t)n));
	}
	JW_TRY(jw_buf_finish(answer, "answer", e));
	return answer->n ? JW_OK : jw_fail(e, JW_IO, "the process ended before it could answer");
}

/* Lines as they came; control characters that a path may hold are shown as such. */
static void print_answer(struct cli *cli, struct jw_span text)
{
	while (text.n) {
		struct jw_span line = trace_line(&text);
		struct jw_buf shown = { 0 };

		if (memchr(line.p, '\t', line.n)) {
			struct jw_span word = trace_field(&line);

			cli_put(cli, "%-10.*s ", (int)word.n, (const char *)word.p);
		}
		cli_put_escaped(&shown, line);
		cli_put(cli, "%.*s\n", (int)shown.n, (const char *)shown.p);
		jw_buf_free(&shown);
	}
}

enum jw_status cli_run_ctl(struct cli *cli, struct jw_err *e)
{
	static const char error[] = "error: ";
	struct jw_buf answer = { 0 };
	const char *request;
	int fd = -1;

	JW_TRY(check_words(cli, &request, e));
	JW_TRY(find_process(cli->args.operands[0], &fd, e));
	enum jw_status status = ask(fd, request, &answer, e);
	close(fd);
	struct jw_span text = jw_buf_span(&answer);
	size_t front = sizeof(error) - 1;
	if (status == JW_OK && text.n > front && !memcmp(text.p, error, front))
		status = jw_fail(e, JW_IO, "process %s: %.*s", cli->args.operands[0],
				 (int)(text.n - front - 1), (const char *)text.p + front);
	else if (status == JW_OK)
		print_answer(cli, text);
	jw_buf_free(&answer);
	return status;
}
