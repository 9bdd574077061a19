/*
 * run_after.h: what is said when the program has ended.
 */
#ifndef JW_CLI_RUN_AFTER_H
#define JW_CLI_RUN_AFTER_H

#include "cli/run.h"

/* Says what the runtime could not: converts what a killed program left. */
void run_after(struct run *run, const struct cli_child_end *end, int64_t began);

#endif
