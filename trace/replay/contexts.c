/*
 * contexts.c: see contexts.h.
 */
#include "trace/replay/contexts.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"

#include "base/banned.h"

#define PART_MASK ((UINT64_C(1) << JWR_CONTEXT_PART_BITS) - 1)

static void tell(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		 const uint64_t part[JWR_CONTEXT_PARTS])
{
	for (unsigned i = 0; i < JWR_CONTEXT_PARTS; i++)
		trace_put_event(p, who->calls, time, TRACE_TYPE_CONTEXT_1 + i, part[i]);
}

void trace_contexts_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 uint64_t payload)
{
	struct trace_context_parts *parts = &who->track->context;
	uint64_t part = payload >> JWR_CONTEXT_PART_BITS, bits = payload & PART_MASK;

	if (part != parts->next) {
		p->counts.strange++;
		parts->next = 0;
		if (part != 0)
			return;
	}
	parts->part[part] = bits;
	parts->next = (uint8_t)(part + 1) % JWR_CONTEXT_PARTS;
	if (parts->next)
		return;
	bool current = (parts->part[0] | parts->part[1] | parts->part[2] | bits) != 0;

	if (current || parts->current)
		tell(p, who, time, parts->part);
	parts->current = current;
}

void trace_contexts_end(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_context_parts *parts = &who->track->context;

	if (parts->current)
		tell(p, who, time, (const uint64_t[JWR_CONTEXT_PARTS]){ 0 });
	*parts = (struct trace_context_parts){ 0 };
}
