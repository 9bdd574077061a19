/*
 * context.c: see context.h.
 */
#include "trace/context.h"

#include "base/banned.h"

bool trace_context_take(struct trace_context *c, enum trace_type type, uint64_t value)
{
	if (type != TRACE_TYPE_CONTEXT_4) {
		c->part[type - TRACE_TYPE_CONTEXT_1] = value;
		return false;
	}
	c->trace_high = c->part[0] << 16 | (c->part[1] >> 32 & 0xffff);
	c->trace_low = c->part[1] << 32 | (c->part[2] >> 16 & UINT32_MAX);
	c->span = c->part[2] << 48 | (value & ((UINT64_C(1) << 48) - 1));
	return true;
}

void trace_context_put_trace(struct jw_buf *out, const struct trace_context *c)
{
	jw_put_fmt(out, "%016llx%016llx", (unsigned long long)c->trace_high,
		   (unsigned long long)c->trace_low);
}

void trace_context_put_span(struct jw_buf *out, const struct trace_context *c)
{
	jw_put_fmt(out, "%016llx", (unsigned long long)c->span);
}
