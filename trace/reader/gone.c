/*
 * gone.c: is the process of a recording that has no end gone?
 *
 * That is known where it ran: on this host, during this boot. Its number may be another process's by now, which
 * is younger than the recording; or it had that number in a container, as nobody has here: so the socket in its
 * folder, if there is one, must have nobody that listens, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "trace/reader/reader.h"

#include "base/banned.h"

#define SLACK_NS   UINT64_C(100000000) /* a start is told in hundredths of seconds */
#define START_WORD 20                  /* after the name: when it started */

static bool is_here(const struct trace_recording *rec)
{
	struct trace_boot here = trace_boot_now();
	char host[256];

	if (!rec->boot.id[0] || !trace_is_one_boot(&rec->boot, &here) ||
	    gethostname(host, sizeof(host)) != 0)
		return false;
	host[sizeof(host) - 1] = '\0';
	return strcmp(host, rec->host) == 0;
}

/* When process PID started, since the boot; 0: there is none. */
static uint64_t start_of(uint64_t pid)
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "/proc/%llu/stat", (unsigned long long)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	long second = sysconf(_SC_CLK_TCK);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *at = strrchr(text, ')'); /* names may have any character */
	if (!at || second <= 0 || !strncmp(at, ") Z", 3))
		return 0;
	for (int i = 0; i < START_WORD && at; i++)
		at = strchr(at + 1, ' ');
	uint64_t ticks = at ? strtoull(at, NULL, 10) : 0;

	return 1 + ticks * (UINT64_C(1000000000) / (uint64_t)second);
}

/* Does somebody listen in the folder of REC? */
static bool has_ears(const struct trace_recording *rec)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int folder = open(rec->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	/* (a name that is not too long) */
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" JWR_CONTROL,
		 folder);
	bool has = folder >= 0 && fd >= 0 &&
		   (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof(address)) ==
			    0 ||
		    (errno != ENOENT && errno != ECONNREFUSED && errno != ENOTSOCK));

	if (folder >= 0)
		close(folder);
	if (fd >= 0)
		close(fd);
	return has;
}

bool trace_recording_gone(const struct trace_recording *rec)
{
	if (rec->clean_end || !rec->pid || !rec->start_point.mono_ns || !is_here(rec))
		return false;
	uint64_t began = rec->start_point.mono_ns + rec->boot.slept_ns;
	uint64_t start = start_of(rec->pid);

	return (!start || start > began + SLACK_NS) && !has_ears(rec);
}
