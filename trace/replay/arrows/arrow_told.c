/*
 * arrow_told.c: see arrow_told.h. Where a woven call or instruction waits, too, its waiter is used, and
 * there is one arrow.
 */
#include "trace/replay/arrows/arrow_told.h"

#include "trace/format/methodmap.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_monitors.h"
#include "trace/replay/arrows/arrow_parks.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrow_threads.h"
#include "trace/replay/arrows/arrow_waits.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"

#include "base/banned.h"

static const struct jw_operation enter = { .type = JW_OPERATIONS_MONITOR, .role = JW_ROLE_LOCK };

void trace_arrows_wait_abandon(struct trace_arrows *a, struct trace_waiter *own)
{
	const struct jw_operation none = {
		.type = JW_OPERATIONS_MONITOR,
		.role = own && own->enters ? JW_ROLE_LOCK : JW_ROLE_WAIT,
	};
	struct trace_point from;

	if (own && own->object)
		(void)trace_object_over(a, own, &none, TRACE_GIVEN_UP, &from);
	jw_mem_free(own);
}

/* ---- Object.wait() ---- */

static const struct jw_operation *wait_operation(void)
{
	const struct jw_operation *op = jw_operations;

	while (op->type != JW_OPERATIONS_MONITOR || op->role != JW_ROLE_WAIT)
		op++;
	return op;
}

/* The call of Object.wait() in which WHO waits at OBJECT; NULL: it is not woven. */
static struct trace_inside *waiting_call(const struct trace_who *who, uint64_t object)
{
	struct trace_inside *one = trace_innermost(&who->track->insides);
	const struct jw_operation *op = one ? one->method->about.operation : NULL;

	return op && op->type == JW_OPERATIONS_MONITOR && op->role == JW_ROLE_WAIT && one->waiter &&
			       one->object == object
		       ? one
		       : NULL;
}

struct trace_waiter *trace_arrows_wait(struct trace_arrows *a, const struct trace_who *who,
				       uint64_t time, uint64_t object)
{
	if (!object || waiting_call(who, object))
		return NULL;
	trace_monitor_unseen(a, who, object);
	return trace_object_wait(a, who, wait_operation(), object, time, 1);
}

void trace_arrows_waited(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			 uint64_t object, struct trace_waiter *own, bool expired)
{
	struct trace_inside *call = own ? NULL : waiting_call(who, object);
	struct trace_waiter *w = own ? own : call ? call->waiter : NULL;
	struct trace_point from = { 0 }, to = { time, who->place, 0 };

	if (!w || !w->object)
		return;
	bool known = trace_object_over(a, w, wait_operation(),
				       expired ? TRACE_GIVEN_UP : TRACE_DONE, &from);

	if (!known && !expired)
		known = trace_thread_ended(a, who, object, w->begin, time, &from);
	/* the call says whether it was notified or interrupted */
	w->bound = known;
	w->from = from;
	if (!own)
		return;
	/* notified and interrupted: nobody knows by which it goes on */
	bool both = known && trace_thread_interrupted(a, who, w->begin);
	struct trace_point by;
	bool interrupted = !expired && trace_arrows_interrupted(a, who, w->begin, &by);

	if (known && !both && !interrupted)
		trace_arrow_put(a->world, &from, &to);
	else if (!known && interrupted)
		trace_arrow_put(a->world, &by, &to);
	jw_mem_free(w);
}

/* ---- contended enters ---- */

/* The woven monitorenter at which WHO waits for OBJECT; NULL: it is none. */
static struct trace_inside *entering(const struct trace_who *who, uint64_t object)
{
	struct trace_inside *one = trace_innermost(&who->track->insides);
	const struct jw_operation *op = one ? one->method->about.operation : NULL;

	return op && op->type == JW_OPERATIONS_MONITOR && op->role == JW_ROLE_LOCK && one->waiter &&
			       one->object == object
		       ? one
		       : NULL;
}

struct trace_waiter *trace_arrows_contends(struct trace_arrows *a, const struct trace_who *who,
					   uint64_t time, uint64_t object)
{
	struct trace_waiter *w = NULL;

	if (object && !entering(who, object))
		w = trace_object_wait(a, who, &enter, object, time, 1);
	if (w)
		w->enters = true;
	return w;
}

void trace_arrows_entered(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			  uint64_t object, struct trace_waiter *own)
{
	struct trace_inside *call = own ? NULL : entering(who, object);
	struct trace_waiter *w = own ? own : call ? call->waiter : NULL;
	struct trace_point from = { 0 }, to = { time, who->place, 0 };

	if (!w || !w->object)
		return;
	if (trace_monitor_had(w, &who->place, &from))
		trace_arrow_put(a->world, &from, &to);
	if (own)
		trace_arrows_wait_abandon(a, own);
}
