/*
 * idents.h: keeps the ids of classes apart: they are hashes of names, of which two may be the same.
 */
#ifndef JW_WEAVER_IDENTS_H
#define JW_WEAVER_IDENTS_H

#include "weaver/archive/unit.h"
#include "weaver/archive/weave_tally.h"

/* Begins one more run of UNIT, the *RUNS-th (0 before the first): JW_BUG when there were too many.
 * Runs go on until unit->collided stays false. */
enum jw_status JW_MUST_USE weave_begin_run(struct weave_unit *unit, int *runs, struct jw_err *e);

/* Sees that no two classes of T share a hash: else adds a salt to UNIT and sets UNIT->collided. */
enum jw_status JW_MUST_USE weave_check_idents(struct weave_unit *unit, struct weave_tally *t,
					      struct jw_err *e);

#endif
