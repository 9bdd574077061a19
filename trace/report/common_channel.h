/*
 * common_channel.h: several connections and files as one text, by what they have in common.
 *
 *     add, add, ... -> text       {0}: none
 *
 *     "tcp 10.0.0.1:4000 > 10.0.0.2:80"     one
 *     "12 connections to 10.0.0.2:80"       that this end has made, to one address
 *     "12 connections at 10.0.0.1:80"       that this end has accepted, at one address
 *     "12 connections", "3 files"           else
 *     "12 connections to 10.0.0.2:80 and /lib/app.jar"
 */
#ifndef JW_TRACE_REPORT_COMMON_CHANNEL_H
#define JW_TRACE_REPORT_COMMON_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/text.h"

/* Names of channels (reader/channels.h) are the caller's, and live as long. */
struct trace_common_channel {
	const char *connection, *file; /* the first of each; NULL: none */
	size_t connections, files;
	struct jw_span server; /* the server's address, which all connections have, unless it */
	bool differs;
};

void trace_common_channel_add(struct trace_common_channel *common, const char *name);
/* In ARENA; "" of none. NULL: no memory. */
const char *trace_common_channel_text(const struct trace_common_channel *common,
				      struct jw_arena *arena);

#endif
