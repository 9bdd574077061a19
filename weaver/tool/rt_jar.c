/*
 * rt_jar.c: a tool of the build: writes jweave-rt.jar (class and library) to the path given. The
 * same bytes for the same runtime.
 */
#include <stdio.h>

#include "base/out_file.h"
#include "weaver/archive/runtime_image.h"
#include "weaver/archive/zip_out.h"

#include "base/banned.h"

static enum jw_status write_jar(const char *path, struct jw_buf *jar, struct jw_err *e)
{
	struct jw_span none = { 0 };
	struct jw_out out = { .fd = -1 };

	JW_TRY(weave_runtime_jar(JW_SPAN_LIT(WEAVE_RUNTIME_CLASS), none, none, none,
				 weave_zip_newest(NULL), jar, e));
	JW_TRY(jw_out_open(path, 0666, &out, e));
	enum jw_status status = jw_out_write(&out, jw_buf_span(jar), e);
	if (status == JW_OK)
		status = jw_out_commit(&out, e);
	jw_out_abort(&out);
	return status;
}

int main(int argc, char **argv)
{
	struct jw_buf jar = { 0 };
	struct jw_err e = { 0 };

	if (argc != 2) {
		fprintf(stderr, "rt_jar OUT\n");
		return 2;
	}
	enum jw_status status = write_jar(argv[1], &jar, &e);
	jw_buf_free(&jar);
	if (status != JW_OK)
		fprintf(stderr, "rt_jar: %s\n", e.text);
	return jw_status_exit(status);
}
