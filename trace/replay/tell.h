/*
 * tell.h: the second pass: what happened, to an output (output.h), once the first has found states
 * and arrows.
 */
#ifndef JW_TRACE_REPLAY_TELL_H
#define JW_TRACE_REPLAY_TELL_H

#include "base/status.h"

struct trace_map;
struct trace_notes;
struct trace_output;
struct trace_pass;
struct trace_world;

/* Tells OUTPUT, whose begin() was called with CTX, all that happened in WORLD. P, all zero but for
 * the limit of its methods, has what was told then; it is to be freed (told.h), also after a
 * failure. */
enum jw_status JW_MUST_USE trace_tell(struct trace_world *world, const struct trace_map *map,
				      const struct trace_output *output, void *ctx,
				      struct trace_pass *p, struct trace_notes *notes,
				      struct jw_err *e);

#endif
