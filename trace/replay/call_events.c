/*
 * call_events.c: see call_events.h: the operation and its object where it begins, 0 where it ends;
 * what was captured.
 */
#include "base/operations.h"
#include "trace/format/methodmap.h"
#include "trace/replay/call_events.h"
#include "trace/replay/capture_events.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/inside.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/pass.h"
#include "trace/replay/remote_calls.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* ---- call sites ---- */

/* The call at METHOD, which has just been shown to begin, waits or does something: where it is
 * made. */
static void show_site(struct trace_pass *p, const struct trace_who *who,
		      const struct trace_method *method, uint64_t time)
{
	if (!who->calls || !method->call || (!method->about.operation && method->state < 0))
		return;
	uint32_t number = trace_methods_number(&p->told.sites, method->id);

	p->failed |= number == TRACE_NO_METHOD;
	trace_put_event(p, who->calls, time, TRACE_TYPE_SITE, (uint64_t)number + 1);
}

/* Is it known only later whether the call is what its rule says? */
static bool asks_who(const struct trace_who *who, const struct trace_method *method)
{
	const struct jw_operation *op = method->about.operation;

	return who->row && op && op->role == JW_ROLE_REMOTE;
}

/* ---- events ---- */

struct showing {
	struct trace_pass *p;
	const struct trace_who *who;
	const struct trace_inside *inside;
	uint64_t time;
	bool returned; /* what the operation has made, and is about, is shown */
};

/* What the operation is about, and of which class that is. */
static void show_object(const struct showing *s, uint64_t number)
{
	uint32_t class = trace_class_told(s->p, s->who->row->task, number);

	trace_put_event(s->p, s->who->row, s->time, TRACE_TYPE_OPERATION_OBJECT,
			trace_object_number(number));
	if (class)
		trace_put_event(s->p, s->who->row, s->time, TRACE_TYPE_OPERATION_CLASS, class);
}

static void show_capture(void *ctx, const struct jw_capture *c, const struct trace_taken *taken)
{
	struct showing *s = ctx;
	const struct jw_operation *op = s->inside->method->about.operation;
	uint64_t number = taken->number;

	if (c->type) {
		trace_capture_show(s->p, s->who, s->time, c, taken);
		return;
	}
	if (!taken->is_object || !op || !number || !s->inside->shown)
		return;
	bool makes = op->object == JW_OBJECT_RETURN && c->what == JW_CAPTURE_RETURN;
	if (makes || (op->object && number == s->inside->object))
		show_object(s, number);
	s->returned |= makes;
}

/* The bytes that the innermost has read or written, where that is known. */
static uint64_t bytes_of(const struct trace_inside *one)
{
	const struct trace_map_about *about = &one->method->about;

	if (!about->operation || about->operation->type != JW_OPERATIONS_IO)
		return 0;
	if (one->has_returned && one->returned < 0) /* the end of the stream */
		return 0;
	if (about->size)
		return about->size;
	if (one->has_returned)
		return (uint64_t)one->returned;
	return one->amount < 0 ? 0 : (uint64_t)one->amount;
}

/* The operation of the innermost, as soon as it is known what it is about. */
static void show_begin(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_inside *one = trace_innermost(&who->track->insides);
	const struct jw_operation *op = one->method->about.operation;

	if (!op || !who->row || one->shown || one->part || one->local)
		return;
	bool asks = (op->object && !one->object) || op->role == JW_ROLE_REMOTE;
	if (asks && !trace_inside_told(one))
		return;
	one->local = trace_is_local_call(&who->row->task->rec, one) ||
		     trace_serves_nobody(who->row, one);
	if (one->local)
		return;
	if (asks_who(who, one->method))
		show_site(p, who, one->method, time);
	one->part = trace_inside_around(&who->track->insides) != NULL;
	if (one->part)
		return;
	one->shown = true;
	p->told.output->operation(p->told.ctx, who->row->order, time, op->type, op->number);
}

/* The innermost, a part, has read or written BYTES: so has what it is a part of, in doing so. */
static void pass_on(struct trace_insides *in, uint64_t bytes)
{
	const struct jw_operation *op = in->at[in->n - 1].method->about.operation;

	for (uint32_t i = in->n - 1; i-- > 0;) {
		if (in->at[i].method->about.operation == op) {
			in->at[i].passed += bytes;
			return;
		}
	}
}

/* What the innermost has read or written with all of its parts; BYTES: as far as it says itself. */
static uint64_t bytes_in_all(const struct trace_inside *one, uint64_t bytes, bool failed)
{
	bool told = one->method->about.size || one->has_returned || one->has_amount;

	return told && !failed ? bytes : one->passed;
}

void trace_call_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		     bool recorded, bool failed)
{
	struct trace_insides *in = &who->track->insides;
	const struct trace_inside *one = trace_innermost(in);
	const struct jw_operation *op = one->method->about.operation;
	struct showing showing = { p, who, one, time, false };

	(void)recorded;
	trace_insides_late(in, failed, who->calls ? show_capture : trace_no_capture, &showing);
	trace_held_end(p, who, time);
	uint64_t bytes = bytes_in_all(one, failed ? 0 : bytes_of(one), failed);

	if (one->part && bytes) {
		pass_on(in, bytes);
		trace_put_event(p, who->calls, time, TRACE_TYPE_PART_BYTES, bytes);
	}
	if (!one->shown)
		return;
	if (bytes)
		trace_put_event(p, who->row, time, TRACE_TYPE_BYTES, bytes);
	if (op->object && (one->object || showing.returned)) {
		trace_put_event(p, who->row, time, TRACE_TYPE_OPERATION_OBJECT, 0);
		if (trace_class_told(p, who->row->task, one->object))
			trace_put_event(p, who->row, time, TRACE_TYPE_OPERATION_CLASS, 0);
	}
	p->told.output->operation(p->told.ctx, who->row->order, time, op->type, 0);
}

/* ---- what calls do ---- */

void trace_call_begins(struct trace_pass *p, const struct trace_who *who,
		       const struct trace_method *method, uint64_t time)
{
	if (!asks_who(who, method))
		show_site(p, who, method, time);
	show_begin(p, who, time);
}

void trace_call_captures(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 const struct jw_capture *capture, const struct trace_taken *taken)
{
	struct showing showing = { p, who, trace_innermost(&who->track->insides), time, false };

	show_begin(p, who, time);
	if (who->calls)
		show_capture(&showing, capture, taken);
}
