/*
 * call_events.h: what calls do, to what, with which values, as events: what the second pass does
 * with them (struct trace_pass_does).
 */
#ifndef JW_TRACE_REPLAY_CALL_EVENTS_H
#define JW_TRACE_REPLAY_CALL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct jw_capture;
struct trace_method;
struct trace_pass;
struct trace_taken;
struct trace_who;

void trace_call_begins(struct trace_pass *p, const struct trace_who *who,
		       const struct trace_method *method, uint64_t time);
void trace_call_captures(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 const struct jw_capture *capture, const struct trace_taken *taken);
void trace_call_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		     bool recorded, bool failed);

#endif
