/*
 * t_gone.c: what this system knows of a process whose recording has no end.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "trace/reader/reader.h"

#include "base/banned.h"

static char host[256];

/* A recording in FOLDER of process PID, which has begun now. */
static struct trace_recording of(const char *folder, pid_t pid)
{
	struct jwr_clock_point now = trace_tick_point(TRACE_TICKS_MONOTONIC, 1);

	gethostname(host, sizeof(host) - 1);
	return (struct trace_recording){ .path = folder,
					 .host = host,
					 .pid = (uint64_t)pid,
					 .boot = trace_boot_now(),
					 .start_point = now };
}

/* The number of a process that has ended. */
static pid_t ended(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	is_int(waitpid(pid, NULL, 0), pid);
	return pid;
}

TEST(gone)
{
	const char *folder = make_folder();
	struct trace_recording rec = of(folder, getpid());

	ok(rec.boot.id[0]);
	ok(!trace_recording_gone(&rec));
	rec.start_point.mono_ns = 1; /* this process is younger: it has that number again */
	rec.boot.slept_ns = 0;
	ok(trace_recording_gone(&rec));
	rec = of(folder, ended());
	ok(trace_recording_gone(&rec));
	rec.clean_end = true;
	ok(!trace_recording_gone(&rec));
}

TEST(where_nothing_is_known)
{
	struct trace_recording rec = of(make_folder(), ended());

	rec.host = "elsewhere";
	ok(!trace_recording_gone(&rec));
	rec.host = host;
	ok(trace_recording_gone(&rec));
	rec.boot.id[0] ^= 1;
	ok(!trace_recording_gone(&rec));
	rec.boot.id[0] = '\0';
	ok(!trace_recording_gone(&rec));
	rec = of(make_folder(), 0);
	ok(!trace_recording_gone(&rec));
}

/* One that ends without being waited for is gone, too. */
TEST(zombie)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	siginfo_t info;

	is_int(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	struct trace_recording rec = of(make_folder(), pid);

	ok(trace_recording_gone(&rec));
	is_int(waitpid(pid, NULL, 0), pid);
}

/* In a container it has another number; but it listens. */
TEST(listens)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int folder = open(make_folder(), O_RDONLY | O_DIRECTORY);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct trace_recording rec = of(make_folder(), ended());

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" JWR_CONTROL,
		 folder);
	is_int(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	is_int(listen(fd, 1), 0);
	ok(!trace_recording_gone(&rec));
	close(fd);
	ok(trace_recording_gone(&rec));
	close(folder);
}
