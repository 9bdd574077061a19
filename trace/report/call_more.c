/*
 * call_more.c: see call_more.h.
 */
#include "trace/report/call_more.h"

#include "base/assert.h"
#include "base/memory.h"

#include "base/banned.h"

struct trace_call_more *trace_call_more(struct trace_reading *r, struct trace_lane *lane)
{
	struct trace_call *call = &lane->frames[lane->depth - 1];

	if (call->more)
		return trace_call_has(lane, call);
	if (lane->more_n == lane->more_cap) {
		uint32_t cap = lane->more_cap + lane->more_cap / 4 + 2;
		struct trace_call_more *grown = jw_mem_realloc(lane->more, cap * sizeof(*grown));

		r->failed |= !grown;
		if (!grown)
			return NULL;
		lane->more = grown;
		lane->more_cap = cap;
	}
	call->more = ++lane->more_n;
	*trace_call_has(lane, call) = (struct trace_call_more){ 0 };
	return trace_call_has(lane, call);
}

bool trace_call_more_take(struct trace_lane *lane, const struct trace_call *call,
			  struct trace_call_more *out)
{
	if (!call->more)
		return false;
	JW_ASSERT(call->more == lane->more_n);
	*out = *trace_call_has(lane, call);
	lane->more_n--;
	return true;
}
