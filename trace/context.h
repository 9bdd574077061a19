/*
 * context.h: trace contexts (W3C Trace Context), as outputs are told of them: four events of a thread
 * that follow each other, CONTEXT_1 to CONTEXT_4 (output.h).
 */
#ifndef JW_TRACE_CONTEXT_H
#define JW_TRACE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "trace/output.h"

/* Of one thread. {0}: none is current. */
struct trace_context {
	uint64_t trace_high, trace_low; /* the trace id, 128 bits */
	uint64_t span;
	uint64_t part[3]; /* told, of the one that comes */
};

/* Is TYPE that of a part? */
static inline bool trace_is_context(enum trace_type type)
{
	return type >= TRACE_TYPE_CONTEXT_1 && type <= TRACE_TYPE_CONTEXT_4;
}

/* An event of TYPE, a part, has VALUE. True: it was the last one, and C is what is current now. */
bool trace_context_take(struct trace_context *c, enum trace_type type, uint64_t value);

static inline bool trace_context_is_current(const struct trace_context *c)
{
	return (c->trace_high | c->trace_low | c->span) != 0;
}

/* The ids as people know them: 32 and 16 hex digits, which it puts to OUT. */
void trace_context_put_trace(struct jw_buf *out, const struct trace_context *c);
void trace_context_put_span(struct jw_buf *out, const struct trace_context *c);

#endif
