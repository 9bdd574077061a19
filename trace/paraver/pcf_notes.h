/*
 * pcf_notes.h: what a trace lacks, in its .pcf: the values of a type of which there is no event, so that
 * who reads the trace alone is told what the recordings would tell.
 */
#ifndef JW_TRACE_PARAVER_PCF_NOTES_H
#define JW_TRACE_PARAVER_PCF_NOTES_H

#include "base/bytes.h"

struct jw_arena;
struct trace_summary;

/* The type, after all others; nothing if the trace lacks nothing. Texts are made in ARENA. */
void trace_put_pcf_notes(struct jw_buf *out, const struct trace_summary *summary,
			 struct jw_arena *arena);

#endif
