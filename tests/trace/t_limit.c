/*
 * t_limit.c: what is refused as viewers do not hold it, at the limit and one above it, and what is
 * proposed instead.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/ignore.h"
#include "trace/export/limit.h"

#include "base/banned.h"

static unsigned entered, left, ended;

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)ctx, (void)scene, (void)e;
	entered = left = ended = 0;
	return JW_OK;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	(void)ctx, (void)thread, (void)time, (void)method;
	entered++;
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	(void)ctx, (void)thread, (void)time, (void)failed;
	left++;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	(void)ctx, (void)e;
	return JW_OK;
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	(void)ctx, (void)names, (void)e;
	ended++;
	return JW_OK;
}

static const struct trace_output counter = {
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.end = take_end,
};

static struct jw_err err;

/* N calls of NS each, and STATES states. */
static enum jw_status count(const struct trace_limit *limit, unsigned n, uint64_t ns,
			    unsigned states)
{
	static const struct trace_scene scene = { .end = 1000, .thread_count = 1 };
	const struct trace_output *to = &trace_limiting_output;
	struct trace_limiting *l = trace_limiting_new(limit, &counter, NULL);

	err = (struct jw_err){ 0 };
	enum jw_status status = l ? to->begin(l, &scene, &err) : JW_NOMEM;

	for (unsigned i = 0; i < states && status == JW_OK; i++)
		to->state(l, 0, i, i + 1, TRACE_RUNNING);
	for (unsigned i = 0; i < n && status == JW_OK; i++) {
		to->enter(l, 0, 0, 1);
		to->leave(l, 0, ns, false);
	}
	if (status == JW_OK)
		status = to->check(l, &err);
	if (status == JW_OK) {
		to->over(l, 1000);
		status = to->end(l, NULL, &err);
	}
	trace_limiting_free(l);
	return status;
}

TEST(as_many_as_viewers_hold)
{
	const struct trace_limit limit = { 3, false, "it" };

	is_int(count(&limit, 3, 10, 5), JW_OK);
	is_int(entered, 3);
	is_int(left, 3);
	is_int(ended, 1);
}

TEST(one_more)
{
	const struct trace_limit limit = { 3, false, "it" };

	is_int(count(&limit, 4, 0, 0), JW_LIMIT);
	is_str(err.text, "4 slices are more than viewers of it hold (3): select a part, as by "
			 "--to=67% or --thread, or write all of them with --force");
	is_int(entered, 3);
	is_int(ended, 0);
}

TEST(states_count_where_they_are_slices)
{
	const struct trace_limit limit = { 3, true, "it" };

	is_int(count(&limit, 2, 10, 1), JW_OK);
	is_int(count(&limit, 2, 10, 2), JW_LIMIT);
}

TEST(no_memory)
{
	const struct trace_limit limit = { 3, false, "it" };
	enum jw_status status = JW_NOMEM;
	long n = 0;

	for (; status == JW_NOMEM && n < 20; n++) {
		jw_mem_fail_after(n);
		status = count(&limit, 1, 10, 0);
		jw_mem_fail_after(-1);
	}
	is_int(status, JW_OK);
	ok(n > 2);
}
