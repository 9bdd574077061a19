/*
 * run_launch.h: a command that is not java: a script or tool that starts one.
 */
#ifndef JW_CLI_RUN_LAUNCH_H
#define JW_CLI_RUN_LAUNCH_H

#include "cli/run.h"

/* The command is not java: makes it find our java. *WORDS: the command, if it has to change. */
void run_launch(struct run *run, const char *const **words);
/* Before anything else: a run that another one has launched, by what that has put into our environment, starts java
 * itself. Once that is known, each java that it starts becomes a run, of the other one's kind, else of this one's. Before
 * it starts: puts that into our environment. */
void run_launch_take(struct run *run);
void run_launch_children(struct run *run);
void run_launch_hand_on(const struct run *run);
/* It has ended: says when it found none. */
void run_launched(struct run *run);
/* Says that the command has ended, and something that it has started has not. */
void run_tell_left(struct run *run);

#endif
