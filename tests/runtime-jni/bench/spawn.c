/*
 * spawn N COMMAND -- COMMAND -- ...: runs the commands in turn, N times each, every other time in
 * the opposite order, and prints one line for each: the least wall time in milliseconds (other work
 * on the machine only ever adds to it), the median CPU time in milliseconds (user and system, of
 * the whole process), the median of the peak memory in MB; then CPU time against that of the first
 * command in the same round: the median ratio, the quartiles of the ratios, the median difference
 * in milliseconds. What $CLEAN says is done before each run.
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

static void print_against(const double *first, const double *cpu, int n)
{
	double ratio[RUNS], more[RUNS];

	for (int i = 0; i < n; i++) {
		ratio[i] = cpu[i] / first[i];
		more[i] = cpu[i] - first[i];
	}
	double middle = median(ratio, n); /* sorts */
	printf(" %.4f %.4f %.4f %.2f\n", middle, ratio[n / 4], ratio[n - 1 - n / 4],
	       median(more, n));
}

static void clean(void)
{
	const char *how = getenv("CLEAN");

	if (how && system(how) != 0)
		exit(1);
}

static void run(char **command, double *wall, double *cpu, double *memory)
{
	struct rusage use;
	int status;

	clean();
	double before = seconds();
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
		for (int i = 0; i < count; i++) {
			int at = r < 0 ? 0 : r, c = r % 2 ? count - 1 - i : i;

			run(commands[c], &wall[c][at], &cpu[c][at], &memory[c][at]);
		}
	for (int c = 0; c < count; c++) {
		double sorted[RUNS];

		memcpy(sorted, cpu[c], sizeof(sorted));
		median(wall[c], runs); /* sorts */
		printf("%.2f %.2f %.2f", wall[c][0], median(sorted, runs), median(memory[c], runs));
		print_against(cpu[0], cpu[c], runs);
	}
	return 0;
}
