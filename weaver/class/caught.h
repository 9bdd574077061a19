/*
 * caught.h: exceptions thrown and caught, where they are recorded (b->exceptions).
 *
 * Order of calls: find landings once b->runs are known; write the shows once the constants are
 * known; fill in the frames before emitting.
 */
#ifndef JW_WEAVER_CAUGHT_H
#define JW_WEAVER_CAUGHT_H

#include "weaver/class/body.h"

/* Finds the landings of the method. */
enum jw_status JW_MUST_USE weave_find_landings(struct weave_body *b, struct jw_err *e);

/* Fills in their frames. */
enum jw_status JW_MUST_USE weave_landing_types(struct weave_body *b, struct jw_err *e);

/* The landing of H, an entry of the input's exception table; NULL: it has none. */
const struct weave_landing *weave_landing_of(const struct weave_plan *plan,
					     const struct cfr_handler *h);

/* Writes b->thrown and b->caught. */
void weave_write_shows(struct weave_body *b);

#endif
