/*
 * run_told.h: what the program tells of its traces.
 */
#ifndef JW_CLI_RUN_TOLD_H
#define JW_CLI_RUN_TOLD_H

#include <sys/types.h>

#include "cli/run.h"

/* Makes the folder of the run, and asks the program for messages; reads them; removes all. */
void run_told_open(struct run *run);
/* Tells a run that has started this one that a program is started. */
void run_tell_outer(const struct run *run);
void run_told_read(struct run *run);
/* Notes which archives PID, a java that RUN (CTX) has started, has open now. */
void run_told_look(void *ctx, pid_t pid);
void run_told_close(struct run *run);

#endif
