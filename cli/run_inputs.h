/*
 * run_inputs.h: archives on the paths of a command that its program reads as files, too: a compiler what it compiles
 * against, a tool what it packs. Where a java opens one it sees the woven copy (run_overlay.h), and would take code
 * out of that. So these stay as they are:
 *
 *   - what the program has among its arguments (a word of them, a part of one at = : , or ;, in an @FILE, by the
 *     wildcard of a folder), unless -r names the rules
 *   - of a compiler whose language has libraries that it takes code out of (Kotlin, Scala) those, whatever the rules
 *
 * None of them does so that --also names, and no argument of what only starts others (a test runner).
 */
#ifndef JW_CLI_RUN_INPUTS_H
#define JW_CLI_RUN_INPUTS_H

#include "cli/run.h"

enum run_input { RUN_INPUT_NONE, RUN_INPUT_ARGUMENT, RUN_INPUT_LIBRARY };

/* Which kind the archive PATH is, whatever the rules. *KIND stays with an error: JW_NOMEM. */
enum jw_status JW_MUST_USE run_input(struct run *run, const char *path, enum run_input *kind,
				     struct jw_err *e);

/* Does the archive PATH stay as it is? It is remembered. */
enum jw_status JW_MUST_USE run_input_stays(struct run *run, const char *path, bool *stays,
					   struct jw_err *e);

/* Says what stays, and what does not though the program may take code out of it, where the rules choose of that, as
 * CHOOSES says of a path. True: something stays. */
bool run_inputs_tell(struct run *run, bool (*chooses)(struct run *run, const char *path));

#endif
