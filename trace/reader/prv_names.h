/*
 * prv_names.h: the names beside a .prv, as somebody wrote them: a .pcf names values, a .row
 * threads.
 */
#ifndef JW_TRACE_PRV_NAMES_H
#define JW_TRACE_PRV_NAMES_H

#include "base/bytes.h"

/* In place of a type: a state. */
#define TRACE_PCF_STATE 0
/* In place of a value: the type itself. */
#define TRACE_PCF_TYPE UINT64_MAX

/* Each type of events of the .pcf TEXT, and each value that has a label, with its type; of several types that
 * share a list of values, the last. */
void trace_pcf_each(struct jw_span text,
		    void (*named)(void *ctx, uint64_t type, uint64_t value, struct jw_span label),
		    void *ctx);

/* Each name of the .row TEXT at LEVEL ("THREAD", "TASK", "NODE", ..), with its place among all of them. */
void trace_row_each(struct jw_span text, const char *level,
		    void (*named)(void *ctx, uint64_t place, struct jw_span name), void *ctx);

#endif
