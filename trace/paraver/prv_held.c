/*
 * prv_held.c: see prv_held.h.
 */
#include "trace/paraver/prv_held.h"

#include "base/grow.h"
#include "base/memory.h"
#include "trace/output.h"
#include "trace/paraver/prv_told.h"

#include "base/banned.h"

static const struct jw_growth grow = { NULL, 0, 0 };

enum jw_status trace_prv_held_begin(struct trace_prv_held *h, const struct trace_output *output,
				    void *ctx, uint32_t threads, struct jw_err *e)
{
	*h = (struct trace_prv_held){ .output = output, .ctx = ctx };
	h->lanes = jw_mem_zalloc((size_t)threads + 1, sizeof(*h->lanes));
	h->lane_count = h->lanes ? threads : 0;
	return h->lanes ? JW_OK : jw_nomem(e);
}

/* The place, from 1, of the latest below END that WHAT holds; 0: none. */
static size_t latest(const struct trace_prv_held_lane *lane, const struct trace_prv_capture *what,
		     size_t end)
{
	while (end && lane->at[end - 1].what != what)
		end--;
	return end;
}

static void tell_captured(struct trace_prv_held *h, uint32_t thread, uint64_t time,
			  const struct trace_prv_capture *what, uint64_t value)
{
	struct trace_prv_held_lane *lane = &h->lanes[thread];

	h->output->captured(h->ctx, thread, time, &what->what, value);
	if (!what->what.hold || lane->n >= TRACE_PRV_MOST_OPEN)
		return;
	if (JW_GROW(lane, &grow, NULL) == JW_OK)
		lane->at[lane->n++] = (struct trace_prv_held_one){ what, value };
	else
		h->failed = true;
}

static void tell_released(struct trace_prv_held *h, uint32_t thread, uint64_t time,
			  const struct trace_prv_capture *what)
{
	struct trace_prv_held_lane *lane = &h->lanes[thread];
	size_t at = latest(lane, what, lane->n);

	if (!at)
		return;
	for (lane->n--; at <= lane->n; at++)
		lane->at[at - 1] = lane->at[at];
	size_t outer = latest(lane, what, lane->n);

	if (h->output->released)
		h->output->released(h->ctx, thread, time, &what->what, outer > 0,
				    outer ? lane->at[outer - 1].value : 0);
}

/* Has a call around that which holds WHAT, once what waits is over, the same VALUE? */
static bool is_outer(const struct trace_prv_held *h, const struct trace_prv_held_lane *lane,
		     const struct trace_prv_capture *what, uint64_t value)
{
	size_t at = latest(lane, what, lane->n);

	for (size_t i = 0; at && i < h->waiting.n; i++)
		if (h->waiting.at[i].what == what)
			at = latest(lane, what, at - 1);
	at = at ? latest(lane, what, at - 1) : 0;
	return at && lane->at[at - 1].value == value;
}

static void put_aside(struct trace_prv_held *h, uint32_t thread, uint64_t time,
		      const struct trace_prv_capture *what, uint64_t value)
{
	h->thread = thread;
	h->time = time;
	if (JW_GROW(&h->waiting, &grow, NULL) == JW_OK)
		h->waiting.at[h->waiting.n++] = (struct trace_prv_held_one){ what, value };
	else
		h->failed = true;
}

void trace_prv_held_take(struct trace_prv_held *h, uint32_t thread, uint64_t time,
			 const struct trace_prv_capture *what, uint64_t of_prv)
{
	uint64_t value = trace_prv_captured(what, of_prv);

	if (h->waiting.n && (h->thread != thread || h->time != time))
		trace_prv_held_other(h);
	if (of_prv == 0 && what->what.hold) {
		tell_released(h, thread, time, what);
	} else if (what->what.hold && is_outer(h, &h->lanes[thread], what, value)) {
		put_aside(h, thread, time, what, value);
	} else if (of_prv || what->has_null) {
		trace_prv_held_other(h);
		tell_captured(h, thread, time, what, value);
	}
}

void trace_prv_held_leaving(struct trace_prv_held *h, uint32_t thread, uint64_t time)
{
	if (h->thread != thread || h->time != time) {
		trace_prv_held_other(h);
		return;
	}
	for (size_t i = 0; i < h->waiting.n; i++)
		tell_released(h, thread, time, h->waiting.at[i].what);
	h->waiting.n = 0;
}

void trace_prv_held_other(struct trace_prv_held *h)
{
	for (size_t i = 0; i < h->waiting.n; i++)
		tell_captured(h, h->thread, h->time, h->waiting.at[i].what, h->waiting.at[i].value);
	h->waiting.n = 0;
}

void trace_prv_held_free(struct trace_prv_held *h)
{
	for (uint32_t i = 0; i < h->lane_count; i++)
		jw_mem_free(h->lanes[i].at);
	jw_mem_free(h->lanes);
	jw_mem_free(h->waiting.at);
	*h = (struct trace_prv_held){ 0 };
}
