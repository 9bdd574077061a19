/*
 * paje.h: what happened, as Paje reads it: pj_dump, ViTE, R. As JRastro did, methods are a stack of
 * states of a thread, and objects that threads use have containers of their own, below their class:
 *
 *     0 -> Host -> Process -> Thread       Method  pushed and popped     State  set
 *                                          event   exceptions, objects made, captured texts
 *                                          variables: numbers captured, events of the program, sums
 *                          -> Class -> Object       threads waiting  a variable
 *
 *     links: arrow   from thread to thread, with a key each
 *            use     from thread to object, of an operation or a wait, where it begins
 *
 *     file: %EventDef .. %EndEventDef; types; values; containers; what happened, by time; their ends
 *
 * Values and containers are named first, but names are known last: so what happened waits in a
 * temporary file. Memory grows with threads, names, objects (MOST_OBJECTS at most are told apart) and
 * arrows on their way. Cost: 50 bytes and 150 ns for a call.
 */
#ifndef JW_TRACE_PAJE_PAJE_H
#define JW_TRACE_PAJE_PAJE_H

#include "trace/destination.h"
#include "trace/output.h"

extern const struct trace_output trace_paje_output;

/* The context of trace_paje_output; NULL: no memory. TO lives as long. */
void *trace_paje_new(const struct trace_destination *to);
/* NULL may be freed, too. */
void trace_paje_free(void *ctx);

#endif
