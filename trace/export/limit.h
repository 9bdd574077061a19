/*
 * limit.h: counts what goes to an output, and stops before there is more than its viewers hold: what
 * comes then is only counted, so that whoever is refused can be told what to select.
 *
 *     new -> to -> an output told all of it (output.h) -> free
 */
#ifndef JW_TRACE_EXPORT_LIMIT_H
#define JW_TRACE_EXPORT_LIMIT_H

#include "trace/output.h"

struct trace_limit {
	uint64_t most;    /* slices */
	bool states;      /* a state is one, too; a call always is */
	const char *what; /* "perfetto": what holds no more */
};

struct trace_limiting;

/* NULL: no memory. LIMIT lives as long. What is in it goes to OUTPUT. */
struct trace_limiting *trace_limiting_new(const struct trace_limit *limit,
					  const struct trace_output *output, void *ctx);
/* NULL may be freed, too. */
void trace_limiting_free(struct trace_limiting *limiting);

/* For a struct trace_limiting. end(): JW_LIMIT: there is more; with what to select. */
extern const struct trace_output trace_limiting_output;

#endif
