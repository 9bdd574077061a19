/*
 * told_names.h: what the numbers that were told stand for, when all is told.
 */
#ifndef JW_TRACE_REPLAY_TOLD_NAMES_H
#define JW_TRACE_REPLAY_TOLD_NAMES_H

#include "base/memory.h"
#include "trace/output.h"

struct trace_pass;

/* All in full, in ARENA; texts live as long as the recordings and maps of P. */
enum jw_status JW_MUST_USE trace_told_names(const struct trace_pass *p, struct jw_arena *arena,
					    struct trace_names *out, struct jw_err *e);
/* The labels of NAMES, and of the threads of SCENE, to OUTPUT's name(). */
enum jw_status JW_MUST_USE trace_told_labels(const struct trace_names *names,
					     const struct trace_scene *scene,
					     const struct trace_output *output, void *ctx,
					     struct jw_err *e);

#endif
