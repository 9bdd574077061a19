/*
 * sites.h: where the probes of a method go. Called once its probes are measured, and once more by
 * the layout where branches have to change.
 */
#ifndef JW_WEAVER_SITES_H
#define JW_WEAVER_SITES_H

#include "weaver/class/body.h"

/* Fills the plan in one pass over the instructions. With ALL also an edit at each branch and gap,
 * for the layout to change. */
enum jw_status JW_MUST_USE weave_scan_sites(struct weave_body *b, bool all, struct jw_err *e);

#endif
