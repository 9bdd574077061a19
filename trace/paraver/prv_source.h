/*
 * prv_source.h: a .prv, as somebody wrote it, as a source of what happened (output.h).
 *
 *     new -> (row, captures) -> feed .. feed -> finish -> free
 *
 * In pieces of any size, so that it may come out of a decompressor. What Paraver would drop is left
 * out and counted. Memory: a line that two pieces share, and some bytes for each thread.
 */
#ifndef JW_TRACE_PARAVER_PRV_SOURCE_H
#define JW_TRACE_PARAVER_PRV_SOURCE_H

#include "base/bytes.h"
#include "base/status.h"

struct trace_notes;
struct trace_output;
struct trace_select;
struct trace_prv_source;

/* NULL: no memory. OUTPUT, CTX and SELECT live as long. SELECT: what OUTPUT is told of all, after the
 * first reading if it needs one, whose output is trace_look_output; NULL: all. */
struct trace_prv_source *trace_prv_source_new(const struct trace_output *output, void *ctx,
					      struct trace_select *select);
/* ROW, the text of the .row, says which processes there are, and on which hosts: before the first piece,
 * and until that is fed. Without it they have numbers. */
void trace_prv_source_row(struct trace_prv_source *source, struct jw_span row);
/* Captures are told as those of recordings are, by what PCF says of them (prv_told.h), and end() has
 * names: of captures, texts, the program's own events, threads and links; nothing else. Without it captures
 * are told as events of the program's own, and there are no names. Before the first piece; PCF need not
 * live on. */
enum jw_status JW_MUST_USE trace_prv_source_captures(struct trace_prv_source *source,
						     struct jw_span pcf, struct jw_err *e);
/* The next piece of the .prv. What is no trace at all is JW_INPUT. */
enum jw_status JW_MUST_USE trace_prv_source_feed(struct trace_prv_source *source,
						 struct jw_span piece, struct jw_err *e);
/* The .prv is at its end; PCF and ROW are the texts beside it (empty: there are none). */
enum jw_status JW_MUST_USE trace_prv_source_finish(struct trace_prv_source *source,
						   struct jw_span pcf, struct jw_span row,
						   struct jw_err *e);
/* Sentences for the user on what the trace lacks, was left out, or looks wrong; once it has finished. */
void trace_prv_source_note_flaws(const struct trace_prv_source *source, struct trace_notes *notes);
/* NULL may be freed, too. */
void trace_prv_source_free(struct trace_prv_source *source);

#endif
