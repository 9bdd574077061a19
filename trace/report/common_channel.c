/*
 * common_channel.c: see common_channel.h.
 */
#include "trace/report/common_channel.h"

#include <string.h>

#include "trace/reader/channels.h"

#include "base/banned.h"

static void add_connection(struct trace_common_channel *c, const char *name)
{
	struct jw_span server = trace_connection_server(name);

	if (!c->connections++) {
		c->connection = name;
		c->server = server;
	}
	c->differs |= server.n == 0 || !jw_span_eq(server, c->server) ||
		      trace_is_accepted(name) != trace_is_accepted(c->connection);
}

void trace_common_channel_add(struct trace_common_channel *c, const char *name)
{
	if (trace_is_connection(name))
		add_connection(c, name);
	else if (!c->files++)
		c->file = name;
}

static const char *connections(const struct trace_common_channel *c, struct jw_arena *arena)
{
	if (c->connections <= 1)
		return c->connection ? c->connection : "";
	if (c->differs)
		return jw_arena_fmt(arena, "%zu connections", c->connections);
	return jw_arena_fmt(arena, "%zu connections %s %.*s", c->connections,
			    trace_is_accepted(c->connection) ? "at" : "to", (int)c->server.n,
			    (const char *)c->server.p);
}

static const char *files(const struct trace_common_channel *c, struct jw_arena *arena)
{
	if (c->files <= 1)
		return c->file ? c->file : "";
	return jw_arena_fmt(arena, "%zu files", c->files);
}

const char *trace_common_channel_text(const struct trace_common_channel *c, struct jw_arena *arena)
{
	const char *first = connections(c, arena), *then = files(c, arena);

	if (!first || !then || !*then)
		return then ? first : NULL;
	return *first ? jw_arena_fmt(arena, "%s and %s", first, then) : then;
}
