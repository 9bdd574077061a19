/*
 * said_names.h: what numbers of a trace stand for, as its names say (output.h: struct trace_names).
 *
 * NAMES may be NULL: those of a .prv, which says them itself.
 */
#ifndef JW_TRACE_NAMES_SAID_NAMES_H
#define JW_TRACE_NAMES_SAID_NAMES_H

#include <stdint.h>

struct trace_names;

/* The label of the operation NUMBER of TYPE; NULL: there is no such operation. */
const char *trace_operation_label(uint64_t type, uint64_t number);
/* What the TAG of an arrow (output.h) is called: its link, or operation. NULL: nothing. */
const char *trace_arrow_label(const struct trace_names *names, uint64_t tag);
/* What the program has called its events of TYPE; NULL: nothing. */
const char *trace_user_label(const struct trace_names *names, uint64_t type);
/* What captures of TYPE are called, by their rule or else by the program; "" or NULL: nothing. */
const char *trace_capture_label(const struct trace_names *names, uint64_t type);

#endif
