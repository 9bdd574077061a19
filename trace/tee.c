/*
 * tee.c: see tee.h.
 */
#include "trace/output.h"
#include "trace/tee.h"

#include "base/banned.h"

static enum jw_status begin(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	const struct trace_tee *t = ctx;

	JW_TRY(t->first->begin(t->first_ctx, scene, e));
	return t->second->begin(t->second_ctx, scene, e);
}

static void state(void *ctx, uint32_t thread, uint64_t from, uint64_t to, uint64_t state)
{
	const struct trace_tee *t = ctx;

	t->first->state(t->first_ctx, thread, from, to, state);
	t->second->state(t->second_ctx, thread, from, to, state);
}

static void enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	const struct trace_tee *t = ctx;

	t->first->enter(t->first_ctx, thread, time, method);
	t->second->enter(t->second_ctx, thread, time, method);
}

static void leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	const struct trace_tee *t = ctx;

	t->first->leave(t->first_ctx, thread, time, failed);
	t->second->leave(t->second_ctx, thread, time, failed);
}

static void resume(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	const struct trace_tee *t = ctx;

	trace_output_resume(t->first, t->first_ctx, thread, time, method);
	trace_output_resume(t->second, t->second_ctx, thread, time, method);
}

static void suspend(void *ctx, uint32_t thread, uint64_t time)
{
	const struct trace_tee *t = ctx;

	trace_output_suspend(t->first, t->first_ctx, thread, time);
	trace_output_suspend(t->second, t->second_ctx, thread, time);
}

static void event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type, uint64_t value)
{
	const struct trace_tee *t = ctx;

	t->first->event(t->first_ctx, thread, time, type, value);
	t->second->event(t->second_ctx, thread, time, type, value);
}

static void outside_one(const struct trace_output *o, void *ctx, uint32_t thread, uint64_t time,
			enum trace_type type, uint64_t value)
{
	if (o->outside)
		o->outside(ctx, thread, time, type, value);
}

static void outside(void *ctx, uint32_t thread, uint64_t time, enum trace_type type, uint64_t value)
{
	const struct trace_tee *t = ctx;

	outside_one(t->first, t->first_ctx, thread, time, type, value);
	outside_one(t->second, t->second_ctx, thread, time, type, value);
}

static void operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
		      uint64_t number)
{
	const struct trace_tee *t = ctx;

	t->first->operation(t->first_ctx, thread, time, type, number);
	t->second->operation(t->second_ctx, thread, time, type, number);
}

static void captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
		     uint64_t value)
{
	const struct trace_tee *t = ctx;

	t->first->captured(t->first_ctx, thread, time, what, value);
	t->second->captured(t->second_ctx, thread, time, what, value);
}

static void released_one(const struct trace_output *o, void *ctx, uint32_t thread, uint64_t time,
			 const struct jw_capture *what, bool has_outer, uint64_t outer)
{
	if (o->released)
		o->released(ctx, thread, time, what, has_outer, outer);
}

static void released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
		     bool has_outer, uint64_t outer)
{
	const struct trace_tee *t = ctx;

	released_one(t->first, t->first_ctx, thread, time, what, has_outer, outer);
	released_one(t->second, t->second_ctx, thread, time, what, has_outer, outer);
}

static void user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	const struct trace_tee *t = ctx;

	t->first->user(t->first_ctx, thread, time, type, value);
	t->second->user(t->second_ctx, thread, time, type, value);
}

static void arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		  uint64_t tag)
{
	const struct trace_tee *t = ctx;

	t->first->arrow(t->first_ctx, from, sent, to, received, tag);
	t->second->arrow(t->second_ctx, from, sent, to, received, tag);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_tee *t = ctx;

	JW_TRY(t->first->check(t->first_ctx, e));
	return t->second->check(t->second_ctx, e);
}

static void over(void *ctx, uint64_t end)
{
	const struct trace_tee *t = ctx;

	if (t->first->over)
		t->first->over(t->first_ctx, end);
	if (t->second->over)
		t->second->over(t->second_ctx, end);
}

static void name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	const struct trace_tee *t = ctx;

	if (t->first->name)
		t->first->name(t->first_ctx, what, number, label);
	if (t->second->name)
		t->second->name(t->second_ctx, what, number, label);
}

static enum jw_status end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	const struct trace_tee *t = ctx;

	JW_TRY(t->first->end(t->first_ctx, names, e));
	return t->second->end(t->second_ctx, names, e);
}

const struct trace_output trace_tee_output = {
	.begin = begin,
	.state = state,
	.enter = enter,
	.leave = leave,
	.resume = resume,
	.suspend = suspend,
	.event = event,
	.outside = outside,
	.operation = operation,
	.captured = captured,
	.released = released,
	.user = user,
	.arrow = arrow,
	.check = check,
	.over = over,
	.name = name,
	.end = end,
};
