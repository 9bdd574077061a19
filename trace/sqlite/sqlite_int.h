/*
 * sqlite_int.h: the text of the schema (schema.c), for sqlite.c.
 */
#ifndef JW_TRACE_SQLITE_INT_H
#define JW_TRACE_SQLITE_INT_H

#include "trace/tables/tables.h"

/* "CREATE TABLE ..." of one TABLE. */
void trace_sqlite_put_table(struct jw_buf *out, enum trace_table_id table);

struct trace_sqlite_index {
	enum trace_table_id table;
	const char *name, *columns;
};
extern const struct trace_sqlite_index trace_sqlite_indexes[]; /* name NULL ends */
/* Statements that make the views (views.sql); a zero ends them. */
extern const uint8_t trace_sqlite_views[];

#endif
