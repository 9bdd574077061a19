/*
 * f_recording.c: a fuzzed recording converts to a valid trace, or is refused with a message.
 *
 * The input is cut in three, by two bytes at its front: meta, windows, data. A magic number is put
 * where chunks and windows begin, so that the fuzzer need not find it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trace/make_recording.h"

#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_file(const char *path, const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(p, 1, n, f) != n)
		abort();
	fclose(f);
}

/* N bytes at P with a magic number at every multiple of STEP, FIRST bytes into it. */
static void put_marked(const char *path, const uint8_t *p, size_t n, size_t step, size_t first)
{
	static const uint32_t magic = JWR_MAGIC;
	uint8_t *copy = malloc(n + 1);

	if (!copy)
		abort();
	memcpy(copy, p, n);
	for (size_t i = first; i + sizeof(magic) <= n; i += step)
		memcpy(copy + i, &magic, sizeof(magic));
	put_file(path, copy, n);
	free(copy);
}

/* A trace that is there is whole: its header, and its last line with an end. */
static void check(const char *base)
{
	char *prv = make_slurp(make_path("%s.prv", base));
	size_t n = prv ? strlen(prv) : 0;

	if (!prv || strncmp(prv, "#Paraver (", 10) != 0 || prv[n - 1] != '\n')
		abort();
	free(prv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 4)
		return 0;
	size_t meta = (size_t)(data[0] | data[1] << 8) % (size - 3);
	size_t windows = (size_t)(data[2] | data[3] << 8) % (size - 3 - meta);
	struct make m = make_begin("fuzz");
	const char *path = m.path;
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	data += 4;
	size -= 4;
	fwrite(data, 1, meta < size ? meta : size, m.meta);
	make_finish(&m, false);
	meta = meta < size ? meta : size;
	put_marked(make_path("fuzz.jwr/windows"), data + meta,
		   windows < size - meta ? windows : size - meta, JWR_WINDOW_SIZE, 16);
	windows = windows < size - meta ? windows : size - meta;
	put_marked(make_path("fuzz.jwr/data"), data + meta + windows, size - meta - windows,
		   JWR_ALIGN, 0);
	if (make_convert(&path, 1, "fuzz", NULL, &arena, &sum, &e) == JW_OK)
		check("fuzz");
	else if (!e.text[0])
		abort();
	remove(make_path("fuzz.prv"));
	jw_arena_free(&arena);
	return 0;
}
