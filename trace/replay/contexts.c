/*
 * contexts.c: see contexts.h.
 */
#include <string.h>

#include "trace/replay/contexts.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"

#include "base/banned.h"

#define PART_MASK ((UINT64_C(1) << JWR_CONTEXT_PART_BITS) - 1)

/* PART is what is current on WHO. A recorder may tell it again, as a reader may not have the beginning. */
static void tell(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		 const uint64_t part[JWR_CONTEXT_PARTS])
{
	uint64_t *told = who->track->context.told;

	if (memcmp(told, part, sizeof(uint64_t[JWR_CONTEXT_PARTS])) == 0)
		return;
	for (unsigned i = 0; i < JWR_CONTEXT_PARTS; i++) {
		trace_put_event(p, who->calls, time, TRACE_TYPE_CONTEXT_1 + i, part[i]);
		told[i] = part[i];
	}
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
	tell(p, who, time, parts->part);
}

void trace_contexts_end(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	tell(p, who, time, (const uint64_t[JWR_CONTEXT_PARTS]){ 0 });
	who->track->context.next = 0;
}
