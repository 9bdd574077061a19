/*
 * event.h: tracks and events of the sequence of marks that say all of themselves: when, on which
 * track, with which texts. Those of calls and states say less (waiting.h).
 *
 *     trace_pf_put_track
 *     trace_pf_open_event -> notes and others -> trace_pf_close_event
 */
#ifndef JW_TRACE_PERFETTO_EVENT_H
#define JW_TRACE_PERFETTO_EVENT_H

#include "trace/perfetto/packet.h"
#include "trace/perfetto/perfetto_int.h"

/* The track UUID, called NAME, below PARENT. */
void trace_pf_put_track(struct jw_buf *out, uint64_t uuid, struct jw_span name, uint64_t parent);

/* The places of an event that is open. */
struct trace_pf_event {
	size_t packet, event;
};

/* At TIME of the clock since boot; TYPE: PF_BEGIN, PF_END or PF_INSTANT. */
struct trace_pf_event trace_pf_open_event(struct jw_buf *out, uint64_t time, unsigned type,
					  uint64_t track);
void trace_pf_close_event(struct jw_buf *out, const struct trace_pf_event *event);

/* An annotation NAME of the event that is open: VALUE, as FIELD; a text. */
void trace_pf_note(struct jw_buf *out, const char *name, uint32_t field, uint64_t value);
void trace_pf_note_text(struct jw_buf *out, const char *name, struct jw_span text);

/* The name of the thread in place AT, known when all has happened: appended to TEXT. */
void trace_pf_put_thread_name(const struct trace_perfetto *w, struct jw_buf *text, uint32_t at);

#endif
