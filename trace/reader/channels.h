/*
 * channels.h: connections and files that the program reads and writes, as `meta` tells of them.
 *
 *     line .. -> join -> find
 */
#ifndef JW_TRACE_READER_CHANNELS_H
#define JW_TRACE_READER_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/status.h"

struct trace_recording;

/* ORDER: words in channels.c. */
enum trace_channel_role {
	TRACE_ROLE_CONNECT,
	TRACE_ROLE_ACCEPT,
	TRACE_ROLE_LISTEN,
	TRACE_ROLE_LATE
};
enum trace_channel_family {
	TRACE_FAMILY_TCP,
	TRACE_FAMILY_UDP,
	TRACE_FAMILY_UNIX,
	TRACE_FAMILY_OTHER
};

/* What the kernel said of the bytes of a connection when it was closed. */
enum trace_channel_end { TRACE_END_WHOLE, TRACE_END_OTHER, TRACE_END_OPEN, TRACE_END_UNKNOWN };

enum { TRACE_WRITTEN, TRACE_READ, TRACE_WAYS };

struct trace_socket {
	const char *address[2]; /* its own, its peer's; "": none */
	uint16_t port[2];
	enum trace_channel_role role;
	enum trace_channel_family family;
	enum trace_channel_end end;
	uint64_t tick, end_tick; /* end_tick: UINT64_MAX where it is not closed */
	uint64_t inode;
	uint64_t before[TRACE_WAYS]; /* bytes that were moved before it was seen */
	uint64_t after[TRACE_WAYS];  /* and when it was closed, or recording ended: in all */
};

struct trace_channel {
	uint32_t number;
	const char *name;            /* "tcp 10.0.0.1:4000 > 10.0.0.2:80", or a path */
	struct trace_socket *socket; /* of the arena; NULL: a file */
	bool is_end;                 /* while meta is read: a line about its end */
	bool named;                  /* waits alone are told, not what crosses */
};

/* The line of meta that begins with WORD and has N FIELDS; what is none about channels is passed
 * over. */
enum jw_status JW_MUST_USE trace_channel_line(struct trace_recording *rec, struct jw_span word,
					      const struct jw_span *fields, size_t n,
					      struct jw_err *e);
/* All lines are there: sorts by number, one entry each; what was LATE where it listens was accepted there.
 * JW_NOMEM. */
enum jw_status JW_MUST_USE trace_channels_join(struct trace_recording *rec, struct jw_err *e);
/* Is NAME, of a channel, that of a connection? Else it is that of a file. */
bool trace_is_connection(const char *name);
/* Is it that of one that this end has accepted? */
bool trace_is_accepted(const char *name);
/* The address of the server of the connection NAME; empty: it has one end. */
struct jw_span trace_connection_server(const char *name);
/* Is all that crosses the channel NUMBER told, as far as is known? Else waits alone. */
bool trace_channel_is_counted(const struct trace_recording *rec, uint64_t number);
/* NULL: meta does not have it. */
const struct trace_channel *trace_channel_find(const struct trace_recording *rec, uint64_t number);

#endif
