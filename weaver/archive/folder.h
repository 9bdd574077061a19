/*
 * folder.h: weaves a folder into a new folder.
 *
 * Order of calls: weave_folder(), then, whether it failed or not, commit or discard what it made.
 */
#ifndef JW_WEAVER_FOLDER_H
#define JW_WEAVER_FOLDER_H

#include "weaver/archive/unit.h"
#include "weaver/archive/weave_tally.h"

/* Weaves the folder job->in into a new folder *MADE next to job->out (NULL: nothing was to be
 * written). */
enum jw_status JW_MUST_USE weave_folder(struct weave_unit *unit, struct weave_tally *tally,
					const char **made, struct jw_err *e);
enum jw_status JW_MUST_USE weave_folder_commit(struct weave_unit *unit, const char *made,
					       struct jw_err *e);
/* Removes the folder MADE (NULL: there is none), or what is left of it. */
void weave_folder_discard(const char *made);

#endif
