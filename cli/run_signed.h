/*
 * run_signed.h: signed jars. A woven one has lost its signature, and the JVM takes classes of one package only if all have
 * the same signers, or none: so a signed jar that is not woven, and shares a package with one that is, is shown without its
 * signature, too; and so on.
 */
#ifndef JW_CLI_RUN_SIGNED_H
#define JW_CLI_RUN_SIGNED_H

#include "cli/run.h"

/* The jar PATH, which the program loads from, has become COPY (NULL: it stays); noted if it is signed. */
enum jw_status JW_MUST_USE run_signed_take(struct run *run, const char *path, const char *copy,
					   struct jw_err *e);
/* All are taken: makes copies without signatures, where they have to be. *AGAIN: some cannot be shown in place, so that the
 * paths have to be made anew, of these copies. */
enum jw_status JW_MUST_USE run_signed_settle(struct run *run, bool *again, struct jw_err *e);
/* The copy of PATH, NULL: it has none, as far as is known. */
const char *run_signed_copy(const struct run *run, const char *path);
/* Says which signatures were removed, of several runs in the FIRST one. */
void run_signed_tell(const struct run *run, bool first);

#endif
