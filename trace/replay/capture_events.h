/*
 * capture_events.h: captures that have an event type of their own.
 */
#ifndef JW_TRACE_REPLAY_CAPTURE_EVENTS_H
#define JW_TRACE_REPLAY_CAPTURE_EVENTS_H

#include <stdint.h>

struct jw_capture;
struct trace_notes;
struct trace_pass;
struct trace_taken;
struct trace_who;

/* Tells the capture C of WHO, who has a row for calls; it has a type of its own. */
void trace_capture_show(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			const struct jw_capture *c, const struct trace_taken *taken);
/* What was left out, since it is not between 0 and 2^53, by type. */
void trace_note_misfits(const struct trace_pass *p, struct trace_notes *notes);

#endif
