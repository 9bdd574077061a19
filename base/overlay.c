/*
 * overlay.c: is a table whole? (Part of a library that is loaded before a C library is set up: no allocation.)
 */
#include "base/overlay.h"

#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

static bool is_text(const char *bytes, size_t n, uint64_t at)
{
	return at < n && memchr(bytes + at, '\0', n - at);
}

const struct jw_overlay_entry *jw_overlay_entries(const void *bytes, size_t n, size_t *count)
{
	const struct jw_overlay_head *head = bytes;
	const struct jw_overlay_entry *all;

	if (n < sizeof(*head) || memcmp(head->magic, JW_OVERLAY_MAGIC, sizeof(head->magic)) != 0 ||
	    head->count == 0 || head->count > (n - sizeof(*head)) / sizeof(*all))
		return NULL;
	all = (const void *)(head + 1);
	for (size_t i = 0; i < head->count; i++)
		if (!is_text(bytes, n, all[i].copy_path))
			return NULL;
	*count = head->count;
	return all;
}

uint64_t jw_overlay_hash(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
	return hash;
}

const struct jw_overlay_entry *jw_overlay_find(const struct jw_overlay_entry *entries, size_t count,
					       uint64_t hash)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (entries[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && entries[low].hash == hash ? &entries[low] : NULL;
}
