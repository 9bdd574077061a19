/*
 * overlay.c: is a table whole? (Part of a library that is loaded before a C library is set up: no allocation.)
 */
#include "base/overlay.h"

#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

static bool is_text(const char *bytes, size_t n, uint32_t at)
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
		if (!is_text(bytes, n, all[i].name) || !is_text(bytes, n, all[i].copy_path))
			return NULL;
	*count = head->count;
	return all;
}
