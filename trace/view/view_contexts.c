/*
 * view_contexts.c: see view_contexts.h.
 */
#include "trace/view/view_contexts.h"

#include "base/memory.h"
#include "trace/reader/reader.h"
#include "trace/view/view.h"
#include "trace/view/view_columns.h"

#include "base/banned.h"

static bool add(struct trace_view_contexts *all, const struct trace_view_context *one)
{
	if (all->all++ >= TRACE_VIEW_CONTEXTS)
		return true;
	struct trace_view_context *grown = trace_grow(all->at, all->n, &all->cap, sizeof(*grown));

	if (!grown)
		return false;
	all->at = grown;
	grown[all->n++] = *one;
	return true;
}

bool trace_view_contexts_end(struct trace_view_contexts *all, struct trace_view_current *row_has,
			     uint32_t row, uint64_t time)
{
	const struct trace_view_context one = {
		.begin = row_has->since,
		.end = time > row_has->since ? time : row_has->since,
		.trace_high = row_has->context.trace_high,
		.trace_low = row_has->context.trace_low,
		.span = row_has->context.span,
		.row = row,
	};
	bool current = trace_context_is_current(&row_has->context);

	row_has->context = (struct trace_context){ 0 };
	return !current || add(all, &one);
}

bool trace_view_contexts_take(struct trace_view_contexts *all, struct trace_view_current *row_has,
			      uint32_t row, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_context next = row_has->context;
	bool good = true;

	if (trace_context_take(&next, type, value)) {
		good = trace_view_contexts_end(all, row_has, row, time);
		row_has->since = time;
	}
	row_has->context = next;
	return good;
}

/* The browser's numbers have 53 bits. */
static void put_id(struct jw_buf *out, uint64_t id)
{
	trace_view_put(out, id >> 32);
	trace_view_put(out, id & UINT32_MAX);
}

void trace_view_contexts_put(const struct trace_view_contexts *all, struct jw_buf *out)
{
	trace_view_put(out, all->all);
	trace_view_put(out, all->n);
	for (size_t i = 0; i < all->n; i++) {
		const struct trace_view_context *c = &all->at[i];

		trace_view_put(out, c->row);
		trace_view_put(out, c->begin);
		trace_view_put(out, c->end - c->begin);
		put_id(out, c->trace_high);
		put_id(out, c->trace_low);
		put_id(out, c->span);
	}
}

void trace_view_contexts_free(struct trace_view_contexts *all)
{
	jw_mem_free(all->at);
	*all = (struct trace_view_contexts){ 0 };
}
