/*
 * wait_names.h: what waits are called (output.h: enum trace_wait_kind).
 */
#ifndef JW_TRACE_NAMES_WAIT_NAMES_H
#define JW_TRACE_NAMES_WAIT_NAMES_H

#include <stdint.h>

/* NULL: there is no such wait. */
const char *trace_wait_name(uint64_t kind);

#endif
