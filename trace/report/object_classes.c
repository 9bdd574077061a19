/*
 * object_classes.c: see object_classes.h.
 */
#include "trace/report/object_classes.h"

#include "base/banned.h"

void trace_note_class(struct trace_reading *r, uint32_t at, uint64_t object, uint64_t class)
{
	struct trace_sum *sum = trace_tally_at(&r->objects, r->lanes[at].task, object);

	r->failed |= !sum;
	if (sum)
		sum->count = class;
}

uint64_t trace_class_value(const struct trace_reading *r, uint32_t task, uint64_t object)
{
	const struct trace_sum *sum = trace_tally_find(&r->objects, task, object);

	return sum ? sum->count : 0;
}
