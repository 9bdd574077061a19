/*
 * row_requests.c: requests on connections, as rows: see rows_int.h. Known last, when all has happened
 * and connections have their ids.
 */
#include "trace/requests/requests.h"
#include "trace/tables/rows_int.h"

#include "base/banned.h"

struct putting {
	struct trace_tables *t;
	struct jw_buf text; /* owned; of one cell */
	uint64_t n;
};

/* 0: the table of connections does not have it. */
static uint64_t connection_of(const struct trace_tables *t, uint64_t channel)
{
	uint32_t number = trace_methods_known(&t->channel_numbers, channel);

	return number < t->channels.n ? t->channels.at[number].id : 0;
}

static enum jw_status put_request(void *ctx, const struct trace_kept_request *r, struct jw_err *e)
{
	struct putting *p = ctx;
	struct trace_tables *t = p->t;

	struct trace_cell server = trace_cell_clean(&p->text, r->server);
	const struct trace_cell row[] = {
		trace_cell_number(++p->n),
		trace_cell_maybe(connection_of(t, r->channel)),
		trace_cell_text(server.text),
		trace_cell_number((uint64_t)r->process + 1),
		trace_cell_number(r->asks),
		trace_cell_number((uint64_t)r->asker + 1),
		trace_cell_number((uint64_t)r->answerer + 1),
		trace_cell_number(r->begin),
		trace_cell_number(r->end - r->begin),
		trace_cell_number(r->answer_begin - r->begin),
	};

	if (p->text.failed != JW_OK && t->why.status == JW_OK)
		(void)jw_nomem(&t->why);
	trace_put_row(t, TRACE_TABLE_REQUEST, row, sizeof(row) / sizeof(*row));
	if (t->why.status != JW_OK && e)
		*e = t->why;
	return t->why.status;
}

enum jw_status trace_put_requests(struct trace_tables *t, struct jw_err *e)
{
	struct putting p = { .t = t };

	if (!t->requests)
		return JW_OK;
	enum jw_status status = trace_requests_each(t->requests, put_request, &p, e);

	jw_buf_free(&p.text);
	return status;
}
