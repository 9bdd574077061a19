/*
 * f_recording.c: a fuzzed recording (recording_parts.h) converts to a valid trace, to rows whose keys
 * hold and to a page that is well formed, or is refused with a message.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz.h"
#include "tests/trace/check_prv.h"
#include "tests/trace/check_tables.h"
#include "tests/trace/check_view.h"
#include "tests/trace/recording_parts.h"

#include "base/banned.h"

JW_MUTATES_BY(recording_parts_change)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct make m;
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	if (!recording_parts_write(data, size, &m))
		return 0;
	const char *path = m.path;

	if (make_convert(&path, 1, "fuzz", NULL, &arena, &sum, &e) == JW_OK)
		check_prv("fuzz");
	else
		must(e.text[0] != '\0');
	remove(make_path("fuzz.prv"));
	check_tables(path);
	check_view_of_recording(path);
	jw_arena_free(&arena);
	return 0;
}
