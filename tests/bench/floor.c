/*
 * floor.c: what no weaver can do without: inflate the class entries of IN, deflate those of OUT.
 *
 * Arguments: IN.jar WOVEN.jar. Unpacks both untimed once, then times libdeflate on one thread at
 * level 6; prints the best of ROUNDS in seconds of CPU time, which other jobs on the machine
 * disturb least. Reading, weaving and writing are not in it.
 */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "base/zip.h"

#include "base/banned.h"

enum { ROUNDS = 7 };

struct jar {
	struct jw_file file;
	struct jw_arena arena;
	struct jw_zip zip;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_class(const struct jw_zip_entry *entry)
{
	return jw_span_ends(entry->name, JW_SPAN_LIT(".class"));
}

static void open_jar(const char *path, struct jar *jar)
{
	struct jw_err e = { 0 };

	if (jw_file_open(path, 0, &jar->file, &e) != JW_OK ||
	    jw_zip_open(jar->file.bytes, &jar->arena, &jar->zip, &e) != JW_OK) {
		fprintf(stderr, "%s: %s\n", path, e.text);
		exit(1);
	}
}

/* Inflates every class of JAR into OUT, one after the other; LENGTHS gets their sizes. */
static size_t inflate_all(struct jar *jar, struct jw_buf *out, size_t *lengths)
{
	static const struct jw_zip_limits no_limits = { 0 };
	struct jw_inflater *inflater = jw_inflater_new();
	struct jw_err e = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < jar->zip.count; i++) {
		size_t before = out->n;

		if (!is_class(&jar->zip.entries[i]))
			continue;
		if (jw_zip_unpack(&jar->zip, &jar->zip.entries[i], &no_limits, inflater, out, &e) !=
		    JW_OK) {
			fprintf(stderr, "%s\n", e.text);
			exit(1);
		}
		lengths[count++] = out->n - before;
	}
	jw_inflater_free(inflater);
	return count;
}

static double deflate_all(const struct jw_buf *all, const size_t *lengths, size_t count)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
	size_t room = libdeflate_deflate_compress_bound(c, all->n);
	void *packed = malloc(room);
	const uint8_t *p = all->p;
	double began = now();

	for (size_t i = 0; i < count; i++) {
		libdeflate_deflate_compress(c, p, lengths[i], packed, room);
		p += lengths[i];
	}
	double spent = now() - began;
	free(packed);
	libdeflate_free_compressor(c);
	return spent;
}

int main(int argc, char **argv)
{
	struct jar in = { 0 }, woven = { 0 };
	struct jw_buf in_bytes = { 0 }, woven_bytes = { 0 };
	double best = 1e9;

	if (argc != 3)
		return 2;
	open_jar(argv[1], &in);
	open_jar(argv[2], &woven);
	size_t *lengths = calloc(in.zip.count + woven.zip.count + 1, sizeof(*lengths));
	size_t *woven_lengths = calloc(woven.zip.count + 1, sizeof(*woven_lengths));
	size_t count = inflate_all(&woven, &woven_bytes, woven_lengths);
	for (int i = 0; i < ROUNDS; i++) {
		jw_buf_clear(&in_bytes);
		double began = now();
		inflate_all(&in, &in_bytes, lengths);
		double spent = now() - began + deflate_all(&woven_bytes, woven_lengths, count);
		if (spent < best)
			best = spent;
	}
	printf("%.6f\n", best);
	return 0;
}
