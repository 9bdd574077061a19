/*
 * pcf_types.h: every EVENT_TYPE of a .pcf, and which there are so far.
 */
#ifndef JW_TRACE_PARAVER_PCF_TYPES_H
#define JW_TRACE_PARAVER_PCF_TYPES_H

#include "base/bytes.h"
#include "trace/replay/method_numbers.h"

/* A .pcf that is being written, and its types of events: Paraver finds a type by its label, which
 * has to be the only one. {.out}: none yet. */
struct trace_pcf {
	struct jw_buf *out;
	struct trace_methods types, labels; /* labels by their hashes */
};

/* Begins the block of TYPE; what belongs to it follows, and two empty lines. */
void trace_pcf_type(struct trace_pcf *pcf, uint32_t type, struct jw_span label);
/* Does it stand there? */
bool trace_pcf_has_type(const struct trace_pcf *pcf, uint32_t type);
bool trace_pcf_has_label(const struct trace_pcf *pcf, struct jw_span label);
void trace_pcf_free(struct trace_pcf *pcf);

#endif
