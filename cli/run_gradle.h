/*
 * run_gradle.h: Gradle builds in a JVM that may be there already (its daemon), which no java of ours
 * can be. It takes scripts for all builds (-I): one of ours has the class path of tests woven.
 */
#ifndef JW_CLI_RUN_GRADLE_H
#define JW_CLI_RUN_GRADLE_H

#include "cli/run.h"

/*
 * Puts into the place of RUN what Gradle needs; PLACE/weave is there, `jweave run OPTIONS -- "$@"`.
 * *WORDS: the command, with the option after its word AT. JW_IO: no room. JW_NOMEM.
 */
enum jw_status JW_MUST_USE run_gradle(struct run *run, size_t at, const char *const **words,
				      struct jw_err *e);

#endif
