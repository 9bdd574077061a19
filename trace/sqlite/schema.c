/*
 * schema.c: see sqlite_int.h: tables, indexes and views.
 */
#include "base/carried.h"
#include "trace/sqlite/sqlite_int.h"

#include "base/banned.h"

void trace_sqlite_put_table(struct jw_buf *out, enum trace_table_id table)
{
	static const char *const types[] = {
		[TRACE_COLUMN_KEY] = " INTEGER PRIMARY KEY",
		[TRACE_COLUMN_NUMBER] = " INTEGER NOT NULL",
		[TRACE_COLUMN_MAYBE] = " INTEGER",
		[TRACE_COLUMN_TEXT] = " TEXT NOT NULL",
		[TRACE_COLUMN_MAYBE_TEXT] = " TEXT",
	};
	size_t first = trace_tables_first(table), width = trace_tables_width(table);

	jw_put_fmt(out, "CREATE TABLE %s ( -- %s\n", trace_tables[table].name,
		   trace_tables[table].about);
	for (size_t i = 0; i < width; i++) {
		const struct trace_column *c = &trace_columns[first + i];

		jw_put_fmt(out, "  %s%s", c->name, types[c->type]);
		if (*c->refers)
			jw_put_fmt(out, " REFERENCES %s (id)", c->refers);
		jw_put_str(out, i + 1 < width ? "," : "");
		jw_put_fmt(out, "%s%s\n", *c->about ? " -- " : "", c->about);
	}
	jw_put_str(out, ")");
}

const struct trace_sqlite_index trace_sqlite_indexes[] = {
	{ TRACE_TABLE_CALL, "call_method", "method, duration_ns" },
	{ TRACE_TABLE_CALL, "call_thread", "thread, begin_ns" },
	{ TRACE_TABLE_CALL, "call_parent", "parent" },
	{ TRACE_TABLE_STATE, "state_thread", "thread, begin_ns" },
	{ TRACE_TABLE_ARROW, "arrow_from", "from_thread, sent_ns" },
	{ TRACE_TABLE_ARROW, "arrow_to", "to_thread, received_ns" },
	{ TRACE_TABLE_EVENT, "event_thread", "thread, begin_ns" },
	{ TRACE_TABLE_EVENT, "event_call", "call" },
	{ TRACE_TABLE_EVENT, "event_what", "what, object" },
	{ TRACE_TABLE_TRACE_CONTEXT, "trace_context_id", "trace_id" },
	{ TRACE_TABLE_CAUSE, "cause_task", "task, place" },
	{ 0 },
};

JW_CARRY(trace_sqlite_views, "trace/sqlite/views.sql");
