/*
 * spawn N COMMAND -- COMMAND -- ...: runs the commands in turn, N times each, and prints one line
 * for each: the least wall time in milliseconds (other work on the machine only ever adds to it),
 * the median CPU time in milliseconds, the median of the peak memory in MB.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

#define COMMANDS 8
#define RUNS     101

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return v[n / 2];
}

static void run(char **command, double *wall, double *cpu, double *memory)
{
	struct rusage use;
	double before = seconds();
	int status;
	pid_t pid = fork();

	if (!pid) {
		dup2(open("/dev/null", O_WRONLY), 1);
		execvp(command[0], command);
		_exit(127);
	}
	wait4(pid, &status, 0, &use);
	if (status) {
		fprintf(stderr, "%s: status %d\n", command[0], status);
		exit(1);
	}
	*wall = (seconds() - before) * 1e3;
	*cpu = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e3 +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e3;
	*memory = (double)use.ru_maxrss / 1024;
}

int main(int argc, char **argv)
{
	static double wall[COMMANDS][RUNS], cpu[COMMANDS][RUNS], memory[COMMANDS][RUNS];
	char **commands[COMMANDS];
	int count = 0, runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0;

	if (runs < 1 || runs > RUNS)
		return 2;
	for (int i = 2; i < argc && count < COMMANDS; i++) {
		commands[count++] = &argv[i];
		while (i < argc && strcmp(argv[i], "--"))
			i++;
		argv[i] = NULL; /* argv[argc] is NULL already */
	}
	for (int r = -2; r < runs; r++) /* two rounds to warm the disk cache */
		for (int c = 0; c < count; c++) {
			int at = r < 0 ? 0 : r;

			run(commands[c], &wall[c][at], &cpu[c][at], &memory[c][at]);
		}
	for (int c = 0; c < count; c++) {
		median(wall[c], runs); /* sorts */
		printf("%.2f %.2f %.2f\n", wall[c][0], median(cpu[c], runs),
		       median(memory[c], runs));
	}
	return 0;
}
