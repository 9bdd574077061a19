/*
 * ctor.h: where in a constructor `this` is not initialised yet.
 */
#ifndef JW_WEAVER_CTOR_H
#define JW_WEAVER_CTOR_H

#include "weaver/class/body.h"

/* From START on (to the next run, or the end of the code), `this` is in this state. */
struct weave_run {
	uint32_t start;
	enum weave_this state;
};

/* Fills b->runs. Only constructors have more than one run. */
enum jw_status JW_MUST_USE weave_this_runs(struct weave_body *b, struct jw_err *e);

/* The state of `this` at PC; *RUN is the index of its run, which only rises from one call to the
 * next: 0 before the first. */
enum weave_this weave_this_at(const struct weave_body *b, uint32_t pc, uint32_t *run);

#endif
