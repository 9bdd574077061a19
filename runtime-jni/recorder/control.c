#define _GNU_SOURCE /* accept4(), struct ucred; NOLINT(bugprone-reserved-identifier) */
#include "runtime-jni/recorder/control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/own_thread.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/snapshot.h"

#include "base/banned.h"

#define FILES_LEAST    32  /* that the program may open: below, it needs them itself */
#define PATIENCE_S     5   /* for a client that says nothing */
#define ALIVE_FIRST_MS 250 /* when the process says for the first time that it lives */

static struct {
	_Atomic int folder, socket;
} control = { -1, -1 };

/* ---- requests: each puts its answer into TEXT ---- */

/* (The thread that answers began with the recording, so there is one.) */
static struct rt_recorder_status status(void)
{
	struct rt_recorder_status s = { .names.folder = "", .word = "ended", .why = "" };

	(void)rt_recorder_status(&s);
	return s;
}

static void answer_status(char *text, size_t size)
{
	struct rt_recorder_status s = status();

	snprintf(text, size,
		 "state\t%s%s%s\nmode\t%s\nrecording\t%s\nbytes\t%llu\nthreads\t%llu\nlost\t%llu\n",
		 s.word, s.why[0] ? ": " : "", s.why, rt_mode_name(s.mode), s.names.folder,
		 (unsigned long long)s.bytes, (unsigned long long)s.threads,
		 (unsigned long long)s.lost);
}

static void answer_switch(bool pause, char *text, size_t size)
{
	if (rt_pause(pause)) {
		snprintf(text, size, "%s\n", pause ? "paused" : "recording");
		return;
	}
	struct rt_recorder_status s = status();

	snprintf(text, size, "error: recording has %s%s%s\n", s.word, s.why[0] ? ": " : "", s.why);
}

static void answer_start(char *text, size_t size)
{
	answer_switch(false, text, size);
}

static void answer_stop(char *text, size_t size)
{
	answer_switch(true, text, size);
}

/* Where it is a stream, all that was logged is on disk already, windows included. */
static void answer_dump(char *text, size_t size)
{
	struct rt_recorder_status s = status();
	char path[4096];
	const char *why = NULL;

	if (s.mode != RT_MODE_STREAM) {
		why = rt_dump(path, sizeof(path));
	} else {
		rt_recorder_alive();
		snprintf(path, sizeof(path), "%s", s.names.folder);
	}
	if (why)
		snprintf(text, size, "error: no dump: %s\n", why);
	else
		snprintf(text, size, "%s\n", path);
}

static const struct {
	const char *word;
	void (*answer)(char *text, size_t size);
} requests[] = {
	{ "status", answer_status },
	{ "start", answer_start },
	{ "stop", answer_stop },
	{ "dump", answer_dump },
};

static void answer(const char *word, char *text, size_t size)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		if (!strcmp(word, requests[i].word)) {
			requests[i].answer(text, size);
			return;
		}
	}
	snprintf(text, size, "error: this runtime knows no request '%.32s'\n", word);
}

/* ---- the thread ---- */

static bool is_allowed(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == 0 || peer.uid == geteuid());
}

static void serve(int fd)
{
	static const struct timeval patience = { .tv_sec = PATIENCE_S };
	char word[64], text[8192];
	size_t n = 0;

	if (!is_allowed(fd))
		return;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	while (n < sizeof(word) - 1) {
		ssize_t got = recv(fd, word + n, sizeof(word) - 1 - n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return;
		n += (size_t)got;
		if (memchr(word, '\n', n))
			break;
	}
	word[n] = '\0';
	word[strcspn(word, "\r\n")] = '\0';
	answer(word, text, sizeof(text));
	ssize_t sent = send(fd, text, strlen(text), MSG_NOSIGNAL);
	(void)sent; /* who asked may be gone */
}

/* Waits for a request, and says meanwhile that the process lives, ever more seldom: of one that is
 * killed while all its threads wait, eight ninths of its life are known, by 64 lines for an hour
 * and 120 for a month. */
static void wait_for_request(int *waited_ms)
{
	struct pollfd request = { .fd = atomic_load(&control.socket), .events = POLLIN };

	for (;;) {
		int wait_ms = ALIVE_FIRST_MS + *waited_ms / 8;

		if (poll(&request, 1, wait_ms) != 0)
			return;
		rt_recorder_alive();
		if (*waited_ms < INT_MAX / 2)
			*waited_ms += wait_ms;
	}
}

static void *listen_for_requests(void *unused)
{
	int waited_ms = 0;

	for (;;) {
		wait_for_request(&waited_ms);
		int fd = accept4(atomic_load(&control.socket), NULL, NULL, SOCK_CLOEXEC);

		if (fd >= 0) {
			serve(fd);
			close(fd);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
			sleep(1); /* the program has used up all files; it may close some */
		} else if (errno != EINTR && errno != ECONNABORTED) {
			return unused; /* closed */
		}
	}
}

/* The name is short by way of /proc: a socket's path has room for 107 bytes. */
static int open_socket(int folder)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" JWR_CONTROL,
		 folder);
	if (fchmod(fd, 0600) == 0 &&
	    bind(fd, (const struct sockaddr *)(const void *)&address, sizeof(address)) == 0 &&
	    listen(fd, 8) == 0)
		return fd;
	int failed = errno;
	close(fd);
	errno = failed;
	return -1;
}

/* A forked child has no such thread, and must not keep its parent's socket open. */
static void forked_child(void)
{
	int folder = atomic_exchange(&control.folder, -1),
	    fd = atomic_exchange(&control.socket, -1);

	if (folder < 0)
		return;
	close(folder);
	close(fd);
}

/* 0, or an errno. */
static int begin(const char *path)
{
	if (rt_output_files_left() < FILES_LEAST)
		return EMFILE;
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = folder < 0 ? -1 : open_socket(folder);

	if (fd < 0) {
		int failed = errno;

		if (folder >= 0)
			close(folder);
		return failed;
	}
	atomic_store(&control.folder, folder);
	atomic_store(&control.socket, fd);
	pthread_atfork(NULL, NULL, forked_child);
	int failed = rt_own_thread(listen_for_requests, RT_STACK_SMALL);
	if (failed)
		rt_control_close();
	return failed;
}

void rt_control_open(void)
{
	struct rt_recorder_status s;
	char text[160];

	if (!rt_recorder_status(&s))
		return;
	int failed = begin(s.names.folder);
	if (!failed)
		return;
	snprintf(text, sizeof(text), "jweave ctl cannot reach the process: %s", strerror(failed));
	rt_note(text);
}

void rt_control_close(void)
{
	int folder = atomic_exchange(&control.folder, -1);

	if (folder < 0)
		return;
	unlinkat(folder, JWR_CONTROL, 0);
	shutdown(atomic_load(&control.socket), SHUT_RDWR); /* wakes the thread: nothing to accept */
	close(folder);
}
