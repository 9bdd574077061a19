/*
 * requests_each.c: all requests, where they are kept: see requests.h.
 */
#include "trace/reader/channels.h"
#include "trace/requests/requests_int.h"

#include "base/banned.h"

enum jw_status trace_requests_keep(struct trace_requests *q, const char *base, struct jw_err *e)
{
	q->keeps = true;
	return trace_spool_open(&q->spool, base, 0, e);
}

/* What the connection of R is called, and whether R is one as it was asked or answered there. */
static bool is_one(const struct trace_requests *q, uint64_t place, int way,
		   struct trace_kept_request *r)
{
	const struct connection *c = &q->connections.at[place];

	r->channel = c->channel;
	r->number = place;
	r->process = c->process;
	r->connection = trace_wanted_text(&q->names, TRACE_NAME_CHANNEL, c->channel);
	if (!r->connection || !trace_is_connection(r->connection))
		return false;
	r->server = trace_connection_server(r->connection);
	r->asks = way == ASKS;
	return r->server.n && r->asks != trace_is_accepted(r->connection);
}

enum jw_status trace_requests_each(struct trace_requests *q, trace_request_fn tell, void *ctx,
				   struct jw_err *e)
{
	struct trace_spool *spool = &q->spool;
	struct trace_list_at at = { 0 };
	uint64_t where, begin, answer, ns, asker, answerer;
	enum jw_status status = JW_OK;

	while (status == JW_OK && trace_list_get(spool, &q->kept, &at, &where) &&
	       trace_list_get(spool, &q->kept, &at, &begin) &&
	       trace_list_get(spool, &q->kept, &at, &answer) &&
	       trace_list_get(spool, &q->kept, &at, &ns) &&
	       trace_list_get(spool, &q->kept, &at, &asker) &&
	       trace_list_get(spool, &q->kept, &at, &answerer)) {
		struct trace_kept_request r = { .begin = begin,
						.answer_begin = begin + answer,
						.end = begin + ns,
						.asker = (uint32_t)asker,
						.answerer = (uint32_t)answerer };

		if (is_one(q, where / WAYS, (int)(where % WAYS), &r))
			status = tell(ctx, &r, e);
	}
	trace_list_end(&at);
	return status == JW_OK ? trace_spool_status(spool, e) : status;
}
