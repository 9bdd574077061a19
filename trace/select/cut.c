/*
 * cut.c: the edges of the range: what is open at its beginning is told again, and ends where it ends.
 */
#include "trace/format/methodmap.h"
#include "trace/select/selecting.h"

#include "base/banned.h"

static const enum trace_type lasting_types[TRACE_LASTING] = {
#define TRACE_LASTING_TYPE(type) TRACE_TYPE_##type,
	TRACE_LASTING_LIST(TRACE_LASTING_TYPE)
#undef TRACE_LASTING_TYPE
};

static void event(struct trace_select *s, const struct trace_select_lane *lane, uint64_t time,
		  enum trace_type type, uint64_t value)
{
	if (value)
		s->output->event(s->ctx, lane->place, time, type, value);
}

/* ---- it begins ---- */

/* What began at that instant is all in the range. */
static void tell_open(struct trace_select *s, const struct trace_select_lane *lane,
		      const struct trace_select_call *call)
{
	if (call->enter == s->from) {
		s->output->enter(s->ctx, lane->place, s->from, call->method);
		return;
	}
	s->told.before++;
	trace_output_resume(s->output, s->ctx, lane->place, s->from, call->method);
}

/* Operations from place I on that began in the innermost of DEPTH calls, or sooner; returns the next one. What they
 * are about is that call's. */
static size_t resume_operations(struct trace_select *s, const struct trace_select_lane *lane,
				size_t i, size_t depth)
{
	for (; i < lane->operations.n && lane->operations.at[i].depth <= depth; i++) {
		const struct trace_select_operation *op = &lane->operations.at[i];

		s->output->operation(s->ctx, lane->place, s->from, op->type, op->number);
		event(s, lane, s->from, TRACE_TYPE_OPERATION_OBJECT, op->object);
		event(s, lane, s->from, TRACE_TYPE_OPERATION_CLASS, op->class);
	}
	return i;
}

static void resume_calls(struct trace_select *s, const struct trace_select_lane *lane)
{
	size_t k = 0, operation = resume_operations(s, lane, 0, 0);

	for (size_t i = 0; i < lane->open.n; i++) {
		const struct trace_select_call *call = &lane->open.at[i];

		if (call->kept) {
			s->told.calls++;
			tell_open(s, lane, call);
			event(s, lane, s->from, TRACE_TYPE_SITE, call->site);
		}
		for (; k < lane->captured.n && lane->captured.at[k].depth == i + 1; k++)
			s->output->captured(s->ctx, lane->place, s->from, lane->captured.at[k].what,
					    lane->captured.at[k].value);
		operation = resume_operations(s, lane, operation, i + 1);
	}
	(void)resume_operations(s, lane, operation, SIZE_MAX);
}

void trace_select_open(struct trace_select *s)
{
	s->where = TRACE_INSIDE;
	s->edge = s->to;
	for (uint32_t i = 0; i < s->lane_n; i++) {
		const struct trace_select_lane *lane = &s->lanes[i];

		if (lane->place != TRACE_NOT_SELECTED && lane->state_end > s->from)
			s->output->state(s->ctx, lane->place, s->from,
					 lane->state_end < s->to ? lane->state_end : s->to,
					 lane->state);
	}
	for (size_t i = 0; i < s->closed.n; i++)
		event(s, &s->lanes[s->closed.at[i].thread], s->from, TRACE_TYPE_CLOSED,
		      s->closed.at[i].method);
	for (uint32_t i = 0; i < s->lane_n; i++) {
		const struct trace_select_lane *lane = &s->lanes[i];

		if (lane->place == TRACE_NOT_SELECTED)
			continue;
		resume_calls(s, lane);
		for (size_t k = 0; k < TRACE_LASTING; k++)
			event(s, lane, s->from, lasting_types[k], lane->lasting[k]);
	}
}

/* ---- it ends ---- */

/* The latest of LANE that holds of TYPE, before place END; -1: none. */
static int64_t held_before(const struct trace_select_lane *lane, size_t end, uint32_t type)
{
	while (end-- > 0)
		if (lane->captured.at[end].what->hold && lane->captured.at[end].what->type == type)
			return (int64_t)end;
	return -1;
}

void trace_select_release(struct trace_select *s, struct trace_select_lane *lane, uint64_t time,
			  uint32_t type)
{
	int64_t at = held_before(lane, lane->captured.n, type);

	if (at < 0)
		return;
	int64_t outer = held_before(lane, (size_t)at, type);

	if (s->output->released)
		s->output->released(s->ctx, lane->place, time, lane->captured.at[at].what,
				    outer >= 0, outer >= 0 ? lane->captured.at[outer].value : 0);
	for (lane->captured.n--; (size_t)at < lane->captured.n; at++)
		lane->captured.at[at] = lane->captured.at[at + 1];
}

/* What holds beyond the end of the range. */
static void release(struct trace_select *s, struct trace_select_lane *lane)
{
	for (size_t i = lane->captured.n; i-- > 0;)
		if (lane->captured.at[i].what->hold)
			trace_select_release(s, lane, s->to, lane->captured.at[i].what->type);
	lane->captured.n = 0;
}

static void suspend(struct trace_select *s, struct trace_select_lane *lane)
{
	for (size_t i = lane->open.n; i-- > 0;) {
		if (!lane->open.at[i].kept)
			continue;
		s->told.after++;
		trace_output_suspend(s->output, s->ctx, lane->place, s->to);
	}
}

void trace_select_close(struct trace_select *s)
{
	s->where = TRACE_AFTER;
	s->edge = UINT64_MAX;
	for (uint32_t i = 0; i < s->lane_n; i++) {
		struct trace_select_lane *lane = &s->lanes[i];

		if (lane->place == TRACE_NOT_SELECTED)
			continue;
		for (size_t k = lane->operations.n; k-- > 0;)
			s->output->operation(s->ctx, lane->place, s->to,
					     lane->operations.at[k].type, 0);
		for (size_t k = 0; k < TRACE_LASTING; k++)
			if (lane->lasting[k] && k != TRACE_LASTS_THREAD_NAME)
				s->output->event(s->ctx, lane->place, s->to, lasting_types[k], 0);
		release(s, lane);
		suspend(s, lane);
	}
}
