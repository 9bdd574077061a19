/*
 * ignore.h: functions for what an output (output.h) does not show.
 */
#ifndef JW_TRACE_IGNORE_H
#define JW_TRACE_IGNORE_H

#include "trace/output.h"

void trace_ignore_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state);
void trace_ignore_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method);
void trace_ignore_leave(void *ctx, uint32_t thread, uint64_t time, bool failed);
void trace_ignore_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
			uint64_t value);
void trace_ignore_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			    uint64_t number);
void trace_ignore_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			   uint64_t value);
void trace_ignore_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value);
void trace_ignore_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
			uint64_t tag);

#endif
