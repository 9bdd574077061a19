/*
 * convert.c: the cost of a conversion: events a CPU second, peak memory.
 *
 *     convert [-n EVENTS] [-t THREADS] [-m METHODS] [-d FOLDER] [-k]
 *
 * Writes a recording as a program of THREADS threads would leave it (calls nested up to 20 deep, 20
 * to 2000 ns between events, chunks of the threads interleaved), converts it, prints one line. -k
 * keeps the files. Defaults: 10,000,000 events, 8 threads, 500 methods, the temporary folder. With
 * -n 100000000 -t 100 it needs 6 GB of disk.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "trace/paraver.h"
#include "trace/recording.h"

#include "base/banned.h"

#define RECORDS (JWR_RECORDS_SIZE / sizeof(struct jwr_record))
#define DEPTH   20

struct thread {
	uint64_t tick;
	uint32_t stack[DEPTH];
	uint32_t depth, seq;
};

static struct jwr_record records[RECORDS];
static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static FILE *open_file(const char *folder, const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "wb");

	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

static struct jwr_clock_point point_at(uint64_t tick)
{
	uint64_t ns = tick * 10 / 26 + next_random() % 100;

	return (struct jwr_clock_point){ tick, 1000000000 + ns,
					 UINT64_C(1763719200000000000) + ns };
}

static void fill_chunk(struct thread *t, uint32_t methods)
{
	for (size_t i = 0; i < RECORDS; i++) {
		uint64_t r = next_random();
		bool enter = t->depth == 0 || (t->depth < DEPTH && r % 2);

		t->tick += 50 + (r >> 8) % 5000;
		if (enter)
			t->stack[t->depth++] = (uint32_t)((r >> 32) % methods);
		else
			t->depth--;
		records[i] = (struct jwr_record){
			t->tick, jwr_word(enter ? JWR_ENTER : JWR_EXIT,
					  UINT64_C(0xabcdef) << 24 |
						  t->stack[enter ? t->depth - 1 : t->depth])
		};
	}
}

static void write_recording(const char *folder, uint64_t events, uint32_t threads, uint32_t methods)
{
	struct thread *t = calloc(threads, sizeof(*t));
	static const char zeros[JWR_ALIGN];

	mkdir(folder, 0777);
	FILE *meta = open_file(folder, "meta"), *data = open_file(folder, "data");
	struct jwr_clock_point start = point_at(0);

	fprintf(meta,
		"jweave-recording\t1\nclock\ttsc\nclock-point\t0\t%" PRIu64 "\t%" PRIu64
		"\nhost\tbench\npid\t1\n",
		start.mono_ns, start.wall_ns);
	for (uint32_t i = 0; t && i < threads; i++)
		fprintf(meta, "thread\t%u\t0\t1\t1\t1\t-\tthread %u\n", i + 1, i + 1);
	for (uint64_t done = 0; t && done < events; done += RECORDS) {
		uint32_t who = (uint32_t)(done / RECORDS % threads);
		struct jwr_chunk h = { .magic = JWR_MAGIC,
				       .thread = who + 1,
				       .seq = t[who].seq++,
				       .bytes = JWR_RECORDS_SIZE,
				       .began = point_at(t[who].tick) };

		fill_chunk(&t[who], methods);
		h.ended = point_at(t[who].tick);
		fwrite(&h, sizeof(h), 1, data);
		fwrite(records, sizeof(records), 1, data);
		fwrite(zeros, JWR_ALIGN - sizeof(h), 1, data);
	}
	free(t);
	if (fclose(meta) | fclose(data)) {
		perror(folder);
		exit(1);
	}
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double wall_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int convert(const char *folder, const char *base)
{
	struct trace_paraver_job job = { .recordings = &folder,
					 .recording_count = 1,
					 .out_base = base };
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };
	double cpu = cpu_seconds(), wall = wall_seconds();
	struct rusage u;

	if (trace_to_paraver(&job, &arena, &sum, &e) != JW_OK) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	cpu = cpu_seconds() - cpu;
	wall = wall_seconds() - wall;
	getrusage(RUSAGE_SELF, &u);
	printf("%" PRIu64 " events, %u threads, %u methods: %.3f s CPU (%.3f s a million events), "
	       "%.3f s wall, peak memory %ld MiB\n",
	       sum.events, sum.threads, sum.methods, cpu, cpu / (double)sum.events * 1e6, wall,
	       u.ru_maxrss / 1024);
	jw_arena_free(&arena);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t events = 10000000, threads = 8, methods = 500;
	const char *tmp = getenv("TMPDIR");
	char base[512], folder[600], command[3000];
	bool keep = false;

	tmp = tmp ? tmp : "/tmp";
	for (int c; (c = getopt(argc, argv, "n:t:m:d:k")) != -1;) {
		if (c == 'n')
			events = strtoull(optarg, NULL, 10);
		else if (c == 't')
			threads = strtoull(optarg, NULL, 10);
		else if (c == 'm')
			methods = strtoull(optarg, NULL, 10);
		else if (c == 'd')
			tmp = optarg;
		else if (c == 'k')
			keep = true;
		else
			return 2;
	}
	if (threads == 0 || methods == 0)
		return 2;
	snprintf(base, sizeof(base), "%s/jw-convert-%ld", tmp, (long)getpid());
	snprintf(folder, sizeof(folder), "%s.jwr", base);
	write_recording(folder, events, (uint32_t)threads, (uint32_t)methods);
	int status = convert(folder, base);

	snprintf(command, sizeof(command), "rm -r '%s' '%s.prv' '%s.pcf' '%s.row'", folder, base,
		 base, base);
	return keep || system(command) == 0 ? status : 1;
}
