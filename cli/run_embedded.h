/*
 * run_embedded.h: programs that are a JVM themselves, and start no java: what jpackage has packed, and
 * jsvc (Apache Commons Daemon).
 */
#ifndef JW_CLI_RUN_EMBEDDED_H
#define JW_CLI_RUN_EMBEDDED_H

#include "cli/run.h"

/* Is the command of RUN such a program? Then RUN->embedded is its file, and RUN->java the command by which java
 * would run the same. Its own words stay as they are: its jars are shown to it where they are
 * (run_overlay.h). JW_INPUT: what says how it starts cannot be read. */
enum jw_status JW_MUST_USE run_embedded(struct run *run, struct jw_err *e);

/* Says what of it runs without tracing: its command cannot be changed, as that of a java would be. */
void run_embedded_tell(const struct run *run);

#endif
