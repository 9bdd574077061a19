/*
 * slow_names.h: kept calls get the names of all that their numbers stand for.
 *
 *     want, want .. -> names are told (follow/wanted.h) -> name, name ..
 */
#ifndef JW_TRACE_SLOWEST_SLOW_NAMES_H
#define JW_TRACE_SLOWEST_SLOW_NAMES_H

#include "trace/follow/wanted.h"
#include "trace/slowest/slow_kept.h"
#include "trace/slowest/slowest.h"

struct trace_slow_naming {
	struct trace_wanted *names;
	const struct trace_scene *scene;
	const struct trace_usual *usual;
};

void trace_slow_want(const struct trace_slow_naming *naming, const struct trace_slow_kept *kept);
/* OUT in the arena of the names; false: no memory. */
bool trace_slow_name(const struct trace_slow_naming *naming, const struct trace_slow_kept *kept,
		     struct trace_slow_call *out);

#endif
