/*
 * run_launch.h: a command that is not java: a script or tool that starts one.
 */
#ifndef JW_CLI_RUN_LAUNCH_H
#define JW_CLI_RUN_LAUNCH_H

#include "cli/run.h"

/* The command is not java: makes it find our java. *WORDS: the command, if it has to change. */
void run_launch(struct run *run, const char *const **words);
/* Before anything else: a run that another one has launched, by what that has put into our environment, starts java
 * itself. Before its java starts: what that one starts is launched by the other again. */
void run_launch_take(struct run *run);
void run_launch_hand_on(const struct run *run);
/* It has ended: says when it found none. */
void run_launched(struct run *run);

#endif
