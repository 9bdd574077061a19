/*
 * run_told.h: what the program tells of its traces.
 */
#ifndef JW_CLI_RUN_TOLD_H
#define JW_CLI_RUN_TOLD_H

#include <sys/types.h>

#include "cli/run.h"

/* Makes the folder of the run, and asks the program for messages; reads them; removes all. */
void run_told_open(struct run *run);
/* Removes such folders of this user's that runs have left which were killed. */
void run_told_remove_left(struct jw_arena *arena);

/* What a run tells the one that has started it: that a program is started; that there is a trace of it, or that it was
 * said why there is none; that it has ended, and a java that it has started has not. */
enum run_word { RUN_REACHED, RUN_SAID, RUN_LEFT };
void run_tell_outer(const struct run *run, enum run_word word);
/* Has the outer run been told of no other program so far? */
bool run_is_first(const struct run *run);
/* Of the trace with most calls: the outer run says what to type next, once all have ended. False: there is none, or it has ended. */
bool run_tell_outer_trace(const struct run *run);

/* Takes LINE if it tells of a trace, as run_message.h has it; it stays where it is as long as RUN. */
void run_told_trace(struct run *run, const char *line);
void run_told_read(struct run *run);
/* Notes which archives PID, a java that RUN (CTX) has started, has open now. */
void run_told_look(void *ctx, pid_t pid);
void run_told_close(struct run *run);

#endif
