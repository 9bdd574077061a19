/*
 * destination.h: where an output that is one stream of bytes goes: to a file, through a compressor,
 * to standard output. This room, which is part of the runtime too, knows none of them.
 */
#ifndef JW_TRACE_DESTINATION_H
#define JW_TRACE_DESTINATION_H

#include "base/bytes.h"
#include "base/status.h"

struct trace_destination {
	enum jw_status (*write)(void *to, struct jw_span bytes, struct jw_err *e);
	void *to;
	const char *spill; /* what has to wait goes beside this path ("-": where temporary files go) */
};

#endif
