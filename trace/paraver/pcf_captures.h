/*
 * pcf_captures.h: types of captures that have one of their own.
 */
#ifndef JW_TRACE_PARAVER_PCF_CAPTURES_H
#define JW_TRACE_PARAVER_PCF_CAPTURES_H

struct trace_names;
struct trace_pcf;
struct trace_prv;

void trace_put_captured_types(struct trace_pcf *pcf, const struct trace_prv *prv,
			      const struct trace_names *names);

#endif
