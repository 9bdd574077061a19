/*
 * run_learnt.h: what earlier runs have learnt of the program, and its budget.
 */
#ifndef JW_CLI_RUN_LEARNT_H
#define JW_CLI_RUN_LEARNT_H

#include <sys/types.h>

#include "cli/run.h"

/* Finds what is known of the program; the cache is open. The recorder is told how many methods are left out, and its
 * trace tells of it. */
enum jw_status JW_MUST_USE run_learnt_open(struct run *run, struct jw_err *e);
/* When no rules are given, the program is traced within a share of its CPU time. */
enum jw_status JW_MUST_USE run_budget(struct run *run, struct jw_err *e);
/* Takes LINE, which the program told of a closed method; it stays in the arena. */
void run_learnt_take(struct run *run, char *line);
/* The process PID may have left RECORDING in a job, of which nobody makes a trace: says what was closed in it, and
 * takes what it has learnt. */
void run_learnt_of_job(struct run *run, const char *recording, pid_t pid);
/* Keeps what is new for the next run. */
void run_learnt_save(struct run *run);

#endif
