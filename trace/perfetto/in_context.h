/*
 * in_context.h: traces of OpenTelemetry (context.h) among packets: a slice on the track `trace context`
 * for as long as one is current on a thread, and the ids as arguments of each call that begins in it.
 *
 * Ids are told in the middle of a sequence, when a call first needs them: nothing is kept for them.
 */
#ifndef JW_TRACE_PERFETTO_IN_CONTEXT_H
#define JW_TRACE_PERFETTO_IN_CONTEXT_H

#include "trace/perfetto/perfetto_int.h"

/* A part of a trace context (trace_is_context()) of THREAD. */
void trace_pf_context_part(struct trace_perfetto *w, uint32_t thread, uint64_t time,
			   enum trace_type type, uint64_t value);
/* What is current on THREAD, if anything is, ends at TIME. */
void trace_pf_context_over(struct trace_perfetto *w, uint32_t thread, uint64_t time);
/* A call begins, PASSED after what its sequence told before; a context is current. NAME: its number. */
void trace_pf_put_call_in_context(struct trace_perfetto *w, uint32_t thread, uint64_t passed,
				  uint64_t name);

#endif
