/*
 * convert.c: recordings of any size for tests/bench/conversion, and what their traces might weigh.
 *
 *     convert record FOLDER EVENTS THREADS METHODS WAITS [SEED START]
 *     convert weigh TRACE.prv
 *
 * A recording is as a program of THREADS threads would leave it: calls nested up to 20 deep, 20 to
 * 2000 ns between events, chunks of the threads interleaved; WAITS percent of the events begin or
 * end a wait for a monitor. Each SEED makes another one, as of one of many processes, which began
 * START ns after the first. Weighing prints the bytes of a trace, of the same in the shortest way
 * that Paraver reads (CPU 0 everywhere, no other digit more than it must), and its records.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/format/recording.h"

#include "base/banned.h"

#define RECORDS (JWR_RECORDS_SIZE / sizeof(struct jwr_record))
#define DEPTH   20

struct thread {
	uint64_t tick;
	uint32_t stack[DEPTH];
	uint32_t depth, seq;
	bool waits;
};

static struct jwr_record records[RECORDS];
static uint64_t random_state = 88172645463325252u;
static uint64_t start_tick;

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

static void fill_chunk(struct thread *t, uint32_t methods, uint32_t waits)
{
	for (size_t i = 0; i < RECORDS; i++) {
		uint64_t r = next_random();
		bool enter = t->depth == 0 || (t->depth < DEPTH && r % 2);

		t->tick += 50 + (r >> 8) % 5000;
		if (t->waits || next_random() % 200 < waits) {
			records[i] = (struct jwr_record){
				t->tick, jwr_word(t->waits ? JWR_WAITED : JWR_WAIT, 4711)
			};
			t->waits = !t->waits;
			continue;
		}
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

static void write_recording(const char *folder, uint64_t events, uint32_t threads, uint32_t methods,
			    uint32_t waits)
{
	struct thread *t = calloc(threads, sizeof(*t));
	static const char zeros[JWR_ALIGN];

	mkdir(folder, 0777);
	FILE *meta = open_file(folder, "meta"), *data = open_file(folder, "data");
	struct jwr_clock_point start = point_at(start_tick);

	for (uint32_t i = 0; t && i < threads; i++)
		t[i].tick = start_tick;

	fprintf(meta,
		"jweave-recording\t1\nclock\ttsc\nclock-point\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
		"\nhost\tbench\npid\t1\n",
		start.tick, start.mono_ns, start.wall_ns);
	for (uint32_t i = 0; t && i < threads; i++)
		fprintf(meta, "thread\t%u\t0\t1\t1\t1\t-\tthread %u\n", i + 1, i + 1);
	for (uint64_t done = 0; t && done < events; done += RECORDS) {
		uint32_t who = (uint32_t)(done / RECORDS % threads);
		struct jwr_chunk h = { .magic = JWR_MAGIC,
				       .thread = who + 1,
				       .seq = t[who].seq++,
				       .bytes = JWR_RECORDS_SIZE,
				       .began = point_at(t[who].tick) };

		fill_chunk(&t[who], methods, waits);
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

/* The digits of the field after the first ':' of LINE; they could be one. */
static size_t cpu_digits(const char *line)
{
	return strcspn(line + 2, ":");
}

static int weigh(const char *path)
{
	static char line[1 << 20];
	FILE *f = fopen(path, "rb");
	uint64_t all = 0, least = 0, lines = 0;

	if (!f) {
		perror(path);
		return 1;
	}
	while (fgets(line, sizeof(line), f)) {
		size_t n = strlen(line);

		all += n;
		least += line[0] == '#' ? n : n - cpu_digits(line) + 1;
		lines += line[0] != '#';
	}
	fclose(f);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", all, least, lines);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "weigh") == 0)
		return weigh(argv[2]);
	if ((argc != 7 && argc != 9) || strcmp(argv[1], "record") != 0)
		return 2;
	uint64_t n[6] = { 0 };

	for (int i = 0; 3 + i < argc; i++)
		n[i] = strtoull(argv[3 + i], NULL, 10);
	if (n[1] == 0 || n[2] == 0)
		return 2;
	random_state ^= n[4] * UINT64_C(0x9e3779b97f4a7c15);
	start_tick = n[5] * 26 / 10;
	write_recording(argv[2], n[0], (uint32_t)n[1], (uint32_t)n[2], (uint32_t)n[3]);
	return 0;
}
