/*
 * event.c: see event.h.
 */
#include "trace/perfetto/event.h"

#include "trace/names/label.h"
#include "trace/names/said_names.h"

#include "base/banned.h"

void trace_pf_put_track(struct jw_buf *out, uint64_t uuid, struct jw_span name, uint64_t parent)
{
	size_t packet = trace_pb_open(out, PF_PACKET);

	trace_pb_number(out, PF_SEQUENCE, 1);
	size_t track = trace_pb_open(out, PF_TRACK);

	trace_pb_number(out, 1, uuid);
	trace_pb_text(out, 2, name);
	trace_pb_number(out, 5, parent);
	trace_pb_close(out, track);
	trace_pb_close(out, packet);
}

struct trace_pf_event trace_pf_open_event(struct jw_buf *out, uint64_t time, unsigned type,
					  uint64_t track)
{
	struct trace_pf_event at = { .packet = trace_pb_open(out, PF_PACKET) };

	trace_pb_number(out, PF_TIME, time);
	trace_pb_number(out, PF_SEQUENCE, 1);
	trace_pb_number(out, PF_CLOCK, PF_CLOCK_BOOT);
	at.event = trace_pb_open(out, PF_EVENT);
	trace_pb_number(out, PF_EVENT_TYPE, type);
	trace_pb_number(out, PF_EVENT_TRACK, track);
	return at;
}

void trace_pf_close_event(struct jw_buf *out, const struct trace_pf_event *at)
{
	trace_pb_close(out, at->event);
	trace_pb_close(out, at->packet);
}

void trace_pf_note(struct jw_buf *out, const char *name, uint32_t field, uint64_t value)
{
	size_t at = trace_pb_open(out, PF_EVENT_ANNOTATION);

	trace_pb_text(out, PF_NOTE_NAME, jw_span_str(name));
	trace_pb_number(out, field, value);
	trace_pb_close(out, at);
}

void trace_pf_note_text(struct jw_buf *out, const char *name, struct jw_span text)
{
	size_t at = trace_pb_open(out, PF_EVENT_ANNOTATION);

	trace_pb_text(out, PF_NOTE_NAME, jw_span_str(name));
	trace_pb_text(out, PF_NOTE_STRING, text);
	trace_pb_close(out, at);
}

void trace_pf_put_thread_name(const struct trace_perfetto *w, struct jw_buf *text, uint32_t at)
{
	if (w->rows[at])
		trace_put_name(text, jw_span_str(w->rows[at]), TRACE_MAX_LABEL);
	else
		trace_put_unnamed(text, w->scene->threads[at].number);
}
