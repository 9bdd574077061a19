/*
 * perfetto.c: see perfetto.h: what happens becomes packets, which wait for what explains them.
 */
#include <string.h>

#include "base/grow.h"
#include "trace/format/methodmap.h"
#include "trace/perfetto/event.h"
#include "trace/perfetto/in_context.h"
#include "trace/perfetto/packet.h"
#include "trace/perfetto/perfetto_int.h"
#include "trace/perfetto/waiting.h"

#include "base/banned.h"

#define STATES 64 /* are told apart */

static const struct jw_growth captures_grow = { NULL, 0, 0 };

/* ---- calls ---- */

static bool mark_used(struct trace_pf_lane *lane, uint32_t method)
{
	size_t word = method / 64;

	if (word >= lane->used_n) {
		size_t n = 2 * word + 4;
		uint64_t *grown = jw_mem_realloc(lane->used, n * sizeof(*grown));

		if (!grown)
			return false;
		memset(grown + lane->used_n, 0, (n - lane->used_n) * sizeof(*grown));
		lane->used = grown;
		lane->used_n = n;
	}
	lane->used[word] |= UINT64_C(1) << method % 64;
	return true;
}

/* How much has passed on the way to TIME; a .prv may go back. */
static uint64_t step(uint64_t *at, uint64_t time)
{
	uint64_t passed = time > *at ? time - *at : 0;

	*at += passed;
	return passed;
}

static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t id)
{
	struct trace_perfetto *w = ctx;
	struct trace_pf_lane *lane = &w->lanes[thread];
	uint32_t method = trace_methods_number(&w->methods, id);

	if (method == TRACE_NO_METHOD && w->methods.refused) /* too many: they look like the last */
		method = (uint32_t)w->methods.n - 1;
	if (method == TRACE_NO_METHOD || !mark_used(lane, method)) {
		trace_pf_fails(w, JW_NOMEM);
		return;
	}
	lane->has[TRACE_PF_CALLS] = true;
	lane->depth++;
	uint64_t passed = step(&lane->calls_at, time);

	if (trace_context_is_current(&lane->context))
		trace_pf_put_call_in_context(w, thread, passed, (uint64_t)method + 1);
	else
		trace_pf_put_event(w, trace_pf_sequence(thread, TRACE_PF_CALLS), passed, PF_BEGIN,
				   (uint64_t)method + 1, true);
}

static size_t open_note(struct jw_buf *out, const char *name)
{
	size_t note = trace_pb_open(out, PF_EVENT_ANNOTATION);

	trace_pb_text(out, PF_NOTE_NAME, jw_span_str(name));
	return note;
}

static void note_captured(struct trace_perfetto *w, struct trace_pf_lane *lane,
			  const struct trace_pf_captured *c)
{
	bool is_text = c->value && (c->as == JW_AS_CLASS || c->as == JW_AS_STRING);
	uint32_t type = trace_methods_number(&lane->types, c->type);
	uint32_t text = is_text ? trace_methods_number(&lane->texts, trace_pf_text_key(c)) : 0;
	size_t note = trace_pb_open(&w->packets.block, PF_EVENT_ANNOTATION);

	if (type == TRACE_NO_METHOD || text == TRACE_NO_METHOD) {
		trace_pf_fails(w, JW_NOMEM);
		return;
	}
	trace_pb_number(&w->packets.block, PF_NOTE_NAME_NUMBER, TRACE_PF_CAPTURES + type);
	if (is_text)
		trace_pb_number(&w->packets.block, PF_NOTE_TEXT_NUMBER, trace_pf_text_number(text));
	else
		trace_pb_number(&w->packets.block, PF_NOTE_UINT, c->value);
	trace_pb_close(&w->packets.block, note);
}

/* The end of a call of which there is more to tell: annotations of an end are those of the slice. */
static void put_told_end(struct trace_perfetto *w, uint32_t thread, uint64_t passed, size_t first,
			 bool failed)
{
	struct trace_pf_lane *lane = &w->lanes[thread];

	if (!trace_pf_room(w))
		return;
	size_t packet = trace_pb_open(&w->packets.block, PF_PACKET);

	trace_pb_number(&w->packets.block, PF_TIME, passed);
	trace_pb_number(&w->packets.block, PF_SEQUENCE, trace_pf_sequence(thread, TRACE_PF_CALLS));
	size_t event = trace_pb_open(&w->packets.block, PF_EVENT);

	trace_pb_number(&w->packets.block, PF_EVENT_TYPE, PF_END);
	for (size_t i = first; i < lane->captured_n; i++)
		note_captured(w, lane, &lane->captured[i]);
	if (failed)
		trace_pf_note(&w->packets.block, "ended by an exception", PF_NOTE_BOOL, 1);
	trace_pb_close(&w->packets.block, event);
	trace_pb_close(&w->packets.block, packet);
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_perfetto *w = ctx;
	struct trace_pf_lane *lane = &w->lanes[thread];
	size_t first = lane->captured_n;

	if (lane->depth == 0)
		return;
	uint64_t passed = step(&lane->calls_at, time);

	while (first && lane->captured[first - 1].depth == lane->depth)
		first--;
	if (first < lane->captured_n || failed)
		put_told_end(w, thread, passed, first, failed);
	else
		trace_pf_put_event(w, trace_pf_sequence(thread, TRACE_PF_CALLS), passed, PF_END, 0,
				   false);
	lane->captured_n = first;
	lane->depth--;
}

static void take_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	struct trace_perfetto *w = ctx;
	struct trace_pf_lane *lane = &w->lanes[thread];

	(void)time;
	if (lane->depth == 0 || w->why.status != JW_OK)
		return;
	if (jw_grow(NULL, &lane->captured, &lane->captured_room, sizeof(*lane->captured),
		    lane->captured_n + 1, &captures_grow, &w->why) != JW_OK)
		return;
	lane->captured[lane->captured_n++] =
		(struct trace_pf_captured){ lane->depth, what->type, value, what->as };
}

/* ---- states ---- */

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_perfetto *w = ctx;
	struct trace_pf_lane *lane = &w->lanes[thread];
	uint64_t sequence = trace_pf_sequence(thread, TRACE_PF_STATES);

	if (state == TRACE_IDLE || state == TRACE_NOT_CREATED || end <= lane->states_at)
		return;
	uint32_t number = trace_methods_number(&w->states, state);

	if (number == TRACE_NO_METHOD) {
		trace_pf_fails(w, JW_NOMEM);
		return;
	}
	number = number < STATES ? number : STATES - 1;
	lane->states_used |= UINT64_C(1) << number;
	lane->has[TRACE_PF_STATES] = true;
	trace_pf_put_event(w, sequence, step(&lane->states_at, begin), PF_BEGIN,
			   (uint64_t)number + 1, false);
	trace_pf_put_event(w, sequence, step(&lane->states_at, end), PF_END, 0, false);
}

/* ---- marks ---- */

struct mark {
	size_t packet, event;
};

static uint64_t mark_name(struct trace_perfetto *w, enum trace_pf_mark mark, uint64_t value)
{
	uint32_t number = trace_methods_number(&w->marks, trace_pf_key(mark, value));

	if (number == TRACE_NO_METHOD)
		trace_pf_fails(w, JW_NOMEM);
	return (uint64_t)number + 1;
}

static struct mark begin_mark(struct trace_perfetto *w, uint64_t time)
{
	struct mark m;

	(void)trace_pf_room(w);
	m.packet = trace_pb_open(&w->packets.block, PF_PACKET);
	trace_pb_number(&w->packets.block, PF_TIME, time);
	trace_pb_number(&w->packets.block, PF_SEQUENCE, 1);
	return m;
}

/* NAME: 0: none. */
static void put_kind(struct trace_perfetto *w, struct mark *m, uint32_t thread,
		     enum trace_pf_track track, unsigned type, uint64_t name)
{
	w->lanes[thread].has[track] = true;
	m->event = trace_pb_open(&w->packets.block, PF_EVENT);
	trace_pb_number(&w->packets.block, PF_EVENT_TYPE, type);
	trace_pb_number(&w->packets.block, PF_EVENT_TRACK, trace_pf_uuid(thread, track));
	if (name)
		trace_pb_number(&w->packets.block, PF_EVENT_NAME, name);
}

static struct mark open_mark(struct trace_perfetto *w, uint32_t thread, enum trace_pf_track track,
			     uint64_t time, unsigned type, uint64_t name)
{
	struct mark m = begin_mark(w, step(&w->marks_at, time));

	put_kind(w, &m, thread, track, type, name);
	return m;
}

static void close_mark(struct trace_perfetto *w, struct mark m)
{
	trace_pb_close(&w->packets.block, m.event);
	trace_pb_close(&w->packets.block, m.packet);
}

static void put_mark(struct trace_perfetto *w, uint32_t thread, enum trace_pf_track track,
		     uint64_t time, unsigned type, uint64_t name)
{
	close_mark(w, open_mark(w, thread, track, time, type, name));
}

static void note_name(struct trace_perfetto *w, const char *label, enum trace_pf_mark mark,
		      uint64_t value)
{
	size_t note = open_note(&w->packets.block, label);

	trace_pb_number(&w->packets.block, PF_NOTE_TEXT_NUMBER, mark_name(w, mark, value));
	trace_pb_close(&w->packets.block, note);
}

/* The end of a slice on TRACK, and what is known of it by now. */
static void put_about(struct trace_perfetto *w, uint32_t thread, enum trace_pf_track track,
		      uint64_t time, struct trace_pf_about *about)
{
	struct mark m = open_mark(w, thread, track, time, PF_END, 0);

	if (about->object)
		trace_pf_note(&w->packets.block, "object", PF_NOTE_UINT, about->object);
	if (about->class)
		note_name(w, "class", TRACE_PF_CLASS, about->class);
	if (about->place)
		note_name(w, "place", TRACE_PF_PLACE, about->place);
	if (about->channel)
		note_name(w, "channel", TRACE_PF_CHANNEL, about->channel);
	if (about->bytes)
		trace_pf_note(&w->packets.block, "bytes", PF_NOTE_UINT, about->bytes);
	close_mark(w, m);
	*about = (struct trace_pf_about){ 0 };
}

static void end_wait(struct trace_perfetto *w, uint32_t thread, uint64_t time)
{
	struct trace_pf_lane *lane = &w->lanes[thread];

	if (lane->waits)
		put_about(w, thread, TRACE_PF_WAITS, time, &lane->wait);
	lane->waits = false;
}

/* Of monitors, and of parks, sleeps and I/O, each tells its own end: not that of the other. */
static void take_wait(struct trace_perfetto *w, uint32_t thread, uint64_t time, bool is_monitor,
		      uint64_t kind)
{
	struct trace_pf_lane *lane = &w->lanes[thread];

	if (!kind && lane->waits_for_monitor != is_monitor)
		return;
	end_wait(w, thread, time);
	if (!kind)
		return;
	if (!is_monitor) /* counted on from those for monitors */
		kind += TRACE_WAIT_LAST_MONITOR;
	lane->waits = true;
	lane->waits_for_monitor = is_monitor;
	put_mark(w, thread, TRACE_PF_WAITS, time, PF_BEGIN, mark_name(w, TRACE_PF_WAIT, kind));
}

static void take_gc(struct trace_perfetto *w, uint32_t thread, uint64_t time, bool begins)
{
	struct trace_pf_lane *lane = &w->lanes[thread];

	if (lane->in_gc == begins)
		return;
	lane->in_gc = begins;
	put_mark(w, thread, TRACE_PF_OPERATIONS, time, begins ? PF_BEGIN : PF_END,
		 begins ? mark_name(w, TRACE_PF_EVENT, TRACE_TYPE_GC) : 0);
}

static void take_virtual(struct trace_perfetto *w, uint32_t thread, uint64_t time, uint64_t name)
{
	struct trace_pf_lane *lane = &w->lanes[thread];

	if (lane->is_virtual)
		put_mark(w, thread, TRACE_PF_VIRTUAL, time, PF_END, 0);
	lane->is_virtual = name;
	if (name)
		put_mark(w, thread, TRACE_PF_VIRTUAL, time, PF_BEGIN,
			 mark_name(w, TRACE_PF_VIRTUAL_NAME, name));
}

/* An instant on the thread; KIND, where it has one: what VALUE is a name of. */
static void put_instant(struct trace_perfetto *w, uint32_t thread, uint64_t time,
			enum trace_type type, enum trace_pf_mark kind, uint64_t value)
{
	struct mark m = open_mark(w, thread, TRACE_PF_CALLS, time, PF_INSTANT,
				  mark_name(w, TRACE_PF_EVENT, type));

	if (kind == TRACE_PF_EVENT)
		trace_pf_note(&w->packets.block, "value", PF_NOTE_UINT, value);
	else
		note_name(w, kind == TRACE_PF_CLASS ? "class" : "method", kind, value);
	close_mark(w, m);
}

/* Of types that are told as instants: what their value names. */
static const uint8_t instants[TRACE_TYPES] = {
	[TRACE_TYPE_THROWN] = TRACE_PF_CLASS,      [TRACE_TYPE_RETHROWN] = TRACE_PF_CLASS,
	[TRACE_TYPE_CAUGHT] = TRACE_PF_CLASS,      [TRACE_TYPE_ALLOC_CLASS] = TRACE_PF_CLASS,
	[TRACE_TYPE_CREATED] = TRACE_PF_CLASS,     [TRACE_TYPE_CLOSED] = TRACE_PF_METHOD,
	[TRACE_TYPE_UNPARK] = TRACE_PF_EVENT,      [TRACE_TYPE_THREAD_CPU] = TRACE_PF_EVENT,
	[TRACE_TYPE_PROCESS_CPU] = TRACE_PF_EVENT, [TRACE_TYPE_START] = TRACE_PF_EVENT,
	[TRACE_TYPE_WAKE] = TRACE_PF_EVENT,        [TRACE_TYPE_INTERRUPT] = TRACE_PF_EVENT,
};

/* 0: it is not known, and what was told before holds. */
static void set_known(uint64_t *what, uint64_t value)
{
	if (value)
		*what = value;
}

static void take_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		       uint64_t value)
{
	struct trace_perfetto *w = ctx;
	struct trace_pf_lane *lane = &w->lanes[thread];
	struct trace_pf_about ignored, *about = lane->waits ? &lane->wait : &ignored;
	struct trace_pf_about *done = lane->operations ? &lane->operation : &ignored;

	switch (type) {
	case TRACE_TYPE_GC:
		take_gc(w, thread, time, value != 0);
		break;
	case TRACE_TYPE_MONITOR:
	case TRACE_TYPE_WAIT:
		take_wait(w, thread, time, type == TRACE_TYPE_MONITOR, value);
		break;
	case TRACE_TYPE_OBJECT:
		set_known(&about->object, value);
		break;
	case TRACE_TYPE_MONITOR_CLASS:
		set_known(&about->class, value);
		break;
	case TRACE_TYPE_MONITOR_PLACE:
		set_known(&about->place, value);
		break;
	case TRACE_TYPE_CHANNEL: /* told while the wait goes on, at its end */
		set_known(&about->channel, value);
		break;
	case TRACE_TYPE_CHANNEL_READ:
	case TRACE_TYPE_CHANNEL_WRITTEN:
		about->bytes = value;
		break;
	case TRACE_TYPE_OPERATION_OBJECT:
		set_known(&done->object, value);
		break;
	case TRACE_TYPE_OPERATION_CLASS:
		set_known(&done->class, value);
		break;
	case TRACE_TYPE_BYTES:
		done->bytes = value;
		break;
	case TRACE_TYPE_VIRTUAL_NAME:
		take_virtual(w, thread, time, value);
		break;
	case TRACE_TYPE_CONTEXT_1:
	case TRACE_TYPE_CONTEXT_2:
	case TRACE_TYPE_CONTEXT_3:
	case TRACE_TYPE_CONTEXT_4:
		trace_pf_context_part(w, thread, time, type, value);
		break;
	default: /* ORDER: the rest only repeats what a slice or an arrow shows */
		if (value && instants[type])
			put_instant(w, thread, time, type, (enum trace_pf_mark)instants[type],
				    value);
		break;
	}
}

static void take_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_perfetto *w = ctx;
	struct trace_pf_lane *lane = &w->lanes[thread];

	if (number) {
		lane->operation = (struct trace_pf_about){ 0 };
		lane->operations++;
		put_mark(w, thread, TRACE_PF_OPERATIONS, time, PF_BEGIN,
			 mark_name(w, TRACE_PF_OPERATION, 100 * (uint64_t)type + number));
	} else if (lane->operations) {
		lane->operations--;
		put_about(w, thread, TRACE_PF_OPERATIONS, time, &lane->operation);
	}
}

static void take_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_perfetto *w = ctx;
	struct mark m = open_mark(w, thread, TRACE_PF_CALLS, time, PF_INSTANT,
				  mark_name(w, TRACE_PF_USER, type));

	trace_pf_note(&w->packets.block, "value", PF_NOTE_UINT, value);
	close_mark(w, m);
}

/* An arrow leaves a slice at its end and reaches one at its beginning: so each end is an instant. */
static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_perfetto *w = ctx;
	uint64_t name = mark_name(w, TRACE_PF_ARROW, trace_tag_alone(tag));
	struct mark m = open_mark(w, from, TRACE_PF_CALLS, sent, PF_INSTANT, name);

	trace_pb_fixed(&w->packets.block, PF_EVENT_FLOW, ++w->flows);
	close_mark(w, m);
	m = begin_mark(w, received); /* that will be */
	trace_pb_number(&w->packets.block, PF_CLOCK, PF_CLOCK_BOOT);
	put_kind(w, &m, to, TRACE_PF_CALLS, PF_INSTANT, name);
	trace_pb_fixed(&w->packets.block, PF_EVENT_FLOW_END, w->flows);
	if (trace_tag_bytes(tag))
		trace_pf_note(&w->packets.block, "bytes", PF_NOTE_UINT, trace_tag_bytes(tag));
	close_mark(w, m);
}

/* ---- from begin to end ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_perfetto *w = ctx;

	w->scene = scene;
	w->lane_count = scene->thread_count;
	w->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*w->lanes));
	return w->lanes ? JW_OK : jw_nomem(e);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_perfetto *w = ctx;

	if (w->packets.block.failed != JW_OK)
		trace_pf_fails(w, w->packets.block.failed);
	if (w->why.status != JW_OK && e)
		*e = w->why;
	return w->why.status;
}

/* What is open ends with the trace. */
static void take_over(void *ctx, uint64_t end)
{
	struct trace_perfetto *w = ctx;

	for (uint32_t i = 0; i < w->scene->thread_count; i++) {
		struct trace_pf_lane *lane = &w->lanes[i];

		while (lane->depth)
			take_leave(w, i, end, false);
		for (; lane->operations; lane->operations--)
			put_about(w, i, TRACE_PF_OPERATIONS, end, &lane->operation);
		end_wait(w, i, end);
		take_gc(w, i, end, false);
		take_virtual(w, i, end, 0);
		trace_pf_context_over(w, i, end);
	}
	w->method_labels = JW_NEW_ARRAY(&w->arena, const char *, w->methods.n + 1);
	w->mark_labels = JW_NEW_ARRAY(&w->arena, const char *, w->marks.n + 1);
	w->rows = JW_NEW_ARRAY(&w->arena, const char *, w->scene->thread_count + 1);
	if (!w->method_labels || !w->mark_labels || !w->rows)
		trace_pf_fails(w, JW_NOMEM);
}

static void keep(struct trace_perfetto *w, const struct trace_methods *table, const char **labels,
		 uint64_t key, struct jw_span label)
{
	uint32_t number = trace_methods_known(table, key);

	if (number == TRACE_NO_METHOD || labels[number])
		return;
	labels[number] = jw_arena_str(&w->arena, label);
	if (!labels[number])
		trace_pf_fails(w, JW_NOMEM);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_perfetto *w = ctx;

	if (w->why.status != JW_OK)
		return;
	if (what == TRACE_NAME_METHOD) {
		keep(w, &w->methods, w->method_labels, number, label);
		keep(w, &w->marks, w->mark_labels, trace_pf_key(TRACE_PF_METHOD, number), label);
	} else if (what == TRACE_NAME_CLASS) {
		keep(w, &w->marks, w->mark_labels, trace_pf_key(TRACE_PF_CLASS, number), label);
	} else if (what == TRACE_NAME_PLACE) {
		keep(w, &w->marks, w->mark_labels, trace_pf_key(TRACE_PF_PLACE, number), label);
	} else if (what == TRACE_NAME_CHANNEL) {
		keep(w, &w->marks, w->mark_labels, trace_pf_key(TRACE_PF_CHANNEL, number), label);
	} else if (what == TRACE_NAME_STATE && trace_methods_known(&w->states, number) < STATES) {
		keep(w, &w->states, w->state_labels, number, label);
	} else if (what == TRACE_NAME_ROW && !w->rows[number]) {
		w->rows[number] = jw_arena_str(&w->arena, label);
	}
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_perfetto *w = ctx;

	JW_TRY(check(ctx, e));
	trace_pf_mark_tasks(w);
	JW_TRY(trace_pf_explain(w, names, e));
	JW_TRY(trace_pf_put_tasks(w, e));
	JW_TRY(trace_pf_put_requests(w, e));
	return trace_aside_end(&w->packets, w->to, e);
}

const struct trace_output trace_perfetto_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

void *trace_perfetto_new(const struct trace_destination *to)
{
	struct trace_perfetto *w = jw_mem_zalloc(1, sizeof(*w));

	if (w) {
		w->to = to;
		w->packets.fill = trace_pb_nothing;
	}
	return w;
}

void trace_perfetto_free(void *ctx)
{
	struct trace_perfetto *perfetto = ctx;

	if (!perfetto)
		return;
	for (uint32_t i = 0; perfetto->lanes && i < perfetto->lane_count; i++) {
		jw_mem_free(perfetto->lanes[i].used);
		jw_mem_free(perfetto->lanes[i].captured);
		trace_methods_free(&perfetto->lanes[i].types);
		trace_methods_free(&perfetto->lanes[i].texts);
	}
	jw_mem_free(perfetto->lanes);
	trace_methods_free(&perfetto->methods);
	trace_methods_free(&perfetto->marks);
	trace_methods_free(&perfetto->states);
	trace_aside_free(&perfetto->packets);
	jw_arena_free(&perfetto->arena);
	jw_mem_free(perfetto);
}
