/*
 * fuzz_main.c: the plain main() of a fuzz target, so that `make check` replays with any compiler
 * what fuzzing once found.
 *
 * Linked with an f_NAME.c, it runs LLVMFuzzerTestOneInput over the empty input and over each file
 * of tests/corpus/NAME/ (in the order of names), or over the files given as arguments. One TAP line
 * a file, printed before the next begins: a crash is the line that is missing.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tests/fuzz.h"

#include "base/banned.h"

static int number;

static bool report(bool passed, const char *what)
{
	printf("%sok %d - %s\n", passed ? "" : "not ", ++number, what);
	fflush(stdout);
	return passed;
}

static bool replay(const char *path)
{
	struct jw_file file = { 0 };
	struct jw_err e = { 0 };
	bool passed;

	if (jw_file_open(path, 0, &file, &e) != JW_OK) {
		printf("# %s\n", e.text);
		return report(false, path);
	}
	printf("# %s\n", path);
	fflush(stdout);
	passed = LLVMFuzzerTestOneInput(file.bytes.p, file.bytes.n) == 0;
	jw_file_close(&file);
	return report(passed, path);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The corpus of the target that this program was linked with: f_NAME -> tests/corpus/NAME. */
static bool replay_corpus(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	struct dirent **entries = NULL;
	char path[4096];
	bool passed = true;
	int count;

	if (strncmp(name, "f_", 2) == 0)
		name += 2;
	snprintf(path, sizeof(path), "tests/corpus/%s", name);
	count = scandir(path, &entries, visible, alphasort);
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "tests/corpus/%s/%s", name, entries[i]->d_name);
		passed = replay(path) && passed;
		free(entries[i]);
	}
	free(entries);
	if (count <= 0)
		printf("# no corpus in %s\n", path);
	return passed;
}

int main(int argc, char **argv)
{
	static const uint8_t nothing[1];
	bool passed = report(LLVMFuzzerTestOneInput(nothing, 0) == 0, "the empty input");

	if (argc < 2)
		passed = replay_corpus(argv[0]) && passed;
	for (int i = 1; i < argc; i++)
		passed = replay(argv[i]) && passed;
	printf("1..%d\n", number);
	return passed ? 0 : 1;
}
