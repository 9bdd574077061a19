/*
 * tables.h: what happened in a run, as rows of tables (tables.def has the tables and their columns),
 * for whatever writes tables: a database, files of text.
 *
 *     trace_tables_new(writer) -> the functions of trace_tables_output -> trace_tables_free()
 *
 *     a writer hears   open -> row, row .. -> close       and is asked `check` now and then
 *
 * A row is written when all of it is known: a call when it ends, an arrow when it is received, and
 * what numbers stand for (threads, methods, names) last of all. So rows refer to rows that come
 * later. Ids of calls are counted on when they begin, or are told to (job.h, apart), and come in the
 * order of ends.
 *
 * Memory: open calls, arrows on their way, and a name for each number. Cost: 40 ns a call, and what
 * the writer takes.
 */
#ifndef JW_TRACE_TABLES_H
#define JW_TRACE_TABLES_H

#include "base/bytes.h"
#include "trace/output.h"

/* ---- the tables ---- */

enum trace_table_id {
#define TABLE(NAME, name, about) TRACE_TABLE_##NAME,
#include "trace/tables/tables.def"
	TRACE_TABLES,
};

/* The columns of all tables, one after another. */
enum trace_column_id {
#define COLUMN(TABLE, NAME, name, type, refers, about) TRACE_COLUMN_##TABLE##_##NAME,
#include "trace/tables/tables.def"
	TRACE_COLUMNS,
};

/* It changes with the meaning of tables or columns. */
enum { TRACE_TABLES_VERSION = 1, TRACE_TABLE_WIDEST = 32 };

enum trace_column_type {
	TRACE_COLUMN_KEY,
	TRACE_COLUMN_NUMBER,
	TRACE_COLUMN_MAYBE,
	TRACE_COLUMN_TEXT,
	TRACE_COLUMN_MAYBE_TEXT,
};

struct trace_column {
	enum trace_table_id table;
	const char *name;
	enum trace_column_type type;
	const char *refers; /* to the key of this table; "": to none */
	const char *about;
};
extern const struct trace_column trace_columns[TRACE_COLUMNS];

struct trace_table {
	const char *name, *about;
};
extern const struct trace_table trace_tables[TRACE_TABLES];

/* Its columns begin at this place among all. */
size_t trace_tables_first(enum trace_table_id table);
size_t trace_tables_width(enum trace_table_id table);
/* TRACE_TABLES: there is none of this NAME. */
enum trace_table_id trace_tables_find(const char *name);
/* Has the table of this NAME rows of trace_tables_tasks(), or of trace_tables_requests()? */
bool trace_tables_is_of_tasks(const char *name);
bool trace_tables_is_of_requests(const char *name);

/* ---- rows ---- */

enum trace_cell_kind { TRACE_CELL_NULL, TRACE_CELL_NUMBER, TRACE_CELL_TEXT };

struct trace_cell {
	enum trace_cell_kind kind;
	int64_t number;
	struct jw_span text; /* UTF-8 */
};

static inline struct trace_cell trace_cell_number(uint64_t n)
{
	return (struct trace_cell){ .kind = TRACE_CELL_NUMBER,
				    .number = n > INT64_MAX ? INT64_MAX : (int64_t)n };
}

/* 0: NULL. */
static inline struct trace_cell trace_cell_maybe(uint64_t n)
{
	return n ? trace_cell_number(n) : (struct trace_cell){ .kind = TRACE_CELL_NULL };
}

static inline struct trace_cell trace_cell_text(struct jw_span text)
{
	return (struct trace_cell){ .kind = TRACE_CELL_TEXT, .text = text };
}

struct trace_table_writer {
	enum jw_status (*open)(void *ctx, struct jw_err *e);
	/* As many cells as TABLE has columns. */
	void (*row)(void *ctx, enum trace_table_id table, const struct trace_cell *cells);
	/* What row() could not return. */
	enum jw_status (*check)(void *ctx, struct jw_err *e);
	/* All rows are there. */
	enum jw_status (*close)(void *ctx, struct jw_err *e);
	void (*free)(void *ctx);
};

/* ---- the output ---- */

struct trace_engine;
struct trace_requests;

extern const struct trace_output trace_tables_output;

/* The context of trace_tables_output, which owns CTX, the writer's (NULL: there was no memory for
 * it). NULL: no memory; CTX is freed. */
void *trace_tables_new(const struct trace_table_writer *writer, void *ctx);
/* Of ENGINE, which hears the same before, tasks become rows, too (engine/engine.h). */
void trace_tables_tasks(void *tables, const struct trace_engine *engine);
/* So do REQUESTS, which keeps all of them (requests/requests.h). */
void trace_tables_requests(void *tables, struct trace_requests *requests);
/* NULL may be freed, too. */
void trace_tables_free(void *tables);

#endif
