/*
 * in_context.c: see in_context.h.
 */
#include "trace/perfetto/in_context.h"

#include "trace/perfetto/event.h"
#include "trace/perfetto/waiting.h"

#include "base/banned.h"

typedef void put_id(struct jw_buf *out, const struct trace_context *c);

/* Appends an id as a text of FIELD. */
static void put_text(struct jw_buf *out, uint32_t field, put_id *put, const struct trace_context *c)
{
	size_t text = trace_pb_open(out, field);

	put(out, c);
	trace_pb_close(out, text);
}

/* ---- the track ---- */

static void note_id(struct jw_buf *out, const char *name, put_id *put,
		    const struct trace_context *c)
{
	size_t note = trace_pb_open(out, PF_EVENT_ANNOTATION);

	trace_pb_text(out, PF_NOTE_NAME, jw_span_str(name));
	put_text(out, PF_NOTE_STRING, put, c);
	trace_pb_close(out, note);
}

/* The beginning or the end of its slice, called after the trace. */
static void put_slice(struct trace_perfetto *w, uint32_t thread, uint64_t time, unsigned type)
{
	struct trace_pf_lane *lane = &w->lanes[thread];
	struct jw_buf *out = &w->packets.block;

	if (!trace_pf_room(w))
		return;
	lane->has[TRACE_PF_CONTEXT] = true;
	const struct trace_pf_event at =
		trace_pf_open_event(out, time, type, trace_pf_uuid(thread, TRACE_PF_CONTEXT));

	if (type == PF_BEGIN) {
		put_text(out, PF_EVENT_TEXT, trace_context_put_trace, &lane->context);
		note_id(out, "trace_id", trace_context_put_trace, &lane->context);
		note_id(out, "span_id", trace_context_put_span, &lane->context);
	}
	trace_pf_close_event(out, &at);
}

void trace_pf_context_over(struct trace_perfetto *w, uint32_t thread, uint64_t time)
{
	struct trace_pf_lane *lane = &w->lanes[thread];

	if (!trace_context_is_current(&lane->context))
		return;
	put_slice(w, thread, time > lane->context_at ? time : lane->context_at, PF_END);
	lane->context = (struct trace_context){ 0 };
}

void trace_pf_context_part(struct trace_perfetto *w, uint32_t thread, uint64_t time,
			   enum trace_type type, uint64_t value)
{
	struct trace_pf_lane *lane = &w->lanes[thread];
	struct trace_context next = lane->context, before = lane->context;

	if (!trace_context_take(&next, type, value)) {
		lane->context = next;
		return;
	}
	trace_pf_context_over(w, thread, time);
	if (next.trace_high != before.trace_high || next.trace_low != before.trace_low)
		lane->trace_number = 0;
	if (next.span != before.span)
		lane->span_number = 0;
	lane->context = next;
	/* a .prv may go back */
	lane->context_at = time > lane->context_at ? time : lane->context_at;
	if (trace_context_is_current(&next))
		put_slice(w, thread, lane->context_at, PF_BEGIN);
}

/* ---- calls ---- */

/* An id as a text of the sequence of THREAD, from here on; returns its number. */
static uint64_t intern(struct trace_perfetto *w, uint32_t thread, put_id *put)
{
	struct trace_pf_lane *lane = &w->lanes[thread];
	struct jw_buf *out = &w->packets.block;
	uint64_t number = trace_pf_id_number(lane->ids++);
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, trace_pf_sequence(thread, TRACE_PF_CALLS));
	size_t interned = trace_pb_open(out, PF_INTERNED);
	size_t text = trace_pb_open(out, PF_TEXTS);

	trace_pb_number(out, 1, number);
	put_text(out, 2, put, &lane->context);
	trace_pb_close(out, text);
	trace_pb_close(out, interned);
	trace_pb_close(out, packet);
	return number;
}

static void note_number(struct jw_buf *out, uint64_t name, uint64_t text)
{
	size_t note = trace_pb_open(out, PF_EVENT_ANNOTATION);

	trace_pb_number(out, PF_NOTE_NAME_NUMBER, name);
	trace_pb_number(out, PF_NOTE_TEXT_NUMBER, text);
	trace_pb_close(out, note);
}

void trace_pf_put_call_in_context(struct trace_perfetto *w, uint32_t thread, uint64_t passed,
				  uint64_t name)
{
	struct trace_pf_lane *lane = &w->lanes[thread];
	struct jw_buf *out = &w->packets.block;

	if (!trace_pf_room(w))
		return;
	if (!lane->trace_number)
		lane->trace_number = intern(w, thread, trace_context_put_trace);
	if (!lane->span_number)
		lane->span_number = intern(w, thread, trace_context_put_span);
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_TIME, passed);
	trace_pb_number(out, PF_SEQUENCE, trace_pf_sequence(thread, TRACE_PF_CALLS));
	size_t event = trace_pb_open(out, PF_EVENT);

	trace_pb_number(out, PF_EVENT_TYPE, PF_BEGIN);
	trace_pb_number(out, PF_EVENT_NAME, name);
	trace_pb_number(out, PF_EVENT_SOURCE, name);
	note_number(out, TRACE_PF_TRACE_ID, lane->trace_number);
	note_number(out, TRACE_PF_SPAN_ID, lane->span_number);
	trace_pb_close(out, event);
	trace_pb_close(out, packet);
}
