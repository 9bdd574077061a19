/*
 * destination.h: where an output goes. One that is a stream of bytes: to a file, through a
 * compressor, to standard output; this room, which is part of the runtime too, knows none of them.
 * Others make files themselves.
 */
#ifndef JW_TRACE_DESTINATION_H
#define JW_TRACE_DESTINATION_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/out_file.h"

/* What stacks are counted by (collapsed/collapsed.h). */
enum trace_stacks_by {
	TRACE_STACKS_SELF,
	TRACE_STACKS_TOTAL,
	TRACE_STACKS_CALLS,
	TRACE_STACKS_EXCEPTIONS,
	TRACE_STACKS_RUNNING, /* of the own time; so below */
	TRACE_STACKS_BLOCKED,
	TRACE_STACKS_WAITING,
	TRACE_STACKS_IO,
};

struct trace_destination {
	enum jw_status (*write)(void *to, struct jw_span bytes, struct jw_err *e);
	void *to;
	struct jw_out *file; /* that `write` appends to; NULL: it is not to be changed */
	/* what has to wait goes beside this path ("-": where temporary files go) */
	const char *spill;
	const char *table; /* of several the one that is written; NULL: all of them, to `path` */
	enum trace_stacks_by by;
	bool reverse;   /* stacks from the call up */
	bool unlimited; /* however much: viewers may not hold it */
	/* of what is no stream: the file that it makes, or a folder, which is there */
	const char *path;
};

#endif
