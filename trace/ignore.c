/*
 * ignore.c: see ignore.h.
 */
#include "trace/ignore.h"

#include "base/banned.h"

void trace_ignore_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	(void)ctx, (void)thread, (void)begin, (void)end, (void)state;
}

void trace_ignore_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	(void)ctx, (void)thread, (void)time, (void)method;
}

void trace_ignore_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	(void)ctx, (void)thread, (void)time, (void)failed;
}

void trace_ignore_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
			uint64_t value)
{
	(void)ctx, (void)thread, (void)time, (void)type, (void)value;
}

void trace_ignore_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			    uint64_t number)
{
	(void)ctx, (void)thread, (void)time, (void)type, (void)number;
}

void trace_ignore_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			   uint64_t value)
{
	(void)ctx, (void)thread, (void)time, (void)what, (void)value;
}

void trace_ignore_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	(void)ctx, (void)thread, (void)time, (void)type, (void)value;
}

void trace_ignore_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
			uint64_t tag)
{
	(void)ctx, (void)from, (void)sent, (void)to, (void)received, (void)tag;
}
