/* Fuzz target: any bytes as an archive; every entry is unpacked. */
#include <stdlib.h>

#include "base/zip.h"
#include "tests/fuzz.h"

#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct jw_zip_limits limits = { .max_size = 1 << 20, .max_ratio = 1000 };
	struct jw_inflater *inflater = jw_inflater_new();
	struct jw_arena arena = { 0 };
	struct jw_buf out = { 0 };
	struct jw_err e = { 0 };
	struct jw_zip zip;

	if (inflater && jw_zip_open(jw_span(data, size), &arena, &zip, &e) == JW_OK) {
		for (size_t i = 0; i < zip.count; i++) {
			const struct jw_zip_entry *entry = &zip.entries[i];
			struct jw_span record;

			jw_buf_clear(&out);
			if (jw_zip_data(&zip, entry, NULL, &record, &e) == JW_OK &&
			    (record.p < data || record.n > size - (size_t)(record.p - data)))
				abort();
			if (jw_zip_unpack(&zip, entry, &limits, inflater, &out, &e) == JW_OK &&
			    out.n != entry->size)
				abort();
		}
	}
	jw_buf_free(&out);
	jw_arena_free(&arena);
	jw_inflater_free(inflater);
	return 0;
}
