/*
 * closed.h: how many methods were closed while the program ran (runtime-jni/recorder/budget.h): of their calls
 * after that no output knows anything.
 *
 *     {0} -> an output told all of it (output.h) -> methods.n -> free
 *
 * Of a range those count that were closed before it, or in it.
 */
#ifndef JW_TRACE_FOLLOW_CLOSED_H
#define JW_TRACE_FOLLOW_CLOSED_H

#include "trace/output.h"
#include "trace/replay/method_numbers.h"

struct trace_closed {
	struct trace_methods methods; /* by number */
	bool failed;                  /* no memory */
};

extern const struct trace_output trace_closed_output; /* of a struct trace_closed */
void trace_closed_free(struct trace_closed *closed);

#endif
