/*
 * x_dump.c: prints the dump of each class file that is named: for g_dump.sh.
 */
#include <stdio.h>

#include "base/file.h"
#include "cfr/dump.h"

#include "base/banned.h"

static enum jw_status dump(const char *path, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct jw_buf out = { 0 };
	struct jw_file file;

	JW_TRY(jw_file_open(path, 0, &file, e));
	enum jw_status status = cfr_dump(file.bytes, &arena, &out, e);
	if (status == JW_OK)
		fwrite(out.p, 1, out.n, stdout);
	jw_file_close(&file);
	jw_buf_free(&out);
	jw_arena_free(&arena);
	return status;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct jw_err e = { 0 };

		if (dump(argv[i], &e) != JW_OK) {
			printf("%s\n", e.text);
			return jw_status_exit(e.status);
		}
	}
	return 0;
}
