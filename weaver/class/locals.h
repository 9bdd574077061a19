/*
 * locals.h: the types of the locals at call sites, for the frames of their handlers.
 */
#ifndef JW_WEAVER_LOCALS_H
#define JW_WEAVER_LOCALS_H

#include "weaver/class/body.h"

/* Fills in the locals of the calls' handlers (weave_call.locals). Costs one walk up to the last call
 * that needs them, and nothing where none does. */
enum jw_status JW_MUST_USE weave_call_types(struct weave_body *b, struct jw_err *e);

#endif
