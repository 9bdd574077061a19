/*
 * layout.h: where everything is in the new code. Called after sites.h has filled the plan.
 */
#ifndef JW_WEAVER_LAYOUT_H
#define JW_WEAVER_LAYOUT_H

#include "weaver/class/body.h"

/* Places everything within the limits of the job. Scans again when branches have to be widened.
 * Code that is longer than the limit is placed, too: the caller refuses it. */
enum jw_status JW_MUST_USE weave_layout(struct weave_body *b, struct jw_err *e);

#endif
