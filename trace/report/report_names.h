/*
 * report_names.h: names for what was added up, and the report made of both.
 *
 *     open -> name .. -> make -> free      once all is told (output.h)
 */
#ifndef JW_TRACE_REPORT_NAMES_H
#define JW_TRACE_REPORT_NAMES_H

#include "trace/output.h"

struct trace_reading;
struct trace_report_names;

/* Sets R->names; R->failed: no memory. */
void trace_report_names_open(struct trace_reading *r);
/* As in struct trace_output; CTX is a struct trace_reading. */
void trace_report_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label);
enum jw_status JW_MUST_USE trace_report_make(void *ctx, const struct trace_names *names,
					     struct jw_err *e);
/* NULL may be freed, too. */
void trace_report_names_free(struct trace_report_names *names);

#endif
