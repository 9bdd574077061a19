/*
 * statements.h: what the statements of SQL took, by their texts (preset sql): each execution (jdbc/execute) has the
 * text that it has captured itself, or else that of what prepared (jdbc/prepare) its statement.
 *
 *     new -> an output told all of it (output.h) -> list -> free
 *
 *     prepare  "select .."  -> object 7        the text is captured; the object is what it returns
 *     execute  object 7     -> "select .."     also in another thread; the latest prepare of an object counts
 *     execute  "insert .."
 *
 * What calls around one another do is one operation, as a pool's statements that call a driver's: it is told once.
 *
 * Memory: 32 bytes for each object that was prepared, and what is said of each text.
 */
#ifndef JW_TRACE_STATEMENTS_H
#define JW_TRACE_STATEMENTS_H

#include "base/memory.h"
#include "trace/output.h"

/* The label of captures of texts. */
#define TRACE_STATEMENTS_LABEL "SQL"

struct trace_statement {
	const char *text; /* NULL: unknown, of all executions without one together */
	uint64_t count, ns, longest_ns;
	uint64_t prepared; /* so often */
};

/* Those that took longest in all first, the unknown ones last. Text is in the arena. */
struct trace_statement_list {
	const struct trace_statement *statements;
	size_t n;
	uint64_t count, ns; /* of all executions */
	uint64_t duration_ns;
};

struct trace_statements;

/* NULL: no memory. */
struct trace_statements *trace_statements_new(struct jw_arena *arena);
extern const struct trace_output trace_statements_output; /* of a struct trace_statements */
struct trace_statement_list trace_statements_list(const struct trace_statements *statements);
/* NULL may be freed, too. */
void trace_statements_free(struct trace_statements *statements);

#endif
