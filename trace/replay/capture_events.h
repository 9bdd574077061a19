/*
 * capture_events.h: captures that have an event type of their own.
 */
#ifndef JW_TRACE_REPLAY_CAPTURE_EVENTS_H
#define JW_TRACE_REPLAY_CAPTURE_EVENTS_H

#include <stdint.h>

struct jw_capture;
struct trace_frames;
struct trace_pcf;
struct trace_row;
struct trace_world;

void trace_capture_show(struct trace_frames *to, const struct trace_row *row, uint64_t time,
			const struct jw_capture *c, uint64_t word);
/* The types that were written. */
void trace_put_captured_types(struct trace_pcf *pcf, const struct trace_frames *frames,
			      const struct trace_world *world);

#endif
