/*
 * state_names.h: what states are called, by their numbers (output.h): Extrae 5.1.2's names.
 */
#ifndef JW_TRACE_NAMES_STATE_NAMES_H
#define JW_TRACE_NAMES_STATE_NAMES_H

#include <stdint.h>

#define TRACE_STATE_NAMES 35 /* Extrae's, and ours */

/* NULL: there is no such state; the numbers have no gap. */
const char *trace_state_name(uint64_t state);

#endif
