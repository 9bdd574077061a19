/*
 * sqlite.h: the tables of a trace (trace/tables/) as an SQLite database.
 *
 *     NAME.db   tables.def's tables, with references to keys; indexes; views (views.sql), in which
 *               names are in place of their numbers
 *
 * Rows are inserted many at a time, in one transaction without a journal: whatever fails, what is
 * there then is no database, and whoever called removes it. Indexes are made when all rows are
 * there; of a table with more than 2 million rows none are, since sorting would take several times
 * as long as all else. Memory: 8 MiB of pages. Cost: 0.6 us a row.
 */
#ifndef JW_TRACE_SQLITE_SQLITE_H
#define JW_TRACE_SQLITE_SQLITE_H

#include "trace/destination.h"
#include "trace/tables/tables.h"

struct trace_sqlite;

extern const struct trace_table_writer trace_sqlite_writer;

/* The context of trace_sqlite_writer; it makes the file TO->path. NULL: no memory. */
struct trace_sqlite *trace_sqlite_new(const struct trace_destination *to);

#endif
