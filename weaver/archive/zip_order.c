#include "weaver/archive/zip_order.h"

#include <stdlib.h>

#include "base/banned.h"

struct placed {
	uint64_t at;
	size_t entry;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->entry > y->entry) - (x->entry < y->entry);
}

enum jw_status weave_zip_order(const struct jw_zip *zip, struct jw_arena *arena, size_t **order,
			       struct jw_err *e)
{
	struct placed *placed = JW_NEW_ARRAY(arena, struct placed, zip->count + 1);

	*order = JW_NEW_ARRAY(arena, size_t, zip->count + 1);
	if (!placed || !*order)
		return jw_nomem(e);
	for (size_t i = 0; i < zip->count; i++)
		placed[i] = (struct placed){ zip->entries[i].local, i };
	qsort(placed, zip->count, sizeof(*placed), by_place);
	for (size_t i = 0; i < zip->count; i++)
		(*order)[i] = placed[i].entry;
	return JW_OK;
}
