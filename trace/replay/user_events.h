/*
 * user_events.h: events of the programs' own.
 */
#ifndef JW_TRACE_REPLAY_USER_EVENTS_H
#define JW_TRACE_REPLAY_USER_EVENTS_H

#include <stdint.h>

struct trace_frames;
struct trace_methods;
struct trace_pcf;
struct trace_who;
struct trace_world;

/* Types of the programs' own are 1 to this. */
#define TRACE_MAX_USER_TYPE  39999999
#define TRACE_MAX_USER_VALUE (UINT64_C(1) << 53)

/* WORD at TIME, of kind JWR_EVENT or JWR_EVENT_VALUE. */
void trace_user_event(struct trace_frames *to, const struct trace_world *w,
		      const struct trace_who *who, uint64_t time, uint64_t word);
/* What the program calls TYPE, or "". */
const char *trace_user_label(const struct trace_world *w, uint32_t type);
/* The types that were SEEN (which it sorts), with the labels that the recordings have: below all
 * other types; one that stands there as a capture's is not written again. */
void trace_put_user_types(struct trace_pcf *pcf, struct trace_methods *seen,
			  const struct trace_world *w);

#endif
