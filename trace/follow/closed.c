/*
 * closed.c: see closed.h.
 */
#include "trace/follow/closed.h"

#include "trace/ignore.h"

#include "base/banned.h"

static enum jw_status begin(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx;
	(void)scene;
	(void)e;
	return JW_OK;
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_closed *c = ctx;

	(void)thread;
	(void)time;
	if (type == TRACE_TYPE_CLOSED && value)
		c->failed |= trace_methods_number(&c->methods, value) == TRACE_NO_METHOD;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_closed *c = ctx;

	return c->failed ? jw_nomem(e) : JW_OK;
}

static enum jw_status end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	(void)names;
	return check(ctx, e);
}

const struct trace_output trace_closed_output = {
	.begin = begin,
	.state = trace_ignore_state,
	.enter = trace_ignore_enter,
	.leave = trace_ignore_leave,
	.event = take_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.end = end,
};

void trace_closed_free(struct trace_closed *c)
{
	trace_methods_free(&c->methods);
}
