/*
 * user_events.h: events of the programs' own.
 */
#ifndef JW_TRACE_REPLAY_USER_EVENTS_H
#define JW_TRACE_REPLAY_USER_EVENTS_H

#include <stdint.h>

struct trace_pass;
struct trace_who;

/* Types of the programs' own are 1 to this. */
#define TRACE_MAX_USER_TYPE  39999999
#define TRACE_MAX_USER_VALUE (UINT64_C(1) << 53)

/* In place of a value, in what was seen: the type itself. */
#define TRACE_TYPE_ITSELF UINT32_MAX

/* WORD at TIME, of kind JWR_EVENT or JWR_EVENT_VALUE. */
void trace_user_event(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word);

#endif
