/*
 * row_contexts.c: see row_contexts.h.
 */
#include "trace/tables/row_contexts.h"

#include "trace/tables/rows_int.h"

#include "base/banned.h"

void trace_row_context_over(struct trace_tables *t, uint32_t thread, uint64_t time)
{
	struct trace_row_lane *lane = &t->lanes[thread];
	struct jw_buf trace = { 0 }, span = { 0 };

	if (!trace_context_is_current(&lane->context))
		return;
	trace_context_put_trace(&trace, &lane->context);
	trace_context_put_span(&span, &lane->context);
	const struct trace_cell row[] = {
		trace_cell_number((uint64_t)thread + 1),
		trace_cell_number(lane->context_begin),
		trace_cell_number(time > lane->context_begin ? time - lane->context_begin : 0),
		trace_cell_text(jw_buf_span(&trace)),
		trace_cell_text(jw_buf_span(&span)),
	};

	if (trace.failed != JW_OK || span.failed != JW_OK) {
		if (t->why.status == JW_OK)
			(void)jw_nomem(&t->why);
	} else {
		trace_put_row(t, TRACE_TABLE_TRACE_CONTEXT, row, sizeof(row) / sizeof(*row));
	}
	jw_buf_free(&trace);
	jw_buf_free(&span);
	lane->context = (struct trace_context){ 0 };
}

void trace_row_context_part(struct trace_tables *t, uint32_t thread, uint64_t time,
			    enum trace_type type, uint64_t value)
{
	struct trace_row_lane *lane = &t->lanes[thread];
	struct trace_context next = lane->context;

	if (!trace_context_take(&next, type, value)) {
		lane->context = next;
		return;
	}
	trace_row_context_over(t, thread, time);
	lane->context = next;
	lane->context_begin = time;
}
