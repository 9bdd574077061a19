/*
 * contexts.h: the trace context of a thread (W3C Trace Context: which trace and span it works for),
 * from where it is told until it is another one, or the thread ends.
 *
 * Cost: nothing for threads that tell none.
 */
#ifndef JW_TRACE_REPLAY_CONTEXTS_H
#define JW_TRACE_REPLAY_CONTEXTS_H

#include <stdint.h>

#include "trace/format/recording.h"

struct trace_pass;
struct trace_who;

/* {0}: nothing was told. */
struct trace_context_parts {
	uint64_t part[JWR_CONTEXT_PARTS]; /* of the one that is being told */
	uint8_t next;                     /* the part that comes next */
	uint64_t told[JWR_CONTEXT_PARTS]; /* what is current; all 0: nothing */
};

/* A part of the trace context of WHO, by the PAYLOAD of a CONTEXT: with the last one, all of it is told
 * to the output, where it is another one than before. Parts that do not follow each other are damage, and left out. */
void trace_contexts_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 uint64_t payload);
/* WHO ends: none is current. */
void trace_contexts_end(struct trace_pass *p, const struct trace_who *who, uint64_t time);

#endif
