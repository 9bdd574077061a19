/*
 * check_perfetto.h: is a .pftrace what Perfetto's trace_processor reads without complaint? By the format
 * alone (perfetto.h): every number is explained before it is used, every slice ends, every flow has two
 * ends. Aborts when it is not.
 */
#ifndef JW_TESTS_TRACE_CHECK_PERFETTO_H
#define JW_TESTS_TRACE_CHECK_PERFETTO_H

#include "base/bytes.h"

/* SAID, unless it is NULL, gets a line "TRACK: NAME BEGIN-END" for each slice, in order of ends, and "TIME NAME: TEXT" for each
 * text that an event has. */
void check_perfetto(struct jw_span bytes, struct jw_buf *said);

#endif
