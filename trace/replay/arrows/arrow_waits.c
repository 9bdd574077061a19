/*
 * arrow_waits.c: what threads wait at, and what lets them go, by what kind of object it is.
 *
 * A call that has begun does not wait yet: the program decides in it, and calls that are open at the
 * same time may take effect in any order. Of a lock it is who has it that counts; elsewhere arrows
 * are facts only for calls that began in the order in which they took effect, which calls less than
 * a microsecond apart may not.
 */
#include "trace/replay/arrows/arrow_gates.h"
#include "trace/replay/arrows/arrow_locks.h"
#include "trace/replay/arrows/arrow_monitors.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_pairs.h"
#include "trace/replay/arrows/arrow_sent.h"
#include "trace/replay/arrows/arrow_tasks.h"
#include "trace/replay/arrows/arrow_waits.h"
#include "trace/replay/inside.h"

#include "base/banned.h"

struct trace_waiter *trace_object_wait(struct trace_arrows *a, const struct trace_who *who,
				       const struct jw_operation *op, uint64_t number,
				       uint64_t time, uint64_t amount)
{
	struct trace_waiter *w = trace_object_enqueue(a, who, op, number, time);
	struct trace_object *o = w ? w->object : NULL;
	struct trace_point from = { time, who->place, trace_arrow_tag(op) };

	if (!w)
		return NULL;
	switch (op->role) {
	case JW_ROLE_LOCK:
		w->round = o->kind == TRACE_IS_LOCK ? o->lock.round : 0;
		break;
	case JW_ROLE_TAKE:
		trace_sent_take(o, w, amount, &from);
		break;
	case JW_ROLE_WAIT:
		trace_sent_wait(o);
		break;
	case JW_ROLE_MEET:
		trace_gate_arrive(o, &from, true);
		break;
	case JW_ROLE_PAIR:
		trace_pair_meet(o, w, &from);
		break;
	default:
		break;
	}
	return w;
}

bool trace_object_over(struct trace_arrows *a, struct trace_waiter *w,
		       const struct jw_operation *op, enum trace_outcome outcome,
		       struct trace_point *from)
{
	struct trace_object *o = w->object;
	bool known = false;

	switch (op->role) {
	case JW_ROLE_WAIT:
		known = trace_sent_waited(o, w, outcome, from);
		break;
	case JW_ROLE_TAKE:
		known = trace_sent_taken(o, w, outcome, from);
		break;
	case JW_ROLE_LOCK:
		known = o->kind == TRACE_IS_MONITOR ? trace_monitor_entered(o, w, outcome, from)
						    : trace_lock_over(o, w, outcome, from);
		break;
	case JW_ROLE_PASS:
	case JW_ROLE_MEET:
		known = trace_gate_over(a, o, w, op, outcome, from);
		break;
	case JW_ROLE_PAIR:
		known = trace_pair_over(o, w, outcome, from);
		break;
	default: /* GET */
		known = trace_task_over(a, w, outcome, from);
		break;
	}
	trace_object_detach(o, w);
	trace_object_tidy(a, o);
	return known;
}

void trace_object_clear(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			uint64_t number, uint64_t since)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	if (!o)
		return;
	o->store.takes++;
	if (o->store.last.time >= since)
		return;
	trace_sent_drop(o, o->store.stock);
	trace_object_tidy(a, o);
}

void trace_object_retract(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number, uint64_t amount)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	if (!o)
		return;
	trace_sent_drop(o, amount);
	trace_object_tidy(a, o);
}

void trace_object_send(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number, uint64_t amount)
{
	bool kept = op->role == JW_ROLE_GIVE || op->role == JW_ROLE_OPEN;
	struct trace_object *o = kept ? trace_object_get(a, from->place.task, op, number)
				      : trace_object_find(a, from->place.task, op, number);

	if (!o)
		return;
	switch (op->role) {
	case JW_ROLE_NOTIFY:
		trace_sent_one(o, from);
		break;
	case JW_ROLE_NOTIFY_ALL:
		trace_sent_all(o, from);
		break;
	case JW_ROLE_GIVE:
		trace_sent_give(o, from, amount);
		break;
	case JW_ROLE_HOLD: /* its end */
		trace_monitor_leaves(o, from);
		break;
	case JW_ROLE_UNLOCK:
		if (o->kind == TRACE_IS_MONITOR)
			trace_monitor_leaves(o, from);
		else
			trace_lock_freed(o, from);
		break;
	default: /* OPEN */
		trace_gate_arrive(o, from, false);
		break;
	}
	trace_object_tidy(a, o);
}

void trace_object_arrived(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	if (!o)
		return;
	if (o->kind == TRACE_IS_GATE)
		o->gate.arriving -= o->gate.arriving > 0;
	else
		o->store.giving -= o->store.giving > 0;
	trace_object_tidy(a, o);
}
