/*
 * tsv.h: the tables of a trace (trace/tables/) as text: for DuckDB, Spark, PostgreSQL's COPY, awk.
 *
 *     file   a line with the names of the columns, then a line for each row; UTF-8
 *     line   values with a TAB between, and LF at the end
 *     value  a number, or text, in which \t \n \r \\ are TAB, LF, CR and a backslash; \N: NULL
 *
 * One table goes to the destination as a stream, a row as soon as it is known; or all of them to a
 * folder, each to NAME.tsv. Memory: a buffer for each. Cost: 0.1 us a row.
 */
#ifndef JW_TRACE_TSV_TSV_H
#define JW_TRACE_TSV_TSV_H

#include "trace/destination.h"
#include "trace/tables/tables.h"

struct trace_tsv;

extern const struct trace_table_writer trace_tsv_writer;

/* The context of trace_tsv_writer. NULL: no memory. */
struct trace_tsv *trace_tsv_new(const struct trace_destination *to);

#endif
