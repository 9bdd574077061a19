/*
 * destination.h: where an output goes. One that is a stream of bytes: to a file, through a
 * compressor, to standard output; this room, which is part of the runtime too, knows none of them.
 * Others make files themselves.
 */
#ifndef JW_TRACE_DESTINATION_H
#define JW_TRACE_DESTINATION_H

#include "base/bytes.h"
#include "base/status.h"

struct trace_destination {
	enum jw_status (*write)(void *to, struct jw_span bytes, struct jw_err *e);
	void *to;
	const char *spill; /* what has to wait goes beside this path ("-": where temporary files go) */
	const char *table; /* of several the one that is written; NULL: all of them, to `path` */
	const char *path;  /* of what is no stream: the file that it makes, or a folder, which is there */
};

#endif
