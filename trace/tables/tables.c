/*
 * tables.c: see tables.h: tables and columns, as tables.def has them.
 */
#include <string.h>

#include "trace/tables/tables.h"

#include "base/banned.h"

const struct trace_table trace_tables[TRACE_TABLES] = {
#define TABLE(NAME, name, about) { #name, about },
#include "trace/tables/tables.def"
};

const struct trace_column trace_columns[TRACE_COLUMNS] = {
#define COLUMN(TABLE, NAME, name, type, refers, about) \
	{ TRACE_TABLE_##TABLE, #name, TRACE_COLUMN_##type, refers, about },
#include "trace/tables/tables.def"
};

size_t trace_tables_first(enum trace_table_id table)
{
	size_t first = 0;

	while (trace_columns[first].table != table)
		first++;
	return first;
}

size_t trace_tables_width(enum trace_table_id table)
{
	size_t n = 0, first = trace_tables_first(table);

	while (first + n < TRACE_COLUMNS && trace_columns[first + n].table == table)
		n++;
	return n;
}

enum trace_table_id trace_tables_find(const char *name)
{
	enum trace_table_id table = 0;

	while (table < TRACE_TABLES && strcmp(trace_tables[table].name, name) != 0)
		table++;
	return table;
}

bool trace_tables_is_of_tasks(const char *name)
{
	enum trace_table_id table = trace_tables_find(name);

	return table == TRACE_TABLE_TASK || table == TRACE_TABLE_CAUSE;
}

bool trace_tables_is_of_requests(const char *name)
{
	return trace_tables_find(name) == TRACE_TABLE_REQUEST;
}
