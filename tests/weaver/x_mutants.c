/*
 * x_mutants.c: classes changed as compilers differ (mutate_class.h), for the test that asks a JVM
 * about them.
 *
 *     find FOLDER -name '*.class' | sort | x_mutants SEED COUNT OUT
 *
 * Writes COUNT classes to the folder OUT, which is there: each one of those whose paths come, with
 * one to eight changes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/out_file.h"
#include "tests/cfr/mutate_class.h"
#include "tests/draw.h"

#include "base/banned.h"

enum { SIZE_IN_MAX = 8000, FILES_MAX = 8192, CHANGES_MAX = 8, TRIES = 40 };

static struct jw_file files[FILES_MAX];
static uint32_t state;

static void fail(const char *what)
{
	fprintf(stderr, "x_mutants: %s\n", what);
	exit(1);
}

static uint32_t open_files(void)
{
	char path[4096];
	uint32_t n = 0;
	struct jw_err e = { 0 };

	while (n < FILES_MAX && fgets(path, sizeof(path), stdin)) {
		path[strcspn(path, "\n")] = 0;
		if (jw_file_open(path, 0, &files[n], &e) != JW_OK)
			fail(e.text);
		if (files[n].bytes.n <= SIZE_IN_MAX)
			n++;
		else
			jw_file_close(&files[n]);
	}
	return n;
}

static void write_mutant(struct jw_span of, const char *path)
{
	struct jw_buf mutant = { 0 }, next = { 0 };
	struct jw_out out;
	struct jw_err e = { 0 };

	jw_put_bytes(&mutant, of);
	for (uint32_t changes = 1 + draw(&state, CHANGES_MAX), i = 0; changes > 0 && i < TRIES;
	     i++) {
		jw_buf_clear(&next);
		mutate_class(jw_buf_span(&mutant), &next, &state);
		if (next.n == 0)
			continue;
		jw_buf_clear(&mutant);
		jw_put_bytes(&mutant, jw_buf_span(&next));
		changes--;
	}
	if (jw_buf_finish(&mutant, path, &e) != JW_OK ||
	    jw_out_open(path, 0666, &out, &e) != JW_OK ||
	    jw_out_write(&out, jw_buf_span(&mutant), &e) != JW_OK ||
	    jw_out_commit(&out, &e) != JW_OK)
		fail(e.text);
	jw_out_abort(&out);
	jw_buf_free(&mutant);
	jw_buf_free(&next);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		fail("SEED COUNT OUT, please, and paths of classes from standard input");
	state = (uint32_t)strtoul(argv[1], NULL, 10);
	uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10), n = open_files();

	if (n == 0)
		fail("no class of a useful size");
	for (uint32_t i = 0; i < count; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/c%06u.class", argv[3], i);
		write_mutant(files[draw(&state, n)].bytes, path);
	}
	while (n > 0)
		jw_file_close(&files[--n]);
	return 0;
}
