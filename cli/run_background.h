/*
 * run_background.h: what a script has left running when it ended: a server, mostly.
 */
#ifndef JW_CLI_RUN_BACKGROUND_H
#define JW_CLI_RUN_BACKGROUND_H

#include "cli/run.h"

/* Does a java that the command of RUN has started still run, or a run for one? ANY: or whatever else, which may be about
 * to start it. */
bool run_background(const struct run *run, bool any);

#endif
