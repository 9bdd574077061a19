/*
 * f_export.c: a fuzzed recording (recording_parts.h) is exported in every format: what is written is valid,
 * or there is a message. Formats that make files take their time: their turn is one input in sixteen.
 */
#include "tests/fuzz.h"
#include "tests/trace/check_exports.h"
#include "tests/trace/recording_parts.h"

#include "base/banned.h"

JW_MUTATES_BY(recording_parts_change)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct make m;

	if (recording_parts_write(data, size, &m))
		check_exports(m.path, NULL, (unsigned)jw_hash64(jw_span(data, size), 0));
	return 0;
}
