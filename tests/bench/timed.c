/*
 * timed.c: runs a command and appends to a file "wall CPU peak status": seconds, seconds, KiB.
 * Arguments: FILE COMMAND...   (what time(1) does, for a shell that may have none)
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct rusage used;
	int status = 0;
	FILE *out;
	double began = now();
	pid_t child;

	if (argc < 3)
		return 2;
	child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &used) != child)
		return 1;
	double wall = now() - began;
	out = fopen(argv[1], "a");
	if (!out)
		return 1;
	fprintf(out, "%.6f %.6f %ld %d\n", wall, seconds(used.ru_utime) + seconds(used.ru_stime),
		used.ru_maxrss, status);
	return fclose(out) == 0 && status == 0 ? 0 : 1;
}
