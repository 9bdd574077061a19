/*
 * capture_events.h: captures that have an event type of their own.
 */
#ifndef JW_TRACE_REPLAY_CAPTURE_EVENTS_H
#define JW_TRACE_REPLAY_CAPTURE_EVENTS_H

#include <stdint.h>

struct jw_capture;
struct trace_pass;
struct trace_task;
struct trace_who;

/* Tells the capture C of WHO, who has a row for calls; it has a type of its own, and is in WORD. */
void trace_capture_show(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			const struct jw_capture *c, uint64_t word);
/* What the numbers of texts of TASK are counted on from. */
uint64_t trace_text_base(const struct trace_task *task);

#endif
