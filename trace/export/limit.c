/*
 * limit.c: see limit.h.
 */
#include "trace/export/limit.h"

#include "base/grow.h"
#include "base/memory.h"
#include "trace/reader/time_range.h"

#include "base/banned.h"

/* Durations that are proposed: 1, 2 and 5 of each power of ten. */
enum { STEPS = 36 };

struct lane {
	struct {
		uint64_t *at; /* owned; when open calls began */
		size_t n, room;
	} open;
};

struct trace_limiting {
	const struct trace_limit *limit;
	const struct trace_output *output; /* after it */
	void *ctx;
	const struct trace_scene *scene;
	struct lane *lanes;  /* owned; one a thread */
	uint32_t lane_count; /* of them, also when the scene has gone */
	uint64_t calls, others;
	uint64_t long_calls[STEPS]; /* that took as long as the step, but not as the next */
	bool failed;                /* no memory */
};

static uint64_t step_ns(size_t step)
{
	static const uint64_t digits[] = { 1, 2, 5 };
	uint64_t ns = digits[step % 3];

	for (size_t i = 0; i < step / 3; i++)
		ns *= 10;
	return ns;
}

/* Is there room for what comes next? */
static bool has_room(const struct trace_limiting *l)
{
	return l->calls + l->others <= l->limit->most;
}

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_limiting *l = ctx;

	l->scene = scene;
	l->lane_count = scene->thread_count;
	l->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*l->lanes));
	return l->lanes ? l->output->begin(l->ctx, scene, e) : jw_nomem(e);
}

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_limiting *l = ctx;

	l->others += l->limit->states && state != TRACE_IDLE && state != TRACE_NOT_CREATED;
	if (has_room(l))
		l->output->state(l->ctx, thread, begin, end, state);
}

static void begins(struct trace_limiting *l, uint32_t thread, uint64_t time)
{
	static const struct jw_growth grow = { NULL, 0, 0 };
	struct lane *lane = &l->lanes[thread];

	l->calls++;
	if (JW_GROW(&lane->open, &grow, NULL) == JW_OK)
		lane->open.at[lane->open.n++] = time;
	else
		l->failed = true;
}

static void ends(struct trace_limiting *l, uint32_t thread, uint64_t time)
{
	struct lane *lane = &l->lanes[thread];
	size_t step = 0;

	if (lane->open.n == 0)
		return;
	uint64_t enter = lane->open.at[--lane->open.n], ns = time > enter ? time - enter : 0;

	while (step + 1 < STEPS && step_ns(step + 1) <= ns)
		step++;
	l->long_calls[step]++;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_limiting *l = ctx;

	begins(l, thread, time);
	if (has_room(l))
		l->output->enter(l->ctx, thread, time, method);
}

static void take_resume(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_limiting *l = ctx;

	begins(l, thread, time);
	if (has_room(l))
		trace_output_resume(l->output, l->ctx, thread, time, method);
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_limiting *l = ctx;

	ends(l, thread, time);
	if (has_room(l))
		l->output->leave(l->ctx, thread, time, failed);
}

static void take_suspend(void *ctx, uint32_t thread, uint64_t time)
{
	struct trace_limiting *l = ctx;

	ends(l, thread, time);
	if (has_room(l))
		trace_output_suspend(l->output, l->ctx, thread, time);
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_limiting *l = ctx;

	if (has_room(l))
		l->output->event(l->ctx, thread, time, type, value);
}

static void take_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_limiting *l = ctx;

	if (has_room(l))
		l->output->operation(l->ctx, thread, time, type, number);
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_limiting *l = ctx;

	if (has_room(l))
		l->output->captured(l->ctx, thread, time, what, value);
}

static void take_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  bool has_outer, uint64_t outer)
{
	struct trace_limiting *l = ctx;

	if (l->output->released && has_room(l))
		l->output->released(l->ctx, thread, time, what, has_outer, outer);
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_limiting *l = ctx;

	if (has_room(l))
		l->output->user(l->ctx, thread, time, type, value);
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_limiting *l = ctx;

	if (has_room(l))
		l->output->arrow(l->ctx, from, sent, to, received, tag);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_limiting *l = ctx;

	return l->failed ? jw_nomem(e) : l->output->check(l->ctx, e);
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_limiting *l = ctx;

	if (has_room(l)) {
		if (l->output->over)
			l->output->over(l->ctx, end);
		return;
	}
	for (uint32_t i = 0; i < l->scene->thread_count; i++)
		while (l->lanes[i].open.n)
			ends(l, i, end);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_limiting *l = ctx;

	if (has_room(l) && l->output->name)
		l->output->name(l->ctx, what, number, label);
}

/* The shortest of the steps from which on calls are few enough, and how many these are; false: of
 * none. */
static bool find_step(const struct trace_limiting *l, uint64_t *ns, uint64_t *left)
{
	uint64_t calls = 0;
	bool found = false;

	for (size_t i = STEPS; i-- > 1;) {
		calls += l->long_calls[i];
		if (calls + l->others > l->limit->most)
			break;
		*ns = step_ns(i);
		*left = calls;
		found = calls > 0;
	}
	return found;
}

static enum jw_status refuse(const struct trace_limiting *l, struct jw_err *e)
{
	uint64_t all = l->calls + l->others, ns = 0, left = 0;
	const char *unit = "ns";

	/* a share of the time, rounded down: calls are not the same everywhere */
	double share = 90.0 * (double)l->limit->most / (double)all;
	unsigned percent = share >= 1 ? (unsigned)share : 1;

	if (!find_step(l, &ns, &left))
		return jw_fail(
			e, JW_LIMIT,
			"%llu slices are more than viewers of %s hold (%llu): select a part, as "
			"by --to=%u%% or --thread, or write all of them with --force",
			(unsigned long long)all, l->limit->what, (unsigned long long)l->limit->most,
			percent);
	if (ns % 1000 == 0) {
		unit = ns % 1000000 ? "us" : "ms";
		ns /= ns % 1000000 ? 1000 : 1000000;
	}
	return jw_fail(
		e, JW_LIMIT,
		"%llu slices are more than viewers of %s hold (%llu): select a part, as by "
		"--min-duration=%llu%s (which leaves %llu calls) or --to=%u%%, or write all of "
		"them with --force",
		(unsigned long long)all, l->limit->what, (unsigned long long)l->limit->most,
		(unsigned long long)ns, unit, (unsigned long long)left, percent);
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_limiting *l = ctx;

	if (l->failed)
		return jw_nomem(e);
	return has_room(l) ? l->output->end(l->ctx, names, e) : refuse(l, e);
}

const struct trace_output trace_limiting_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.resume = take_resume,
	.suspend = take_suspend,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.released = take_released,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

struct trace_limiting *trace_limiting_new(const struct trace_limit *limit,
					  const struct trace_output *output, void *ctx)
{
	struct trace_limiting *l = jw_mem_zalloc(1, sizeof(*l));

	if (l)
		*l = (struct trace_limiting){ .limit = limit, .output = output, .ctx = ctx };
	return l;
}

void trace_limiting_free(struct trace_limiting *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; l->lanes && i < l->lane_count; i++)
		jw_mem_free(l->lanes[i].open.at);
	jw_mem_free(l->lanes);
	jw_mem_free(l);
}
