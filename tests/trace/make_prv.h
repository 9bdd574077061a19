/*
 * make_prv.h: the .prv of a recording made by hand, as text, for tests of one thread's records.
 */
#ifndef JW_TESTS_TRACE_MAKE_PRV_H
#define JW_TESTS_TRACE_MAKE_PRV_H

#include "tests/trace/make_recording.h"

/* An event of thread 1, NS after the clock point that the recording begins with. */
void make_at(struct make *m, uint64_t ns, enum jwr_kind kind, uint64_t payload);

/* Converts NAME.jwr with MAP (or NULL): that succeeds, and the trace is valid. The text of its .prv,
 * to be freed. SUMMARY (or NULL): of the conversion, until the next one. */
char *make_prv(const char *name, const char *map, struct trace_summary *summary);

#endif
