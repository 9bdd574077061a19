/*
 * calls.c: calls (and methods) that tell something: the state of their thread inside, what they do,
 * to what, with which values.
 *
 *     first reading    changes of states; arrows (arrows.c)
 *     second reading   events: the operation and its object where it begins, 0 where it ends;
 *                      what was captured
 */
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/event_types.h"
#include "trace/paraver/prv.h"
#include "trace/reader/closings.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrows.h"
#include "trace/replay/calls.h"
#include "trace/replay/capture_events.h"
#include "trace/replay/changes.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/flight.h"
#include "trace/replay/inside.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/remote_calls.h"
#include "trace/replay/replay.h"
#include "trace/replay/timeline.h"
#include "trace/replay/track.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* ---- states ---- */

/* A call that turns out not to leave the process has not had its state. */
static void take_state_back(const struct trace_frames *to, const struct trace_who *who)
{
	const struct trace_insides *in = &who->track->insides;
	struct trace_inside *one = &in->at[in->n - 1];

	if (one->local || !trace_inside_told(one) ||
	    !trace_is_local_call(&to->arrows->world->tasks[who->place.task].rec, one))
		return;
	one->local = true;
	one->state = in->n > 1 ? in->at[in->n - 2].state : TRACE_RUNNING;
	trace_show_state(who, one->begin);
}

/* ---- call sites ---- */

/* The call at METHOD, which has just been shown to begin, waits or does something: where it is
 * made. */
static void show_site(struct trace_frames *to, const struct trace_who *who,
		      const struct trace_method *method, uint64_t time)
{
	if (!who->calls || !method->call || (!method->about.operation && method->state < 0))
		return;
	uint32_t number = trace_methods_number(&to->sites, method->id);

	to->failed |= number == TRACE_NO_METHOD;
	trace_put_event(to, who->calls, time, TRACE_TYPE_SITE, (uint64_t)number + 1);
}

/* Is it known only later whether the call is what its rule says? */
static bool asks_who(const struct trace_who *who, const struct trace_method *method)
{
	const struct jw_operation *op = method->about.operation;

	return who->row && op && op->role == JW_ROLE_REMOTE;
}

/* ---- events ---- */

struct showing {
	struct trace_frames *to;
	const struct trace_who *who;
	const struct trace_inside *inside;
	uint64_t time;
};

/* What the operation is about, and of which class that is. */
static void show_object(const struct showing *s, uint64_t number)
{
	uint32_t class = trace_class_told(s->to, s->who->row->task, number);

	trace_put_event(s->to, s->who->row, s->time, TRACE_TYPE_OPERATION_OBJECT,
			trace_object_number(number));
	if (class)
		trace_put_event(s->to, s->who->row, s->time, TRACE_TYPE_OPERATION_CLASS, class);
}

static void show_capture(void *ctx, const struct jw_capture *c, uint64_t word)
{
	const struct showing *s = ctx;
	const struct jw_operation *op = s->inside->method->about.operation;
	uint64_t number = jwr_word_payload(word);

	if (c->type)
		trace_capture_show(s->to, s->who->calls, s->time, c, word);
	else if (jwr_word_kind(word) == JWR_OBJECT && op && op->object && number &&
		 number == s->inside->object && s->inside->shown)
		show_object(s, number);
}

static void no_show(void *ctx, const struct jw_capture *c, uint64_t word)
{
	(void)ctx;
	(void)c;
	(void)word;
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
static void show_begin(struct trace_frames *to, const struct trace_who *who, uint64_t time)
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
		show_site(to, who, one->method, time);
	one->part = trace_inside_around(&who->track->insides) != NULL;
	if (one->part)
		return;
	one->shown = true;
	to->operations |= 1u << op->type;
	trace_prv_event(to->prv, who->row, time, jw_operation_kinds[op->type].event, op->number);
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

static void show_end(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		     bool failed)
{
	struct trace_insides *in = &who->track->insides;
	const struct trace_inside *one = trace_innermost(in);
	const struct jw_operation *op = one->method->about.operation;
	struct showing showing = { to, who, one, time };

	trace_insides_late(in, failed, who->calls ? show_capture : no_show, &showing);
	uint64_t bytes = bytes_in_all(one, failed ? 0 : bytes_of(one), failed);

	if (one->part && bytes) {
		pass_on(in, bytes);
		trace_put_event(to, who->calls, time, TRACE_TYPE_PART_BYTES, bytes);
	}
	if (!one->shown)
		return;
	if (bytes)
		trace_put_event(to, who->row, time, TRACE_TYPE_BYTES, bytes);
	if (op->object && one->object) {
		trace_put_event(to, who->row, time, TRACE_TYPE_OPERATION_OBJECT, 0);
		if (trace_class_told(to, who->row->task, one->object))
			trace_put_event(to, who->row, time, TRACE_TYPE_OPERATION_CLASS, 0);
	}
	trace_prv_event(to->prv, who->row, time, jw_operation_kinds[op->type].event, 0);
}

/* ---- records ---- */

static void begin(struct trace_frames *to, const struct trace_who *who,
		  const struct trace_method *method, uint64_t time)
{
	struct trace_insides *in = &who->track->insides;
	uint32_t before = in->n;

	to->failed |= !trace_insides_enter(in, method, time);
	if (in->n == before)
		return;
	if (to->prv) {
		if (!asks_who(who, method))
			show_site(to, who, method, time);
		show_begin(to, who, time);
		return;
	}
	trace_show_state(who, time);
	trace_arrows_begin(to->arrows, who, time);
}

/* RECORDED: a record says so, else what was around it has ended. */
static void end_innermost(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			  bool recorded, bool failed)
{
	struct trace_insides *in = &who->track->insides;

	if (to->prv) {
		show_end(to, who, time, failed);
	} else if (recorded) {
		trace_insides_late(in, failed, no_show, NULL);
		trace_arrows_end(to->arrows, who, time, failed);
	} else {
		trace_arrows_abandon(to->arrows, who);
	}
	in->n--;
}

static void end_stale(struct trace_frames *to, const struct trace_who *who, uint64_t time)
{
	struct trace_insides *in = &who->track->insides;

	while (in->n && in->at[in->n - 1].stale)
		end_innermost(to, who, time, false, true);
}

static void end(struct trace_frames *to, const struct trace_who *who,
		const struct trace_method *method, uint64_t time, bool failed)
{
	struct trace_insides *in = &who->track->insides;
	uint32_t below = trace_insides_below(in, method);

	if (in->over) {
		in->over--;
		return;
	}
	if (below == in->n)
		return;
	while (in->n > below)
		end_innermost(to, who, time, in->n == below + 1, failed || in->n > below + 1);
	end_stale(to, who, time);
	if (!to->prv)
		trace_show_state(who, time);
}

void trace_calls_take(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		      uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);
	const struct trace_method *method = trace_map_telling(to->map, jwr_word_payload(word));

	if (kind != JWR_ENTER && method)
		end(to, who, method, time, kind == JWR_FAIL);
	if (to->prv)
		trace_timeline_take(to, &who->track->timeline, who->calls, time, word);
	if (kind == JWR_ENTER && method)
		begin(to, who, method, time);
}

void trace_calls_capture(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			 uint64_t word)
{
	const struct jw_capture *c = trace_insides_capture(&who->track->insides, word);
	struct showing showing = { to, who, trace_innermost(&who->track->insides), time };

	if (!c)
		return;
	if (!to->prv) {
		take_state_back(to, who);
		trace_arrows_begin(to->arrows, who, time);
		return;
	}
	show_begin(to, who, time);
	if (who->calls)
		show_capture(&showing, c, word);
}

void trace_calls_shut(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		      const struct trace_closings *closings, uint64_t tick)
{
	struct trace_insides *in = &who->track->insides;

	for (uint32_t i = 0; i < in->n; i++)
		in->at[i].stale |= trace_closings_has(closings, in->at[i].method->id, tick);
	end_stale(to, who, time);
	if (to->prv)
		trace_timeline_shut(to, &who->track->timeline, who->calls, time, closings, tick);
	else
		trace_show_state(who, time);
}

void trace_calls_end(struct trace_frames *to, const struct trace_who *who, uint64_t time)
{
	struct trace_insides *in = &who->track->insides;

	while (in->n)
		end_innermost(to, who, time, false, true);
	trace_insides_free(in);
}
