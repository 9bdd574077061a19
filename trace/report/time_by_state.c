/*
 * time_by_state.c: what threads do at any time, as their states say, for the thread and for the
 * innermost of its calls.
 *
 * Time is counted when something happens that ends it: a call begins or ends, or the next state
 * does. A state's line is before the events of its instant, so the state is always known by
 * then. Of the state Others the part that is in pauses of the collector, of the thread's process,
 * is GC; the rest, an exception in flight, is neither that nor running.
 */
#include "trace/names/state_names.h"
#include "trace/output.h"
#include "trace/report/call_more.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/time_by_state.h"
#include "trace/report/unrecorded_time.h"

#include "base/banned.h"

/* How long the process of LANE has been in pauses, until TIME. */
static uint64_t paused(const struct trace_reading *r, const struct trace_lane *lane, uint64_t time)
{
	const struct trace_process *p = &r->processes[lane->task];
	uint64_t since = p->pause_since;

	return p->paused_ns + (since && time > since ? time - since : 0);
}

static inline void count(struct trace_reading *r, struct trace_lane *lane,
			 enum trace_report_time what, uint64_t ns)
{
	if (!ns || !lane->depth)
		return;
	struct trace_call *top = &lane->frames[lane->depth - 1];

	if (what == TRACE_REPORT_RUNNING) { /* the rest, when it is over: frames.c */
		top->ran_ns += ns;
		lane->busy_ns += ns;
		if (r->processes[lane->task].closes)
			trace_unrecorded_ran(r, lane, ns);
		return;
	}
	r->splits[top->method].self.ns[what] += ns;
	r->tree.at[top->node].self[what] += ns;
	struct trace_call_more *more = trace_call_more(r, lane);

	if (!more)
		return;
	more->beside.ns[what] += ns;
	if (what == TRACE_REPORT_BLOCKED || what == TRACE_REPORT_WAITING)
		more->stalled_ns += ns;
}

/* The state ends before TIME, or what it is depends on pauses. */
static void split(struct trace_reading *r, struct trace_lane *lane, uint64_t time)
{
	uint64_t all = time - lane->since, covered = 0, gc = 0;
	uint64_t pauses = paused(r, lane, time);

	if (lane->state_end > lane->since)
		covered = lane->state_end < time ? lane->state_end - lane->since : all;
	if (lane->state == TRACE_OTHERS && pauses > lane->paused)
		gc = pauses - lane->paused < covered ? pauses - lane->paused : covered;
	count(r, lane, TRACE_REPORT_GC, gc);
	count(r, lane, lane->does, covered - gc);
	count(r, lane, TRACE_REPORT_OTHER, all - covered);
	lane->since = time;
	lane->paused = pauses;
}

void trace_split_until(struct trace_reading *r, uint32_t at, uint64_t time)
{
	struct trace_lane *lane = &r->lanes[at];

	if (time <= lane->since)
		return;
	if (time > lane->state_end || lane->state == TRACE_OTHERS) {
		split(r, lane, time);
		return;
	}
	count(r, lane, lane->does, time - lane->since);
	lane->since = time;
}

void trace_split_state(struct trace_reading *r, uint32_t at, uint64_t begin, uint64_t end,
		       uint64_t state)
{
	struct trace_lane *lane = &r->lanes[at];

	trace_split_until(r, at, begin);
	lane->paused = paused(r, lane, lane->since);
	lane->state = state;
	lane->does = trace_state_time(state);
	lane->state_end = end;
}

void trace_split_pause(struct trace_reading *r, uint32_t at, uint64_t time, bool begins)
{
	struct trace_process *p = &r->processes[r->lanes[at].task];
	struct trace_report_pauses *gc = &r->pauses;
	uint64_t ns = time - p->pause_since;

	if (!begins && p->pause_since) {
		p->paused_ns += ns;
		gc->count++;
		gc->ns += ns;
		gc->longest_ns = ns > gc->longest_ns ? ns : gc->longest_ns;
	}
	p->pause_since = begins ? time : 0;
}

uint64_t trace_split_leave(struct trace_reading *r, struct trace_lane *lane,
			   const struct trace_call *call, const struct trace_call_more *more)
{
	uint64_t ran = lane->since - call->since;

	for (size_t i = 0; more && i < TRACE_REPORT_TIMES; i++) {
		uint64_t ns = more->beside.ns[i];
		struct trace_call_more *outer = ns && lane->depth ? trace_call_more(r, lane) : NULL;

		ran -= ns;
		if (outer)
			outer->beside.ns[i] += ns;
		if (!call->again)
			r->splits[call->method].total.ns[i] += ns;
	}
	return ran;
}
