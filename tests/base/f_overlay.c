/* Fuzz target: any bytes as the table of what a java is shown; every text of it is read. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/overlay.h"
#include "tests/fuzz.h"

#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *table = jw_mem_zalloc(size + 1, 1); /* aligned as a mapped file is */
	size_t count = 0, texts = 0;

	if (!table)
		return 0;
	memcpy(table, data, size);
	const struct jw_overlay_entry *all = jw_overlay_entries(table, size, &count);
	for (size_t i = 0; i < count; i++)
		texts += strlen(table + all[i].copy_path);
	if (texts > count * size)
		abort();
	for (size_t i = 0; i < count; i++) {
		const struct jw_overlay_entry *first = jw_overlay_find(all, count, all[i].hash);

		if (first && (first < all || first >= all + count || first->hash != all[i].hash))
			abort();
	}
	jw_mem_free(table);
	return 0;
}
